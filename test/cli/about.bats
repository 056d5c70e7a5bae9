# SPDX-License-Identifier: Apache-2.0
# Started by a person: no command, and the options (contract, section 2).

load lib

# by_hand ARGUMENT...: sets status, output, log.
by_hand() {
	status=0
	env -i "${variables[@]}" "$PLUGIN" "$@" <"$BATS_TEST_TMPDIR/stdin" >"$OUTPUT" 2>"$LOG" || status=$?
	read_output
}

setup() {
	. "$BATS_TEST_DIRNAME/lib.bash"
	STATE=$BATS_TEST_TMPDIR/state OUTPUT=$BATS_TEST_TMPDIR/output LOG=$BATS_TEST_TMPDIR/log
	CASE='' CONF='' check_state=true pods=() variables=()
	echo '{"cniVersion":"1.1.0","name":"n"}' >"$BATS_TEST_TMPDIR/stdin"
}

@test "without a command it says on stderr what it is, its version and the CNI versions" {
	for variables in '' CNI_COMMAND=; do
		[ -n "$variables" ] || variables=()
		CASE=${variables[*]}
		by_hand
		[ "$status" = 0 ] || fail "exit status"
		[ -z "$output" ] || fail "stdout must be empty"
		own=$(env -i "$PLUGIN" --version)
		[[ $log == *"${own#rdma }"* && $log == *CNI* && $log == *RDMA* ]] || fail "what it is"
		for v in "${VERSIONS[@]}"; do
			[[ $log == *$v* ]] || fail "version $v"
		done
	done
}

@test "a missing command wins over whatever else is in the environment and on stdin" {
	variables=(CNI_CONTAINERID=../x CNI_IFNAME=/ CNI_NETNS=/proc/self/ns/net CNI_PATH=/x CNI_ARGS==)
	echo '{' >"$BATS_TEST_TMPDIR/stdin"
	by_hand
	[ "$status" = 0 ] || fail "exit status"
	[ -z "$output" ] || fail "stdout must be empty"
}

@test "the version is on stdout, one line" {
	for option in --version -v; do
		CASE=$option
		by_hand $option
		[ "$status" = 0 ] || fail "exit status"
		[ "$(wc -l <"$OUTPUT")" = 1 ] || fail "one line"
		[[ $output =~ [0-9]+\.[0-9]+\.[0-9]+ ]] || fail "a version number"
		[ -z "$log" ] || fail "stderr must be empty"
	done
}

@test "the help is on stdout, and names the options, the commands and the versions" {
	for option in --help -h; do
		CASE=$option
		by_hand $option
		[ "$status" = 0 ] || fail "exit status"
		for word in --help --version -h -v ADD DEL CHECK GC STATUS VERSION "${VERSIONS[@]}"; do
			[[ $output == *$word* ]] || fail "the help lacks $word"
		done
		[ -z "$log" ] || fail "stderr must be empty"
		[ "$(awk '{ if (length > 100) print }' "$OUTPUT")" = '' ] || fail "lines too long"
	done
}

@test "an unknown option or argument is told on stderr and is no success" {
	for argument in --nonsense -x --version=1 nonsense ''; do
		CASE=$argument
		by_hand "$argument"
		[ "$status" = 1 ] || fail "exit status"
		[ -z "$output" ] || fail "stdout must be empty"
		[ -n "$log" ] || fail "stderr must say so"
	done
}

@test "arguments do not keep a runtime from its error object or answer" {
	variables=(CNI_COMMAND=ADD)
	for argument in nonsense --nonsense -x --version=1 -vx --; do
		CASE=$argument
		by_hand "$argument"
		fails_with 4 CNI_CONTAINERID
	done
	variables=(CNI_COMMAND=VERSION)
	by_hand ''
	[ "$status" = 0 ] || fail "exit status"
	[[ $output == *supportedVersions* ]] || fail "the answer of VERSION"
}

@test "a version or help that nobody receives is no success" {
	for option in --version --help; do
		for target in /dev/full closed; do
			CASE="$option $target"
			status=0
			if [ $target = closed ]; then
				env -i "$PLUGIN" $option >&- 2>"$LOG" || status=$?
			else
				env -i "$PLUGIN" $option >$target 2>"$LOG" || status=$?
			fi
			[ "$status" = 1 ] || fail "exit status"
		done
	done
}

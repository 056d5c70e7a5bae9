# SPDX-License-Identifier: Apache-2.0
# Versions of the CNI specification, and the command VERSION (requirements, sections 2, 3 and 5).

load lib

# allows COMMAND VERSION: the specification of that version has the command.
allows() {
	case $1 in
	CHECK) [[ " 0.4.0 1.0.0 1.1.0 " == *" $2 "* ]] ;;
	GC | STATUS) [ "$2" = 1.1.0 ] ;;
	esac
}

@test "every command is allowed from the version on that brought it" {
	for v in "${VERSIONS[@]}"; do
		conf version="$v"
		for command in ADD DEL CHECK GC STATUS; do
			CASE="$command $v"
			cni $command
			if allows $command "$v"; then
				reaches_the_machine
			else
				fails_with 1 "config version does not allow $command" "$v"
			fi
			[ "$status" = 0 ] || [ "$version" = "$v" ] || fail "the error's cniVersion must be $v"
		done
	done
}

@test "a configuration without cniVersion, or with an empty one, is 0.1.0" {
	for version in '' '"cniVersion":"",' '"cniVersion":null,'; do
		CONF="{$version\"name\":\"n\",\"dataDir\":\"$STATE\",\"deviceID\":\"$NO_DEVICE\",\"prevResult\":{}}"
		for command in ADD DEL; do
			CASE="$command $version"
			cni $command
			reaches_the_machine
			[ "$status" = 0 ] || [ "$version" = 0.1.0 ] || fail "the error's cniVersion must be 0.1.0"
		done
		for command in CHECK GC STATUS; do
			CASE="$command $version"
			cni $command
			fails_with 1 "config version does not allow $command"
		done
	done
}

@test "a version is matched as text, and the supported ones are told" {
	for v in 1.2.0 2.0.0 1.0 1 0.3 1.1.0.0 01.1.0 1.01.0 v1.1.0 ' 1.1.0' '1.1.0 ' 1.1.0-rc1 abc \
		0.0.0 0.5.0 1.1.00 ..; do
		conf version="$v" no=prevResult
		for command in ADD DEL; do
			CASE="$command $v"
			cni $command
			fails_with 1 "$v" "${VERSIONS[@]}"
			[ "$version" = 1.1.0 ] || fail "an unknown version can't be the error's"
		done
	done
}

@test "CHECK, GC and STATUS tell a version that is too old, too new or none" {
	for v in 1.2.0 2.0.0 1.1.1 1.10.0 1000.0.0 1.1.1000 1.2000 2; do
		for command in CHECK GC STATUS; do
			CASE="$command $v"
			conf version="$v"
			cni $command
			fails_with 1 "plugin version does not allow $command" "$v"
		done
	done
	for v in 0.0.1 0.3.9 0 0.3 0.3.1000; do
		for command in CHECK GC STATUS; do
			CASE="$command $v"
			conf version="$v"
			cni $command
			fails_with 1 "config version does not allow $command" "$v"
		done
	done
	# The number is right, the text is not.
	for v in 1.1 01.1.0 1.1.00; do
		for command in CHECK GC STATUS; do
			CASE="$command $v"
			conf version="$v"
			cni $command
			fails_with 1 "incompatible CNI versions" "$v"
		done
	done
	for v in abc v1.1.0 1.1.0.0 1..0 1. .1 '1.1.0 ' ' 1.1.0' 1.1.x 1,1 99999999999999999999.0.0; do
		for command in CHECK GC STATUS; do
			CASE="$command $v"
			conf version="$v"
			cni $command
			fails_with 6 "$v"
		done
	done
}

@test "a cniVersion that is no string is code 6 on every command" {
	for value in 1 1.1 true '[]' '{}' '["1.1.0"]'; do
		for command in ADD DEL CHECK GC STATUS; do
			CASE="$command $value"
			conf "cniVersion=$value"
			cni $command
			fails_with 6 cniVersion
			[ "$version" = 1.1.0 ] || fail "no version is known, so it is the newest"
		done
	done
}

@test "the error of an undecodable configuration is one of the newest version" {
	for CONF in '' '{' '[]' '"1.0.0"' nonsense; do
		cni ADD
		fails_with 6
		[ "$version" = 1.1.0 ] || fail "no version is known, so it is the newest"
	done
}

@test "the name is checked before the version" {
	for command in ADD DEL CHECK GC STATUS; do
		CONF='{"cniVersion":"9.9.9"}'
		cni $command
		fails_with 7 'missing network name'
	done
}

is_the_constant() {
	[ "$status" = 0 ] || fail "VERSION can't fail"
	jq -se 'length == 1 and .[0] == {cniVersion: "1.1.0", supportedVersions:
		["0.1.0", "0.2.0", "0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0"]}' "$OUTPUT" >/dev/null ||
		fail "not the constant"
	[ "$(wc -l <"$OUTPUT")" = 1 ] || fail "one line"
}

@test "VERSION is a constant, whatever else the environment and stdin hold" {
	for CONF in '' '{"cniVersion":"0.2.0"}' '{"cniVersion":"1.1.0"}' 'not JSON'; do
		plugin CNI_COMMAND=VERSION
		is_the_constant
	done
	plugin CNI_COMMAND=VERSION CNI_CONTAINERID=../x CNI_IFNAME=a/b/c/d/e/f/g/h/i/j CNI_NETNS=dummy \
		CNI_PATH=dummy CNI_ARGS=dummy
	is_the_constant
	plugin CNI_COMMAND=VERSION CNI_NETNS=/proc/self/ns/net
	is_the_constant
}

@test "VERSION does not read stdin" {
	# A pipe that stays open and never says anything.
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 7<>"$BATS_TEST_TMPDIR/pipe"
	status=0
	timeout 60 env -i CNI_COMMAND=VERSION "$PLUGIN" <&7 >"$OUTPUT" 2>"$LOG" || status=$?
	exec 7<&-
	read_output
	is_the_constant
	# A reader would have moved the offset that it shares with us.
	echo '{"cniVersion":"1.0.0"}' >"$BATS_TEST_TMPDIR/input"
	{
		env -i CNI_COMMAND=VERSION "$PLUGIN" >/dev/null
		[ "$(cat)" = '{"cniVersion":"1.0.0"}' ]
	} <"$BATS_TEST_TMPDIR/input"
	status=0
	env -i CNI_COMMAND=VERSION "$PLUGIN" <&- >"$OUTPUT" 2>"$LOG" || status=$?
	read_output
	is_the_constant
}

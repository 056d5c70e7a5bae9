# SPDX-License-Identifier: Apache-2.0
# Broken and hostile input: always one error object, or the success that is due (contract, section 2).

load lib

COMMANDS=(ADD DEL CHECK GC STATUS)

setup() {
	# shellcheck source=test/cli/lib.bash
	. "$BATS_TEST_DIRNAME/lib.bash"
	setup
	CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"net\",\"deviceID\":\"$NO_DEVICE\",\"dataDir\":\"$STATE\","
	CONF+='"prevResult":{"cniVersion":"1.1.0","ips":[1,-0.5e+3,true,false,null,"\u00e9\n"]}}'
	INPUT=$BATS_TEST_TMPDIR/input
}

# all_fail CODE: every command does, with the input as it is.
all_fail() {
	for command in "${COMMANDS[@]}"; do
		cni "$command"
		fails_with "$1"
	done
}

all_work() {
	for command in "${COMMANDS[@]}"; do
		cni "$command"
		reaches_the_machine
	done
}

@test "a configuration that is cut at any byte is code 6" {
	printf '%s' "$CONF" >"$INPUT"
	all_work
	for ((length = 0; length < ${#CONF}; length++)); do
		CASE="$length bytes"
		printf '%s' "${CONF:0:length}" >"$INPUT"
		# The same reader for all: a command each in turn.
		cni "${COMMANDS[length % 5]}"
		fails_with 6
	done
}

@test "a configuration of one byte, whichever, is code 6" {
	for byte in {0..255}; do
		printf -v octal '\\%03o' "$byte"
		CASE=$octal
		# shellcheck disable=SC2059
		printf "$octal" >"$INPUT"
		cni "${COMMANDS[byte % 5]}"
		fails_with 6
	done
}

@test "only JSON's white space may stand around the configuration" {
	for byte in {0..255}; do
		printf -v octal '\\%03o' "$byte"
		CASE=$octal
		case $byte in
		9 | 10 | 13 | 32) outcome=(reaches_the_machine) ;;
		*) outcome=(fails_with 6) ;;
		esac
		# shellcheck disable=SC2059
		{ printf "$octal" && printf '%s' "$CONF"; } >"$INPUT"
		cni STATUS
		"${outcome[@]}"
		# shellcheck disable=SC2059
		{ printf '%s' "$CONF" && printf "$octal"; } >"$INPUT"
		cni STATUS
		"${outcome[@]}"
	done
}

@test "what is no JSON object is code 6" {
	while read -r document; do
		CASE=$document
		printf '%s' "$document" >"$INPUT"
		cni ADD
		fails_with 6
		cni DEL
		fails_with 6
	done <<-'EOT'
		[]
		[{"name":"net"}]
		"net"
		5
		-0
		true
		{}{}
		{"name":"net"}x
		{"name":"net"},
		{"name":"net"}{"name":"net"}
		{"name":"net",}
		{,"name":"net"}
		{"name" "net"}
		{"name":}
		{name:"net"}
		{'name':'net'}
		{"name":"net" /* words */}
		{"name":"net"} // words
		{"name":"net","a":01}
		{"name":"net","a":1.}
		{"name":"net","a":.5}
		{"name":"net","a":+1}
		{"name":"net","a":1e}
		{"name":"net","a":0x10}
		{"name":"net","a":-}
		{"name":"net","a":NaN}
		{"name":"net","a":Infinity}
		{"name":"net","a":True}
		{"name":"net","a":nul}
		{"name":"net","a":nulls}
		{"name":"net","a":"\x"}
		{"name":"net","a":"\u12g4"}
		{"name":"net","a":"\u123"}
		{"name":"net","a":[1,]}
		{"name":"net","a":[1 2]}
		{"name":"net","a":[1}
		{"name":"net","a":{]}
		{"name":"net"]
	EOT
	printf '{"name":"net","a":"\t"}' >"$INPUT"
	all_fail 6
	printf '\xef\xbb\xbf%s' "$CONF" >"$INPUT"
	all_fail 6
	printf '%s\0' "$CONF" >"$INPUT"
	all_fail 6
	printf '{"name":"net\0","a":1}' >"$INPUT"
	all_fail 6
	iconv -t UTF-16 <<<"$CONF" >"$INPUT"
	all_fail 6
	head -c 100000 "$PLUGIN" >"$INPUT"
	all_fail 6
}

@test "no name is code 7, a name of another type is code 6" {
	for document in null '{}' '{"name":""}' '{"name":null}' '{"Name ":"net"}' '{"cniVersion":"1.1.0"}'; do
		CASE=$document
		echo "$document" >"$INPUT"
		for command in "${COMMANDS[@]}"; do
			cni "$command"
			fails_with 7 'missing network name'
		done
	done
	for value in 5 true '[]' '{}' '["net"]'; do
		CASE=$value
		echo "{\"cniVersion\":\"1.1.0\",\"name\":$value}" >"$INPUT"
		all_fail 6
	done
}

@test "a name that could leave its directory, or is none, is code 7 with the name in details" {
	for name in ../x . .. / /etc/passwd a/b -a _a .a 'a b' ' a' 'a ' é 'a:b' 'a,b' '%s%n' "$(printf '../%.0s' {1..1000})"; do
		CASE=$name
		echo "{\"cniVersion\":\"1.1.0\",\"name\":\"$name\"}" >"$INPUT"
		for command in "${COMMANDS[@]}"; do
			cni "$command"
			fails_with 7
			[ "$details" = "$name" ] || fail "details must be the name"
		done
	done
	for name in 'a\n' 'a\u0000' 'a\u0000b' '\ud800' 'a\\b' 'a\"b' $'\xff' $'\xc0\x80' $'\xed\xa0\x80' \
		$'\xf4\x90\x80\x80' $'a\x7f' $'net\xe2\x82'; do
		CASE=$name
		echo "{\"cniVersion\":\"1.1.0\",\"name\":\"$name\"}" >"$INPUT"
		all_fail 7
	done
}

@test "names of 4 KiB are accepted" {
	name=$(printf 'x%.0s' {1..4096})
	INPUT=
	conf "name=\"$name\""
	for command in "${COMMANDS[@]}"; do
		cni "$command" CNI_CONTAINERID="$name"
		reaches_the_machine
	done
}

@test "the last of two equal keys wins, also when one is written with escapes" {
	INPUT=
	CONF='{"name":"net","name":5}'
	all_fail 6
	CONF='{"cniVersion":"1.1.0","name":"../x","n\u0061me":"net","dataDir":"/gone","prevResult":{},"deviceID":"'$NO_DEVICE'"}'
	all_work
	CONF='{"cniVersion":"1.1.0","name":"net","cniVersion":"9.0.0"}'
	all_fail 1
	CONF='{"cniVersion":"9.0.0","name":"net","cniVersion":"1.1.0","dataDir":"x","dataDir":"/gone","prevResult":{},"deviceID":5,"deviceID":"'$NO_DEVICE'"}'
	all_work
	CONF='{"cniVersion":"1.1.0","name":"net","prevResult":{},"prevResult":null,"deviceID":"'$NO_DEVICE'"}'
	cni ADD
	fails_with 7 prevResult
	CONF='{"cniVersion":"1.1.0","name":"net","prevResult":{"interfaces":[{"name":"a","pciID":"'$NO_DEVICE'","sandbox":"/x"}]},"prevResult":{"interfaces":[]}}'
	cni ADD
	fails_with 7 deviceID
}

@test "text that is no UTF-8 is code 7 where a name is wanted, and ignored where nothing is" {
	for bytes in '\xff' '\x80' '\xc3' '\xc0\xaf' '\xe2\x28\xa1' '\xed\xa0\x80' '\xf8\x88\x80\x80\x80'; do
		CASE=$bytes
		# shellcheck disable=SC2059
		printf '{"cniVersion":"1.1.0","name":"net","x'$bytes'":"'$bytes'","dataDir":"'"$STATE"'","prevResult":{},"deviceID":"'$NO_DEVICE'"}' >"$INPUT"
		all_work
		# shellcheck disable=SC2059
		printf '{"cniVersion":"1.1.0","name":"net","prevResult":{},"deviceID":"'$bytes'"}' >"$INPUT"
		cni ADD
		fails_with 7 deviceID
		cni ADD CNI_ARGS="$(printf "K8S_POD_NAME=$bytes")" CNI_NETNS="$(printf "/$bytes")"
		fails_with 7
		iconv -f UTF-8 -t UTF-8 "$LOG" >/dev/null || fail "the log"
	done
}

# padded BYTES: the configuration with an unknown key of that size.
padded() {
	{
		printf '%s,"pad":"' "${CONF%\}}"
		head -c "$1" /dev/zero | tr '\0' a
		printf '"}'
	} >"$INPUT"
}

@test "a configuration of some MiB is read" {
	for size in 4095 4096 65536 2000000 7000000; do
		CASE=$size
		padded $size
		all_work
	done
}

@test "one of 10 MiB gets its error object, and quickly" {
	local before
	padded $((10 << 20))
	processor
	before=$used
	all_fail 6
	# Through a pipe as well, which the writer sees broken.
	for command in "${COMMANDS[@]}"; do
		status=0
		cat "$INPUT" 2>/dev/null | env -i CNI_COMMAND="$command" CNI_CONTAINERID=c CNI_IFNAME=i \
			CNI_NETNS=/x CNI_PATH=/x "$PLUGIN" >"$OUTPUT" 2>"$LOG" || status=$?
		read_output
		fails_with 6
	done
	processor
	[ $((used - before)) -lt 5000 ]
}

@test "a million small values are no burden" {
	local before
	processor
	before=$used
	{ printf '%s,"pad":[0' "${CONF%\}}" && yes ,0 | head -n 1000000 && printf ']}'; } >"$INPUT"
	all_work
	{ printf '%s' "${CONF%\}}" && yes ',"a":0' | head -n 500000 && printf '}'; } >"$INPUT"
	all_work
	processor
	[ $((used - before)) -lt 20000 ]
}

# nested DEPTH OPEN CLOSE
nested() {
	local open close
	open=$(head -c "$1" /dev/zero | sed "s/\x00/$2/g")
	close=$(head -c "$1" /dev/zero | sed "s/\x00/$3/g")
	printf '%s,"pad":%s0%s}' "${CONF%\}}" "$open" "$close"
}

@test "nesting of ten thousand levels is code 6, of hundreds is fine" {
	for levels in 10000 100000; do
		nested $levels '[' ']' >"$INPUT"
		all_fail 6
		nested $levels '{"a":' '}' >"$INPUT"
		all_fail 6
		head -c $levels /dev/zero | tr '\0' '[' >"$INPUT"
		all_fail 6
		head -c $levels /dev/zero | tr '\0' '{' >"$INPUT"
		all_fail 6
	done
	nested 500 '[' ']' >"$INPUT"
	all_work
	nested 500 '{"a":' '}' >"$INPUT"
	all_work
}

@test "around the limit of nesting there is no other error than code 6" {
	for levels in {990..1005}; do
		CASE=$levels
		nested "$levels" '[' ']' >"$INPUT"
		cni STATUS
		[ "$status" = 0 ] || read_error
		[ "$code" = 6 ] || reaches_the_machine
	done
	[ "$code" = 6 ]
}

@test "stdin in pieces is read to its end" {
	status=0
	{
		for ((i = 0; i < ${#CONF}; i += 40)); do
			printf '%s' "${CONF:i:40}"
			sleep 0.02
		done
	} 3>&- 4>&- | env -i CNI_COMMAND=DEL CNI_CONTAINERID=c CNI_IFNAME=i CNI_PATH=/x "$PLUGIN" \
		>"$OUTPUT" 2>"$LOG" || status=$?
	read_output
	succeeds
}

@test "stdin that can't be read is code 5, one that is empty code 6" {
	for stdin in / "$BATS_TEST_TMPDIR"; do
		INPUT=$stdin
		all_fail 5
	done
	INPUT=/dev/null
	all_fail 6
	for command in "${COMMANDS[@]}"; do
		for how in '<&-' '0>/dev/null'; do
			CASE="$command $how"
			status=0
			eval "env -i CNI_COMMAND=$command CNI_CONTAINERID=c CNI_IFNAME=i CNI_NETNS=/x CNI_PATH=/x \
				\"\$PLUGIN\" $how" >"$OUTPUT" 2>"$LOG" || status=$?
			read_output
			fails_with 5 'standard input'
		done
	done
}

# The exit status with stdout on one of these that take nothing.
without_stdout() {
	local how status
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 7<>"$BATS_TEST_TMPDIR/pipe" 8>"$BATS_TEST_TMPDIR/pipe" 7>&-
	for how in '>&-' '>/dev/full' '>&8' '1</dev/null'; do
		status=0
		eval "env -i \"\$@\" \"\$PLUGIN\" 2>\"\$LOG\" <<<\"\$CONF\" $how" || status=$?
		echo "$status"
	done | sort -u
	exec 8>&-
	rm "$BATS_TEST_TMPDIR/pipe"
}

@test "what nobody can receive makes a call fail, and what is not said can't" {
	variables=(CNI_CONTAINERID=c1 CNI_NETNS=/gone CNI_IFNAME=net1 CNI_PATH=/x)
	for command in ADD CHECK STATUS NONSENSE VERSION; do
		CASE=$command
		[ "$(without_stdout CNI_COMMAND=$command "${variables[@]}")" = 1 ] || fail "exit status"
	done
	for command in DEL GC; do
		CASE=$command
		[ "$(without_stdout CNI_COMMAND=$command "${variables[@]}")" = 0 ] || fail "exit status"
	done
}

@test "a limit on the size of files ends no call without its exit status" {
	for command in ADD CHECK STATUS VERSION; do
		CASE=$command
		status=0
		(ulimit -f 0 && exec env -i CNI_COMMAND=$command CNI_CONTAINERID=c CNI_IFNAME=i CNI_NETNS=/x \
			CNI_PATH=/x "$PLUGIN" </dev/null >"$OUTPUT" 2>/dev/null) || status=$?
		[ "$status" = 1 ] || fail "exit status"
		# The log's file being full is no reason to be silent.
		status=0
		output=$(ulimit -f 0 && exec env -i CNI_COMMAND=$command CNI_CONTAINERID=c CNI_IFNAME=i \
			CNI_NETNS=/x CNI_PATH=/x "$PLUGIN" </dev/null 2>"$LOG") || status=$?
		[[ $output == *cniVersion* ]] || fail "stdout is empty"
	done
}

@test "with any of the standard descriptors closed nothing goes to the wrong place" {
	file=$BATS_TEST_TMPDIR/rdma.log
	conf "logFile=\"$file\""
	variables=(CNI_CONTAINERID=c1 CNI_NETNS=/gone CNI_IFNAME=net1 CNI_PATH=/x)
	for command in ADD DEL CHECK GC STATUS VERSION; do
		for closed in '' 0 1 2 '0 1' '0 2' '1 2' '0 1 2'; do
			CASE="$command without $closed"
			rm -f "$file"
			: >"$OUTPUT"
			: >"$LOG"
			how=
			for fd in $closed; do
				how+=" $fd>&-"
			done
			status=0
			eval "env -i CNI_COMMAND=$command \"\${variables[@]}\" \"\$PLUGIN\" <<<\"\$CONF\" \
				>\"\$OUTPUT\" 2>\"\$LOG\" $how" || status=$?
			read_output
			# Only lines of the log are in the log.
			[ ! -e "$file" ] || ! grep -vqE '^[0-9-]+T[0-9:.]+Z (error|warning|info|debug) ' "$file" ||
				fail "the log file: $(cat "$file")"
			case "$command $closed" in
			*1*) [ -z "$output" ] ;;
			VERSION*) [[ $output == *supportedVersions* ]] || fail "the answer" ;;
			*0*) fails_with 5 ;;
			DEL* | GC*) succeeds ;;
			*) read_error && [ -n "$msg" ] || fail "no error" ;;
			esac
			# What has to be said and can't, or be read and can't, is a failure.
			case "$command $closed" in
			VERSION*1*) [ "$status" = 1 ] || fail "exit status" ;;
			VERSION*) [ "$status" = 0 ] || fail "exit status" ;;
			*0*) [ "$status" = 1 ] || fail "exit status" ;;
			DEL* | GC*) [ "$status" = 0 ] || fail "exit status" ;;
			*) [ "$status" = 1 ] || fail "exit status" ;;
			esac
		done
	done
}

@test "a pipe without a reader behind stderr does not keep the error from stdout" {
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 7<>"$BATS_TEST_TMPDIR/pipe" 8>"$BATS_TEST_TMPDIR/pipe" 7>&-
	for command in ADD CHECK STATUS; do
		status=0
		env -i CNI_COMMAND=$command CNI_CONTAINERID=c1 CNI_NETNS=/gone CNI_IFNAME=net1 CNI_PATH=/x \
			"$PLUGIN" <<<'{' >"$OUTPUT" 2>&8 || status=$?
		: >"$LOG"
		read_output
		fails_with 6
	done
	exec 8>&-
}

# bats test_tags=unsanitized
@test "little memory is an error object as well" {
	padded 6000000
	seen=
	for kilobytes in 400 600 1000 2000 4000 8000 12000 16000 20000 24000; do
		for command in "${COMMANDS[@]}"; do
			CASE="$command $kilobytes"
			# With less it does not even start.
			prlimit --as=$((kilobytes * 1024)) "$PLUGIN" --version >/dev/null 2>&1 || continue
			status=0
			env -i CNI_COMMAND="$command" CNI_CONTAINERID=c1 CNI_NETNS=/gone CNI_IFNAME=net1 CNI_PATH=/x \
				prlimit --as=$((kilobytes * 1024)) "$PLUGIN" <"$INPUT" >"$OUTPUT" 2>"$LOG" || status=$?
			read_output
			[ "$status" = 0 ] || read_error
			[ "$status" = 0 ] || [ "$code" = 999 ] || reaches_the_machine
			seen+=" $code"
		done
	done
	[[ $seen == *999* ]] || fail "there was always enough memory:$seen"
}

# CPU time, that is: these interfaces tell no device, and there are many of them.
@test "a previous result with a hundred thousand interfaces takes no time" {
	INPUT=$BATS_TEST_TMPDIR/many
	jq -nc '{cniVersion: "1.1.0", name: "net", prevResult: {interfaces: [range(100000) |
		{sandbox: "s", mac: "02:00:00:00:00:01", pciID: tostring}]}}' >"$INPUT"
	wrap=(bash -c 'ulimit -t 5 && exec "$@"' limit)
	cni DEL
	succeeds
}

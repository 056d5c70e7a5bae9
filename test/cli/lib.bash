# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2119,SC2120
#
# What the command-line cases share. They need no RDMA and touch no device.
#
#	conf [version=V] [no=KEY] [KEY=JSON]...	sets $CONF: a network configuration 1.1.0 with a device,
#			a previous result and the case's own state directory, $STATE
#	cni COMMAND [VARIABLE=VALUE...]	run the plugin as a runtime does, with $CONF on stdin
#	plugin [VARIABLE=VALUE...]	run it with this environment and nothing else
#		both read the file $INPUT instead of $CONF if that is set, start what is in the array $wrap
#		with the plugin as its arguments, and set status, output, log
#	succeeds, fails_with CODE [TEXT...], reaches_the_machine	what came of it
#	entry FILE KEY=JSON...	puts an entry into the state directory
#
# $STATE must be as it was when a case ends: not there, unless the case calls state_may_stay.

bats_require_minimum_version 1.5.0
. "$BATS_TEST_DIRNAME/../processor.bash"

# bats notes every command that runs, which takes most of the time of a call: not inside of these. The
# functions that they call do the work.
quietly() {
	local -
	set +o functrace
	"$@"
}

PLUGIN=$(realpath "${PLUGIN:-$BATS_TEST_DIRNAME/../../build/bin/rdma}")
VERSIONS=(0.1.0 0.2.0 0.3.0 0.3.1 0.4.0 1.0.0 1.1.0)
# Nothing has this address: the kernel gives function numbers of a PCI device out from 0.
NO_DEVICE=ffff:ff:1f.7

setup() {
	STATE=$BATS_TEST_TMPDIR/state
	OUTPUT=$BATS_TEST_TMPDIR/output
	LOG=$BATS_TEST_TMPDIR/log
	NETNS=$BATS_TEST_TMPDIR/netns
	CASE=
	INPUT=
	check_state=true
	pods=()
	wrap=()
	conf
}

teardown() {
	local pid
	for pid in "${pods[@]}"; do
		kill "$pid" || true
	done
	errors_are_well_formed || return 1
	if $check_state && [ -e "$STATE" ]; then
		echo "left behind: $(ls -lA "$STATE")"
		return 1
	fi
}

state_may_stay() { check_state=false; }

conf() { quietly make_conf "$@"; }

make_conf() {
	local pair count=0 version=1.1.0 args=() filter=.
	for pair in "$@"; do
		case $pair in
		version=*) version=${pair#*=} ;;
		no=*) filter+="|del(.[\"${pair#*=}\"])" ;;
		*)
			args+=(--argjson "v$count" "${pair#*=}")
			filter+="|.[\"${pair%%=*}\"]=\$v$count"
			count=$((count + 1))
			;;
		esac
	done
	CONF=$(jq -nc --arg version "$version" --arg device "$NO_DEVICE" --arg state "$STATE" \
		"${args[@]}" "{cniVersion: \$version, name: \"net\", type: \"rdma\", deviceID: \$device,
		dataDir: \$state, prevResult: {cniVersion: \$version, interfaces: [],
		ips: [{version: \"4\", address: \"10.1.2.3/24\"}], dns: {}}}|$filter")
}

plugin() { quietly run_plugin "$@"; }

run_plugin() {
	status=0
	if [ -n "$INPUT" ]; then
		"${wrap[@]}" env -i "$@" "$PLUGIN" <"$INPUT" >"$OUTPUT" 2>"$LOG" || status=$?
	else
		"${wrap[@]}" env -i "$@" "$PLUGIN" <<<"$CONF" >"$OUTPUT" 2>"$LOG" || status=$?
	fi
	read_output
}

# What a process left in $OUTPUT and $LOG, up to a NUL byte, of which there must be none.
read_output() { quietly take_output; }

take_output() {
	IFS= read -r -d '' output <"$OUTPUT" && output+=' NUL'
	IFS= read -r -d '' log <"$LOG" && log+=' NUL'
	log=${log%$'\n'}
}

# The namespace is one that ended: ADD and CHECK get through everything that comes before it.
cni() {
	local command=$1
	shift
	plugin CNI_COMMAND="$command" CNI_CONTAINERID=c1 CNI_NETNS="$NETNS" CNI_IFNAME=net1 \
		CNI_PATH=/opt/cni/bin "$@"
}

show() {
	[ -z "$CASE" ] || printf 'case: %.300s\n' "$CASE"
	printf 'configuration: %.1000s\n' "$CONF"
	echo "status: $status"
	printf 'stdout: %.2000s\n' "$output"
	printf 'stderr: %.2000s\n' "$log"
}

fail() {
	echo "$*"
	show
	return 1
}

succeeds() {
	[ "$status" = 0 ] || fail "it failed"
	[ -z "$output" ] || fail "a success without a result has an empty stdout"
}

# The one error object on stdout: sets code, version, msg, details, and error, which is how libcni
# joins the words. All are empty when stdout is not exactly one such object. Starting jq costs more than
# all else together, so what looks as usual is read here and shown to jq when the case ends.
read_error() { quietly parse_error; }

parse_error() {
	local escaped=${output//$'\\\\'/$'\x01'}
	local space='[[:space:]]*' string='"(([^"\]|\\[n"])*)"'
	local usual="^\{$space\"cniVersion\":$space$string,$space\"code\":$space([0-9]+),"
	usual+="$space\"msg\":$space$string(,$space\"details\":$space$string)?$space\}$space$"
	if [[ $escaped =~ $usual ]]; then
		version=${BASH_REMATCH[1]} code=${BASH_REMATCH[3]}
		msg=${BASH_REMATCH[4]} details=${BASH_REMATCH[7]}
		unescape msg
		unescape details
	else
		code='' version='' msg='' details=''
		IFS=$'\x1f' read -r -d '' version code msg details < <(jq -rsj '.[0] |
			[.cniVersion, .code, .msg, .details // ""] | map(tostring) |
			join("\u001f"), "\u001f\u0000"' "$OUTPUT" 2>/dev/null) || true
		details=${details%$'\x1f'}
	fi
	error="$msg; $details"
	printf '%s\n{"mark": "%s"}\n' "$output" "$code" >>"$BATS_TEST_TMPDIR/errors"
}

unescape() {
	local -n text=$1
	text=${text//'\"'/'"'}
	text=${text//'\n'/$'\n'}
	text=${text//$'\x01'/$'\\'}
}

# Every error of the case: one object each, with the members of the specification and their types.
errors_are_well_formed() {
	local file=$BATS_TEST_TMPDIR/errors
	[ -e "$file" ] || return 0
	iconv -f UTF-8 -t UTF-8 "$file" >/dev/null || { echo "not UTF-8" && return 1; }
	jq -se 'length % 2 == 0 and ([range(0; length; 2) as $i | .[$i] as $error | .[$i + 1] as $mark |
		($error | type == "object" and (keys - ["cniVersion", "code", "details", "msg"]) == [] and
		(.code | type == "number" and . >= 1 and . <= 999 and floor == .) and
		(.msg | type == "string" and length > 10) and (.cniVersion | type == "string") and
		((.details // "") | type == "string")) and
		($mark | keys == ["mark"] and .mark == ($error.code | tostring))] | all)' "$file" >/dev/null ||
		{ echo "not one error object each time: $(head -c 3000 "$file")" && return 1; }
}

is_supported() { [[ " ${VERSIONS[*]} " == *" $1 "* ]]; }

# fails_with CODE [TEXT...]: with exactly one error object, that says all of these.
fails_with() { quietly has_failed_with "$@"; }

has_failed_with() {
	local wanted=$1 text
	shift
	[ "$status" = 1 ] || fail "the exit status must be 1"
	read_error
	[ -n "$code" ] || fail "stdout must be exactly one error object"
	[ "$code" = "$wanted" ] || fail "code $code, but must be $wanted"
	is_supported "$version" || fail "cniVersion $version is none"
	for text in "$@"; do
		[[ $error == *"$text"* ]] || fail "the error lacks: $text"
	done
}

# The call was accepted: what it says now is about this machine, not about the call. CHECK and ADD
# have a namespace to complain of, which comes last (code 4, CNI_NETNS) unless one is given.
reaches_the_machine() { quietly has_reached_the_machine; }

has_reached_the_machine() {
	if [ "$status" = 0 ]; then
		[ -z "$output" ] || fail "a success without a result has an empty stdout"
		return
	fi
	read_error
	case $code in
	4) [[ $msg == *CNI_NETNS* && $msg != *missing* ]] || fail "the call was refused" ;;
	50 | 51 | 1[0-9][0-9]) ;;
	*) fail "the call was refused" ;;
	esac
}

# A network namespace with a process in it: sets $POD to its path.
pod() {
	unshare --net sleep 600 3>&- 4>&- &
	pods+=($!)
	POD=/proc/$!/ns/net
	for _ in {1..500}; do
		[ "$(readlink "$POD")" = "$(readlink /proc/self/ns/net)" ] || return 0
		sleep 0.01
	done
	echo "the namespace of process $! never came"
	return 1
}

# entry FILE [KEY=JSON...]: as ADD writes it. Its namespace is gone unless `in_pod` is among the keys.
entry() { quietly make_entry "$@"; }

make_entry() {
	local file=$1 pair count=0 args=() filter=.
	shift
	for pair in "$@"; do
		if [ "$pair" = in_pod ]; then
			set -- "$@" "netns=\"$POD\"" "netnsInode=\"$(stat -Lc %i "$POD")\"" \
				"netnsDevice=\"$(stat -Lc %d "$POD")\""
		fi
	done
	for pair in "$@"; do
		case $pair in
		in_pod) ;;
		no=*) filter+="|del(.[\"${pair#*=}\"])" ;;
		*)
			args+=(--argjson "v$count" "${pair#*=}")
			filter+="|.[\"${pair%%=*}\"]=\$v$count"
			count=$((count + 1))
			;;
		esac
	done
	mkdir -p "$STATE"
	jq -n --arg device "$NO_DEVICE" --arg boot "$(</proc/sys/kernel/random/boot_id)" "${args[@]}" "
		{version: \"1.0\", deviceID: \$device, sandboxRdmaDevName: \"mlx5_9\",
		containerRdmaDevName: \"mlx5_9\", network: \"net\", containerID: \"c1\",
		ifname: \"net1\", netns: \"/run/netns/gone\", netnsInode: \"1\", netnsDevice: \"4\",
		bootID: \$boot, devices: [{hostName: \"mlx5_9\", podName: \"mlx5_9\"}]}|$filter" \
		>"$STATE/$file"
}

# What the Go plugin writes: no identity, no namespace.
go_entry() {
	entry "$1" no=network no=containerID no=ifname no=netns no=netnsInode no=netnsDevice \
		no=bootID no=devices
}

# The names in the state directory, but the lock's; one line, sorted.
state() {
	[ ! -d "$STATE" ] || find "$STATE" -mindepth 1 -maxdepth 1 ! -name .lock -printf '%f\n' | sort |
		paste -sd ' '
}

# The state directory as a whole: names, modes, contents.
state_sum() { (cd "$STATE" && ls -lAn --time-style=full-iso && cat -- * 2>/dev/null) | md5sum; }

# Address sanitizers need /proc and terabytes of address space: cases that take that away have the tag
# "unsanitized", by which scripts/test leaves them out of that build's list.
is_sanitized() { grep -q __asan_init "$PLUGIN"; }

# in_own_mounts COMMAND: from now on the plugin runs where this shell command changed what is mounted.
in_own_mounts() {
	wrap=(unshare --mount)
	[ "$(id -u)" = 0 ] || wrap+=(--map-root-user)
	wrap+=(sh -c "$1 || exit 98; exec \"\$@\"" sh)
}

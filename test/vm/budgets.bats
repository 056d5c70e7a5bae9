# SPDX-License-Identifier: Apache-2.0
# What a call may cost, in counts: no clock is asked. scripts/bench tells all of them.
# vm: part=budgets

load lib
load cost

setup() {
	find_vfs
	PREFIX=
	CNI_ARGS='IgnoreUnknown=1;K8S_POD_NAMESPACE=ns;K8S_POD_NAME=training-0'
	pod a
	configure a
	# The state directory and what the kernel makes at the first move are there afterwards.
	measure calls ADD a
	measure calls DEL a
}

# costs_at_most MOST HOW COMMAND: on pod a.
costs_at_most() {
	local most=$1
	shift
	measure "$@" a
	echo "$*: $cost, at most $most"
	[ "${cost#* }" -le "$most" ]
}

@test "ADD and DEL: at most 60 system calls each" {
	costs_at_most 60 calls ADD || wrong=1
	costs_at_most 60 calls DEL
	[ -z "${wrong-}" ]
}

@test "VERSION: at most 25,000 instructions" {
	costs_at_most 25000 instructions VERSION
}

@test "ADD: at most 150,000 instructions" {
	costs_at_most 150000 instructions ADD
}

@test "at most 716 KiB of memory are resident" {
	for command in VERSION ADD CHECK DEL; do
		costs_at_most 716 time $command
	done
}

# add_and_delete: sets calls and instructions to what ADD takes, deleted to DEL's calls.
add_and_delete() {
	measure calls ADD a
	calls=$cost
	measure calls DEL a
	deleted=$cost
	measure instructions ADD a
	instructions=$cost
	measure calls DEL a
	echo "$1: $calls and $instructions for ADD, $deleted for DEL"
}

@test "1,000 more RDMA devices: ADD of the last one costs at most twice as much" {
	add_and_delete 'seven devices'
	local few=$calls little=$instructions
	crowd 1000
	add_and_delete '1,000 more'
	disperse 1000
	[ "$calls" -le $((few * 2)) ]
	[ "$instructions" -le $((little * 2)) ]
}

# Made in another order than their character devices were, so that those do not tell the number.
@test "the list of RDMA devices is read as far as the one that is looked for" {
	local i few little
	crowd 0
	for i in {1..140}; do
		control "add extra$i platform/x"
		[ "$i" = 40 ] || continue
		add_and_delete '40 behind it'
		few=$calls little=$instructions
	done
	add_and_delete '140 behind it'
	for i in {1..140}; do
		control "del extra$i"
	done
	[ "$calls" -le "$few" ]
	[ "$instructions" -le $((little * 21 / 20)) ]
}

# entries FROM TO: attachments of a pod that lives, of functions that are not here.
entries() {
	local i text
	for ((i = $1; i <= $2; i++)); do
		text=${ENTRY//\"containerID\":\"b\"/\"containerID\":\"b$i\"}
		printf '%s' "${text//"${VF[1]}"/0000:7f:00.$((i % 8))}" >"$STATE/net-b$i-net1"
	done
}

one_entry() {
	pod b
	configure b "deviceID=\"${VF[1]}\""
	measure calls ADD b
	IFS= read -r -d '' ENTRY <"$STATE/net-b-net1" || true
	[[ $ENTRY == *'"containerID":"b"'* ]]
}

@test "250 state files change nothing for ADD and DEL" {
	one_entry
	add_and_delete 'one file'
	local few=$calls little=$instructions gone=$deleted
	entries 1 249
	add_and_delete '250 files'
	[ "$calls" -le "$few" ]
	[ "$deleted" -le "$gone" ]
	[ "$instructions" -le $((little * 21 / 20)) ]
}

# calls_of_node COMMAND: with a list of valid attachments that has all of them.
calls_of_node() {
	configure a no=prevResult no=deviceID "cni.dev/valid-attachments=[$VALID]"
	measure calls "$1" a
}

@test "GC and STATUS: twice as many state files are at most twice as many system calls" {
	one_entry
	local i command few more VALID='{"containerID":"b","ifname":"net1"}'
	for i in {1..250}; do
		VALID+=",{\"containerID\":\"b$i\",\"ifname\":\"net1\"}"
	done
	for command in GC STATUS; do
		entries 1 125
		calls_of_node $command
		few=$cost
		entries 126 250
		calls_of_node $command
		more=$cost
		echo "$command: $few, then $more"
		[ "$more" -le $((few * 2)) ]
		for i in {1..250}; do
			[ -e "$STATE/net-b$i-net1" ]
		done
		rm "$STATE"/net-b[0-9]*
	done
}

# under_lock COMMAND: the calls between those that take and leave the node's lock.
under_lock() {
	PREFIX="strace -o $BATS_TEST_TMPDIR/trace" cni "$1" a
	succeeds
	awk -F'[(,)]' '/^flock\(.*= 0$/ { lock = $2; next }
		lock != "" && /^close\(/ && $2 == lock { lock = ""; next }
		lock != "" { print $1 }' "$BATS_TEST_TMPDIR/trace" | sort -u
}

@test "under the lock there is the move, and nothing else" {
	conf
	for command in ADD DEL; do
		calls=$(under_lock $command | tr '\n' ' ')
		echo "$command: $calls"
		[ -n "$calls" ]
		[[ $calls =~ ^((sendto|sendmsg|recvfrom|recvmsg|recvmmsg) )+$ ]]
	done
}

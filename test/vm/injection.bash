# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What the cases share that spoil one system call of the plugin after the other. Thousands of calls:
# no process is started here but the plugin and what it runs under.
#
#	attachment KEY=JSON...	pod a and the configuration of all calls, which has been used once
#	call COMMAND [CALL:KEY=VALUE]	run the plugin, one of its system calls spoilt (strace's
#				--inject); sets status, output, log
#	count_calls COMMAND	run the plugin; sets CALLS to its system calls: as "openat:when=3"
#	is_attached, nothing_is_left	true, or a word in $wrong
#	complain TEXT...	this round failed; go on with the next one
#	no_complaints		true when none did

load lib

attachment() {
	pod a
	conf "$@"
	POD_NAME=mlx5_0
	[[ $CONF != *rdmaDeviceName* ]] || POD_NAME=pod_mlx5_0
	export CNI_CONTAINERID=a CNI_NETNS=/run/netns/a CNI_IFNAME=net1 CNI_PATH=/opt/cni/bin CNI_ARGS
	COMPLAINTS=()
	ERRORS=$BATS_TEST_TMPDIR/errors
	: >"$ERRORS"
	look_into_pod
	read_mounts
	MOUNTS=$mounts
	call ADD
	succeeds
	RESULT=$output
	IFS= read -r -d '' ENTRY <"$STATE/net-a-net1" || true
	call DEL
	succeeds
	nothing_is_left || { echo "$wrong" && false; }
}

# A process in the pod has its view of /sys, which is read from here.
look_into_pod() {
	ip netns exec a sleep infinity 3>&- 4>&- &
	VIEWER=$!
	POD_DEVICES=/proc/$VIEWER/root/sys/class/infiniband
	until_true 20 'the view of the pod' pod_is_empty
}

pod_is_empty() { [ -d "$POD_DEVICES" ] && [ ! -e "$POD_DEVICES/mlx5_0" ]; }

look_away() {
	[ -n "${VIEWER-}" ] || return 0
	kill "$VIEWER"
	wait
	VIEWER=
}

# A filter in the kernel has the plugin stop at the calls of that name alone, which strace can't have
# with a signal. What it does not trace it does not spoil. One that hangs ends with status 124.
call() {
	local answer=$BATS_TEST_TMPDIR/answer said=$BATS_TEST_TMPDIR/said under=()
	[ $# = 1 ] || under=(strace -qq -o /dev/null -e "trace=${2%%:*}" -e "inject=$2")
	[[ ${2-} != *:error=* ]] || under=(timeout 20 "${under[@]}" --seccomp-bpf -f)
	status=0
	CNI_COMMAND=$1 "${under[@]}" "$PLUGIN" <<<"$CONF" >"$answer" 2>"$said" || status=$?
	IFS= read -r -d '' output <"$answer" || true
	IFS= read -r -d '' log <"$said" || true
}

# What starts the plugin is no call of its own.
count_calls() {
	local trace=$BATS_TEST_TMPDIR/trace line name
	local -A seen=()
	CNI_COMMAND=$1 strace -f -o "$trace" "$PLUGIN" <<<"$CONF" >/dev/null 2>&1
	CALLS=()
	while read -r _ line; do
		name=${line%%(*}
		[[ $name =~ ^[a-z0-9_]+$ && $name != execve ]] || continue
		seen[$name]=$((${seen[$name]-0} + 1))
		CALLS+=("$name:when=${seen[$name]}")
	done <"$trace"
	[ ${#CALLS[@]} -gt 0 ]
}

is_attached() {
	wrong=
	[ ! -e "/sys/class/infiniband/mlx5_0" ] || wrong+='the device is on the host; '
	[ -e "$POD_DEVICES/$POD_NAME" ] || wrong+="the pod has no $POD_NAME; "
	[ -e "$STATE/net-a-net1" ] || wrong+='there is no entry; '
	[ -z "$wrong" ]
}

# All but the pod's own.
read_mounts() {
	local line
	mounts=
	while read -r line; do
		[[ $line == *' /run/netns/a '* ]] || mounts+=$line$'\n'
	done </proc/self/mountinfo
}

# The lock stays, which a pattern without a match shows as itself.
nothing_is_left() {
	local files=("$STATE"/* "$STATE"/.[!.]*)
	wrong=
	[ -e "/sys/bus/pci/devices/${VF[0]}/infiniband/mlx5_0" ] || wrong+='the device is not home; '
	[ "${files[*]}" = "$STATE/* $STATE/.lock" ] || wrong+="files: ${files[*]}; "
	read_mounts
	[ "$mounts" = "$MOUNTS" ] || wrong+='mounts; '
	[ -z "$wrong" ]
}

complain() {
	COMPLAINTS+=("$*"$'\n'"  status $status, stdout: $output"$'\n'"  stderr: $log")
	start_again
}

# What one round spoilt is not the next one's fault.
start_again() {
	look_away
	reset_node
	pod a
	look_into_pod
	call ADD
	call DEL
}

no_complaints() {
	[ ${#COMPLAINTS[@]} = 0 ] && return
	printf '%s\n' "${COMPLAINTS[@]}"
	return 1
}

teardown() {
	look_away
	reset_node
}

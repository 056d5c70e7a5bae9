# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2086
#
# What the cases in the virtual machine share.
#
#	VF[0..6]		PCI addresses of the VFs
#	RDMA[0..6]		their RDMA devices' names, mlx5_0 to mlx5_6
#	pod NAME		a network namespace
#	conf KEY=JSON...	sets $CONF: a network configuration 1.1.0 with a previous result
#	cni COMMAND [POD] [VARIABLE=VALUE...]	run the plugin; sets status, output, log, error;
#				with $PREFIX in front, as in: PREFIX=strace cni ADD a
#	rdma_at WHERE		names of the RDMA devices on the host ("host") or in a pod
#	state			names of the files in the state directory, without the lock

bats_require_minimum_version 1.5.0

PLUGIN=${PLUGIN:-$BATS_TEST_DIRNAME/../../build/bin/rdma}
STATE=/var/lib/cni/rdma
CONTROL=/sys/module/rdmatest/parameters/control
FOUND=/run/vfs

control() { echo "$*" >"$CONTROL"; }

# until_true SECONDS WHAT COMMAND...: poll; says what never came.
until_true() {
	local seconds=$1 what=$2 end
	shift 2
	end=$((SECONDS + seconds))
	until "$@"; do
		if [ $SECONDS -ge $end ]; then
			echo "never came within $seconds s: $what" >&2
			return 1
		fi
		sleep 0.02
	done
}

lock_is_held() { ! flock -n "$STATE/.lock" true; }

# The PF and its VFs, looked for once a boot: each process costs some 10 ms here.
find_vfs() {
	local link
	RDMA=(mlx5_{0..6})
	# shellcheck source=/dev/null
	. "$FOUND" 2>/dev/null && return
	PF=$(basename "$(dirname "$(dirname "$(echo /sys/class/net/*/device/sriov_totalvfs)")")")
	ip link set "$PF" up
	echo 7 >"/sys/class/net/$PF/device/sriov_numvfs"
	VF=()
	for link in "/sys/class/net/$PF"/device/virtfn*; do
		VF+=("$(basename "$(readlink "$link")")")
	done
	declare -p PF VF | sed 's/^declare /&-g /' >"$FOUND"
}

# Seven VFs, with an RDMA device each; called by setup_file.
make_vfs() {
	find_vfs
	[ "$(<"/sys/class/net/$PF/device/sriov_numvfs")" = 7 ] ||
		echo 7 >"/sys/class/net/$PF/device/sriov_numvfs"
	until_true 20 'drivers of the VFs' vfs_have_drivers
	restore_devices
}

vfs_have_drivers() {
	local vf
	for vf in "${VF[@]}"; do
		[ -e "/sys/bus/pci/devices/$vf/driver" ] || return 1
	done
}

rdma_is_home() { [ -e "/sys/class/infiniband/$1" ]; }

restore_devices() {
	local i
	for i in "${!VF[@]}"; do
		[ -e "/sys/bus/pci/devices/${VF[i]}/infiniband/${RDMA[i]}" ] && continue
		control "add ${RDMA[i]} pci/${VF[i]}"
	done
}

# A moved device leaves an empty "infiniband" directory behind and keeps its "infiniband_verbs". One
# that a test removed has neither: restore_devices makes it again.
all_home() {
	local vf
	for vf in "${VF[@]}"; do
		compgen -G "/sys/bus/pci/devices/$vf/infiniband/*" >/dev/null ||
			! compgen -G "/sys/bus/pci/devices/$vf/infiniband_verbs/*" >/dev/null || return 1
	done
}

# rdma_of VF: its RDMA device on the host, if there.
rdma_of() {
	local device
	for device in "/sys/bus/pci/devices/$1/infiniband"/*; do
		[ ! -e "$device" ] || { echo "${device##*/}" && return; }
	done
}

restore_names() {
	local i now
	for i in "${!VF[@]}"; do
		now=$(rdma_of "${VF[i]}")
		[ -z "$now" ] || [ "$now" = "${RDMA[i]}" ] || rdma dev set "$now" name "${RDMA[i]}"
	done
}

# End every namespace, wait for the kernel to return what was in it, forget all state.
reset_node() {
	local name
	for name in /run/netns/*; do
		[ ! -e "$name" ] || ip netns del "${name##*/}"
	done
	until_true 20 'the RDMA devices of ended namespaces' all_home
	rm -rf "$STATE"
	restore_names
	restore_devices
}

pod() {
	local name
	for name in "$@"; do
		ip netns add "$name"
	done
}

# Put together here: jq takes a tenth of a second to start.
conf() {
	local pair key version=1.1.0 text=
	local -A members=([name]='"net"' [type]='"rdma"' [deviceID]="\"${VF[0]}\"" [prevResult]=default)
	for pair in "$@"; do
		case $pair in
		version=*) version=${pair#*=} ;;
		no=*) unset "members[${pair#*=}]" ;;
		*) members[${pair%%=*}]=${pair#*=} ;;
		esac
	done
	members[cniVersion]="\"$version\""
	[ "${members[prevResult]-}" != default ] ||
		members[prevResult]="{\"cniVersion\":\"$version\",\"interfaces\":[],\"ips\":[],\"dns\":{}}"
	for key in "${!members[@]}"; do
		text+=",\"$key\":${members[$key]}"
	done
	CONF="{${text:1}}"
}

# The first argument without '=' after the command is the pod; its container ID is its name.
cni() {
	local command=$1 netns='' id=c0 own=$BATS_TEST_TMPDIR/log.$BASHPID
	shift
	if [ $# -gt 0 ] && [[ $1 != *=* ]]; then
		netns=/run/netns/$1 id=$1
		shift
	fi
	status=0
	output=$(env -i PATH="$PATH" CNI_COMMAND="$command" CNI_CONTAINERID="$id" CNI_NETNS="$netns" \
		CNI_IFNAME=net1 CNI_PATH=/opt/cni/bin CNI_ARGS="$CNI_ARGS" "$@" \
		$PREFIX "$PLUGIN" 2>"$own" <<<"$CONF") || status=$?
	log=$(<"$own")
}

show() {
	echo "status $status"
	echo "stdout: $output"
	echo "stderr: $log"
	echo "state: $(state | tr '\n' ' ')"
}

succeeds() { [ "$status" = 0 ] || { show && false; }; }

# fails_with CODE [TEXT...]: exactly one error object, which says all of these; sets error.
fails_with() {
	local code=$1 text
	shift
	[ "$status" = 1 ] || { show && false; }
	error=$(jq -rse "if length == 1 and .[0].code == $code then .[0] else empty end |
		[.msg, .details // \"\"] | join(\"; \")" <<<"$output") || { show && false; }
	for text in "$@"; do
		[[ $error == *"$text"* ]] || { echo "missing: $text" && show && false; }
	done
}

# move_home NAME POD: as an administrator would; iproute2 takes a namespace by name only.
move_home() {
	touch /run/netns/host
	mount --bind /proc/1/ns/net /run/netns/host
	ip netns exec "$2" rdma dev set "$1" netns host
	umount /run/netns/host
	rm /run/netns/host
}

rdma_at() {
	if [ "$1" = host ]; then
		rdma dev | sed 's/^[0-9]*: \([^:]*\):.*/\1/'
	else
		ip netns exec "$1" rdma dev | sed 's/^[0-9]*: \([^:]*\):.*/\1/'
	fi
}

# is_at NAME WHERE
is_at() {
	rdma_at "$2" | grep -qx "$1" ||
		{ echo "$1 is not at $2: $(rdma_at "$2" | tr '\n' ' ')" && show && false; }
}

# shellcheck disable=SC2010 # nor has a state file
state() { ls -A "$STATE" 2>/dev/null | grep -v '^\.lock$'; }

state_is_empty() { [ -z "$(state)" ] || { show && false; }; }

# Which character devices each VF's RDMA device has, wherever it is.
char_devices() {
	local vf path
	for vf in "${VF[@]}"; do
		for path in "/sys/bus/pci/devices/$vf"/infiniband_{verbs,mad}/*; do
			printf '%s ' "$vf=${path##*/}"
		done
	done
}

setup_file() { make_vfs; }
setup() {
	find_vfs
	PREFIX=
	CNI_ARGS='IgnoreUnknown=1;K8S_POD_NAMESPACE=ns;K8S_POD_NAME=training-0'
}
teardown() { reset_node; }

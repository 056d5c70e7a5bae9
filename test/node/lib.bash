# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What the cases of rdma-node share: machines that we do not have, as trees of files. What the files
# hold is what drivers in Linux 6.1 write there.
#
#	machine		starts one: $ROOT, Linux 6.1 with the RDMA core, mode exclusive, all well
#	pf ADDRESS CLASS DRIVER [NETDEV]	a physical function
#	vf PF NUMBER ADDRESS DRIVER	one of its virtual functions
#	sf NAME PF	a scalable function: mlx5_core.sf.4
#	rdma BUS/ADDRESS NAME NUMBER [LAYER] [STATE]	its RDMA device, with uverbs<NUMBER>
#	away BUS/ADDRESS NAME NUMBER	the same, but in another network namespace
#	process PID NAME [LIMIT]	a process; LIMIT: of locked memory
#	check [OPTION...]	run "rdma-node check --root $ROOT"; sets status, output, log
#	check_as_nobody	the same, not as root
#	says STATE ID [TEXT...]	one line of the output, with all of these in it
#	node_command COMMAND [OPTION...]	the same of another command
#	mends ID TEXT...	so does the remedy of one of the check's findings

bats_require_minimum_version 1.5.0
. "$BATS_TEST_DIRNAME/../processor.bash"

NODE=$(realpath "${NODE:-$BATS_TEST_DIRNAME/../../build/bin/rdma-node}")
RELEASE=6.1.0-fake
GUID=0c42:a103:0065:1234

setup() {
	ROOT=$BATS_TEST_TMPDIR/root
	LOG=$BATS_TEST_TMPDIR/log
	unset NO_COLOR
	machine
}

# The tree of 250 VFs has thousands of files: what is there already costs no process.
folder() { [ -d "$ROOT/$1" ] || mkdir -p "$ROOT/$1"; }

# put PATH TEXT: a file with a line.
put() {
	folder "${1%/*}"
	printf '%s\n' "$2" >"$ROOT/$1"
}

# lead PATH TARGET: a link, as sysfs has them: only the target's last part counts.
lead() {
	folder "${1%/*}"
	ln -sfn "$2" "$ROOT/$1"
}

machine() {
	local module
	put proc/sys/kernel/osrelease "$RELEASE"
	put proc/sys/kernel/random/boot_id 11111111-2222-4333-8444-555555555555
	put proc/cmdline 'BOOT_IMAGE=/vmlinuz quiet ib_core.netns_mode=0'
	put proc/1/comm systemd
	for module in ib_core ib_uverbs rdma_cm rdma_ucm; do
		mkdir -p "$ROOT/sys/module/$module"
	done
	put sys/module/ib_core/parameters/netns_mode N
	mkdir -p "$ROOT"/sys/class/infiniband{,_verbs} "$ROOT"/sys/bus/{pci,auxiliary}/devices
	put sys/class/misc/rdma_cm/dev 10:58
	device infiniband/rdma_cm 10 58
	mkdir -p "$ROOT/opt/cni/bin" "$ROOT/etc/modprobe.d"
	printf 'ELF\0rdma %s: CNI plugin that moves the RDMA device of a pod\n\0' "$("$NODE" --version |
		sed 's/.* //')" >"$ROOT/opt/cni/bin/rdma"
	touch "$ROOT"/opt/cni/bin/{multus,sriov}
	chmod 0755 "$ROOT"/opt/cni/bin/*
	mkdir -p "$ROOT/var/lib/cni"
	mkdir -m 0700 "$ROOT/var/lib/cni/rdma"
}

# device PATH MAJOR MINOR [MODE]: in /dev. Where that may not be made: skips.
device() {
	folder "dev/${1%/*}"
	[ ! -e "$ROOT/dev/$1" ] || rm "$ROOT/dev/$1"
	mknod -m "${4:-0666}" "$ROOT/dev/$1" c "$2" "$3" 2>/dev/null ||
		skip "making device files takes root"
}

pf() {
	local at=sys/bus/pci/devices/$1
	put "$at/class" "$2"
	put "$at/sriov_totalvfs" 8
	put "$at/sriov_numvfs" 0
	[ -z "$3" ] || lead "$at/driver" "../../../bus/pci/drivers/$3"
	[ -z "${4-}" ] || mkdir -p "$ROOT/$at/net/$4"
	[ -z "$3" ] || loads "$3"
}

# The module that makes RDMA devices for this driver.
loads() {
	case $1 in
	mlx5_core*) mkdir -p "$ROOT"/sys/module/mlx5_{core,ib} ;;
	bnxt_en) mkdir -p "$ROOT/sys/module/bnxt_re" ;;
	ice | iavf) mkdir -p "$ROOT/sys/module/irdma" ;;
	esac
}

vf() {
	local at=sys/bus/pci/devices/$3
	put "$at/class" "$(<"$ROOT/sys/bus/pci/devices/$1/class")"
	lead "$at/physfn" "../$1"
	lead "sys/bus/pci/devices/$1/virtfn$2" "../$3"
	put "sys/bus/pci/devices/$1/sriov_numvfs" $(($2 + 1))
	[ -z "$4" ] || lead "$at/driver" "../../../bus/pci/drivers/$4"
}

sf() {
	mkdir -p "$ROOT/sys/bus/auxiliary/devices/$1"
	lead "sys/bus/auxiliary/devices/$1/driver" ../../../bus/auxiliary/drivers/mlx5_core.sf
}

away() {
	local parent=sys/bus/${1%/*}/devices/${1#*/} verbs=sys/class/infiniband_verbs/uverbs$3
	folder "$parent/infiniband_verbs/uverbs$3"
	put "$verbs/ibdev" "$2"
	put "$verbs/dev" "231:$((192 + $3))"
	lead "$verbs/device" "../../../${parent##*/}"
	device "infiniband/uverbs$3" 231 $((192 + $3))
}

rdma() {
	local parent=sys/bus/${1%/*}/devices/${1#*/} class=sys/class/infiniband/$2
	folder "$parent/infiniband/$2"
	put "$class/ports/1/state" "${5:-4: ACTIVE}"
	put "$class/node_guid" "$GUID"
	put "$class/ports/1/link_layer" "${4:-Ethernet}"
	lead "$class/device" "../../../${parent##*/}"
	away "$@"
}

process() {
	put "proc/$1/comm" "$2"
	[ -z "${3-}" ] || printf '%-26s%-21s%-21s%-10s\n' Limit 'Soft Limit' 'Hard Limit' Units \
		'Max processes' 1000 1000 processes 'Max locked memory' "$3" "$3" bytes \
		>"$ROOT/proc/$1/limits"
}

# node_command COMMAND [OPTION...]
node_command() {
	status=0
	output=$("$NODE" "$1" --root "$ROOT" "${@:2}" 2>"$LOG") || status=$?
	log=$(<"$LOG")
}

check() { node_command check "$@"; }

check_as_nobody() {
	[ "$(id -u)" = 0 ] || skip "takes root to become somebody else"
	chmod a+x "$BATS_RUN_TMPDIR"
	status=0
	output=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$NODE" check --root "$ROOT" \
		2>"$LOG") || status=$?
	log=$(<"$LOG")
}

show() {
	echo "status $status"
	echo "$output"
	echo "stderr: $log"
}

ends_with() { [ "$status" = "$1" ] || { show && false; }; }

says() {
	local line text good
	while IFS= read -r line; do
		[[ $line =~ ^$1\ +$2\  ]] || continue
		good=1
		for text in "${@:3}"; do
			[[ $line == *"$text"* ]] || good=
		done
		[ -z "$good" ] || return 0
	done <<<"$output"
	echo "no line: $*"
	show
	return 1
}

mends() {
	local line text good id
	while IFS= read -r line; do
		[[ $line != [a-z]* ]] || { read -r _ id _ <<<"$line" && continue; }
		[ "$id" = "$1" ] || continue
		good=1
		for text in "${@:2}"; do
			[[ $line == *"$text"* ]] || good=
		done
		[ -z "$good" ] || return 0
	done <<<"$output"
	echo "no remedy: $*"
	show
	return 1
}

is_all_well() { ! grep -E '^(warn|fail)' <<<"$output"; }

# entry FILE [JSON]: an attachment of 0000:3b:00.3, as the plugin writes it; with other members.
entry() {
	jq -nc --arg boot "$(<"$ROOT/proc/sys/kernel/random/boot_id")" '{version: "1.0",
		deviceID: "0000:3b:00.3", sandboxRdmaDevName: "mlx5_2", containerRdmaDevName: "mlx5_2",
		network: "net", containerID: "c1", ifname: "net1", podNamespace: "ns",
		podName: "training-0", netns: "/run/netns/a", netnsDevice: "4",
		netnsInode: "4026532567", bootID: $boot,
		devices: [{hostName: "mlx5_2", podName: "mlx5_2"}]} + '"${2-{\}}" \
		>"$ROOT/var/lib/cni/rdma/$1"
	chmod 0600 "$ROOT/var/lib/cni/rdma/$1"
}

# A good machine with a ConnectX card, two VFs, one of them in a pod.
connectx() {
	pf 0000:3b:00.0 0x020000 mlx5_core ens1f0
	vf 0000:3b:00.0 0 0000:3b:00.2 mlx5_core
	vf 0000:3b:00.0 1 0000:3b:00.3 mlx5_core
	rdma pci/0000:3b:00.0 mlx5_0 0
	rdma pci/0000:3b:00.2 mlx5_1 1 Ethernet '1: DOWN'
	away pci/0000:3b:00.3 mlx5_2 2
}

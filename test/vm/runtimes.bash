# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What is tried with each container runtime: real containers, on the chain of
# scripts/deploy/examples/rdma-net.conflist, with the plugin of the Debian package. The file that
# loads this has, for its runtime:
#
#	prepare			once: what it needs, and the image "busybox"
#	start NAME NETWORK DEVICE	a container that sleeps, on network rdma-0 to rdma-6 of that VF, or
#				"none"; it is given /dev/infiniband/DEVICE as a device plugin would
#	inside NAME COMMAND...	in a running container
#	stop, kill_hard, remove NAME	three ways to end it; nothing of it is left then
#	run_image FILE COMMAND...	in a container of an OCI image

load lib

NETWORKS=/etc/cni/net.d
# The first process of a container ignores signals that it does not ask for.
SLEEPER=(/bin/busybox sh -c "trap exit TERM; /bin/busybox sleep 600 & wait")
PACKAGES=$BATS_TEST_DIRNAME/../../build/package

# network I: of the VF with that number.
network() {
	jq --arg name "rdma-$1" --arg device "${VF[$1]}" --arg subnet "10.56.$1.0/24" '.name = $name |
		.plugins[0].pciBusID = $device | .plugins[0].ipam.subnet = $subnet |
		.plugins[1].deviceID = $device' \
		"$BATS_TEST_DIRNAME/../../scripts/deploy/examples/rdma-net.conflist"
}

# A root with nothing but busybox.
busybox_root() {
	local root
	root=$(mktemp -d)
	mkdir -p "$root"/{bin,dev,proc,sys,tmp}
	cp /bin/busybox "$root/bin/"
	ln -s busybox "$root/bin/sh"
	tar -cf /run/busybox.tar -C "$root" .
}

setup_file() {
	local i
	make_vfs
	dpkg --install "$PACKAGES"/rdma-cni_*.deb >/dev/null
	mkdir -p "$NETWORKS"
	rm -f "$NETWORKS"/*
	for i in "${!VF[@]}"; do
		network "$i" >"$NETWORKS/rdma-$i.conflist"
	done
	busybox_root
	mkdir -p /run/before
	for i in "${!VF[@]}"; do
		everything_of "$i" >"/run/before/$i"
	done
	prepare
}

teardown() {
	local name
	for name in $(containers); do
		remove "$name" || true
	done
	rm -rf /var/lib/cni/networks
	reset_node
}

# everything_of I: what a VF has, as the host sees it. The network device's name is host-device's to
# give back, which it does only while there is a namespace.
everything_of() {
	(cd "/sys/bus/pci/devices/${VF[$1]}" && ls -d net/* infiniband/* infiniband_*/* 2>&1) |
		sed 's|^net/.*|net|'
}

uverbs_of() { basename "/sys/bus/pci/devices/${VF[$1]}"/infiniband_verbs/*; }

has_returned() { [ "$(everything_of "$1" 2>&1)" = "$(<"/run/before/$1")" ]; }

# all_returned I...: the devices, and no state.
all_returned() {
	local i
	for i in "$@"; do
		until_true 20 "all of VF $i on the host" has_returned "$i"
		: <"/dev/infiniband/$(uverbs_of "$i")"
	done
	status='' output='' log=''
	state_is_empty
}

# has_its_device NAME I: it sees the VF's devices, no others, and can open the character device.
has_its_device() {
	sees "$1" /sys/class/infiniband "${RDMA[$2]}"
	sees "$1" /sys/class/net 'eth0 lo'
	opens "$1" "$(uverbs_of "$2")"
}

# sees NAME DIRECTORY FILES
sees() {
	local files
	files=$(inside "$1" ls "$2" | paste -sd ' ')
	[ "$files" = "$3" ] || { echo "$1 sees in $2: $files" && return 1; }
}

opens() { inside "$1" sh -c ": <>/dev/infiniband/$2"; }

case_alone() {
	start one rdma-2 "$(uverbs_of 2)"
	has_its_device one 2
	# The host has it no more, and another container that is given the node neither.
	! rdma_is_home mlx5_2 || false
	start other none "$(uverbs_of 2)"
	sees other /sys/class/infiniband ''
	run opens other "$(uverbs_of 2)"
	[ "$status" != 0 ]
	[[ $output == *'Operation not permitted'* ]]
	remove other
	has_its_device one 2
	remove one
	all_returned 2
	# It was the namespace that did not let it: the same node, and nobody else has the device.
	start other rdma-2 "$(uverbs_of 2)"
	opens other "$(uverbs_of 2)"
}

case_ends() {
	local how
	for how in stop kill_hard remove; do
		start one rdma-0 "$(uverbs_of 0)"
		has_its_device one 0
		$how one
		all_returned 0
	done
}

case_ten() {
	local i
	for i in {1..10}; do
		start "one-$i" rdma-1 "$(uverbs_of 1)"
		has_its_device "one-$i" 1
		remove "one-$i"
	done
	all_returned 1
}

case_seven() {
	local i jobs=()
	for i in "${!VF[@]}"; do
		start "one-$i" "rdma-$i" "$(uverbs_of "$i")" 3>&- 4>&- &
		jobs+=($!)
	done
	for i in "${!VF[@]}"; do
		wait "${jobs[i]}"
	done
	for i in "${!VF[@]}"; do
		has_its_device "one-$i" "$i"
	done
	jobs=()
	for i in "${!VF[@]}"; do
		remove "one-$i" 3>&- 4>&- &
		jobs+=($!)
	done
	for i in "${!VF[@]}"; do
		wait "${jobs[i]}"
	done
	all_returned "${!VF[@]}"
}

case_image() {
	local image
	image=$(echo "$PACKAGES"/*.oci.tar)
	[ "$(run_image "$image" /rdma --version)" = "$(/usr/lib/cni/rdma --version)" ]
}

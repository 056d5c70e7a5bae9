# SPDX-License-Identifier: Apache-2.0
# CHECK: contract, section 5. It names what is not as ADD left it, and changes nothing.

load lib

attached() {
	pod a
	conf "$@"
	cni ADD a
	succeeds
}

@test "right after ADD all is well" {
	attached
	before=$(stat -c '%n %i %y' "$STATE"/*)
	cni CHECK a
	succeeds
	[ -z "$output" ]
	[ "$(stat -c '%n %i %y' "$STATE"/*)" = "$before" ]
}

@test "all versions that have CHECK, and those that don't" {
	attached
	for version in 0.4.0 1.0.0 1.1.0; do
		conf version=$version
		cni CHECK a
		succeeds
	done
	for version in 0.1.0 0.2.0 0.3.0 0.3.1; do
		conf version=$version
		cni CHECK a
		fails_with 1 CHECK
	done
}

@test "without a previous result" {
	attached
	conf no=prevResult
	cni CHECK a
	fails_with 7 prevResult
}

@test "without state" {
	attached
	rm "$STATE/net-a-net1"
	cni CHECK a
	fails_with 110 "'a'" net1
}

@test "with state that can't be read" {
	attached
	echo '{' >"$STATE/net-a-net1"
	cni CHECK a
	fails_with 110 net-a-net1
	[ -e "$STATE/net-a-net1" ]
}

@test "the device went home" {
	attached
	move_home mlx5_0 a
	cni CHECK a
	fails_with 110 mlx5_0 /run/netns/a
}

@test "the device was renamed in the pod" {
	attached
	ip netns exec a rdma dev set mlx5_0 name renamed0
	cni CHECK a
	fails_with 110 mlx5_0 renamed0
}

@test "the device is gone" {
	attached
	control del mlx5_0
	cni CHECK a
	fails_with 110 mlx5_0
}

@test "a device of the same name but of another function" {
	attached
	control del mlx5_0
	control add mlx5_0 "pci/${VF[1]}"
	rdma dev set mlx5_0 netns a
	cni CHECK a
	control del mlx5_0
	fails_with 110 "${VF[0]}"
}

@test "another namespace than ADD saw" {
	attached
	pod b
	cni CHECK CNI_CONTAINERID=a CNI_NETNS=/run/netns/b
	fails_with 110 /run/netns/b
}

@test "a namespace that is none" {
	attached
	cni CHECK a CNI_NETNS=/run/netns/gone
	fails_with 4 CNI_NETNS
}

@test "another device than ADD attached" {
	attached
	conf "deviceID=\"${VF[1]}\""
	cni CHECK a
	fails_with 110 "${VF[0]}" "${VF[1]}"
}

@test "state of another boot" {
	attached
	sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/" \
		"$STATE/net-a-net1"
	cni CHECK a
	fails_with 110 boot
}

@test "the own namespace is not asked for" {
	attached
	cni CHECK a CNI_NETNS=/proc/self/ns/net
	fails_with 110 /proc/self/ns/net
}

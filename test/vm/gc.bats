# SPDX-License-Identifier: Apache-2.0
# GC: contract, section 5.

load lib

# Three attachments of "net", one of "other".
attach_four() {
	pod a b c d
	local i=0 name
	for name in a b c d; do
		conf "deviceID=\"${VF[i]}\"" "name=\"$([ $name = d ] && echo other || echo net)\""
		cni ADD $name
		succeeds
		i=$((i + 1))
	done
}

# collect KEY=JSON...
collect() {
	conf no=prevResult no=deviceID "$@"
	cni GC CNI_CONTAINERID= CNI_NETNS= CNI_IFNAME=
}

@test "what is not listed is undone, other networks stay" {
	attach_four
	collect 'cni.dev/valid-attachments=[{"containerID":"a","ifname":"net1"},
		{"containerID":"b","ifname":"other"}]'
	succeeds
	[ -z "$output" ]
	is_at mlx5_0 a
	is_at mlx5_1 host
	is_at mlx5_2 host
	is_at mlx5_3 d
	[ "$(state | tr '\n' ' ')" = 'net-a-net1 other-d-net1 ' ]
}

@test "the older spelling, and which of both wins" {
	attach_four
	collect 'cni.dev/attachments=[{"containerID":"a","ifname":"net1"}]'
	succeeds
	[ "$(state | tr '\n' ' ')" = 'net-a-net1 other-d-net1 ' ]
	collect 'cni.dev/attachments=[]' \
		'cni.dev/valid-attachments=[{"containerID":"a","ifname":"net1"}]'
	succeeds
	[ "$(state | tr '\n' ' ')" = 'net-a-net1 other-d-net1 ' ]
}

@test "an empty list, and null, mean that none is valid" {
	for list in '[]' null; do
		attach_four
		collect "cni.dev/valid-attachments=$list"
		succeeds
		[ "$(state)" = other-d-net1 ]
		is_at mlx5_2 host
		is_at mlx5_3 d
		reset_node
	done
}

@test "without a list only what is provably dead goes" {
	attach_four
	ip netns del b
	sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/" \
		"$STATE/net-c-net1"
	collect
	succeeds
	[ "$(state | tr '\n' ' ')" = 'net-a-net1 other-d-net1 ' ]
	is_at mlx5_0 a
	is_at mlx5_2 c
}

@test "a malformed list changes nothing" {
	attach_four
	before=$(state)
	for list in '"x"' '{}' '[1]' '[{}]' '[{"containerID":"a"}]' '[{"containerID":1,"ifname":"n"}]' \
		'[{"containerID":"a","ifname":"net1"},null]'; do
		collect "cni.dev/valid-attachments=$list"
		fails_with 7 cni.dev/valid-attachments
		[ "$(state)" = "$before" ]
	done
	is_at mlx5_1 b
}

@test "one that is stuck is told, the others go all the same" {
	attach_four
	ip netns del b
	PREFIX='setpriv --bounding-set=-net_admin' collect 'cni.dev/valid-attachments=[]'
	fails_with 111 mlx5_0 mlx5_2
	[ "$(state | tr '\n' ' ')" = 'net-a-net1 net-c-net1 other-d-net1 ' ]
	collect 'cni.dev/valid-attachments=[]'
	succeeds
	[ "$(state)" = other-d-net1 ]
}

@test "files that are not ours stay" {
	attach_four
	echo foreign >"$STATE/net-x-net1"
	echo '{}' >"$STATE/README"
	mkdir "$STATE/net-y-net1"
	echo keep >/var/lib/cni/target
	ln -s ../target "$STATE/net-z-net1"
	collect 'cni.dev/valid-attachments=[]'
	succeeds
	[ "$(state | tr '\n' ' ')" = 'README net-x-net1 net-y-net1 net-z-net1 other-d-net1 ' ]
	[ "$(cat /var/lib/cni/target)" = keep ]
}

@test "GC is of version 1.1.0" {
	conf version=1.0.0
	cni GC
	fails_with 1 GC
}

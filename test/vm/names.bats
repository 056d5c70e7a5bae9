# SPDX-License-Identifier: Apache-2.0
# rdmaDeviceName: contract, section 6.

load lib

in_pci() { tr ':.' '__' <<<"${VF[$1]}"; }

@test "a name made of the function, given back by DEL" {
	pod a
	conf 'rdmaDeviceName="pod_{pci}"'
	cni ADD a
	succeeds
	is_at "pod_$(in_pci 0)" a
	[ "$(jq -r .containerRdmaDevName "$STATE/net-a-net1")" = "pod_$(in_pci 0)" ]
	[ "$(jq -r .sandboxRdmaDevName "$STATE/net-a-net1")" = mlx5_0 ]
	cni CHECK a
	succeeds
	cni DEL a
	succeeds
	is_at mlx5_0 host
}

@test "the placeholders" {
	pod a
	conf 'rdmaDeviceName="{device}.{ifname}-{index}"'
	cni ADD a
	succeeds
	is_at mlx5_0.net1-0 a
}

@test "the lowest free index, and a name that is taken anywhere on the node" {
	pod a b
	conf 'rdmaDeviceName="rdma{index}"'
	cni ADD a
	succeeds
	is_at rdma0 a
	conf 'rdmaDeviceName="rdma{index}"' "deviceID=\"${VF[1]}\""
	cni ADD b
	succeeds
	is_at rdma1 b
	cni DEL b
	conf 'rdmaDeviceName="rdma0"' "deviceID=\"${VF[1]}\""
	cni ADD b
	fails_with 108 rdma0
	is_at mlx5_1 host
	[ "$(state)" = net-a-net1 ]
}

@test "what can't be a name is refused before anything moves" {
	pod a
	local long
	long=$(head -c 64 /dev/zero | tr '\0' n)
	for template in "$long" 'a/b' '{nothing}' '{device' 'a b' '../x' '{device}é'; do
		conf "rdmaDeviceName=\"$template\""
		cni ADD a
		fails_with 7 rdmaDeviceName
		is_at mlx5_0 host
		state_is_empty
	done
}

@test "the original name comes back after the kernel returned the device" {
	pod a
	conf 'rdmaDeviceName="pod_{pci}"'
	cni ADD a
	ip netns del a
	cni DEL a
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

@test "the next pod of the device finds it under its original name" {
	pod a b
	conf 'rdmaDeviceName="{device}_{ifname}"'
	cni ADD a
	succeeds
	ip netns del a
	cni ADD b
	succeeds
	is_at mlx5_0_net1 b
	[ "$(state)" = net-b-net1 ]
	[ "$(jq -r .sandboxRdmaDevName "$STATE/net-b-net1")" = mlx5_0 ]
	cni DEL b
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

@test "GC gives the original name back too" {
	pod a b
	conf 'rdmaDeviceName="{device}_{ifname}"'
	cni ADD a
	succeeds
	conf 'rdmaDeviceName="{device}_{ifname}"' "deviceID=\"${VF[1]}\""
	cni ADD b
	succeeds
	ip netns del a
	conf no=prevResult no=deviceID 'cni.dev/valid-attachments=[]'
	cni GC
	succeeds
	is_at mlx5_0 host
	is_at mlx5_1 host
	state_is_empty
}

@test "names of 63 bytes, and of more once the placeholders are filled in" {
	pod a
	local long
	long=$(head -c 51 /dev/zero | tr '\0' n)
	conf "rdmaDeviceName=\"$long{pci}\""
	cni ADD a
	succeeds
	is_at "$long$(in_pci 0)" a
	cni DEL a
	succeeds
	is_at mlx5_0 host
	conf "rdmaDeviceName=\"n$long{pci}\""
	cni ADD a
	fails_with 7 rdmaDeviceName "n$long$(in_pci 0)"
	is_at mlx5_0 host
	state_is_empty
}

@test "a crash between move and rename" {
	pod a
	conf 'rdmaDeviceName="pod_{pci}"'
	cni ADD a
	ip netns exec a rdma dev set "pod_$(in_pci 0)" name mlx5_0
	cni ADD a
	succeeds
	is_at "pod_$(in_pci 0)" a
	ip netns exec a rdma dev set "pod_$(in_pci 0)" name mlx5_0
	cni DEL a
	succeeds
	is_at mlx5_0 host
}

@test "two pods at once get two indexes" {
	pod a b
	for _ in 1 2 3; do
		conf 'rdmaDeviceName="rdma{index}"'
		(cni ADD a && succeeds) 3>&- 4>&- &
		conf 'rdmaDeviceName="rdma{index}"' "deviceID=\"${VF[1]}\""
		cni ADD b
		succeeds
		wait $!
		[ "$(cat <(rdma_at a) <(rdma_at b) | sort | tr '\n' ' ')" = 'rdma0 rdma1 ' ]
		cni DEL b
		conf
		cni DEL a
		is_at mlx5_0 host
		is_at mlx5_1 host
	done
}

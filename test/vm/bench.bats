# SPDX-License-Identifier: Apache-2.0
# The bench itself, with iproute2 alone: what the other cases stand on.

load lib

parent_of() { basename "$(readlink -f "/sys/class/infiniband/$1/device")"; }

@test "there are seven VFs of one PF, each with a network device" {
	[ ${#VF[@]} = 7 ]
	for vf in "${VF[@]}"; do
		[ "$(basename "$(readlink -f "/sys/bus/pci/devices/$vf/physfn/net/$PF")")" = "$PF" ]
		[ -n "$(ls "/sys/bus/pci/devices/$vf/net")" ]
	done
}

@test "each VF has an RDMA device with its character devices" {
	for i in "${!VF[@]}"; do
		[ "$(parent_of "${RDMA[i]}")" = "${VF[i]}" ]
		[ -c "/dev/infiniband/$(ls "/sys/bus/pci/devices/${VF[i]}/infiniband_verbs")" ]
		[ -n "$(ls "/sys/bus/pci/devices/${VF[i]}/infiniband_mad")" ]
	done
}

@test "the mode is exclusive" {
	rdma system | grep -q 'netns exclusive'
}

@test "a device moves to a namespace, is seen there alone, and moves back" {
	pod a
	rdma dev set mlx5_0 netns a
	is_at mlx5_0 a
	! rdma_at host | grep -qx mlx5_0 || false
	[ -z "$(rdma_of "${VF[0]}")" ]
	[ -e "/sys/bus/pci/devices/${VF[0]}/infiniband_verbs" ]
	move_home mlx5_0 a
	is_at mlx5_0 host
}

@test "the kernel returns the device of a namespace that ends" {
	pod a
	rdma dev set mlx5_0 netns a
	ip netns del a
	until_true 20 'mlx5_0 on the host' rdma_is_home mlx5_0
}

@test "an auxiliary device has an RDMA device too" {
	control sf 4
	control add mlx5_sf auxiliary/mlx5_core.sf.4
	[ -e /sys/bus/auxiliary/devices/mlx5_core.sf.4/infiniband/mlx5_sf ]
	[ -e /sys/bus/auxiliary/devices/mlx5_core.sf.4/driver ]
	control nosf 4
	[ ! -e /sys/class/infiniband/mlx5_sf ]
}

@test "a driver without disassociate_ucontext can't be moved" {
	pod a
	control del mlx5_0
	control add mlx5_0 "pci/${VF[0]}" fixed
	run rdma dev set mlx5_0 netns a
	[ "$status" != 0 ]
	[[ $output == *'not supported'* ]]
	control del mlx5_0
}

@test "two devices on one function, one with an InfiniBand port" {
	control add mlx5_x "pci/${VF[0]}" ib
	[ "$(find "/sys/bus/pci/devices/${VF[0]}/infiniband/" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]
	[ "$(cat /sys/class/infiniband/mlx5_x/ports/1/link_layer)" = InfiniBand ]
	[ "$(cat /sys/class/infiniband/mlx5_0/ports/1/link_layer)" = Ethernet ]
	control del mlx5_x
}

@test "an RDMA device goes with its VF's driver" {
	echo "${VF[0]}" >"/sys/bus/pci/devices/${VF[0]}/driver/unbind"
	[ ! -e /sys/class/infiniband/mlx5_0 ]
	echo "${VF[0]}" >/sys/bus/pci/drivers/igbvf/bind
}

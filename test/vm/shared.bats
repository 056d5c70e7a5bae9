# SPDX-License-Identifier: Apache-2.0
# vm: mode=shared
# Netns mode shared: nothing can be given to a pod, all that was can be taken back.

load lib

@test "ADD says how to switch and why the kernel may refuse" {
	pod a
	conf
	cni ADD a
	fails_with 101 shared exclusive 'rdma system set netns exclusive' netns_mode=0
	state_is_empty
	rdma dev | grep -q mlx5_0
}

@test "CHECK names the mode" {
	pod a
	conf
	cni CHECK a
	fails_with 101 shared
}

@test "STATUS: 50, and 51 when there are attachments" {
	conf
	cni STATUS
	fails_with 50 shared exclusive
	mkdir -p "$STATE"
	echo '{"version":"1.0","deviceID":"0000:77:00.0","sandboxRdmaDevName":"mlx5_9","containerRdmaDevName":"mlx5_9"}' \
		>"$STATE/net-x-net1"
	cni STATUS
	fails_with 51 shared
}

@test "DEL and GC work all the same" {
	pod a
	mkdir -p "$STATE"
	echo "{\"version\":\"1.0\",\"deviceID\":\"${VF[0]}\",\"sandboxRdmaDevName\":\"mlx5_0\",\"containerRdmaDevName\":\"mlx5_0\"}" \
		>"$STATE/net-a-net1"
	conf
	cni DEL a
	succeeds
	state_is_empty
	rdma dev | grep -q mlx5_0
	conf no=prevResult no=deviceID 'cni.dev/valid-attachments=[]'
	cni GC
	succeeds
}

@test "a driver without a namespace of its own has no part in it" {
	pod a
	conf no=prevResult
	cni ADD a
	fails_with 7 prevResult
}

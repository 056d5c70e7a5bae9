# SPDX-License-Identifier: Apache-2.0
# DEL: contract, section 5. It never fails for something that is gone.

load lib

# comes_home NAME: DEL said nothing, the device is on the host, the state is empty.
comes_home() {
	succeeds
	[ -z "$output" ] || { show && false; }
	is_at "$1" host
	state_is_empty
}

@test "DEL brings the device home, says nothing and removes the state" {
	pod a
	conf
	cni ADD a
	cni DEL a
	comes_home mlx5_0
	cni DEL a
	comes_home mlx5_0
}

@test "DEL of what was never added" {
	pod a
	conf
	cni DEL a
	comes_home mlx5_0
	cni DEL nowhere
	comes_home mlx5_0
}

@test "without CNI_NETNS, or with one that leads nowhere, the recorded namespace is used" {
	pod a
	conf
	for netns in '' /run/netns/gone /etc/passwd; do
		cni ADD a
		succeeds
		cni DEL a CNI_NETNS="$netns"
		comes_home mlx5_0
	done
}

@test "a namespace without a name is found as long as a process lives in it" {
	pod a
	ip netns exec a sleep 60 3>&- 4>&- &
	local process=$!
	until_true 20 'a process in the namespace' ip_netns_has a "$process"
	conf
	cni ADD a
	ip netns del a
	cni DEL a
	kill "$process"
	comes_home mlx5_0
}

ip_netns_has() { ip netns pids "$1" | grep -qx "$2"; }

@test "the name of a namespace used again is another namespace" {
	pod a
	ip netns exec a sleep 60 3>&- 4>&- &
	local process=$!
	until_true 20 'a process in the namespace' ip_netns_has a "$process"
	conf
	cni ADD a
	ip netns del a
	pod a
	# Somebody else's device in the new one.
	rdma dev set mlx5_1 netns a
	cni DEL a
	kill "$process"
	comes_home mlx5_0
	is_at mlx5_1 a
}

@test "a namespace that ended" {
	pod a
	conf
	cni ADD a
	ip netns del a
	cni DEL a
	succeeds
	state_is_empty
	until_true 20 'mlx5_0 on the host' rdma_is_home mlx5_0
}

@test "a device that came home already" {
	pod a
	conf
	cni ADD a
	move_home mlx5_0 a
	cni DEL a
	comes_home mlx5_0
}

@test "a device that is gone, and a VF whose driver is gone" {
	pod a
	conf
	cni ADD a
	control del mlx5_0
	cni DEL a
	succeeds
	state_is_empty
	restore_devices
	cni ADD a
	echo "${VF[0]}" >"/sys/bus/pci/devices/${VF[0]}/driver/unbind"
	cni DEL a
	echo "${VF[0]}" >/sys/bus/pci/drivers/igbvf/bind
	succeeds
	state_is_empty
}

@test "a VF that is gone" {
	pod a
	conf
	cni ADD a
	echo 0 >"/sys/class/net/$PF/device/sriov_numvfs"
	cni DEL a
	make_vfs
	succeeds
	state_is_empty
}

@test "a device that was renamed in the pod is known by its function" {
	pod a
	conf
	cni ADD a
	ip netns exec a rdma dev set mlx5_0 name renamed0
	cni DEL a
	comes_home mlx5_0
}

@test "the configuration may have lost everything but its name" {
	pod a
	for change in no=prevResult no=deviceID 'prevResult="x"' 'prevResult=[1]' deviceID=7 \
		'deviceID="../x"' 'runtimeConfig=1' 'args={"cni":1}' 'logLevel=1' 'waitSeconds=-1' \
		'rdmaDeviceName=[]'; do
		conf
		cni ADD a
		succeeds
		conf "$change"
		cni DEL a
		comes_home mlx5_0
	done
}

@test "without its state the device is known from the configuration" {
	pod a
	conf
	cni ADD a
	rm "$STATE/net-a-net1"
	cni DEL a
	comes_home mlx5_0
}

@test "without its state a device that another attachment claims stays" {
	pod a
	conf 'name="other"'
	cni ADD a
	conf
	cni DEL a
	succeeds
	is_at mlx5_0 a
	[ "$(state)" = other-a-net1 ]
}

@test "state that can't be read is no state, and goes" {
	pod a
	conf
	for text in '' '{' 'null' '[]' '{"version":"9"}' "$(head -c 70000 /dev/zero | tr '\0' a)"; do
		cni ADD a
		succeeds
		printf %s "$text" >"$STATE/net-a-net1"
		cni DEL a
		comes_home mlx5_0
	done
}

@test "state of another boot is dropped without touching a device" {
	pod a
	conf
	cni ADD a
	sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/" \
		"$STATE/net-a-net1"
	cni DEL a
	succeeds
	is_at mlx5_0 a
	state_is_empty
}

@test "a device that is really stuck fails DEL, and a later one brings it home" {
	pod a
	conf
	cni ADD a
	PREFIX='setpriv --bounding-set=-net_admin' cni DEL a
	fails_with 107 mlx5_0 'Operation not permitted'
	[[ $error != *'not found'* && $error != *'no such file'* ]]
	[ "$(state)" = net-a-net1 ]
	is_at mlx5_0 a
	cni DEL a
	comes_home mlx5_0
}

@test "the own namespace: cleaned up first, then refused" {
	pod a
	conf
	cni ADD a
	cni DEL a CNI_NETNS=/proc/self/ns/net
	fails_with 8 /proc/self/ns/net
	is_at mlx5_0 host
	state_is_empty
	cni DEL a CNI_NETNS=/proc/self/ns/net CNI_NETNS_OVERRIDE=1
	comes_home mlx5_0
}

@test "a process that has the device open does not keep it" {
	pod a
	conf
	cni ADD a
	local node
	node=/dev/infiniband/$(ls "/sys/bus/pci/devices/${VF[0]}/infiniband_verbs")
	ip netns exec a bash -c "exec 9<>$node; exec sleep 60" 3>&- 4>&- &
	local process=$!
	until_true 20 'the device open' test -e "/proc/$process/fd/9"
	cni DEL a
	kill "$process"
	comes_home mlx5_0
}

@test "DEL in the order of versions without a previous result" {
	pod a
	for version in 0.1.0 0.2.0 0.3.0 0.3.1 0.4.0 1.0.0 1.1.0; do
		conf version=$version "prevResult={\"ip4\":{\"ip\":\"10.0.0.2/24\"},\"ips\":[]}"
		cni ADD a
		succeeds
		conf version=$version no=prevResult
		cni DEL a
		comes_home mlx5_0
	done
}

@test "a device of a dead pod is cleared by the next ADD in its way" {
	pod a b
	conf
	cni ADD a
	ip netns del a
	cni ADD b
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
	# The DEL that comes late, with the configuration of the same device.
	cni DEL a
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
}

@test "with few file descriptors it brings the device home or fails" {
	local limit failures=0
	pod a
	conf 'rdmaDeviceName="pod_{device}"'
	cni ADD a
	succeeds
	for limit in {4..20}; do
		PREFIX="prlimit --nofile=$limit" cni DEL a
		if [ "$status" = 0 ]; then
			is_at mlx5_0 host
			state_is_empty
			PREFIX='' cni ADD a
			succeeds
		else
			jq -e .code <<<"$output" || { show && false; }
			[ "$(state)" = net-a-net1 ] || { show && false; }
			failures=$((failures + 1))
		fi
	done
	[ $failures -gt 3 ] && [ $failures -lt 17 ]
	cni DEL a
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

# SPDX-License-Identifier: Apache-2.0
# The world moves under it: namespaces, VFs, drivers and devices that others take away meanwhile.

load lib

# halt CALL:N COMMAND POD: run the plugin in the background and stop it after the Nth of these system
# calls; `resume [COMMAND...]` lets it go on, meanwhile runs that, and sets status, output and log.
halt() {
	local call=$1 trace=$BATS_TEST_TMPDIR/trace
	shift
	rm -f "$trace"
	(
		PREFIX="strace -f -o $trace -e trace=${call%:*} -e inject=${call%:*}:signal=STOP:when=${call#*:}"
		cni "$@"
		declare -p status output log >"$BATS_TEST_TMPDIR/answer"
	) 3>&- 4>&- &
	caller=$!
	until_true 20 "a stop after $call" is_stopped "$trace"
}

is_stopped() { read -r halted _ < <(grep -s 'stopped by SIGSTOP' "$1"); }

resume() {
	kill -s CONT "$halted"
	"${@:-true}"
	wait "$caller"
	# shellcheck source=/dev/null
	. <(sed 's/^declare --/declare -g --/' "$BATS_TEST_TMPDIR/answer")
}

# is_home NAME: under this name, with nothing left to remember.
is_home() {
	until_true 20 "$1 on the host" rdma_is_home "$1"
	state_is_empty
}

remove_vfs() { echo 0 >"/sys/class/net/$PF/device/sriov_numvfs"; }

# unbind VF, bind VF: its RDMA device goes with the driver, and comes with it.
unbind() { echo "$1" >"/sys/bus/pci/devices/$1/driver/unbind"; }
bind() {
	echo "$1" >/sys/bus/pci/drivers/igbvf/bind
	restore_devices
}

# slow_device MS: the first VF's RDMA device takes so long to leave a namespace, and to arrive.
slow_device() {
	control del mlx5_0
	control add mlx5_0 "pci/${VF[0]}" slow="$1"
}

# A test that fails may have left VFs away or without driver, and a second device.
teardown() {
	local vf
	[ "$(<"/sys/class/net/$PF/device/sriov_numvfs")" = 7 ] || make_vfs
	for vf in "${VF[@]}"; do
		[ -e "/sys/bus/pci/devices/$vf/driver" ] || echo "$vf" >/sys/bus/pci/drivers/igbvf/bind
	done
	control del mlx5_x 2>/dev/null || true
	reset_node
}

@test "the namespace is deleted during ADD" {
	local call
	conf 'rdmaDeviceName="pod_{pci}"'
	# After the configuration, the entry, the lock and the new name.
	for call in read:1 renameat:1 flock:1 sendto:5; do
		pod a
		halt $call ADD a
		ip netns del a
		resume
		if [ $call = read:1 ]; then
			fails_with 4 /run/netns/a
			state_is_empty
		else
			succeeds
			[ "$(state)" = net-a-net1 ]
		fi
		cni DEL a
		succeeds
		is_home mlx5_0
	done
}

@test "the namespace is deleted during DEL" {
	local call
	conf 'rdmaDeviceName="pod_{pci}"'
	for call in read:1 flock:1 unlinkat:1; do
		pod a
		cni ADD a
		succeeds
		halt $call DEL a
		ip netns del a
		resume
		succeeds
		is_home mlx5_0
	done
}

@test "the kernel is still returning the device when DEL comes" {
	pod a
	slow_device 1500
	conf 'rdmaDeviceName="pod_{pci}"'
	cni ADD a
	succeeds
	ip netns del a
	cni DEL a
	succeeds
	is_home mlx5_0
	control del mlx5_0
}

@test "the device of a namespace that still dies is waited for" {
	pod a b
	slow_device 500
	conf waitSeconds=10
	cni ADD a
	succeeds
	ip netns del a
	[ ! -e /sys/class/infiniband/mlx5_0 ]
	cni ADD b
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
	cni DEL b
	succeeds
	is_home mlx5_0
	control del mlx5_0
}

@test "two devices of a namespace that still dies are both waited for" {
	pod a b c
	slow_device 150
	control add mlx5_x "pci/${VF[0]}" slow=150
	conf waitSeconds=10
	cni ADD a
	succeeds
	ip netns del a
	cni ADD b
	succeeds
	is_at mlx5_0 b
	is_at mlx5_x b
	# The same when the DEL comes first.
	ip netns del b
	cni DEL b
	succeeds
	cni ADD c
	succeeds
	is_at mlx5_0 c
	is_at mlx5_x c
	[ "$(state)" = net-c-net1 ]
	cni DEL c
	succeeds
	is_at mlx5_x host
	is_home mlx5_0
	control del mlx5_0
}

# One removal for all of it: the kernel takes its time to make VFs here.
@test "VFs that are removed while they are in pods, and made again" {
	pod p{0..4}
	local i
	for i in 0 1 2 3; do
		conf waitSeconds=0 "deviceID=\"${VF[i]}\""
		cni ADD p$i
		succeeds
	done
	conf waitSeconds=0
	halt flock:1 DEL p0
	remove_vfs
	resume
	succeeds
	[ "$(state | tr '\n' ' ')" = 'net-p1-net1 net-p2-net1 net-p3-net1 ' ]
	conf "deviceID=\"${VF[1]}\""
	cni CHECK p1
	fails_with 110 "${VF[1]}" gone
	cni ADD p4
	fails_with 102 "${VF[1]}"
	conf no=prevResult no=deviceID 'cni.dev/valid-attachments=[{"containerID":"p1","ifname":"net1"},
		{"containerID":"p3","ifname":"net1"}]'
	cni GC
	succeeds
	[ "$(state | tr '\n' ' ')" = 'net-p1-net1 net-p3-net1 ' ]
	make_vfs
	conf "deviceID=\"${VF[1]}\""
	cni CHECK p1
	fails_with 110 "${VF[1]}" /run/netns/p1
	# The next pod's; a DEL that comes late has no part in it.
	cni ADD p4
	succeeds
	cni DEL p1
	succeeds
	is_at mlx5_1 p4
	cni DEL p4
	succeeds
	# And the same pod's once more.
	conf "deviceID=\"${VF[3]}\""
	cni ADD p3
	succeeds
	cni CHECK p3
	succeeds
	cni DEL p3
	succeeds
	[ "$(rdma_at host | wc -l)" = 7 ]
	state_is_empty
}

@test "a driver that is unbound and bound while the VF is in the pod" {
	pod a
	conf
	cni ADD a
	unbind "${VF[0]}"
	cni CHECK a
	fails_with 110 mlx5_0 /run/netns/a
	bind "${VF[0]}"
	# The device was made anew, on the host.
	is_at mlx5_0 host
	cni CHECK a
	fails_with 110 mlx5_0 /run/netns/a
	cni ADD a
	succeeds
	is_at mlx5_0 a
	cni CHECK a
	succeeds
	unbind "${VF[0]}"
	bind "${VF[0]}"
	cni DEL a
	succeeds
	is_home mlx5_0
}

@test "a driver that is unbound while ADD or DEL is at work" {
	pod a
	conf waitSeconds=0
	halt flock:1 ADD a
	unbind "${VF[0]}"
	resume
	bind "${VF[0]}"
	fails_with 104 mlx5_0
	state_is_empty
	cni ADD a
	succeeds
	halt flock:1 DEL a
	unbind "${VF[0]}"
	resume
	bind "${VF[0]}"
	succeeds
	is_home mlx5_0
}

@test "a device that was moved to another namespace by hand stays there" {
	pod a b c
	conf waitSeconds=0
	cni ADD a
	ip netns exec a rdma dev set mlx5_0 netns c
	cni CHECK a
	fails_with 110 mlx5_0 /run/netns/a
	cni DEL a
	succeeds
	is_at mlx5_0 c
	state_is_empty
	cni ADD b
	fails_with 105 "${VF[0]}"
	is_at mlx5_0 c
	state_is_empty
}

@test "a device that is moved by hand while ADD or DEL is at work" {
	pod a c
	conf waitSeconds=0
	halt flock:1 ADD a
	rdma dev set mlx5_0 netns c
	resume
	fails_with 104 mlx5_0
	is_at mlx5_0 c
	state_is_empty
	move_home mlx5_0 c
	cni ADD a
	succeeds
	halt flock:1 DEL a
	move_home mlx5_0 a
	resume
	succeeds
	is_home mlx5_0
}

# Soon, as what waits for it does so for a second.
later_home() { sleep 0.1 && ip netns exec "$2" rdma dev set "$1" netns host; }

# The kernel's own return of a device has such a moment, too short to be met on purpose.
@test "a device that netlink does not list for a moment is waited for" {
	pod a c
	ip netns attach host 1
	# Made anew it has another index than its character devices let guess: it is looked up.
	control del mlx5_0
	restore_devices
	conf
	halt sendto:2 ADD a
	rdma dev set mlx5_0 netns c
	resume later_home mlx5_0 c
	succeeds
	is_at mlx5_0 a
	cni DEL a
	succeeds
	is_home mlx5_0
}

of_another_boot() {
	sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/" \
		"$STATE/$1"
}

@test "after a reboot ADD goes by none of the old state" {
	pod a b
	conf
	cni ADD a
	of_another_boot net-a-net1
	# This boot's: the device that the old entry is about is in a pod, in a namespace like its own.
	conf "deviceID=\"${VF[1]}\""
	cni ADD a
	succeeds
	is_at mlx5_0 a
	is_at mlx5_1 a
	[ "$(jq -r .deviceID "$STATE/net-a-net1")" = "${VF[1]}" ]
	cni DEL a
	succeeds
	is_at mlx5_0 a
	is_home mlx5_1
	# And what other pods of the last boot had.
	move_home mlx5_0 a
	conf
	cni ADD a
	of_another_boot net-a-net1
	move_home mlx5_0 a
	cni ADD b
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
}

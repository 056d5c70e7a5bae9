# SPDX-License-Identifier: Apache-2.0
# rdma-node release: devices whose DEL never came.

load lib

NODE=$BATS_TEST_DIRNAME/../../build/bin/rdma-node

release() {
	status=0
	output=$("$NODE" release "$@" 2>&1) || status=$?
}

# ends_with STATUS [TEXT...]
ends_with() {
	local text
	[ "$status" = "$1" ] || { show && false; }
	for text in "${@:2}"; do
		[[ $output == *"$text"* ]] || { echo "missing: $text" && show && false; }
	done
}

attached() {
	conf "$@"
	pod a
	cni ADD a
	succeeds
}

live_in() {
	ip netns exec "$1" sleep 300 3>&- 4>&- &
	sleeper=$!
	until_true 20 'a process in the namespace' netns_has_process "$1"
}

netns_has_process() { [ -n "$(ip netns pids "$1")" ]; }

teardown() {
	[ -z "${sleeper-}" ] || kill "$sleeper"
	reset_node
}

@test "an attachment, by its function: the device comes home, the state is gone" {
	attached
	release "${VF[0]}"
	ends_with 0 mlx5_0 net-a-net1
	is_at mlx5_0 host
	state_is_empty
	release "${VF[0]}"
	ends_with 0 'here already'
	cni DEL a
	succeeds
}

@test "by the name of the RDMA device, and under its own name" {
	attached 'rdmaDeviceName="pod_{pci}"'
	name=$(rdma_at a)
	[ "$name" != mlx5_0 ]
	release "$name"
	ends_with 0
	is_at mlx5_0 host
	state_is_empty
}

@test "not from a living pod, unless forced" {
	attached
	live_in a
	release mlx5_0
	ends_with 2 living "$sleeper" --force
	is_at mlx5_0 a
	[ "$(state)" = net-a-net1 ]
	release --force mlx5_0
	ends_with 0
	is_at mlx5_0 host
	state_is_empty
}

@test "a device that somebody moved there, without an attachment" {
	pod a
	rdma dev set mlx5_3 netns a
	release "${VF[3]}"
	ends_with 0 mlx5_3
	is_at mlx5_3 host
	[ "$(state)" = "" ]
}

@test "a device that is in another namespace than its attachment says" {
	attached
	move_home mlx5_0 a
	pod b
	rdma dev set mlx5_0 netns b
	release "${VF[0]}"
	ends_with 0
	is_at mlx5_0 host
	state_is_empty
}

@test "other pods are left alone" {
	attached
	pod b
	conf "deviceID=\"${VF[1]}\""
	cni ADD b
	succeeds
	release "${VF[0]}"
	ends_with 0
	is_at mlx5_1 b
	[ "$(state)" = net-b-net1 ]
}

@test "what is no device here" {
	release mlx5_99
	ends_with 2 "'mlx5_99'"
	release ffff:00:00.0
	ends_with 2 "'ffff:00:00.0'"
	control del mlx5_2
	release "${VF[2]}"
	ends_with 2 'no RDMA device'
}

@test "a device that only an open descriptor's namespace has can't be fetched" {
	pod a
	rdma dev set mlx5_4 netns a
	exec {held}</run/netns/a
	ip netns del a
	release "${VF[4]}"
	exec {held}<&-
	ends_with 2 mlx5_4 lsns
}

@test "an attachment of the Go rdma-cni is left to its own DEL" {
	attached
	echo '{"version":"1.0","deviceID":"'"${VF[0]}"'","sandboxRdmaDevName":"mlx5_0",
		"containerRdmaDevName":"mlx5_0"}' >"$STATE/net-a-net1"
	release "${VF[0]}"
	ends_with 2 net-a-net1 Go
	is_at mlx5_0 a
}

@test "--stale: dead attachments are forgotten, living ones are not" {
	attached
	pod b c
	conf "deviceID=\"${VF[1]}\""
	cni ADD b
	succeeds
	conf "deviceID=\"${VF[2]}\""
	cni ADD c
	succeeds
	ip netns del a
	sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/" \
		"$STATE/net-b-net1"
	release --stale
	ends_with 0 net-a-net1 net-b-net1
	[ "$(state)" = net-c-net1 ]
	is_at mlx5_2 c
	is_at mlx5_1 b
	release --stale
	ends_with 0 'nothing is stale'
}

@test "--stale: a namespace that the first process sees no name of lives" {
	attached
	unshare --mount sleep 300 3>&- 4>&- &
	sleeper=$!
	until_true 20 'the process with its mounts' has_own_mounts
	umount /run/netns/a
	output=$(nsenter --mount --target "$sleeper" "$NODE" check) || true
	grep -qE '^ok +attachments +none of 1' <<<"$output" || { echo "$output" && false; }
	status=0
	output=$(nsenter --mount --target "$sleeper" "$NODE" release --stale 2>&1) || status=$?
	ends_with 0 'nothing is stale'
	[ "$(state)" = net-a-net1 ]
	nsenter --mount --target "$sleeper" ip netns exec a rdma dev | grep -q mlx5_0
}

has_own_mounts() { [ "$(readlink "/proc/$sleeper/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ]; }

@test "--stale: a name that the kernel did not give back" {
	attached 'rdmaDeviceName="pod_{pci}"'
	ip netns del a
	release --stale
	ends_with 0
	is_at mlx5_0 host
	state_is_empty
}

@test "a lock that another process holds is waited for" {
	attached
	flock "$STATE/.lock" bash -c "sleep 2; touch '$BATS_TEST_TMPDIR/over'" 3>&- 4>&- &
	until_true 20 'the lock held' lock_is_held
	release "${VF[0]}"
	ends_with 0
	[ -e "$BATS_TEST_TMPDIR/over" ]
	is_at mlx5_0 host
}

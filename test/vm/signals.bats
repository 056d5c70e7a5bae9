# SPDX-License-Identifier: Apache-2.0
# Signals that ask for the end: contract, section 2. What is begun is finished or undone.

load lib

# later COMMAND POD: run it in the background; its answer is in $status and $output after `finish`.
later() {
	(cni "$@" && echo "$status $output" >"$BATS_TEST_TMPDIR/answer") 3>&- 4>&- &
	until_true 20 'the plugin that waits' plugin_sleeps
}

plugin_sleeps() {
	process=$(pgrep -x rdma) && grep -q sigtimedwait "/proc/$process/wchan" "/proc/$process/stack"
}

finish() {
	wait $!
	read -r -d '' status output <"$BATS_TEST_TMPDIR/answer" || true
}

@test "one that comes while the lock is awaited ends the wait, and leaves everything in its place" {
	pod a
	conf
	mkdir -p "$STATE"
	exec 9>"$STATE/.lock"
	flock 9
	later ADD a
	kill -s TERM "$process"
	finish
	fails_with 11 signal lock
	is_at mlx5_0 host
	state_is_empty
	exec 9>&-
	cni ADD a
	succeeds
	exec 9>"$STATE/.lock"
	flock 9
	later DEL a
	kill -s INT "$process"
	finish
	fails_with 11 signal lock
	is_at mlx5_0 a
	exec 9>&-
	cni DEL a
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

@test "one that comes while the device is awaited ends the wait" {
	pod a
	control del mlx5_0
	conf waitSeconds=60
	later ADD a
	kill -s HUP "$process"
	finish
	fails_with 11 signal "${VF[0]}"
	state_is_empty
}

@test "one that comes at any other time changes nothing" {
	pod a
	conf 'rdmaDeviceName="pod_{device}"'
	for call in read:1 poll:1 mkdir:2 write:1 rename:1 renameat:1 flock:1 sendto:1 sendto:2 sendto:3 sendto:4 \
		recvmmsg:1 recvmmsg:2 recvmmsg:3 setns:1 close:5 write:3; do
		for command in ADD DEL; do
			PREFIX="strace -qq -o /dev/null -e trace=${call%:*} -e inject=${call%:*}:signal=TERM:when=${call#*:}" \
				cni $command a
			succeeds
		done
		is_at mlx5_0 host
		state_is_empty
	done
}

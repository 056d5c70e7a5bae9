# SPDX-License-Identifier: Apache-2.0
# rdma-node check: what only a kernel can tell. Fake trees have the rest (test/node).

load lib

NODE=$BATS_TEST_DIRNAME/../../build/bin/rdma-node

check() {
	status=0
	output=$("$NODE" check "$@" 2>"$BATS_TEST_TMPDIR/log") || status=$?
	log=$(<"$BATS_TEST_TMPDIR/log")
	[ -z "$log" ] || echo "standard error: $log"
	[ -z "$log" ]
}

# says STATE ID [TEXT...]: one line of the output, with all of these in it.
says() {
	local line text good
	while IFS= read -r line; do
		[[ $line =~ ^$1\ +$2\  ]] || continue
		good=1
		for text in "${@:3}"; do
			[[ $line == *"$text"* ]] || good=
		done
		[ -z "$good" ] || return 0
	done <<<"$output"
	echo "no line: $*"
	echo "$output"
	return 1
}

is_silent() {
	! grep -E "^[a-z]+ +$1 .*$2" <<<"$output"
}

teardown() {
	local i
	[ -z "${held-}" ] || exec {held}<&-
	[ -z "${sleeper-}" ] || kill "$sleeper"
	[ ! -e /sys/class/infiniband/lonely ] || control del lonely
	control noroce switch
	for i in "${!VF[@]}"; do
		[ -e "/sys/bus/pci/devices/${VF[i]}/driver" ] || echo "${VF[i]}" >/sys/bus/pci/drivers_probe
		ip link set "$PF" vf "$i" mac 00:00:00:00:00:00
	done
	reset_node
}

@test "seven VFs, all at home: functions, devices, files" {
	check
	says ok rdma-netns "$(uname -r)"
	says ok modules
	says ok mode exclusive
	says ok vfs '7, on 1'
	says ok driver 'all 7'
	says ok rdma-device 'all 7'
	says ok node-guid 7
	says ok rdma-cm
	says ok uverbs 'all 7'
	says ok uverbs-holes '0 to 6'
	says ok attachments 'none of 0'
	says ok lost-devices '0 in namespaces'
}

@test "the mode at the next boot: nothing says" {
	check
	says warn mode-boot 'exclusive now'
}

@test "administrative MAC addresses" {
	check
	says warn vf-mac "${VF[0]}"
	grep -q "> ip link set $PF vf 0 mac" <<<"$output"
	ip link set "$PF" vf 0 mac 02:00:00:00:00:01
	check
	says warn vf-mac "${VF[1]}"
	is_silent vf-mac "${VF[0]}"
	check --device "${VF[0]}"
	says ok vf-mac '1 VFs'
	for i in {1..6}; do
		ip link set "$PF" vf "$i" mac "02:00:00:00:01:0$i"
	done
	check
	says ok vf-mac '7 VFs'
}

@test "a VF that is not bound, and what the remedy does" {
	echo "${VF[2]}" >"/sys/bus/pci/devices/${VF[2]}/driver/unbind"
	check
	[ "$status" = 2 ]
	says fail driver "${VF[2]}"
	is_silent rdma-device "${VF[2]}"
	eval "$(sed -n 's/^ *> \(echo .*drivers_probe\)$/\1/p' <<<"$output")"
	check
	says ok driver 'all 7'
}

@test "a VF without an RDMA device" {
	control del mlx5_1
	check
	[ "$status" = 2 ]
	says fail rdma-device 'a driver, but no RDMA device' "${VF[1]}"
	is_silent rdma-device "${VF[0]}"
}

@test "RDMA switched off: devlink's enable_roce" {
	control del mlx5_1
	control "roce switch pci/${VF[1]} off"
	check
	says fail rdma-device 'switched off' "${VF[1]}"
	grep -q "> devlink dev param set pci/${VF[1]} name enable_roce value true" <<<"$output"
	control noroce switch
	control "roce switch pci/${VF[1]} on"
	check
	says fail rdma-device 'a driver, but no RDMA device' "${VF[1]}"
}

@test "an RDMA device, but RoCE switched off" {
	control "roce switch pci/${VF[1]} off"
	check
	says fail rdma-device 'a device, but RoCE is off' "${VF[1]}"
	grep -q "> devlink dev param set pci/${VF[1]} name enable_roce value true" <<<"$output"
	check --device "${VF[0]}"
	says ok rdma-device 'all 1'
	control noroce switch
	control "roce switch pci/${VF[1]} on"
	check
	says ok rdma-device 'all 7'
}

@test "a hole in the numbers of the uverbs devices" {
	control del mlx5_3
	check
	for hole in {0..6}; do
		[ -e "/sys/class/infiniband_verbs/uverbs$hole" ] || break
	done
	says warn uverbs-holes "renumbered: uverbs$hole"
}

@test "an attachment of a living pod" {
	conf
	pod a
	ip netns exec a sleep 300 3>&- 4>&- &
	sleeper=$!
	cni ADD a
	succeeds
	until_true 20 'a process in the namespace' netns_has_process a
	check
	says ok rdma-device 'all 7'
	says ok state-dir '1 attachments'
	says ok attachments 'none of 1'
	says ok lost-devices '1 in namespaces'
	says ok uverbs 'all 7'
	map=$("$NODE" show)
	grep -qE "^  ${VF[0]} .* mlx5_0 +1 ACTIVE Ethernet +uverbs0 .*run/netns/a: pod ns/training-0, \
network net, container a, interface net1$" <<<"$map"
	grep -qE "^  ${VF[1]} .* mlx5_1 .* host$" <<<"$map"
	[[ $map != *'!'* ]]
}

netns_has_process() { [ -n "$(ip netns pids "$1")" ]; }

@test "an attachment whose pod is gone" {
	conf
	pod a
	cni ADD a
	succeeds
	ip netns del a
	check
	[ "$status" -ge 1 ]
	says warn attachments 'gone: net-a-net1'
	"$NODE" show | grep -q "! stale attachment, the pod's namespace is gone: net-a-net1"
}

@test "an attachment whose device somebody took away" {
	conf
	pod a
	cni ADD a
	succeeds
	move_home mlx5_0 a
	check
	says warn attachments 'here: net-a-net1' "${VF[0]}"
	"$NODE" show | grep -q '! its pod lives, but it is here: net-a-net1'
	pod b
	rdma dev set mlx5_0 netns b
	"$NODE" show | grep -q "! in another namespace than its pod's: net-a-net1"
}

@test "a namespace of the same inode, but not the one that ADD saw" {
	conf
	pod a
	cni ADD a
	succeeds
	sed -i 's/"netnsCookie":"[0-9]*"/"netnsCookie":"1"/' "$STATE/net-a-net1"
	check
	says warn attachments 'gone: net-a-net1'
}

@test "a device in a namespace without processes" {
	pod a
	rdma dev set mlx5_4 netns a
	check
	says warn lost-devices 'no process is' mlx5_4 netns/a
	is_silent rdma-device "${VF[4]}"
	map=$("$NODE" show --device "${VF[4]}")
	grep -q '! no process is in its namespace: .*netns/a' <<<"$map"
	grep -q '! in a namespace, and no attachment says why: mlx5_4' <<<"$map"
	check --device "${VF[3]}"
	says ok lost-devices
}

@test "a device in a namespace that only a descriptor holds" {
	pod a
	rdma dev set mlx5_4 netns a
	exec {held}</run/netns/a
	ip netns del a
	check
	says warn lost-devices 'no name leads to' "${VF[4]}"
}

@test "unprivileged: what can be seen" {
	status=0
	output=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$NODE" check 2>&1) || status=$?
	says ok mode exclusive
	says ok driver 'all 7'
	says warn vf-mac "${VF[0]}"
	says skip state-dir root
	says skip lost-devices root
}

# calls COMMAND: how many system calls it makes. Time is not told: emulation has its own. Nor are
# calls for memory: musl's allocator takes and returns the same pages over and over at some sizes.
calls() {
	strace -f -e 'trace=!%memory' -o "$BATS_TEST_TMPDIR/calls" "$NODE" "$1" >"$BATS_TEST_TMPDIR/$1" || true
	wc -l <"$BATS_TEST_TMPDIR/calls"
}

@test "twice as many devices are twice as many system calls" {
	local i command most
	local -A few more
	for command in check show; do
		few[$command]=$(calls $command)
	done
	for i in {0..19}; do
		control "add extra$i platform/x"
		[ "$i" != 9 ] || more=([check]=$(calls check) [show]=$(calls show))
	done
	for command in check show; do
		most=$(calls $command)
		echo "$command: ${few[$command]} ${more[$command]} $most"
		[ $((most - more[$command])) -le $(((more[$command] - few[$command]) * 11 / 10)) ] ||
			wrong=$command
	done
	for i in {0..19}; do
		control "del extra$i"
	done
	[ -z "${wrong-}" ]
	[ "$(grep -c extra "$BATS_TEST_TMPDIR/show")" = 20 ]
	grep -qE '^ok +uverbs +all 27' "$BATS_TEST_TMPDIR/check"
}

@test "status: ready, asked from a container that may nothing" {
	local rootless=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all
		--bounding-set=-all --no-new-privs)
	mkdir "$BATS_TEST_TMPDIR/cni-bin"
	"$NODE" install --to "$BATS_TEST_TMPDIR/cni-bin"
	chmod 0755 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
	unshare --net --mount "${rootless[@]}" "$NODE" status --in "$BATS_TEST_TMPDIR/cni-bin" \
		--data-dir /dev/shm/rdma
	run ! --separate-stderr "${rootless[@]}" "$NODE" status --in "$BATS_TEST_TMPDIR/cni-bin" \
		--data-dir /nowhere
	[[ $stderr == *'error 50: cannot write to the state directory'* ]] || { echo "$stderr" && false; }
}

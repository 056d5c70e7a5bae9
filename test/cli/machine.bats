# SPDX-License-Identifier: Apache-2.0
# A machine that lacks something: RDMA, /sys, /proc, a usable state directory (contract, sections 4, 5, 8).

load lib


without_rdma() { [ ! -e /sys/module/ib_core ] || skip "this kernel has RDMA"; }

@test "a kernel without RDMA is told as such by ADD, CHECK and STATUS; DEL and GC succeed" {
	without_rdma
	pod
	for command in ADD CHECK; do
		cni $command CNI_NETNS="$POD"
		fails_with 100 RDMA
		[[ $msg == *RDMA* && $details == *ib_core* ]] || fail "what is missing, and what to do"
	done
	cni STATUS
	fails_with 50
	[[ $msg == *RDMA* ]] || fail "what is missing"
	for command in DEL GC; do
		cni $command CNI_NETNS="$POD"
		succeeds
	done
}

@test "without RDMA an ADD writes nothing and waits for nothing" {
	without_rdma
	pod
	conf waitSeconds=60 "runtimeConfig={\"CNIDeviceInfoFile\":\"$BATS_TEST_TMPDIR/info/x\"}"
	SECONDS=0
	cni ADD CNI_NETNS="$POD"
	fails_with 100
	[ $SECONDS -lt 60 ]
	[ ! -e "$BATS_TEST_TMPDIR/info" ]
}

# DEL does its work on an entry as well.
has_entry_removed() {
	entry net-c1-net1
	cni DEL
	succeeds
	[ -z "$(state)" ] || fail "the entry is still there"
	rmdir "$STATE"
}

@test "with an empty /sys ADD, CHECK and STATUS say what is wrong; DEL and GC succeed" {
	pod
	in_own_mounts "mount -t tmpfs none /sys"
	for command in ADD CHECK STATUS; do
		CASE=$command
		cni $command CNI_NETNS="$POD"
		[ "$status" = 1 ] || fail "exit status"
		reaches_the_machine
	done
	for command in DEL GC; do
		CASE=$command
		cni $command CNI_NETNS="$POD"
		succeeds
	done
	has_entry_removed
}

# A root directory with all that this one has but for one directory, on which the plugin runs.
without_directory() {
	local root=$BATS_TEST_TMPDIR/root
	mkdir -p "$root"
	in_own_mounts "mount -t tmpfs none '$root' && for d in /*; do
		[ \"\$d\" = '$1' ] || [ -L \"\$d\" ] || [ ! -d \"\$d\" ] ||
			{ mkdir '$root'/\"\$d\" && mount --rbind \"\$d\" '$root'/\"\$d\"; } || exit; done &&
		cp -a \$(find / -maxdepth 1 -type l) '$root' && set -- chroot '$root' \"\$@\""
}

@test "without /sys ADD, CHECK, GC and STATUS say so, and DEL succeeds" {
	pod
	without_directory /sys
	for command in ADD CHECK GC; do
		CASE=$command
		cni $command CNI_NETNS="$POD"
		fails_with 5 /sys
	done
	cni STATUS
	fails_with 50 /sys
	entry net-c2-net1 'containerID="c2"'
	cni STATUS
	fails_with 51 /sys
	rm "$STATE/net-c2-net1"
	cni DEL CNI_NETNS="$POD"
	succeeds
	has_entry_removed
}

# bats test_tags=unsanitized
@test "without /proc every call ends as it must" {
	without_directory /proc
	for command in ADD CHECK STATUS; do
		CASE=$command
		cni $command CNI_NETNS=/run/netns/gone
		[ "$status" = 1 ] || fail "exit status"
		reaches_the_machine
	done
	for command in DEL GC; do
		CASE=$command
		cni $command
		succeeds
	done
	has_entry_removed
}

@test "without a device directory closed descriptors do no harm" {
	without_directory /dev
	for command in ADD CHECK STATUS DEL GC; do
		for how in '<&-' '2>&-' '<&- 2>&-'; do
			CASE="$command $how"
			status=0
			eval "\"\${wrap[@]}\" env -i CNI_COMMAND=$command CNI_CONTAINERID=c CNI_IFNAME=i CNI_NETNS=/x \
				CNI_PATH=/x \"\$PLUGIN\" <<<'{' >\"\$OUTPUT\" 2>\"\$LOG\" $how" || status=$?
			read_output
			[ "$status" = 1 ] || fail "exit status"
			read_error
			[ "$code" = 5 ] || [ "$code" = 6 ] || fail "code $code"
		done
	done
}

@test "ADD and CHECK say that a state directory can't be used, and follow no link" {
	pod
	mkdir "$BATS_TEST_TMPDIR/directory"
	for kind in file link dangling fifo; do
		CASE=$kind
		case $kind in
		file) : >"$STATE" ;;
		link) ln -s directory "$STATE" ;;
		dangling) ln -s gone "$STATE" ;;
		fifo) mkfifo "$STATE" ;;
		esac
		for command in ADD CHECK; do
			cni $command CNI_NETNS="$POD"
			fails_with 5 "$STATE"
		done
		rm "$STATE"
	done
	[ -z "$(ls "$BATS_TEST_TMPDIR/directory")" ]
	[ ! -e "$BATS_TEST_TMPDIR/gone" ]
}

@test "the usual state directory is /var/lib/cni/rdma" {
	STATE=$BATS_TEST_TMPDIR/lib/cni/rdma
	entry net-c1-net1
	state_may_stay
	in_own_mounts "mount --bind '$BATS_TEST_TMPDIR/lib' /var/lib"
	conf no=dataDir
	cni DEL
	succeeds
	[ -z "$(state)" ] || fail "the entry is still there"
}

@test "few file descriptors are an error object as well" {
	pod
	for limit in 3 4 5 6 7 8; do
		for command in ADD CHECK STATUS GC; do
			CASE="$command $limit"
			# With less it does not even start.
			prlimit --nofile=$limit "$PLUGIN" --version >/dev/null 2>&1 || continue
			status=0
			env -i CNI_COMMAND=$command CNI_CONTAINERID=c1 CNI_NETNS="$POD" CNI_IFNAME=net1 CNI_PATH=/x \
				prlimit --nofile=$limit "$PLUGIN" <<<"$CONF" >"$OUTPUT" 2>"$LOG" || status=$?
			read_output
			[ "$status" = 1 ] || [ $command = GC ] || fail "exit status"
			[ "$status" = 0 ] || read_error
			case $status:$code in
			0:*) ;;
			1:[1-9]*) [ -n "$msg" ] || fail "no message" ;;
			*) fail "no error object" ;;
			esac
		done
	done
}

@test "DEL with few file descriptors cleans up or fails" {
	state_may_stay
	pod
	for where in gone in_pod; do
		for limit in {3..16}; do
			CASE="$where $limit"
			prlimit --nofile=$limit "$PLUGIN" --version >/dev/null 2>&1 || continue
			if [ $where = gone ]; then
				entry net-c1-net1
			else
				entry net-c1-net1 in_pod
			fi
			netns=$NETNS
			[ $where = gone ] || netns=$POD
			cni DEL CNI_NETNS="$netns" "$(command -v prlimit)" --nofile=$limit
			if [ "$status" = 0 ]; then
				[ -z "$(state)" ] || fail "success, and the entry is still there"
			else
				read_error
				[ -n "$code" ] || fail "no error object"
				[ "$(state)" = net-c1-net1 ] || fail "failure, and the entry is gone"
			fi
			rm -rf "$STATE"
		done
		[ "$status" = 0 ] || fail "more would have to do"
	done
}

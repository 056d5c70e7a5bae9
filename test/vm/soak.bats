# SPDX-License-Identifier: Apache-2.0
# vm: part=endurance
# Seven pods' worth of ADD and DEL for a long time, while plugins are killed, namespaces deleted and
# garbage collected: whatever happens, nothing is left.
#
#	SOAK_PAIRS	how many ADDs and DELs (2000 take 150 s by emulation)
#	SOAK_SEED	the seed of an earlier run

load lib

PAIRS=${SOAK_PAIRS:-500}
SEED=${SOAK_SEED:-$(($(date +%s) % 32768))}

# What a worker does between ADD and DEL, or instead; more often nothing at all.
EVENTS=(nothing nothing nothing nothing kill_add kill_add_for_good kill_del end_pod end_pod_during_add
	end_pod_during_del collect_all collect_none collect_dead)

# begin COMMAND [FILE]: the plugin in the background, without a process beside it: $!.
begin() {
	CNI_COMMAND=$1 CNI_CONTAINERID=$id CNI_NETNS=/run/netns/$netns "$PLUGIN" \
		<"$dir/${2:-conf}" >"$dir/out" 2>"$dir/log" 3>&- 4>&- &
}

finish() {
	status=0
	# Bash would have a word about each one that was killed.
	wait $! 2>/dev/null || status=$?
}

call() {
	begin "$@"
	finish
}

must() {
	call "$@"
	[ "$status" = 0 ] || complain "$1 failed with $status"
}

complain() {
	echo "worker $worker, pair $pair (seed $SEED), after $event: $*"
	cat "$dir/out" "$dir/log"
	ls -A "$STATE"
	exit 1
} >&2

# pause MS: nothing comes out of that pipe.
pause() {
	local seconds
	printf -v seconds '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
	read -rt "$seconds" -u "$never" _ || true
}

# kill_call COMMAND: anywhere on its way, or just after.
kill_call() {
	begin "$1"
	pause $((RANDOM % 60))
	kill -9 $! 2>/dev/null
	finish
}

start_pod() {
	netns=soak$worker-$pair
	ip netns add "$netns"
}

stop_pod() {
	[ -z "$netns" ] || ip netns del "$netns"
	netns=
}

# end_pod_during COMMAND
end_pod_during() {
	begin "$1"
	pause $((RANDOM % 30))
	ip netns del "$netns"
	finish
}

nothing() { must ADD && must DEL; }
kill_add() { kill_call ADD && must ADD && must DEL; }
kill_add_for_good() { kill_call ADD && must DEL; }
kill_del() { must ADD && kill_call DEL && must DEL; }
end_pod() {
	must ADD
	stop_pod
	must DEL
}
end_pod_during_add() {
	end_pod_during ADD
	# It came too late, or kept the namespace alive for itself.
	[ "$status" = 0 ] || [[ $(<"$dir/out") == *'CNI_NETNS is unusable'* ]] || complain "ADD failed with $status"
	netns=
	must DEL
}
end_pod_during_del() {
	must ADD
	end_pod_during DEL
	[ "$status" = 0 ] || complain "DEL failed with $status"
	netns=
}
collect_all() { must ADD && must GC conf.none; }
collect_none() {
	must ADD
	printf '%s' "${LISTED/@/$id}" >"$dir/conf.listed"
	must GC conf.listed
	[ ! -e "/sys/class/infiniband/${RDMA[worker]}" ] || complain 'GC took what is valid'
	must DEL
}
collect_dead() {
	must ADD
	stop_pod
	must GC conf.unlisted
}

# Each worker has a VF and a network of its own; some have other names in the pod.
configure() {
	local network="name=\"soak$worker\"" names=no=rdmaDeviceName
	((worker % 3)) || names='rdmaDeviceName="pod_{pci}"'
	conf "$network" "deviceID=\"${VF[worker]}\"" waitSeconds=30 "$names"
	echo "$CONF" >"$dir/conf"
	conf "$network" no=prevResult no=deviceID
	echo "$CONF" >"$dir/conf.unlisted"
	conf "$network" no=prevResult no=deviceID 'cni.dev/valid-attachments=[]'
	echo "$CONF" >"$dir/conf.none"
	conf "$network" no=prevResult no=deviceID \
		'cni.dev/valid-attachments=[{"containerID":"@","ifname":"net1"}]'
	LISTED=$CONF
}

device_is_home() { [ -e "/sys/class/infiniband/${RDMA[worker]}" ]; }

# come_home: at once, or from the kernel.
come_home() {
	local end=$((SECONDS + 60))
	[ ! -e "$STATE/soak$worker-$id-net1" ] || complain 'the state stayed'
	until device_is_home; do
		[ $SECONDS -lt $end ] || complain "${RDMA[worker]} never came home"
		pause 20
	done
}

# work WORKER: its share of the pairs. What bats does before each command is too slow for this.
work() {
	local worker=$1 netns='' pair id event dir=$BATS_TEST_TMPDIR/$1 never
	trap - DEBUG ERR EXIT
	set +eET
	RANDOM=$((SEED + worker))
	mkdir "$dir"
	exec {never}<> <(:)
	export CNI_IFNAME=net1 CNI_PATH=/opt/cni/bin CNI_ARGS
	configure
	for ((pair = worker; pair < PAIRS; pair += 7)); do
		id=c$pair event=${EVENTS[RANDOM % ${#EVENTS[@]}]}
		[ -n "$netns" ] || start_pod
		$event
		come_home
		echo "$event" >>"$dir/done"
	done
	stop_pod
}

# With a limit of one, the kernel makes a namespace as long as there is no other.
no_namespace_is_left() {
	local limit status=0
	limit=$(</proc/sys/user/max_net_namespaces)
	echo 1 >/proc/sys/user/max_net_namespaces
	unshare -n true 2>/dev/null || status=1
	echo "$limit" >/proc/sys/user/max_net_namespaces
	return $status
}

# The kernel counts a processor's share of them from time to time.
open_files() { cut -f 1 /proc/sys/fs/file-nr; }

@test "$PAIRS pairs of ADD and DEL with kills, namespace deletions and GCs leave nothing" {
	local i process processes=() mounts files failed=0
	echo "# SOAK_SEED=$SEED SOAK_PAIRS=$PAIRS" >&3
	pod a
	! no_namespace_is_left || false
	ip netns del a
	until_true 20 'no other namespace at the start' no_namespace_is_left
	mounts=$(</proc/mounts) files=$(open_files)
	SECONDS=0
	for i in "${!VF[@]}"; do
		work "$i" 3>&- 4>&- &
		processes+=($!)
	done
	for process in "${processes[@]}"; do
		wait "$process" || failed=1
	done
	echo "# $SECONDS s: $(sort "$BATS_TEST_TMPDIR"/?/done | uniq -c | tr -s ' \n' ' ')" >&3
	[ $failed = 0 ]
	[ "$(cat "$BATS_TEST_TMPDIR"/?/done | wc -l)" = "$PAIRS" ]
	until_true 20 'every namespace gone' no_namespace_is_left
	[ "$(rdma_at host | sort | tr '\n' ' ')" = "${RDMA[*]} " ]
	[ "$(ls -A "$STATE")" = .lock ]
	flock -n "$STATE/.lock" true
	[ "$(</proc/mounts)" = "$mounts" ]
	[ $(($(open_files) - files)) -lt 150 ] || { echo "open files: $files, now $(open_files)" && false; }
	! pgrep -x rdma || false
}

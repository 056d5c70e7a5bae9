# SPDX-License-Identifier: Apache-2.0
# Seven pods at once: contract, section 7.

load lib

ROUNDS=${ROUNDS:-50}

# configure_all [DIRECTORY]: with state directories of their own below DIRECTORY.
configure_all() {
	local i own=no=dataDir
	CONFS=()
	for i in "${!VF[@]}"; do
		[ $# = 0 ] || own="dataDir=\"$1/$i\""
		conf "deviceID=\"${VF[i]}\"" "$own"
		CONFS+=("$CONF")
	done
}

# all_at_once COMMAND: for every VF and its pod; fails when one of the calls does.
all_at_once() {
	local i process processes=()
	for i in "${!VF[@]}"; do
		CONF=${CONFS[i]}
		(cni "$1" "p$i" && succeeds) 3>&- 4>&- &
		processes+=($!)
	done
	for process in "${processes[@]}"; do
		wait "$process" || return 1
	done
}

@test "all ADDs at once, all DELs at once: no character device is mixed up" {
	pod p{0..6}
	local before round
	configure_all
	before=$(char_devices)
	for round in $(seq "$ROUNDS"); do
		all_at_once ADD
		[ "$(char_devices)" = "$before" ] || { echo "round $round: $(char_devices)" && false; }
		all_at_once DEL
		[ "$(char_devices)" = "$before" ] || { echo "round $round: $(char_devices)" && false; }
	done
	state_is_empty
	[ "$(rdma_at host | wc -l)" = 7 ]
}

# The lock is in the state directory: with one each, nobody waits for anybody.
@test "without a lock in common they are mixed up" {
	pod p{0..6}
	local before round
	configure_all "$BATS_TEST_TMPDIR"
	before=$(char_devices)
	for round in {1..20}; do
		all_at_once ADD
		[ "$(char_devices)" = "$before" ] || { echo "# in round $round" >&3 && return 0; }
		all_at_once DEL
		[ "$(char_devices)" = "$before" ] || { echo "# in round $round" >&3 && return 0; }
	done
	false
}

@test "a plugin that was killed holding the lock blocks nobody" {
	pod a b
	mkdir -p "$STATE"
	conf
	flock "$STATE/.lock" sleep 60 3>&- 4>&- &
	local holder=$!
	until_true 20 'the lock held' lock_is_held
	(cni ADD a && succeeds) 3>&- 4>&- &
	sleep 0.5
	! is_at mlx5_0 a >/dev/null || false
	kill -9 "$holder" "$(pgrep -P "$holder")"
	wait $!
	is_at mlx5_0 a
}

@test "a hole in the numbering is noticed, told, stored, and told by CHECK" {
	local name
	pod a
	# Anew, in order: mlx5_N gets uverbsN.
	for name in "${RDMA[@]}"; do
		control del "$name"
	done
	restore_devices
	control del mlx5_0
	conf "deviceID=\"${VF[3]}\""
	cni ADD a
	succeeds
	[[ $log == *warning* && $log == *uverbs3* && $log == *uverbs0* ]] || { show && false; }
	jq -e '.devices[0].charDevices | contains("uverbs3")' "$STATE/net-a-net1"
	jq -e '.devices[0].movedCharDevices | contains("uverbs0")' "$STATE/net-a-net1"
	# ADD succeeded, so that CHECK does too: it warns, as long as it is so.
	cni CHECK a
	succeeds
	[[ -z $output && $log == *warning*"'mlx5_3'"*uverbs0*uverbs3* ]] || { show && false; }
	control add mlx5_0 "pci/${VF[0]}"
	cni CHECK a
	[[ $log == *warning* ]] || { show && false; }
	cni DEL a
	succeeds
	cni ADD a
	succeeds
	cni CHECK a
	succeeds
	[[ $log != *warning* ]] || { show && false; }
}

# By hand, without the lock.
keep_moving() {
	while :; do
		rdma dev set "$1" netns b
		ip netns exec b rdma dev set "$1" netns host
	done
}

# The kernel's list passes over a device when one before it leaves meanwhile: read it slowly.
@test "a device is found while others come and go" {
	local mover round
	pod a b
	ip netns attach host 1
	conf "deviceID=\"${VF[6]}\""
	keep_moving mlx5_0 2>/dev/null 3>&- 4>&- &
	mover=$!
	for round in {1..20}; do
		PREFIX='strace -f -o /dev/null -e inject=recvmsg,recvfrom:delay_enter=5000' cni ADD a
		succeeds
		cni DEL a
		succeeds
	done
	kill "$mover"
	wait
	state_is_empty
}

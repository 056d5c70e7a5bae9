# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What a call of a plugin costs, by test/bench/measure.c; used by budgets.bats and by test/bench/guest.
#
#	configure POD KEY=JSON...		as conf (lib.bash), to the pod's file
#	call_of COMMAND POD [PROGRAM]		sets `call` to the arguments for that call
#	measure time|calls|instructions COMMAND POD [PROGRAM]
#						make it; sets `cost` to what measure.c prints, or to
#						the instructions in user mode. Fails when the call does
#	crowd COUNT				so many more RDMA devices, and those of the VFs behind them
#	disperse COUNT				take them away again

MEASURE=$BATS_TEST_DIRNAME/../../build/bench/bin/measure

# The calls' standard input: a file each, written before anything is measured.
configure() {
	local pod=$1
	shift
	conf "$@"
	echo "$CONF" >"$BATS_TEST_TMPDIR/conf-$pod"
}

call_of() {
	call=("CNI_COMMAND=$1" "CNI_CONTAINERID=$2" "CNI_NETNS=/run/netns/$2" CNI_IFNAME=net1
		CNI_PATH=/opt/cni/bin "CNI_ARGS=$CNI_ARGS" "<$BATS_TEST_TMPDIR/conf-$2"
		"${3-$PLUGIN}")
}

measure() {
	local how=$1 call said=$BATS_TEST_TMPDIR/said
	shift
	call_of "$@"
	if [ "$how" != instructions ]; then
		cost=$("$MEASURE" "$how" "${call[@]}" 2>"$said") && return
	elif count_instructions; then
		return
	fi
	echo "$* failed:" && cat "$said" && false
}

# By valgrind, for the emulated processor counts none. Valgrind 3.19 knows no fsopen(2), so no CHECK.
count_instructions() {
	env -i "${call[@]:0:6}" /usr/bin/valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"${call[7]}" <"${call[6]#<}" >"$said" 2>&1 || return
	cost=$(sed -n 's/.*Collected : //p' "$said")
}

# A dump lists RDMA devices in the order of their numbers, and these never come again: the VFs' own
# are made anew, to be the last. Their character devices have other numbers then.
crowd() {
	local i
	for i in "${RDMA[@]}"; do
		control "del $i"
	done
	for ((i = 0; i < $1; i++)); do
		control "add extra$i platform/x"
	done
	restore_devices
}

disperse() {
	local i
	for ((i = 0; i < $1; i++)); do
		control "del extra$i"
	done
}

# SPDX-License-Identifier: Apache-2.0
# vm: part=endurance
# A plugin that is killed, at each of its system calls in turn: contract, sections 4 and 5. A kill
# comes before the call is made, so that the one at the last call comes after all others.

load injection

# kill_at COMMAND CALL
kill_at() {
	call "$1" "$2:signal=KILL" 2>/dev/null
	[ "$status" = 137 ] || complain "$1 was not killed at $2"
	covered=$((covered + 1))
}

# then_succeeds COMMAND WHEN
then_succeeds() {
	call "$1"
	[ "$status" = 0 ] || complain "$1 after $2"
}

then_nothing_is_left() { nothing_is_left || complain "$1: $wrong"; }

# sum_up WHAT EXPECTED
sum_up() {
	echo "# $1: $covered kills" >&3
	no_complaints
	[ "$covered" -gt 0 ] && [ "$covered" = "$2" ]
}

# Of one attachment, all calls of ADD and all of DEL.
count_both() {
	count_calls ADD
	ADD_CALLS=("${CALLS[@]}")
	count_calls DEL
	DEL_CALLS=("${CALLS[@]}")
	covered=0
}

# kill_and_repeat STEP: after a killed ADD another one, after a killed DEL another one.
kill_and_repeat() {
	local i most=$((${#ADD_CALLS[@]} > ${#DEL_CALLS[@]} ? ${#ADD_CALLS[@]} : ${#DEL_CALLS[@]}))
	for ((i = 0; i < most; i += $1)); do
		[ $i -ge ${#ADD_CALLS[@]} ] || kill_at ADD "${ADD_CALLS[i]}"
		then_succeeds ADD "a killed ADD (${ADD_CALLS[i]-none})"
		is_attached || complain "ADD after a killed ADD (${ADD_CALLS[i]-none}): $wrong"
		[ $i -ge ${#DEL_CALLS[@]} ] || kill_at DEL "${DEL_CALLS[i]}"
		then_succeeds DEL "a killed DEL (${DEL_CALLS[i]-none})"
		then_nothing_is_left "DEL after a killed DEL (${DEL_CALLS[i]-none})"
	done
}

@test "an ADD that is killed anywhere is taken back by one DEL" {
	local at
	attachment 'rdmaDeviceName="pod_{device}"'
	count_both
	for at in "${ADD_CALLS[@]}"; do
		kill_at ADD "$at"
		then_succeeds DEL "an ADD killed at $at"
		then_nothing_is_left "DEL after an ADD killed at $at"
	done
	sum_up 'ADD with a name, then DEL' ${#ADD_CALLS[@]}
}

@test "one ADD completes an ADD that was killed anywhere, one DEL a DEL" {
	attachment 'rdmaDeviceName="pod_{device}"'
	count_both
	kill_and_repeat 1
	sum_up 'ADD and DEL with a name, then again' $((${#ADD_CALLS[@]} + ${#DEL_CALLS[@]}))
}

# The same calls but those of the renaming: every fourth.
@test "the same without another name" {
	attachment
	count_both
	kill_and_repeat 4
	sum_up 'every fourth call of ADD and DEL without a name, then again' \
		$(((${#ADD_CALLS[@]} + 3) / 4 + (${#DEL_CALLS[@]} + 3) / 4))
}

# gone_then_del WHEN: the pod ends, the kernel returns what was in it.
gone_then_del() {
	ip netns del a
	until_true 20 'the device of the pod that ended' all_home
	then_succeeds DEL "$1, and the end of the pod"
	then_nothing_is_left "DEL after $1, and the end of the pod"
	pod a
}

# Each round costs a namespace: every tenth call, which leaves none of the stages of a move out.
@test "the pod may end too, before DEL" {
	local i
	attachment 'rdmaDeviceName="pod_{device}"'
	count_both
	look_away
	for ((i = 0; i < ${#ADD_CALLS[@]}; i += 10)); do
		kill_at ADD "${ADD_CALLS[i]}"
		gone_then_del "an ADD killed at ${ADD_CALLS[i]}"
	done
	for ((i = 0; i < ${#DEL_CALLS[@]}; i += 10)); do
		then_succeeds ADD "nothing"
		kill_at DEL "${DEL_CALLS[i]}"
		gone_then_del "a DEL killed at ${DEL_CALLS[i]}"
	done
	sum_up 'every tenth call of ADD and DEL, then the end of the pod' \
		$(((${#ADD_CALLS[@]} + 9) / 10 + (${#DEL_CALLS[@]} + 9) / 10))
}

# SPDX-License-Identifier: Apache-2.0
# vm: part=endurance
# Each system call fails once: contract, sections 2, 4 and 5.

load injection

# errors_of CALL: with what it is made to fail; sets $errors.
errors_of() {
	case $1 in
	open | openat) errors=(EIO ENOMEM EINTR ENOSPC) ;;
	read) errors=(EIO EINTR) ;;
	write) errors=(EIO ENOSPC EINTR EAGAIN) ;;
	poll) errors=(EINTR ENOMEM) ;;
	flock) errors=(EINTR ENOLCK EAGAIN) ;;
	socket) errors=(ENOMEM EMFILE) ;;
	sendto) errors=(EINTR EAGAIN ENOMEM ENOBUFS) ;;
	recvmsg | recvmmsg | recvfrom) errors=(EINTR EAGAIN ENOMEM ENOBUFS) ;;
	getdents64) errors=(EIO ENOMEM) ;;
	fstat | stat | newfstatat | statx) errors=(EIO ENOMEM) ;;
	rename | renameat | mkdir) errors=(EIO ENOMEM ENOSPC) ;;
	unlink | unlinkat | ioctl | access | faccessat | readlink | readlinkat) errors=(EIO ENOMEM) ;;
	setns | fsopen | fsconfig | fsmount) errors=(EPERM ENOMEM) ;;
	# The call is not made: the descriptor stays open, which the kernel's own failures never do.
	close) errors=(EIO) ;;
	fcntl) errors=(EMFILE) ;;
	mmap | munmap | madvise | brk | setsockopt | bind | getsockname) errors=(ENOMEM) ;;
	getsockopt) errors=(ENOPROTOOPT) ;;
	# What the kernel has no way to fail.
	arch_prctl | set_tid_address | rt_sigprocmask | clock_gettime | getpid | geteuid | exit_group)
		errors=()
		;;
	*) echo "no error is known for $1" && false ;;
	esac
}

keep_error() {
	printf '%s\n' "${output//$'\n'/ }" >>"$ERRORS"
}

# Every one that was kept is one object with a code and a message.
errors_are_objects() {
	[ ! -s "$ERRORS" ] || jq -nRe '[inputs | fromjson | (.code | type) == "number" and
		(.msg | length) > 0] | all' "$ERRORS"
}

# What ADD wrote, but for what could not be read: character devices, the namespace's cookie.
entry_is_whole() {
	local entry='' part
	IFS= read -r -d '' entry <"$STATE/net-a-net1" || true
	[ "$entry" = "$ENTRY" ] && return
	for part in ',\"charDevices\":\"[^\"]*\"' ',\"netnsCookie\":[^,}]*'; do
		[[ $ENTRY =~ ^(.*)$part(.*)$ ]] &&
			[ "$entry" = "${BASH_REMATCH[1]}${BASH_REMATCH[2]}" ] && return
	done
	wrong="entry: $entry"
	return 1
}

after_add() {
	case $status in
	0)
		is_attached || complain "$1 succeeds: $wrong"
		entry_is_whole || complain "$1 succeeds: $wrong"
		[ "$output" = "$RESULT" ] || complain "$1: another result"
		;;
	1)
		keep_error
		nothing_is_left || complain "$1 fails: $wrong"
		;;
	*) complain "$1: neither success nor an error" ;;
	esac
}

after_del() {
	case $status in
	0) [ -z "$output" ] || complain "$1 succeeds and says something" ;;
	1)
		keep_error
		# Removing the entry is the last thing, of which the last call may fail.
		nothing_is_left || entry_is_whole || complain "$1 fails: $wrong"
		;;
	*) complain "$1: neither success nor an error" ;;
	esac
}

# fail_once COMMAND: each of $CALLS with each of its errors.
fail_once() {
	local command=$1 at error errors
	covered=0 rounds=0 skipped=0
	for at in "${CALLS[@]}"; do
		errors_of "${at%%:*}"
	done
	for at in "${CALLS[@]}"; do
		errors_of "${at%%:*}"
		[ ${#errors[@]} = 0 ] && skipped=$((skipped + 1)) && continue
		for error in "${errors[@]}"; do
			[ "$command" = ADD ] || call ADD
			call "$command" "$at:error=$error"
			"after_${command,,}" "$command with $at:$error"
			[ "$error" != EINTR ] || [ "$status" = 0 ] || complain "$command with $at:$error fails"
			call DEL
			[ "$status" = 0 ] || complain "DEL after $command with $at:$error"
			nothing_is_left || complain "DEL after $command with $at:$error: $wrong"
			rounds=$((rounds + 1))
		done
		covered=$((covered + 1))
	done
	echo "# $command: $covered system calls, $rounds faults, of which $(wc -l <"$ERRORS") ended it;" \
		"$skipped can't fail" >&3
	no_complaints
	errors_are_objects
	[ $covered -gt 0 ] && [ $((covered + skipped)) = ${#CALLS[@]} ]
}

@test "each system call of ADD fails once" {
	attachment 'rdmaDeviceName="pod_{device}"'
	count_calls ADD
	call DEL
	succeeds
	fail_once ADD
}

@test "each system call of DEL fails once" {
	attachment 'rdmaDeviceName="pod_{device}"'
	call ADD
	succeeds
	count_calls DEL
	fail_once DEL
}

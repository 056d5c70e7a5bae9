# SPDX-License-Identifier: Apache-2.0
# Signals, and standard descriptors whose other ends are slow or non-blocking (contract, section 2).

load lib

# Start a STATUS that waits for its configuration, which goes to descriptor 8; sets $process.
start_waiting() {
	rm -f "$BATS_TEST_TMPDIR/stdin"
	mkfifo "$BATS_TEST_TMPDIR/stdin"
	# The shell makes what it starts in the background ignore some signals.
	env -i --default-signal CNI_COMMAND=STATUS CNI_PATH=/x "${starter[@]}" "$PLUGIN" <"$BATS_TEST_TMPDIR/stdin" \
		>"$OUTPUT" 2>"$LOG" 3>&- 4>&- &
	process=$!
	exec 8>"$BATS_TEST_TMPDIR/stdin"
	for _ in {1..500}; do
		# All but SIGKILL and SIGSTOP.
		! grep -q '^SigBlk:.*fbfeff$' "/proc/$process/status" || return 0
		sleep 0.01
	done
	fail "it never held its signals"
}

finish() {
	status=0
	wait "$process" || status=$?
	exec 8>&-
	read_output
}

@test "a signal that asks for the end while the configuration is awaited gets an error object" {
	for signal in HUP INT QUIT TERM ALRM XCPU; do
		CASE=$signal
		start_waiting
		kill -s $signal "$process"
		finish
		fails_with 11 signal
	done
}

@test "no other signal is noticed" {
	for signal in $(kill -l | grep -o 'SIG[A-Z0-9+-]*'); do
		case $signal in
		SIGKILL | SIGSTOP | SIGHUP | SIGINT | SIGQUIT | SIGTERM | SIGALRM | SIGXCPU) continue ;;
		# Sanitizers handle faults, and say so.
		SIGSEGV | SIGBUS | SIGFPE | SIGILL) ! is_sanitized || continue ;;
		esac
		CASE=$signal
		start_waiting
		kill -s "$signal" "$process"
		echo "$CONF" >&8
		exec 8>&-
		finish
		reaches_the_machine
	done
}

@test "a signal that the caller made to be ignored is" {
	starter=("$(command -v nohup)")
	start_waiting
	kill -s HUP "$process"
	sleep 0.2
	echo "$CONF" >&8
	exec 8>&-
	finish
	reaches_the_machine
}

@test "a collection ends between two entries" {
	state_may_stay
	for i in {1..3}; do
		entry "net-c$i-net1" containerID="\"c$i\""
	done
	conf 'cni.dev/valid-attachments=[]'
	# It waits from the start, and nothing before the collection does.
	status=0
	perl -e 'use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); kill TERM => $$; exec @ARGV' \
		env -i CNI_COMMAND=GC CNI_PATH=/x "$PLUGIN" <<<"$CONF" >"$OUTPUT" 2>"$LOG" || status=$?
	read_output
	fails_with 11 signal '0 of 3'
	[ "$(state)" = 'net-c1-net1 net-c2-net1 net-c3-net1' ]
	cni GC
	succeeds
	[ -z "$(state)" ]
}

@test "non-blocking standard descriptors are waited for" {
	INPUT=$BATS_TEST_TMPDIR/configuration
	conf "pad=\"$(printf 'x%.0s' {1..3000})\""
	echo "$CONF" >"$INPUT"
	for kind in pipe socket; do
		CASE=$kind
		status=0
		env -i CNI_COMMAND=CHECK CNI_CONTAINERID=c1 CNI_NETNS="$NETNS" CNI_IFNAME=net1 CNI_PATH=/x \
			perl "$BATS_TEST_DIRNAME/slowly.pl" $kind "$INPUT" "$OUTPUT" "$LOG" "$PLUGIN" || status=$?
		read_output
		fails_with 4 CNI_NETNS
		[[ $log == *error*CNI_NETNS* ]] || fail "the log"
	done
}

@test "an output that nobody takes ends after some seconds" {
	mkfifo "$BATS_TEST_TMPDIR/full"
	exec 8<>"$BATS_TEST_TMPDIR/full"
	head -c 65536 /dev/zero >&8
	SECONDS=0
	status=0
	env -i CNI_COMMAND=VERSION "$PLUGIN" >&8 2>"$LOG" </dev/null || status=$?
	exec 8>&-
	[ "$status" = 1 ]
	grep -q 'standard output' "$LOG"
	[ $SECONDS -ge 9 ] && [ $SECONDS -le 100 ]
}

@test "a log that nobody takes costs a second, and not the answer" {
	mkfifo "$BATS_TEST_TMPDIR/full"
	exec 8<>"$BATS_TEST_TMPDIR/full"
	head -c 65536 /dev/zero >&8
	state_may_stay
	mkdir "$STATE"
	for i in {1..20}; do
		echo broken >"$STATE/net-c$i-net1"
	done
	SECONDS=0
	status=0
	env -i CNI_COMMAND=GC CNI_PATH=/x "$PLUGIN" >"$OUTPUT" 2>&8 <<<"$CONF" || status=$?
	exec 8>&-
	read_output
	succeeds
	[ $SECONDS -lt 20 ]
}

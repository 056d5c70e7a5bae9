# SPDX-License-Identifier: Apache-2.0
# rdma-node install and status: the plugin where a runtime looks, and what it answers. What a kernel
# with RDMA lets it answer is in test/vm/node.bats.

load lib

PLUGIN=$(realpath "${PLUGIN:-$(dirname "$NODE")/rdma}")

setup() {
	LOG=$BATS_TEST_TMPDIR/log
	TO=$BATS_TEST_TMPDIR/cni-bin
	mkdir "$TO"
}

teardown() { [ -z "${staying-}" ] || kill "$staying"; }

node() {
	status=0
	output=$("$NODE" "$@" 2>"$LOG") || status=$?
	log=$(<"$LOG")
}

install_it() { node install --to "$TO" --from "${1-$PLUGIN}"; }

# script NAME: a program with the shell commands of standard input.
script() {
	{ echo '#!/bin/bash' && cat; } >"$BATS_TEST_TMPDIR/$1"
	chmod 0755 "$BATS_TEST_TMPDIR/$1"
}

# fails TEXT: with this in the message, and nothing but what was there is there.
fails() {
	ends_with 2
	[ -z "$output" ]
	[[ $log == *"$1"* ]] || { show && false; }
	[ "$(ls -A "$TO")" = "${2-}" ] || { ls -A "$TO" && false; }
}

is_installed() {
	cmp "${1-$PLUGIN}" "$TO/rdma"
	[ "$(stat -c '%a %F' "$TO/rdma")" = '755 regular file' ]
	[ "$(ls -A "$TO")" = rdma ]
}

@test "install: into an empty directory, whatever the umask" {
	umask 0077
	install_it
	ends_with 0
	[[ $output == "$TO/rdma: installed"* ]]
	[ -z "$log" ]
	is_installed
}

@test "install: what is there already stays" {
	local before
	install_it
	before=$(stat -c '%i %y' "$TO/rdma")
	install_it
	ends_with 0
	[[ $output == *'there already'* ]]
	[ "$(stat -c '%i %y' "$TO/rdma")" = "$before" ]
	chmod 0700 "$TO/rdma"
	install_it
	ends_with 0
	is_installed
}

@test "install: the plugin beside the executable is the default" {
	mkdir "$BATS_TEST_TMPDIR/image"
	cp "$NODE" "$PLUGIN" "$BATS_TEST_TMPDIR/image/"
	"$BATS_TEST_TMPDIR/image/rdma-node" install -t "$TO"
	is_installed
}

@test "install: a runtime finds a plugin at any moment, and what runs goes on" {
	local i other=$BATS_TEST_TMPDIR/other reader
	{ cat "$PLUGIN" && echo; } >"$other"
	chmod 0755 "$other"
	install_it
	# The old one waits for its input while it is replaced.
	mkfifo "$BATS_TEST_TMPDIR/input"
	CNI_COMMAND=STATUS CNI_PATH=/ "$TO/rdma" <"$BATS_TEST_TMPDIR/input" \
		>"$BATS_TEST_TMPDIR/answer" 2>/dev/null 3>&- 4>&- &
	reader=$!
	exec {input}>"$BATS_TEST_TMPDIR/input"
	(
		while [ ! -e "$BATS_TEST_TMPDIR/end" ]; do
			"$NODE" install --to "$TO" --from "$other"
			"$NODE" install --to "$TO" --from "$PLUGIN"
		done
	) >"$BATS_TEST_TMPDIR/installs" 2>&1 {input}>&- 3>&- 4>&- &
	for i in {1..100}; do
		echo '{"cniVersion":"1.1.0"}' | CNI_COMMAND=VERSION "$TO/rdma" >/dev/null ||
			touch "$BATS_TEST_TMPDIR/failed"
	done
	touch "$BATS_TEST_TMPDIR/end"
	wait $!
	[ ! -e "$BATS_TEST_TMPDIR/failed" ]
	[ "$(grep -c ': installed' "$BATS_TEST_TMPDIR/installs")" -ge 4 ]
	! grep -v ': installed' "$BATS_TEST_TMPDIR/installs" || false
	kill -0 $reader
	echo 'no JSON' >&"$input"
	exec {input}>&-
	wait $reader || true
	jq -e '.code == 6' "$BATS_TEST_TMPDIR/answer"
}

@test "install: two at once, and one that waits for another" {
	flock "$TO" bash -c "sleep 2; touch '$BATS_TEST_TMPDIR/over'" 3>&- 4>&- &
	while flock -n "$TO" true; do sleep 0.02; done
	install_it
	ends_with 0
	[ -e "$BATS_TEST_TMPDIR/over" ]
	is_installed
	for _ in 1 2 3 4; do "$NODE" install --to "$TO" --from "$PLUGIN" 3>&- 4>&- & done
	wait
	is_installed
}

@test "install: what does not run here, or is no plugin, is not installed" {
	local bad=$BATS_TEST_TMPDIR/bad
	install_it
	echo text >"$bad"
	install_it "$bad"
	fails 'Exec format error' rdma
	# The machine of an ELF file (elf(5), e_machine): one that nobody has.
	cp "$PLUGIN" "$bad"
	printf '\x34\x12' | dd of="$bad" bs=1 seek=18 conv=notrunc status=none
	install_it "$bad"
	fails 'Exec format error' rdma
	head -c 5000 "$PLUGIN" >"$bad"
	install_it "$bad"
	fails "$TO/.rdma.new" rdma
	: >"$bad"
	install_it "$bad"
	fails 'cannot read' rdma
	install_it "$BATS_TEST_TMPDIR/absent"
	fails 'No such file' rdma
	install_it "$BATS_TEST_TMPDIR"
	fails 'cannot read' rdma
	script mute <<<'cat >/dev/null'
	install_it "$BATS_TEST_TMPDIR/mute"
	fails 'which CNI versions' rdma
	script other <<<'cat >/dev/null; echo "{\"supportedVersions\":[]}"'
	install_it "$BATS_TEST_TMPDIR/other"
	fails 'which CNI versions' rdma
	script angry <<<'cat >/dev/null; echo "{\"code\":7,\"msg\":\"not I\"}"; exit 1'
	install_it "$BATS_TEST_TMPDIR/angry"
	fails 'error 7: not I' rdma
	is_installed
}

@test "install: what a killed one left is replaced, links are not followed" {
	local outside=$BATS_TEST_TMPDIR/outside
	echo mine >"$outside"
	ln -s "$outside" "$TO/.rdma.new"
	ln -s "$outside" "$TO/rdma"
	install_it
	ends_with 0
	is_installed
	[ "$(<"$outside")" = mine ]
	rm "$TO/rdma"
	cp "$PLUGIN" "$outside"
	ln -s "$outside" "$TO/rdma"
	install_it
	ends_with 0
	is_installed
}

@test "install: killed at any system call, it leaves a plugin that works" {
	local other=$BATS_TEST_TMPDIR/other count i
	{ cat "$PLUGIN" && echo; } >"$other"
	chmod 0755 "$other"
	install_it
	count=$(strace -qq "$NODE" install --to "$TO" --from "$other" 2>&1 >/dev/null | wc -l)
	[ "$count" -gt 20 ]
	for ((i = 1; i <= count; i++)); do
		strace -qq -o /dev/null -e inject=all:signal=KILL:when=$i \
			"$NODE" install --to "$TO" --from "$PLUGIN" >/dev/null 2>&1 || true
		cmp -s "$TO/rdma" "$PLUGIN" || cmp -s "$TO/rdma" "$other"
		[ -x "$TO/rdma" ]
		cp "$other" "$TO/again"
		mv "$TO/again" "$TO/rdma"
	done
	install_it
	ends_with 0
	is_installed
}

@test "install: where it can't" {
	node install --to "$BATS_TEST_TMPDIR/absent" --from "$PLUGIN"
	fails "cannot open the directory '$BATS_TEST_TMPDIR/absent': No such file"
	node install --to "$PLUGIN" --from "$PLUGIN"
	fails 'Not a directory'
	mkdir "$TO/rdma"
	install_it
	fails 'cannot replace' rdma
	[ "$(id -u)" = 0 ] || skip 'takes root'
	rmdir "$TO/rdma"
	mount -t tmpfs -o size=64k tmpfs "$TO"
	install_it
	umount "$TO"
	fails 'No space left'
	mount -t tmpfs -o noexec tmpfs "$TO"
	install_it
	ls -A "$TO" >"$BATS_TEST_TMPDIR/left"
	umount "$TO"
	fails 'Permission denied'
	[ ! -s "$BATS_TEST_TMPDIR/left" ]
	mount -t tmpfs -o ro tmpfs "$TO"
	install_it
	umount "$TO"
	fails 'Read-only file system'
}

@test "install: bad options" {
	local arguments
	for arguments in '' '--from x' '--to' '--to x y' '--nonsense'; do
		# shellcheck disable=SC2086 # words
		node install $arguments
		ends_with 3
		[ -z "$output" ]
		[ "$(wc -l <"$LOG")" = 1 ]
	done
	node install --help
	ends_with 0
	[[ $output == *--to*--from* ]]
}

# status_of [OPTION...]: of a plugin with the shell commands of standard input.
status_of() {
	script rdma
	node status --in "$BATS_TEST_TMPDIR" "$@"
}

@test "status: ready, and what the plugin is given" {
	status_of --data-dir '/a "b"' <<-E
		env >$BATS_TEST_TMPDIR/environment
		cat >$BATS_TEST_TMPDIR/conf
		grep SigBlk /proc/self/status >$BATS_TEST_TMPDIR/signals
	E
	ends_with 0
	[ "$output" = ready ]
	[ -z "$log" ]
	[ "$(cut -f2 "$BATS_TEST_TMPDIR/signals")" = 0000000000000000 ]
	# Nothing of ours but what the shell itself adds.
	[ "$(grep -vE '^(PWD|SHLVL|_|OLDPWD)=' "$BATS_TEST_TMPDIR/environment" | sort)" = \
		"CNI_COMMAND=STATUS"$'\n'"CNI_PATH=$BATS_TEST_TMPDIR/" ]
	jq -e '. == {cniVersion: "1.1.0", name: "rdma-node", type: "rdma", dataDir: "/a \"b\""}' \
		"$BATS_TEST_TMPDIR/conf"
	node status --in "$BATS_TEST_TMPDIR"
	jq -e 'has("dataDir") | not' "$BATS_TEST_TMPDIR/conf"
}

@test "status: not ready, and why" {
	status_of <<-'E'
		cat >/dev/null
		echo 'a line of the log' >&2
		echo '{"cniVersion":"1.1.0","code":50,"msg":"mode is shared\u001b[2J","details":"set it"}'
		exit 1
	E
	ends_with 2
	[ -z "$output" ]
	[[ $log == *'STATUS with error 50: mode is shared?[2J'*'set it' ]] || { show && false; }
	[ "$(wc -l <"$LOG")" = 2 ]
}

@test "status: no answer" {
	local text
	for text in 'exit 3' 'cat; exit 1' 'echo [1]; exit 1' 'kill -9 $$' \
		'echo "{\"code\":\"x\"}"; exit 1'; do
		status_of <<<"$text"
		ends_with 3
		[[ $log == *'without an error object'* ]] || { show && false; }
	done
	status_of <<<'exec head -c 2000000 /dev/zero'
	ends_with 3
	node status --in "$BATS_TEST_TMPDIR/absent"
	ends_with 3
	[[ $log == *'No such file'* ]]
	node status extra
	ends_with 3
	for text in 0 3601 -1 x ''; do
		node status --stay=$text
		ends_with 3
		[[ $log == *'seconds'* ]] || { show && false; }
	done
}

@test "status: a signal ends the wait for a plugin that hangs, which is ended too" {
	script rdma <<<"echo \$\$ >$BATS_TEST_TMPDIR/said; exec sleep 300"
	"$NODE" status --in "$BATS_TEST_TMPDIR" 2>"$LOG" 3>&- 4>&- &
	staying=$!
	told 1
	kill "$staying"
	status=0
	wait "$staying" || status=$?
	staying=
	[ "$status" = 3 ]
	! kill -0 "$(<"$BATS_TEST_TMPDIR/said")" 2>/dev/null || false
}

@test "status --stay: tells each change once, and a signal ends it" {
	local i
	script rdma <<-E
		cat >/dev/null
		[ -e $BATS_TEST_TMPDIR/bad ] || exit 0
		echo '{"code":50,"msg":"bad"}'
		exit 1
	E
	"$NODE" status --in "$BATS_TEST_TMPDIR" --stay=1 >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- 4>&- &
	staying=$!
	told 1
	touch "$BATS_TEST_TMPDIR/bad"
	told 2
	sleep 1.5
	rm "$BATS_TEST_TMPDIR/bad"
	told 3
	sleep 1.5
	kill "$staying"
	wait "$staying"
	staying=
	[ "$(sed 's/.*: //' "$BATS_TEST_TMPDIR/said")" = $'ready\nbad\nready' ] ||
		{ cat "$BATS_TEST_TMPDIR/said" && false; }
}

# told COUNT: so many lines, within a minute; the process may not have made the file yet.
told() {
	local end=$((SECONDS + 60))
	until [ "$(grep -sc '' "$BATS_TEST_TMPDIR/said")" -ge "$1" ] 2>/dev/null; do
		[ $SECONDS -lt $end ] || { cat "$BATS_TEST_TMPDIR/said" && return 1; }
		sleep 0.1
	done
}

@test "status --stay: as a container's first process it ends at once" {
	[ "$(id -u)" = 0 ] || skip 'takes root'
	script rdma <<<'cat >/dev/null'
	unshare --pid --fork --kill-child "$NODE" status --in "$BATS_TEST_TMPDIR" --stay=3600 \
		>"$BATS_TEST_TMPDIR/said" 2>&1 3>&- 4>&- &
	staying=$!
	told 1
	pkill -TERM -P "$staying"
	SECONDS=0
	wait "$staying"
	staying=
	[ "$SECONDS" -lt 60 ]
}

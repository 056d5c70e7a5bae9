# SPDX-License-Identifier: Apache-2.0
# rdma-node: options, exit status, what it prints where.

load lib

node() {
	status=0
	output=$("$NODE" "$@" 2>"$LOG") || status=$?
	log=$(<"$LOG")
}

# complains TEXT: one line on standard error, nothing else, and exit status 3.
complains() {
	ends_with 3
	[ -z "$output" ]
	[ "$(wc -l <"$LOG")" = 1 ]
	[[ $log == *"$1"* ]] || { show && false; }
}

@test "--help and --version" {
	local option
	for option in -h --help; do
		node $option
		ends_with 0
		[[ $output == *'rdma-node check'* ]]
		node check $option
		ends_with 0
		[[ $output == *--device* && $output == *--json* && $output == *--root* ]]
	done
	for option in -v --version; do
		node $option
		ends_with 0
		[[ $output =~ ^rdma-node\ [0-9] ]]
	done
}

@test "no command, an unknown one" {
	node
	ends_with 3
	[ -z "$output" ]
	[[ $log == *'rdma-node check'* ]]
	node prepar
	complains "'prepar'"
}

@test "bad options" {
	node check --nonsense
	complains nonsense
	node check --device
	complains device
	node check extra
	complains "'extra'"
}

@test "release: bad options, and not root" {
	local arguments
	for arguments in '' '--stale mlx5_0' 'mlx5_0 mlx5_1' '--stale --stale x'; do
		# shellcheck disable=SC2086 # words
		node release $arguments
		complains 'either one DEVICE or --stale'
	done
	node release --nonsense
	complains nonsense
	node release --help
	ends_with 0
	[[ $output == *--force*--stale* ]]
	[ "$(id -u)" = 0 ] || skip "takes root to become somebody else"
	status=0
	output=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$NODE" release --stale \
		2>"$LOG") || status=$?
	log=$(<"$LOG")
	complains root
}

@test "prepare: bad options, and not root" {
	node prepare
	complains 'nothing to do'
	node prepare --persist
	complains '--persist needs --mode'
	node prepare --mode exclusive --rebind
	complains '--rebind needs --vf-macs'
	node prepare --mode private
	complains "'private'"
	node prepare --mode
	complains mode
	node prepare --vf-macs extra
	complains unexpected
	node prepare --help
	ends_with 0
	for option in --mode --persist --vf-macs --rebind --dry-run; do
		[[ $output == *"$option"* ]]
	done
	[ "$(id -u)" = 0 ] || skip "takes root to become somebody else"
	status=0
	output=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$NODE" prepare --vf-macs \
		2>"$LOG") || status=$?
	log=$(<"$LOG")
	complains root
}

@test "a tree that is none" {
	node check --root "$BATS_TEST_TMPDIR/none"
	complains "$BATS_TEST_TMPDIR/none"
	mkdir "$BATS_TEST_TMPDIR/empty"
	node check --root "$BATS_TEST_TMPDIR/empty"
	complains "'sys'"
	touch "$BATS_TEST_TMPDIR/file"
	node check --root "$BATS_TEST_TMPDIR/file"
	complains "$BATS_TEST_TMPDIR/file"
}

@test "a device that is none, is not there, has nothing to do with RDMA" {
	connectx
	pf 0000:02:00.0 0x010802 nvme
	check --device 3b:00.2
	complains "'3b:00.2'"
	check --device ../..
	complains "'../..'"
	check --device 0000:3b:00.7
	complains "'0000:3b:00.7'"
	check --device 0000:02:00.0
	complains "'0000:02:00.0'"
}

@test "--device in another letter case, more than once" {
	connectx
	check --device 0000:3B:00.2 -d 0000:3b:00.3
	ends_with 0
	says ok driver 'all 2'
	says ok uverbs 'all 2'
	check -d 0000:3B:00.2
	says ok driver 'all 1'
}

@test "exit status: the worst of all states" {
	connectx
	check
	ends_with 0
	rm "$ROOT/opt/cni/bin/multus"
	check
	ends_with 1
	check --json
	ends_with 1
	rm "$ROOT/opt/cni/bin/rdma"
	check
	ends_with 2
}

@test "standard output that can't be written" {
	status=0
	"$NODE" check --root "$ROOT" >/dev/full 2>"$LOG" || status=$?
	ends_with 3
	grep -q 'standard output' "$LOG"
	status=0
	"$NODE" check --root "$ROOT" >&- 2>"$LOG" || status=$?
	ends_with 3
	status=0
	"$NODE" --help >/dev/full || status=$?
	ends_with 3
}

@test "--json: the documented document" {
	connectx
	rm "$ROOT/opt/cni/bin/multus"
	check --json
	[ -z "$log" ]
	jq -e '(keys_unsorted == ["version", "state", "checks"]) and .state == "warn" and
		(.checks | all(keys_unsorted == ["id", "title", "state", "findings"])) and
		([.checks[].findings[]] | all((keys - ["remedy"] == ["state", "subjects", "text"]) and
			(.subjects | type == "array") and
			((.state == "warn" or .state == "fail") == has("remedy"))))' <<<"$output"
	jq -e '.checks[] | select(.id == "cni-plugins") |
		.state == "warn" and .findings[0].subjects == ["multus"]' <<<"$output"
}

@test "--help, JSON and README have the same checks in the same order" {
	local ids
	check --json
	ids=$(jq -r '.checks[].id' <<<"$output")
	[ "$(sort <<<"$ids" | uniq -d)" = '' ]
	node check --help
	[ "$(sed '1,/^Checks:/d; s/^  \([a-z-]*\) .*/\1/' <<<"$output")" = "$ids" ]
	# shellcheck disable=SC2016 # those are quotes of Markdown
	[ "$(sed -n '/^### Checks/,/^##* [^C]/s/^| `\([a-z-]*\)` |.*/\1/p' \
		"$BATS_TEST_DIRNAME/../../README.md")" = "$ids" ]
}

@test "no colours but on a terminal, and not there with NO_COLOR" {
	local escape=$'\033'
	check
	[[ $output != *"$escape"* ]]
	output=$(script -qec "'$NODE' check --root '$ROOT'" /dev/null)
	[[ $output == *"${escape}[32mok"* ]] || { show && false; }
	output=$(NO_COLOR=1 script -qec "'$NODE' check --root '$ROOT'" /dev/null)
	[[ $output != *"$escape"* && $output == *ok* ]]
	output=$(NO_COLOR='' script -qec "'$NODE' check --root '$ROOT'" /dev/null)
	[[ $output == *"$escape"* ]]
}

@test "hostile names do not reach the terminal" {
	local name=$'\033[2Jx'
	connectx
	put proc/cmdline "ib_core.netns_mode=$name"
	put "var/lib/cni/rdma/$name" '{'
	check
	[[ $output != *$'\033'* ]]
	says fail mode-boot '?[2Jx'
	says warn attachments '?[2Jx'
	check --json
	jq -e . <<<"$output" >/dev/null
}

@test "nothing is changed" {
	local before
	connectx
	touch -d '1 hour ago' "$BATS_TEST_TMPDIR/stamp"
	before=$(find "$ROOT" -printf '%p %i %T@ %C@ %s\n' | sort)
	check
	check --json
	[ "$(find "$ROOT" -printf '%p %i %T@ %C@ %s\n' | sort)" = "$before" ]
}

@test "processes that end while they are looked at" {
	local i other
	while :; do true & wait; done 3>&- 4>&- &
	other=$!
	for i in {1..20}; do
		status=0
		output=$("$NODE" check --json 2>"$LOG") || status=$?
		[ "$status" -lt 3 ] && [ ! -s "$LOG" ] && jq -e . <<<"$output" >/dev/null || break
	done
	kill "$other"
	[ "$status" -lt 3 ] && [ ! -s "$LOG" ] && [ "$i" = 20 ] || { show && false; }
}

@test "files that are too long are as if they could not be read" {
	connectx
	process 712 containerd 8388608
	truncate -s 1T "$ROOT/opt/cni/bin/rdma" "$ROOT/proc/cmdline" "$ROOT/proc/712/limits" \
		"$ROOT/sys/class/infiniband/mlx5_0/node_guid"
	put etc/modprobe.d/x.conf "$(head -c 2000000 /dev/zero | tr '\0' x)"
	put etc/systemd/system/containerd.service "$(head -c 2000000 /dev/zero | tr '\0' x)"
	check
	says warn plugin 'not known'
	says warn mode-boot default
	says skip memlock containerd
	check --json
	jq -e . <<<"$output" >/dev/null
}

@test "unprivileged it says what it can" {
	[ "$(id -u)" = 0 ] || skip "takes root to become somebody else"
	status=0
	output=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$NODE" check 2>"$LOG") || status=$?
	[ "$status" -lt 3 ] || { show && false; }
	[ ! -s "$LOG" ]
	says skip state-dir root
	says skip attachments
	says skip lost-devices root
	says '(ok|fail)' rdma-netns
}

@test "the README sends those with a broken pod to checks that there are" {
	local id count=0
	node check --help
	sed -n '/^## When a pod has no RDMA device/,/^## /p' "$BATS_TEST_DIRNAME/../../README.md" |
		awk -F ' \\| ' '/^\| / && NF == 4 && $3 != "check" { print $3 }' |
		grep -o '[a-z][a-z-]*' >"$BATS_TEST_TMPDIR/ids"
	while read -r id; do
		grep -qE "^  $id +" <<<"$output" || { echo "no check $id" && false; }
		count=$((count + 1))
	done <"$BATS_TEST_TMPDIR/ids"
	[ "$count" -gt 10 ]
}

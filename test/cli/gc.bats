# SPDX-License-Identifier: Apache-2.0
# GC and STATUS: everything about them that needs no device (contract, section 5; requirements, section 10).

load lib

setup() {
	# shellcheck source=test/cli/lib.bash
	. "$BATS_TEST_DIRNAME/lib.bash"
	setup
	state_may_stay
}

# The attachments c1 and c2 of network net, and others that are never this network's.
entries() {
	rm -rf "$STATE"
	entry net-c1-net1
	entry net-c2-net1 'containerID="c2"'
	entry net2-c1-net1 'network="net2"'
	echo foreign >"$STATE/README"
	: >"$STATE/net-c9-net1"
}
OTHERS='README net-c9-net1 net2-c1-net1'

# gc [KEY=JSON]: with `valid` for cni.dev/valid-attachments and `old` for cni.dev/attachments.
gc() {
	local pair args=()
	for pair in "$@"; do
		case $pair in
		valid=*) args+=("cni.dev/valid-attachments=${pair#*=}") ;;
		old=*) args+=("cni.dev/attachments=${pair#*=}") ;;
		esac
	done
	conf no=prevResult "${args[@]}"
	plugin CNI_COMMAND=GC CNI_PATH=/x
}

@test "GC undoes this network's attachments that are not listed, and no other" {
	c1='{"containerID":"c1","ifname":"net1"}'
	c2='{"containerID":"c2","ifname":"net1","more":5}'
	while read -r list rest; do
		CASE=$list
		entries
		# shellcheck disable=SC2086
		gc $list
		succeeds
		[ "$(state)" = "$(printf '%s\n' $OTHERS $rest | sort | paste -sd ' ')" ] || fail "left: $(state)"
	done <<-EOT
		valid=[$c1,$c2] net-c1-net1 net-c2-net1
		valid=[$c2,$c1,$c1] net-c1-net1 net-c2-net1
		valid=[$c1] net-c1-net1
		valid=[$c2] net-c2-net1
		valid=[{"containerID":"c1","ifname":"net2"}]
		valid=[{"containerID":"c","ifname":"net1"},{"containerID":"c11","ifname":"net1"}]
		valid=[{"containerID":"C1","ifname":"net1"}]
		valid=[]
		valid=null
		old=[$c1] net-c1-net1
		old=[]
		old=null
	EOT
}

@test "of both spellings the current one counts" {
	entries
	gc 'valid=[{"containerID":"c1","ifname":"net1"}]' 'old=[{"containerID":"c2","ifname":"net1"}]'
	succeeds
	[ "$(state)" = "README net-c1-net1 net-c9-net1 net2-c1-net1" ]
}

@test "without a list only what is provably dead is undone" {
	pod
	entries
	entry net-c3-net1 'containerID="c3"' in_pod
	entry net-c4-net1 'containerID="c4"' in_pod 'bootID="00000000-0000-0000-0000-000000000000"'
	go_entry net-c5-net1
	gc
	succeeds
	[ "$(state)" = "README net-c3-net1 net-c5-net1 net-c9-net1 net2-c1-net1" ] || fail "left: $(state)"
}

@test "with a list an attachment whose pod lives is undone too" {
	pod
	entries
	entry net-c3-net1 'containerID="c3"' in_pod
	go_entry net-c5-net1
	go_entry net2-c5-net1
	gc 'valid=[]'
	succeeds
	[ "$(state)" = "README net-c9-net1 net2-c1-net1 net2-c5-net1" ] || fail "left: $(state)"
}

@test "the Go plugin's entries count by the name of their file" {
	rm -rf "$STATE"
	go_entry net-c5-net1
	go_entry net-c6-net1
	gc 'valid=[{"containerID":"c5","ifname":"net1"}]'
	succeeds
	[ "$(state)" = net-c5-net1 ] || fail "left: $(state)"
	# This one may be (net-a, c5, net1) or (net, a-c5, net1): nobody can tell.
	go_entry net-a-c5-net1
	gc 'valid=[{"containerID":"c5","ifname":"net1"}]'
	succeeds
	[ "$(state)" = "net-a-c5-net1 net-c5-net1" ] || fail "left: $(state)"
}

@test "a malformed list is code 7, and nothing is touched" {
	entries
	before=$(state_sum)
	while read -r list; do
		for key in valid old; do
			CASE="$key $list"
			gc "$key=$list"
			fails_with 7 attachments
			[ "$(state_sum)" = "$before" ] || fail "something was touched"
		done
	done <<-'EOT'
		5
		"x"
		true
		{}
		{"containerID":"c1","ifname":"net1"}
		[null]
		[5]
		["c1"]
		[[]]
		[{}]
		[{"containerID":"c1"}]
		[{"ifname":"net1"}]
		[{"containerID":5,"ifname":"net1"}]
		[{"containerID":"c1","ifname":null}]
		[{"containerID":"","ifname":"net1"}]
		[{"containerID":"c1","ifname":""}]
		[{"containerID":"c1","ifname":"net1"},{"containerID":"c2"}]
	EOT
}

@test "GC follows no link, and does not fail for what it can't read" {
	entries
	# What it leads to would be collected, were it a file.
	entry net-c7-net1 'containerID="c7"'
	mv "$STATE/net-c7-net1" "$BATS_TEST_TMPDIR/target"
	ln -s "$BATS_TEST_TMPDIR/target" "$STATE/net-c7-net1"
	mkfifo "$STATE/net-c8-net1"
	mkdir "$STATE/net-c10-net1"
	head -c 200000 /dev/zero >"$STATE/net-c11-net1"
	gc 'valid=[]'
	succeeds
	[ "$(state)" = "README net-c10-net1 net-c11-net1 net-c7-net1 net-c8-net1 net-c9-net1 net2-c1-net1" ] ||
		fail "left: $(state)"
	[ "$(jq -r .containerID "$BATS_TEST_TMPDIR/target")" = c7 ]
}

@test "GC goes on after an error and tells all of them at the end" {
	entries
	in_own_mounts "mount --bind '$STATE' '$STATE' && mount -o remount,ro,bind '$STATE'"
	gc 'valid=[]'
	fails_with 111 net-c1-net1 net-c2-net1
	[ "$(state)" = "README net-c1-net1 net-c2-net1 net-c9-net1 net2-c1-net1" ]
}

@test "a thousand entries and a long list are no burden" {
	mkdir "$STATE"
	entry seed
	seed=$(<"$STATE/seed")
	for i in {1..1000}; do
		printf '%s\n' "${seed/\"c1\"/\"c$i\"}" >"$STATE/net-c$i-net1"
	done
	rm "$STATE/seed"
	list=$(printf '{"containerID":"c%d","ifname":"net1"},' {2..2000})
	processor
	before=$used
	gc "valid=[${list%,}]"
	succeeds
	processor
	[ $((used - before)) -lt 5000 ]
	[ "$(find "$STATE" -type f ! -name .lock | wc -l)" = 999 ]
	[ ! -e "$STATE/net-c1-net1" ]
}

@test "GC without a state directory succeeds and makes none" {
	for list in valid=[] valid=null old=[] ''; do
		gc ${list:+"$list"}
		succeeds
	done
	[ ! -e "$STATE" ]
}

@test "GC says that a state directory can't be used" {
	: >"$STATE"
	gc 'valid=[]'
	fails_with 5 "$STATE"
	rm "$STATE"
	mkdir "$BATS_TEST_TMPDIR/directory"
	ln -s directory "$STATE"
	gc 'valid=[]'
	fails_with 5 "$STATE"
}

# This kernel can't do an ADD, so it is never ready.
is_not_ready() {
	conf no=prevResult
	plugin CNI_COMMAND=STATUS CNI_PATH=/x
	fails_with "$1" "${@:2}"
}

@test "STATUS is 50 when no ADD could work, and 51 when there are attachments" {
	[ ! -e /sys/module/ib_core ] || skip "this kernel has RDMA"
	is_not_ready 50 RDMA
	mkdir "$STATE"
	is_not_ready 50 RDMA
	: >"$STATE/.lock"
	is_not_ready 50 RDMA
	# What else may be there is no attachment.
	mkdir "$STATE/lost+found"
	echo foreign >"$STATE/README"
	is_not_ready 50 RDMA
	entry net-c1-net1
	is_not_ready 51 RDMA
}

@test "an entry about no device is left alone, and goes after a reboot" {
	entry net-c3-net1 'containerID="c3"' 'deviceID="foo"'
	gc valid=[]
	succeeds
	[[ $log == *foo* ]] || fail "nothing was said"
	[ "$(state)" = net-c3-net1 ] || fail "it is gone"
	entry net-c3-net1 'containerID="c3"' 'deviceID="foo"' \
		'bootID="00000000-0000-0000-0000-000000000000"'
	gc valid=[]
	succeeds
	[ -z "$(state)" ] || fail "it is there"
}

@test "STATUS says that a state directory can't be used" {
	: >"$STATE"
	is_not_ready 50 "$STATE"
	rm "$STATE"
	mkdir "$BATS_TEST_TMPDIR/directory"
	ln -s directory "$STATE"
	is_not_ready 50 "$STATE"
}

@test "STATUS and CHECK change no file and make none" {
	conf
	for command in STATUS CHECK; do
		cni $command CNI_NETNS=/proc/self/ns/net
		[ ! -e "$STATE" ] || fail "$command made the state directory"
	done
	entries
	before=$(state_sum)
	for command in STATUS CHECK; do
		CASE=$command
		conf
		cni $command CNI_NETNS=/proc/self/ns/net
		reaches_the_machine
		[ "$(state_sum)" = "$before" ] || fail "something changed"
	done
}

@test "STATUS is quick" {
	entries
	conf no=prevResult
	processor
	before=$used
	for _ in {1..20}; do
		plugin CNI_COMMAND=STATUS CNI_PATH=/x
	done
	processor
	[ $((used - before)) -lt 2000 ]
}

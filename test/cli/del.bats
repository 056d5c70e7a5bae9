# SPDX-License-Identifier: Apache-2.0
# DEL where nothing is left to undo (contract, sections 2, 5 and 8; requirements, section 8).

load lib

@test "DEL of what was never added succeeds, any number of times, in every version" {
	for v in "${VERSIONS[@]}"; do
		conf version="$v"
		for _ in 1 2 3; do
			CASE=$v
			cni DEL
			succeeds
		done
	done
}

@test "DEL succeeds whatever of the configuration and the namespace is missing or malformed" {
	pod
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	for change in '' no=deviceID no=prevResult no=dataDir 'deviceID=""' 'deviceID="../../x"' deviceID=5 \
		prevResult=null prevResult=5 'prevResult="x"' 'prevResult=[]' 'prevResult={"cniVersion":5}' \
		'prevResult={"cniVersion":"9.0.0"}' 'prevResult={"interfaces":5}' \
		'prevResult={"interfaces":[null]}' 'runtimeConfig=5' 'args=5' 'ipam=5' 'capabilities=5' \
		'args={"cni":{"ignoreunknown":true}}' 'cni.dev/valid-attachments=5' 'rdmaDeviceName="/"'; do
		conf ${change:+"$change"}
		for netns in '' /gone / /etc/passwd /proc/self/ns/mnt "$BATS_TEST_TMPDIR/fifo" "$POD"; do
			CASE="$change $netns"
			cni DEL CNI_NETNS="$netns"
			succeeds
		done
	done
}

@test "DEL fails for an undecodable document, a bad name and an unsupported version only" {
	CONF='{'
	cni DEL
	fails_with 6
	CONF='{"cniVersion":"1.1.0","name":"a/b"}'
	cni DEL
	fails_with 7
	CONF='{"cniVersion":"1.2.0","name":"n"}'
	cni DEL
	fails_with 1
}

@test "DEL removes the entry of an attachment whose device is gone" {
	state_may_stay
	pod
	other_boot=bootID='"00000000-0000-0000-0000-000000000000"'
	while read -r entry; do
		for netns in '' /gone "$POD"; do
			for device in 0 1; do
				CASE="$entry $netns $device"
				conf
				[ $device = 1 ] || conf no=deviceID no=prevResult
				# shellcheck disable=SC2086
				$entry
				[ "$(state)" = net-c1-net1 ]
				cni DEL CNI_NETNS="$netns"
				succeeds
				[ -z "$(state)" ] || fail "the entry is still there"
				cni DEL CNI_NETNS="$netns"
				succeeds
			done
		done
	done <<-EOT
		entry net-c1-net1
		entry net-c1-net1 in_pod
		entry net-c1-net1 $other_boot
		entry net-c1-net1 $other_boot in_pod
		entry net-c1-net1 in_pod devices=[{"hostName":"mlx5_9","podName":"pod_9"},{"hostName":"a","podName":"b"}]
		entry net-c1-net1 deviceID="mlx5_core.sf.4"
		entry net-c1-net1 future="kept" netnsCookie="7"
		go_entry net-c1-net1
	EOT
}

@test "DEL removes its own file when that is empty, cut, foreign or no file of data" {
	state_may_stay
	pod
	target=$BATS_TEST_TMPDIR/target
	for kind in empty cut garbage nul foreign array large link dangling fifo newer no_device hostile_device \
		hostile_name many no_version half_identity unreadable; do
		for netns in '' "$POD"; do
			CASE="$kind $netns"
			entry net-c1-net1
			file=$STATE/net-c1-net1
			echo keep >"$target"
			case $kind in
			empty) : >"$file" ;;
			cut) truncate -s 40 "$file" ;;
			garbage) head -c 5000 /dev/urandom >"$file" ;;
			nul) truncate -s 4096 "$file" ;;
			foreign) echo '{"kind":"Pod","version":"1.0"}' >"$file" ;;
			array) echo '[1]' >"$file" ;;
			large) truncate -s 100M "$file" ;;
			link) ln -sf "$target" "$file" ;;
			dangling) ln -sf "$target.gone" "$file" ;;
			fifo) rm "$file" && mkfifo "$file" ;;
			newer) entry net-c1-net1 'version="2.0"' ;;
			no_device) entry net-c1-net1 no=deviceID ;;
			hostile_device) entry net-c1-net1 'deviceID="../../../etc"' ;;
			hostile_name) entry net-c1-net1 'devices=[{"hostName":"../x","podName":"/"}]' ;;
			many) entry net-c1-net1 "devices=[$(printf '{"hostName":"a","podName":"a"},%.0s' {1..100})1]" ;;
			no_version) entry net-c1-net1 no=version ;;
			half_identity) entry net-c1-net1 no=ifname ;;
			unreadable) chmod 0 "$file" ;;
			esac
			cni DEL CNI_NETNS="$netns"
			succeeds
			[ -z "$(state)" ] || fail "still there: $(state)"
			[ "$(cat "$target")" = keep ] || fail "what the link leads to was changed"
			[ ! -e "$target.gone" ] || fail "what the link leads to was made"
		done
	done
}

@test "DEL does not fail for a directory in its file's place" {
	state_may_stay
	mkdir -p "$STATE/net-c1-net1/x"
	cni DEL
	succeeds
}

@test "DEL removes what a killed writer left beside its file" {
	state_may_stay
	entry net-c1-net1
	cp "$STATE/net-c1-net1" "$STATE/.net-c1-net1.tmp"
	entry other
	cni DEL
	succeeds
	[ "$(state)" = other ]
}

@test "DEL leaves every other attachment alone" {
	state_may_stay
	entry net-c2-net1 'containerID="c2"'
	entry net-c1-net2 'ifname="net2"'
	entry net2-c1-net1 'network="net2"'
	go_entry net-c1-net3
	echo foreign >"$STATE/README"
	before=$(state_sum)
	cni DEL
	succeeds
	[ "$(state_sum)" = "$before" ] || fail "something changed"
	entry net-c1-net1
	cni DEL
	succeeds
	[ "$(state_sum)" = "$before" ] || fail "something changed"
}

@test "two attachments that would share a file are told apart by what is inside" {
	state_may_stay
	entry a-b-c-net1 'network="a"' 'containerID="b-c"'
	before=$(state_sum)
	conf 'name="a-b"'
	cni DEL CNI_CONTAINERID=c
	succeeds
	[ "$(state_sum)" = "$before" ] || fail "it was the other's"
	conf 'name="a"'
	cni DEL CNI_CONTAINERID=b-c
	succeeds
	[ -z "$(state)" ]
}

@test "DEL waits for nobody when it moves nothing" {
	state_may_stay
	entry net-c1-net1
	: >"$STATE/.lock"
	SECONDS=0
	exec 7<"$STATE/.lock"
	flock 7
	cni DEL
	exec 7<&-
	succeeds
	[ $SECONDS -lt 60 ]
	[ -z "$(state)" ]
}

# It may say so, but what holds nothing any more must not stop the chain.
@test "DEL on a state directory that is read-only or full succeeds" {
	state_may_stay
	mkdir "$STATE"
	in_own_mounts "mount -t tmpfs -o mode=0700,size=4k,nr_inodes=4 none '$STATE' &&
		echo '{}' >'$STATE/net-c1-net1' && { yes >'$STATE/fill' 2>/dev/null || :; } &&
		mount -o remount,ro '$STATE'"
	cni DEL
	succeeds
	[[ $log == *net-c1-net1* ]] || fail "the log says nothing of the file that stays"
	in_own_mounts "mount -t tmpfs -o mode=0700,size=4k,nr_inodes=4 none '$STATE' &&
		echo '{}' >'$STATE/net-c1-net1' && { yes >'$STATE/fill' 2>/dev/null || :; }"
	wrap[-2]+='; status=$?; [ -e '"'$STATE/net-c1-net1'"' ] && exit 99; exit $status'
	wrap[-2]=${wrap[-2]/exec \"/\"}
	cni DEL
	succeeds
}

@test "DEL with a dataDir that is a file, a link or gone succeeds" {
	: >"$BATS_TEST_TMPDIR/file"
	mkdir "$BATS_TEST_TMPDIR/directory"
	ln -s directory "$BATS_TEST_TMPDIR/link"
	for dir in file link file/x gone/x link/../gone; do
		CASE=$dir
		conf "dataDir=\"$BATS_TEST_TMPDIR/$dir\""
		cni DEL
		succeeds
	done
	[ ! -e "$BATS_TEST_TMPDIR/gone" ] || fail "DEL makes no directory"
}

@test "a dataDir that is a link is not followed, however it is written" {
	state_may_stay
	entry net-c1-net1
	ln -s state "$BATS_TEST_TMPDIR/link"
	for tail in '' / // /. /.//; do
		CASE=$tail
		conf "dataDir=\"$BATS_TEST_TMPDIR/link$tail\""
		cni DEL
		succeeds
		[ "$(state)" = net-c1-net1 ] || fail "it was followed"
		cni GC
		fails_with 5 "$BATS_TEST_TMPDIR/link"
	done
	conf "dataDir=\"$STATE/.//\""
	cni DEL
	succeeds
	[ -z "$(state)" ] || fail "the directory itself is no link"
}

@test "what is in a directory that others can write to is not acted upon" {
	state_may_stay
	entry net-c1-net1
	for mode in 0775 0757 1777; do
		CASE=$mode
		chmod $mode "$STATE"
		conf
		cni DEL
		succeeds
		[[ $log == *warning*"$STATE"* ]] || fail "the log says nothing of it"
		cni GC
		fails_with 5 "$STATE" chmod
		cni STATUS
		fails_with 51 "$STATE"
		[ "$(state)" = net-c1-net1 ] || fail "it was acted upon"
	done
	chmod 0755 "$STATE"
	cni DEL
	succeeds
	[ -z "$(state)" ] || fail "others may read it"
}

@test "no error of DEL has words that a runtime reads as success" {
	words=('not found' 'no such file or directory' 'No such file or directory' 'NOT FOUND'
		'not fnot foundound' 'nnot foundot found' 'no such no such filefile' 'no no such filesuch file')
	for word in "${words[@]}"; do
		CASE=$word
		conf
		cni DEL CNI_CONTAINERID="$word"
		fails_with 4
		is_no_success
		cni DEL CNI_IFNAME="a/$word"
		fails_with 4
		is_no_success
		conf "name=\"$word\""
		cni DEL
		fails_with 7
		is_no_success
		conf "cniVersion=\"$word\""
		cni DEL
		fails_with 1
		is_no_success
		# On the way in nobody misreads it.
		conf "name=\"$word\""
		cni ADD
		fails_with 7 "$word"
	done
	INPUT=/
	cni DEL
	fails_with 5
	is_no_success
}

is_no_success() {
	local lower=${error,,}
	[[ $lower != *"not found"* && $lower != *"no such file"* ]] || fail "a runtime reads this as success"
}

@test "DEL logs what it goes on without, and only that, to stderr" {
	conf deviceID=5
	cni DEL
	succeeds
	[[ $log == *warning*deviceID*5* ]] || fail "no warning"
	conf
	cni DEL
	succeeds
	[[ $log != *warning* && $log != *error* ]] || fail "a warning about nothing"
}

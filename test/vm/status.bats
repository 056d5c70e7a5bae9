# SPDX-License-Identifier: Apache-2.0
# STATUS in netns mode exclusive: contract, section 5.

load lib

@test "an ADD could work, also without any free device" {
	conf no=prevResult no=deviceID
	cni STATUS
	succeeds
	[ -z "$output" ]
	[ ! -e "$STATE" ]
	for i in "${!VF[@]}"; do
		control del "${RDMA[i]}"
	done
	cni STATUS
	succeeds
}

@test "a state directory that can't be used" {
	touch /run/file
	mkdir -p /run/fixed
	mount -t tmpfs -o ro none /run/fixed
	for directory in /run/file /run/fixed /run/fixed/below; do
		conf "dataDir=\"$directory\""
		cni STATUS
		fails_with 50 "$directory"
	done
	umount /run/fixed
}

@test "it writes, renames and removes nothing, and waits for nobody" {
	pod a
	conf
	cni ADD a
	exec 9<"$STATE/.lock"
	flock 9
	PREFIX="strace -o $BATS_TEST_TMPDIR/calls -e trace=%file,write,fchmod,ftruncate" cni STATUS
	exec 9<&-
	succeeds
	! grep -E 'O_CREAT|O_WRONLY|O_RDWR|rename|unlink|mkdir|chmod|truncate' "$BATS_TEST_TMPDIR/calls" || false
}

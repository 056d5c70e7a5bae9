# SPDX-License-Identifier: Apache-2.0
# The state directory: contract, section 8.

load lib

go_entry() {
	mkdir -p "$STATE"
	jq -nc --arg device "${2:-${VF[0]}}" --arg name "${3:-mlx5_0}" '{version: "1.0",
		deviceID: $device, sandboxRdmaDevName: $name, containerRdmaDevName: $name}' >"$STATE/$1"
}

@test "what the Go plugin attached is detached" {
	pod a
	rdma dev set mlx5_0 netns a
	go_entry net-a-net1
	conf no=deviceID no=prevResult version=0.3.1
	cni DEL a
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

@test "and without CNI_NETNS too: there is one namespace that has it" {
	pod a
	rdma dev set mlx5_0 netns a
	go_entry net-a-net1
	conf no=deviceID
	cni DEL a CNI_NETNS=
	succeeds
	state_is_empty
}

@test "what the Go plugin attached is checked" {
	pod a
	rdma dev set mlx5_0 netns a
	go_entry net-a-net1
	conf
	cni CHECK a
	succeeds
	move_home mlx5_0 a
	cni CHECK a
	fails_with 110 mlx5_0
}

@test "what the Go plugin attached is collected" {
	pod a b
	rdma dev set mlx5_0 netns a
	rdma dev set mlx5_1 netns b
	go_entry net-a-net1
	go_entry net-b-net1 "${VF[1]}" mlx5_1
	conf no=prevResult no=deviceID \
		'cni.dev/valid-attachments=[{"containerID":"b","ifname":"net1"}]'
	cni GC
	succeeds
	is_at mlx5_0 host
	is_at mlx5_1 b
	[ "$(state)" = net-b-net1 ]
}

@test "what the Go plugin left of a former pod does not cost the next one its device" {
	pod a b
	rdma dev set mlx5_0 netns b
	go_entry net-a-net1
	go_entry net-b-net1
	conf no=prevResult no=deviceID \
		'cni.dev/valid-attachments=[{"containerID":"b","ifname":"net1"}]'
	cni GC
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
	# With both collected nobody has it any more.
	go_entry net-a-net1
	conf no=prevResult no=deviceID 'cni.dev/valid-attachments=[]'
	cni GC
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

@test "what the Go plugin attached is not given up for another device" {
	pod a
	rdma dev set mlx5_0 netns a
	go_entry net-a-net1
	conf "deviceID=\"${VF[1]}\""
	cni ADD a
	fails_with 109 "container 'a'" "${VF[0]}"
	is_at mlx5_0 a
	is_at mlx5_1 host
	[ "$(state)" = net-a-net1 ]
}

@test "without a list only those of the Go plugin's files go whose device is home" {
	pod b
	rdma dev set mlx5_1 netns b
	go_entry net-a-net1
	go_entry net-b-net1 "${VF[1]}" mlx5_1
	conf no=prevResult no=deviceID
	cni GC
	succeeds
	is_at mlx5_1 b
	[ "$(state)" = net-b-net1 ]
}

@test "what the Go plugin attached to a pod that is gone is nothing to DEL, and to the next ADD" {
	pod a b
	go_entry net-a-net1
	conf no=prevResult version=0.3.1
	cni DEL a CNI_NETNS=/run/netns/gone
	succeeds
	state_is_empty
	rdma dev set mlx5_0 netns a
	go_entry net-a-net1
	ip netns del a
	conf
	cni ADD b
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
}

# The Go plugin decodes version, deviceID, sandboxRdmaDevName and containerRdmaDevName, strings, into
# a structure: keys in any letter case, the last one wins.
@test "a file of ours has what the Go plugin reads, once each" {
	pod a
	conf 'rdmaDeviceName="pod_{device}"'
	cni ADD a
	succeeds
	jq -e --arg vf "${VF[0]}" '[.version, .deviceID, .sandboxRdmaDevName, .containerRdmaDevName] ==
		["1.0", $vf, "mlx5_0", "pod_mlx5_0"]' "$STATE/net-a-net1"
	[ "$(jq -r 'keys[] | ascii_downcase' "$STATE/net-a-net1" |
		grep -cxE 'version|deviceid|sandboxrdmadevname|containerrdmadevname')" = 4 ]
	# What it does on DEL then.
	ip netns exec a rdma dev show "$(jq -r .containerRdmaDevName "$STATE/net-a-net1")"
}

@test "two attachments that would share a file name do not touch each other" {
	pod one two
	conf 'name="a-b"'
	cni ADD CNI_CONTAINERID=c CNI_NETNS=/run/netns/one
	succeeds
	conf 'name="a"' "deviceID=\"${VF[1]}\""
	cni ADD CNI_CONTAINERID=b-c CNI_NETNS=/run/netns/two
	succeeds
	[ "$(state | wc -l)" = 2 ]
	cni CHECK CNI_CONTAINERID=b-c CNI_NETNS=/run/netns/two
	succeeds
	cni DEL CNI_CONTAINERID=b-c CNI_NETNS=/run/netns/two
	succeeds
	is_at mlx5_1 host
	is_at mlx5_0 one
	[ "$(state)" = a-b-c-net1 ]
	conf 'name="a-b"'
	cni CHECK CNI_CONTAINERID=c CNI_NETNS=/run/netns/one
	succeeds
	cni DEL CNI_CONTAINERID=c CNI_NETNS=/run/netns/one
	succeeds
	state_is_empty
}

@test "names that are too long for a file" {
	pod a
	local id name
	id=$(head -c 300 /dev/zero | tr '\0' i)
	name=$(head -c 4096 /dev/zero | tr '\0' n)
	for network in net "$name"; do
		conf "name=\"$network\""
		cni ADD a CNI_CONTAINERID="$id"
		succeeds
		[ "$(state | wc -l)" = 1 ]
		cni CHECK a CNI_CONTAINERID="$id"
		succeeds
		cni DEL a CNI_CONTAINERID="$id"
		succeeds
		is_at mlx5_0 host
		state_is_empty
	done
}

@test "links planted in the state directory lead nowhere" {
	pod a
	mkdir -p "$STATE"
	echo precious >/var/lib/cni/precious
	chmod 644 /var/lib/cni/precious
	ln -s /var/lib/cni/precious "$STATE/net-a-net1"
	ln -s /var/lib/cni/precious "$STATE/.net-a-net1.tmp"
	conf
	cni ADD a
	succeeds
	[ "$(cat /var/lib/cni/precious)" = precious ]
	cni DEL a
	succeeds
	[ "$(cat /var/lib/cni/precious)" = precious ]
	is_at mlx5_0 host
	ln /var/lib/cni/precious "$STATE/net-a-net1"
	cni ADD a
	succeeds
	[ "$(cat /var/lib/cni/precious)" = precious ]
	[ "$(stat -c %a /var/lib/cni/precious)" = 644 ]
}

@test "a lock that is a link is refused" {
	pod a
	mkdir -p "$STATE"
	ln -s /run/elsewhere "$STATE/.lock"
	conf
	cni ADD a
	fails_with 5 .lock
	[ ! -e /run/elsewhere ]
	is_at mlx5_0 host
}

@test "a leftover of a killed write is no obstacle" {
	pod a
	mkdir -p "$STATE"
	head -c 100000 /dev/zero >"$STATE/.net-a-net1.tmp"
	conf
	cni ADD a
	succeeds
	jq -e . "$STATE/net-a-net1"
	[ "$(find "$STATE" -mindepth 1 -printf '%f\n' | sort | tr '\n' ' ')" = '.lock net-a-net1 ' ]
}

@test "dataDir elsewhere" {
	pod a
	conf 'dataDir="/run/deep/er/state"'
	cni ADD a
	succeeds
	[ "$(stat -c %a /run/deep/er/state)" = 700 ]
	[ -e /run/deep/er/state/net-a-net1 ]
	[ ! -e "$STATE" ]
	cni DEL a
	succeeds
	[ ! -e /run/deep/er/state/net-a-net1 ]
}

@test "standard descriptors closed at start hit no file" {
	pod a
	conf
	cni ADD a
	for closed in '<&-' '2>&-' '<&- 2>&-' '>&-'; do
		env -i PATH="$PATH" CNI_COMMAND=CHECK CNI_CONTAINERID=a CNI_NETNS=/run/netns/a \
			CNI_IFNAME=net1 CNI_PATH=/x bash -c "exec '$PLUGIN' $closed" <<<"$CONF" || true
		jq -e . "$STATE/net-a-net1"
	done
}

@test "an entry that names another pod's namespace does not have its device taken" {
	pod a b
	conf
	cni ADD a
	succeeds
	jq '.containerID = "b"' "$STATE/net-a-net1" >"$STATE/net-b-net1"
	chmod 600 "$STATE/net-b-net1"
	conf no=deviceID
	for given in /run/netns/b ''; do
		cp "$STATE/net-b-net1" /run/planted
		cni DEL CNI_CONTAINERID=b CNI_NETNS="$given"
		succeeds
		is_at mlx5_0 a
		[ "$(state)" = net-a-net1 ] || { show && false; }
		cp -p /run/planted "$STATE/net-b-net1"
	done
	rm "$STATE/net-b-net1"
	cni DEL a CNI_NETNS=
	succeeds
	is_at mlx5_0 host
	state_is_empty
}

@test "a directory that others can write to is not used" {
	pod a
	conf
	mkdir -p "$STATE"
	chmod 0777 "$STATE"
	cni ADD a
	fails_with 5 "$STATE" chmod
	is_at mlx5_0 host
	cni STATUS
	fails_with 50 "$STATE"
	chmod 0755 "$STATE"
	cni STATUS
	succeeds
	cni ADD a
	succeeds
	[ "$(stat -c %a "$STATE/net-a-net1" "$STATE/.lock" | sort -u)" = 600 ]
	cni DEL a
	succeeds
	state_is_empty
}

@test "no variable of the caller changes what is opened" {
	local plain odd name
	pod a
	conf
	PREFIX="strace -o $BATS_TEST_TMPDIR/plain -e trace=%file,execve" cni ADD a
	succeeds
	cni DEL a
	local variables=()
	for name in LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT LD_DEBUG_OUTPUT HOME TMPDIR TZ TZDIR LANG LC_ALL \
		LOCPATH NLSPATH MUSL_LOCPATH XDG_RUNTIME_DIR XDG_CONFIG_HOME MALLOC_CONF CNI_LOG SYSFS_PATH \
		BASH_ENV ENV RDMA_CNI_VM_KVM; do
		variables+=(-E "$name=/run/odd")
	done
	PREFIX="strace ${variables[*]} -o $BATS_TEST_TMPDIR/odd -e trace=%file,execve" cni ADD a
	succeeds
	plain=$(grep -v ^execve "$BATS_TEST_TMPDIR/plain") odd=$(grep -v ^execve "$BATS_TEST_TMPDIR/odd")
	# The first one made the state directory.
	[ "$(grep -v "$STATE\"\|mkdir" <<<"$plain")" = "$(grep -v "$STATE\"\|mkdir" <<<"$odd")" ] ||
		{ diff <(echo "$plain") <(echo "$odd") && false; }
	! grep -q /run/odd <<<"$odd" || false
	[[ $odd == *net-a-net1* ]]
}

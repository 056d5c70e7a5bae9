# SPDX-License-Identifier: Apache-2.0
# ADD: contract, section 4.

load lib

@test "ADD moves the RDMA device of deviceID into the pod and passes the result through" {
	pod a
	conf
	cni ADD a
	succeeds
	is_at mlx5_0 a
	! rdma_at host | grep -qx mlx5_0 || false
	[ "$(rdma_at a | wc -l)" = 1 ]
	[ "$(jq -cS . <<<"$output")" = "$(jq -cS .prevResult <<<"$CONF")" ]
	[ "$(state)" = net-a-net1 ]
}

@test "the state has what the Go plugin reads, and who the pod is" {
	pod a
	conf
	cni ADD a
	jq -e --arg vf "${VF[0]}" '.version == "1.0" and .deviceID == $vf and
		.sandboxRdmaDevName == "mlx5_0" and .containerRdmaDevName == "mlx5_0" and
		.network == "net" and .containerID == "a" and .ifname == "net1" and
		.podNamespace == "ns" and .podName == "training-0" and .netns == "/run/netns/a" and
		(.devices[0].charDevices | contains("uverbs"))' "$STATE/net-a-net1"
	[ "$(jq -r .netnsInode "$STATE/net-a-net1")" = "$(stat -c %i /run/netns/a)" ]
	[ "$(jq -r .bootID "$STATE/net-a-net1")" = "$(cat /proc/sys/kernel/random/boot_id)" ]
	[ "$(stat -c %a "$STATE")" = 700 ]
	[ "$(stat -c %a "$STATE/net-a-net1")" = 600 ]
}

@test "the character devices keep their numbers" {
	pod a
	before=$(char_devices)
	conf
	cni ADD a
	succeeds
	[ "$(char_devices)" = "$before" ]
	cni DEL a
	succeeds
	[ "$(char_devices)" = "$before" ]
}

@test "an auxiliary device is attached by its name" {
	pod a
	control sf 4
	control add mlx5_sf auxiliary/mlx5_core.sf.4
	conf 'deviceID="mlx5_core.sf.4"'
	cni ADD a
	succeeds
	is_at mlx5_sf a
	cni CHECK a
	succeeds
	cni DEL a
	succeeds
	is_at mlx5_sf host
	control nosf 4
}

@test "all RDMA devices of the function are moved" {
	pod a
	control add mlx5_x "pci/${VF[0]}"
	conf
	cni ADD a
	succeeds
	is_at mlx5_0 a
	is_at mlx5_x a
	cni CHECK a
	succeeds
	cni DEL a
	succeeds
	is_at mlx5_0 host
	is_at mlx5_x host
	control del mlx5_x
}

@test "when one of two devices can't be moved, the other one comes back" {
	pod a
	control add mlx5_x "pci/${VF[0]}" fixed
	conf
	cni ADD a
	fails_with 107 mlx5_x
	is_at mlx5_0 host
	is_at mlx5_x host
	state_is_empty
	control del mlx5_x
}

@test "ADD again changes nothing and succeeds" {
	pod a
	conf
	cni ADD a
	before=$(cat "$STATE/net-a-net1")
	cni ADD a
	succeeds
	is_at mlx5_0 a
	[ "$(cat "$STATE/net-a-net1")" = "$before" ]
	[ "$(jq -cS . <<<"$output")" = "$(jq -cS .prevResult <<<"$CONF")" ]
}

@test "an ADD that was killed before its move is completed by the next" {
	pod a
	conf
	cni ADD a
	# The entry is there, the device is home.
	move_home mlx5_0 a
	cni ADD a
	succeeds
	is_at mlx5_0 a
}

@test "the same attachment with another device is refused" {
	pod a
	conf
	cni ADD a
	conf "deviceID=\"${VF[1]}\""
	cni ADD a
	fails_with 109 "${VF[0]}"
	is_at mlx5_0 a
	is_at mlx5_1 host
	# The same one in other letters is no other one.
	conf "deviceID=\"${VF[0]^^}\""
	cni ADD a
	succeeds
}

@test "the same attachment in another living namespace is refused" {
	pod a b
	conf
	cni ADD a
	cni ADD CNI_CONTAINERID=a CNI_NETNS=/run/netns/b
	fails_with 109 /run/netns/a
	is_at mlx5_0 a
}

@test "a device in another pod is refused, and the message says whose it is" {
	pod a b
	conf waitSeconds=0
	cni ADD a
	cni ADD b
	fails_with 105 "container 'a'" "pod 'ns/training-0'"
	[ "$(state)" = net-a-net1 ]
}

@test "ADD waits for the device of a namespace that is just ending" {
	pod a b
	conf
	cni ADD a
	ip netns del a
	cni ADD b
	succeeds
	is_at mlx5_0 b
	[ "$(state)" = net-b-net1 ]
}

@test "no such PCI device" {
	pod a
	conf 'deviceID="0000:77:01.0"'
	cni ADD a
	fails_with 102 0000:77:01.0
	state_is_empty
}

@test "no such auxiliary device" {
	pod a
	conf 'deviceID="mlx5_core.sf.99"'
	cni ADD a
	fails_with 102 mlx5_core.sf.99
}

@test "no driver bound" {
	pod a
	echo "${VF[0]}" >"/sys/bus/pci/devices/${VF[0]}/driver/unbind"
	conf waitSeconds=0
	cni ADD a
	echo "${VF[0]}" >/sys/bus/pci/drivers/igbvf/bind
	fails_with 103 "${VF[0]}" 'no driver'
}

@test "a driver without RDMA" {
	pod a
	control del mlx5_0
	conf waitSeconds=0
	cni ADD a
	fails_with 104 "${VF[0]}" igbvf enable_roce
}

@test "a driver that can't be moved" {
	pod a
	control del mlx5_0
	control add mlx5_0 "pci/${VF[0]}" fixed
	conf
	cni ADD a
	control del mlx5_0
	fails_with 107 mlx5_0 disassociate_ucontext
	state_is_empty
}

@test "an InfiniBand device whose IPoIB interface is in the pod is refused" {
	pod a
	control del mlx5_0
	control add mlx5_0 "pci/${VF[0]}" ib
	control ipoib ib7 "pci/${VF[0]}"
	ip link set ib7 netns a
	conf
	cni ADD a
	fails_with 106 IPoIB rdmaIsolation
	ip netns exec a ip link show ib7
	is_at mlx5_0 host
	state_is_empty
	control noipoib ib7
	control del mlx5_0
}

@test "an InfiniBand device without an interface in the pod is attached" {
	pod a
	control del mlx5_0
	control add mlx5_0 "pci/${VF[0]}" ib
	conf
	cni ADD a
	succeeds
	is_at mlx5_0 a
	cni DEL a
	control del mlx5_0
}

@test "the own namespace is refused before anything is done" {
	conf
	cni ADD CNI_NETNS=/proc/self/ns/net
	fails_with 8 /proc/self/ns/net
	state_is_empty
}

@test "a namespace that is none" {
	conf
	for netns in /run/netns/nowhere /etc/passwd /proc/self/ns/mnt /run; do
		cni ADD CNI_NETNS=$netns
		fails_with 4 CNI_NETNS $netns
	done
	is_at mlx5_0 host
}

@test "a result that nobody reads is undone" {
	pod a
	conf
	for stdout in '>&-' '>/dev/full' '| true'; do
		env -i PATH="$PATH" CNI_COMMAND=ADD CNI_CONTAINERID=a CNI_NETNS=/run/netns/a \
			CNI_IFNAME=net1 CNI_PATH=/x bash -c "(sleep 0.1; exec '$PLUGIN') $stdout" <<<"$CONF" ||
			true
		is_at mlx5_0 host
		state_is_empty
	done
}

@test "a state directory that can't be written leaves everything as it is" {
	pod a
	conf 'dataDir="/proc/nowhere"'
	cni ADD a
	fails_with 5 /proc/nowhere
	mkdir /run/small
	mount -t tmpfs -o size=4k,nr_inodes=2 small /run/small
	mkdir /run/small/state || true
	head -c 8192 /dev/zero >/run/small/fill || true
	conf 'dataDir="/run/small/state"'
	cni ADD a
	umount /run/small
	fails_with 5 'No space left'
	is_at mlx5_0 host
}

@test "the configured device is found in Multus' and the runtime's keys too" {
	pod a
	conf no=deviceID "runtimeConfig={\"deviceID\":\"${VF[1]}\"}" "pciBusID=\"${VF[2]}\""
	cni ADD a
	succeeds
	is_at mlx5_1 a
	cni DEL a
	conf no=deviceID "pciBusID=\"${VF[2]}\""
	cni ADD a
	succeeds
	is_at mlx5_2 a
	cni DEL a
	conf no=deviceID "DEVICEid=\"${VF[3]}\""
	cni ADD a
	succeeds
	is_at mlx5_3 a
}

@test "pciID of the requested interface tells the device, before any other's" {
	pod a
	conf no=deviceID "prevResult={\"cniVersion\":\"1.1.0\",\"interfaces\":[
		{\"name\":\"other\",\"sandbox\":\"/x\",\"pciID\":\"${VF[1]}\"},
		{\"name\":\"net1\",\"sandbox\":\"/x\",\"pciID\":\"${VF[2]}\"}]}"
	cni ADD a
	succeeds
	is_at mlx5_2 a
}

@test "a MAC address tells the device when it is the administrative one of one VF" {
	pod a
	ip link set "$PF" vf 3 mac 02:00:00:00:00:33
	conf no=deviceID 'prevResult={"cniVersion":"1.1.0","interfaces":[
		{"name":"net1","sandbox":"/x","mac":"02:00:00:00:00:33"}]}'
	cni ADD a
	succeeds
	is_at mlx5_3 a
	cni DEL a
	conf no=deviceID 'prevResult={"cniVersion":"1.1.0","interfaces":[
		{"name":"net1","sandbox":"/x","mac":"02:00:00:00:00:99"}]}'
	cni ADD a
	fails_with 7 02:00:00:00:00:99
}

@test "the all-zero MAC and an ambiguous one tell nothing" {
	pod a
	ip link set "$PF" vf 4 mac 02:00:00:00:00:44
	ip link set "$PF" vf 5 mac 02:00:00:00:00:44
	for mac in 00:00:00:00:00:00 02:00:00:00:00:44; do
		conf no=deviceID "prevResult={\"cniVersion\":\"1.1.0\",\"interfaces\":[
			{\"name\":\"net1\",\"sandbox\":\"/x\",\"mac\":\"$mac\"}]}"
		cni ADD a
		fails_with 7 "$mac"
	done
	ip link set "$PF" vf 5 mac 02:00:00:00:00:55
}

@test "the device-info file names the device as it is in the pod" {
	pod a
	file=$BATS_TEST_TMPDIR/devinfo/x
	mkdir -p "$(dirname "$file")"
	echo "{\"type\":\"pci\",\"big\":9007199254740993,\"pci\":{\"rdma-device\":\"mlx5_0\"}}" >"$file"
	conf "runtimeConfig={\"CNIDeviceInfoFile\":\"$file\"}" 'rdmaDeviceName="pod_{pci}"'
	cni ADD a
	succeeds
	[ "$(jq -r '.pci["rdma-device"]' "$file")" = "pod_$(tr ':.' '__' <<<"${VF[0]}")" ]
	grep -q 9007199254740993 "$file"
}

# SPDX-License-Identifier: Apache-2.0
# rdma-node check: functions, RDMA devices and their character devices, of hardware we don't have.

load lib

@test "a good node has nothing but ok and skip, and exit status 0" {
	connectx
	check
	ends_with 0
	[ -z "$log" ]
	is_all_well
}

@test "vfs: made" {
	connectx
	check
	says ok vfs '2, on 1' 'physical ones'
}

@test "vfs: none was made" {
	pf 0000:3b:00.0 0x020000 mlx5_core ens1f0
	rdma pci/0000:3b:00.0 mlx5_0 0
	check
	ends_with 1
	says warn vfs 0000:3b:00.0
	mends vfs 'echo 8 >/sys/bus/pci/devices/0000:3b:00.0/sriov_numvfs'
}

@test "vfs: on one of two ports" {
	connectx
	pf 0000:3b:00.1 0x020000 mlx5_core ens1f1
	rdma pci/0000:3b:00.1 mlx5_3 3
	check
	ends_with 0
	says ok vfs 'none was made on: 0000:3b:00.1'
}

@test "vfs: cards that do no RDMA, and other devices with VFs, are not asked about" {
	pf 0000:01:00.0 0x020000 igb eno1
	pf 0000:02:00.0 0x010802 nvme
	vf 0000:02:00.0 0 0000:02:00.1 ''
	check
	ends_with 0
	says skip vfs
	says skip driver 'there are none'
	says skip rdma-device 'no function with a driver'
}

@test "driver: one that is not bound" {
	connectx
	rm "$ROOT/sys/bus/pci/devices/0000:3b:00.2/driver"
	rm -r "$ROOT/sys/bus/pci/devices/0000:3b:00.2/infiniband"*
	check
	ends_with 2
	says fail driver 0000:3b:00.2
	mends driver 'echo 0000:3b:00.2 >/sys/bus/pci/drivers_probe'
	says ok rdma-device
}

@test "driver: VFs of virtual machines are left alone" {
	connectx
	vf 0000:3b:00.0 2 0000:3b:00.4 vfio-pci
	check
	ends_with 0
	says ok driver 'all 3'
	says skip driver 'set aside for virtual machines: 0000:3b:00.4'
	says ok rdma-device
}

@test "rdma-device: here, or in a pod" {
	connectx
	check
	says ok rdma-device 'all 3'
}

@test "rdma-device: the module is not loaded, by family" {
	local family driver module
	for family in mlx5_core:mlx5_ib bnxt_en:bnxt_re ice:irdma; do
		driver=${family%:*} module=${family#*:}
		rm -rf "$ROOT/sys/bus/pci/devices"/*
		pf 0000:3b:00.0 0x020000 "$driver" ens1f0
		vf 0000:3b:00.0 0 0000:3b:00.2 "$driver"
		rm -r "$ROOT/sys/module/$module"
		check
		ends_with 2
		says fail rdma-device 'not loaded' 0000:3b:00.0 0000:3b:00.2
		mends rdma-device "modprobe $module"
	done
}

@test "rdma-device: the module runs, and there is none: irdma on a VF of E810" {
	pf 0000:3b:00.0 0x020000 ice ens1f0
	vf 0000:3b:00.0 0 0000:3b:01.0 iavf
	rdma pci/0000:3b:00.0 rocep59s0f0 0
	check
	ends_with 2
	says fail rdma-device 'no RDMA device' 0000:3b:01.0
	mends rdma-device iavf 'dmesg'
}

@test "rdma-device: VFs of a driver nobody knows, of which some have one" {
	pf 0000:3b:00.0 0x020000 newnic ens1f0
	vf 0000:3b:00.0 0 0000:3b:00.2 newvf
	vf 0000:3b:00.0 1 0000:3b:00.3 newvf
	rdma pci/0000:3b:00.2 new0 0
	check
	says fail rdma-device 0000:3b:00.3
	[[ $(grep ' rdma-device ' <<<"$output") != *0000:3b:00.0* ]]
}

@test "bnxt_re" {
	pf 0000:5e:00.0 0x020000 bnxt_en ens2f0np0
	vf 0000:5e:00.0 0 0000:5e:02.0 bnxt_en
	rdma pci/0000:5e:00.0 bnxt_re0 0
	rdma pci/0000:5e:02.0 bnxt_re1 1 Ethernet '1: DOWN'
	check
	ends_with 0
	says ok vfs '1, on 1'
	says ok rdma-device
	says skip driver-stack
}

@test "irdma, predictable names" {
	pf 0000:5e:00.0 0x020000 ice ens2f0
	rdma pci/0000:5e:00.0 rocep94s0f0 0
	check
	says ok names predictable rocep94s0f0
	says warn vfs 0000:5e:00.0
}

@test "scalable functions" {
	connectx
	sf mlx5_core.sf.4
	rdma auxiliary/mlx5_core.sf.4 mlx5_3 3 Ethernet '1: DOWN'
	sf mlx5_core.sf.5
	check
	ends_with 2
	says ok vfs '4, on 1'
	says fail rdma-device mlx5_core.sf.5
	check --device mlx5_core.sf.4
	ends_with 0
}

@test "scalable functions without any VF" {
	pf 0000:3b:00.0 0x020000 mlx5_core ens1f0
	rdma pci/0000:3b:00.0 mlx5_0 0
	sf mlx5_core.sf.4
	rm "$ROOT/sys/bus/auxiliary/devices/mlx5_core.sf.4/driver"
	check
	ends_with 2
	says ok vfs '1, on 1'
	says fail driver mlx5_core.sf.4
	mends driver '/sys/bus/auxiliary/drivers_probe'
}

infiniband() {
	pf 0000:af:00.0 0x020700 mlx5_core ibs3
	vf 0000:af:00.0 0 0000:af:00.1 mlx5_core
	rdma pci/0000:af:00.0 mlx5_0 0 InfiniBand
	rdma pci/0000:af:00.1 mlx5_1 1 InfiniBand
	put sys/bus/pci/devices/0000:af:00.0/sriov/0/node 00:11:22:33:44:55:66:77
	put sys/bus/pci/devices/0000:af:00.0/sriov/0/port 00:11:22:33:44:55:66:78
}

@test "vf-guid: set" {
	infiniband
	check
	ends_with 0
	says ok vf-guid '1 VFs'
	says skip vf-mac 'no Ethernet VFs'
}

@test "vf-guid: one of the two is missing" {
	local file
	for file in node port; do
		infiniband
		put "sys/bus/pci/devices/0000:af:00.0/sriov/0/$file" 00:00:00:00:00:00:00:00
		check
		ends_with 1
		says warn vf-guid 0000:af:00.1
		mends vf-guid 'ip link set ibs3 vf 0 node_guid'
	done
}

@test "vf-guid: a driver that does not tell, no InfiniBand" {
	infiniband
	rm -r "$ROOT/sys/bus/pci/devices/0000:af:00.0/sriov"
	check
	says skip vf-guid 'the driver has no files of them'
	rm -r "$ROOT"/sys/bus/pci/devices/*
	connectx
	check
	says skip vf-guid 'no InfiniBand VFs'
	says skip vf-mac 'running kernel'
}

@test "node-guid: zero" {
	connectx
	put sys/class/infiniband/mlx5_1/node_guid 0000:0000:0000:0000
	check
	ends_with 2
	says fail node-guid mlx5_1
	mends node-guid bind
	check --device 0000:3b:00.0
	says ok node-guid
	check --device 0000:3b:00.3
	says skip node-guid
}

@test "names: numbered ones are unique, and told" {
	connectx
	check
	says ok names unique '3 of 3 are numbered (mlx5_0)'
}

@test "names: twice on a node" {
	connectx
	put sys/class/infiniband_verbs/uverbs2/ibdev mlx5_0
	check
	ends_with 2
	says fail names mlx5_0 0000:3b:00.3
	mends names 'rdma dev set mlx5_0 name'
}

@test "names, uverbs, uverbs-holes: no devices" {
	check
	says skip names
	says skip uverbs
	says skip uverbs-holes
}

@test "ports: active ones, and VFs that wait for their pods" {
	connectx
	check
	says ok ports '1 active'
	check --device 0000:3b:00.2
	says skip ports
}

@test "ports: down, without a subnet manager, of an unknown kind" {
	connectx
	put sys/class/infiniband/mlx5_0/ports/1/state '1: DOWN'
	check
	ends_with 1
	says warn ports 'not active: mlx5_0/1 (DOWN, Ethernet)'
	mends ports cable
	put sys/class/infiniband/mlx5_0/ports/1/link_layer InfiniBand
	put sys/class/infiniband/mlx5_0/ports/1/state '2: INIT'
	check
	says warn ports 'subnet manager: mlx5_0/1 (INIT, InfiniBand)'
	mends ports opensm
	put sys/class/infiniband/mlx5_0/ports/1/link_layer Unspecified
	check
	says warn ports 'neither Ethernet nor InfiniBand: mlx5_0/1'
	mends ports mlxconfig
}

@test "rdma-cm: every state of the file" {
	check
	says ok rdma-cm
	device infiniband/rdma_cm 10 58 0600
	check
	ends_with 1
	says warn rdma-cm 'only for root'
	mends rdma-cm 'chmod 0666 /dev/infiniband/rdma_cm'
	device infiniband/rdma_cm 10 59
	check
	says warn rdma-cm "not the kernel's"
	mends rdma-cm 'rm /dev/infiniband/rdma_cm' udevadm
	rm "$ROOT/dev/infiniband/rdma_cm"
	touch "$ROOT/dev/infiniband/rdma_cm"
	check
	says warn rdma-cm "not the kernel's"
	rm "$ROOT/dev/infiniband/rdma_cm"
	check
	says warn rdma-cm missing
	mends rdma-cm 'modprobe rdma_ucm'
}

@test "uverbs: every state of the file" {
	connectx
	check
	says ok uverbs 'all 3'
	device infiniband/uverbs1 231 193 0660
	check
	ends_with 1
	says warn uverbs 'only for root' 'uverbs1 (mlx5_1)'
	mends uverbs 'chmod 0666'
	device infiniband/uverbs1 231 194
	check
	ends_with 2
	says fail uverbs "not the kernel's" uverbs1
	mends uverbs 'rm it' udevadm
	rm "$ROOT/dev/infiniband/uverbs1"
	check
	ends_with 2
	says fail uverbs 'no file' uverbs1
	mends uverbs udevadm
	check --device 0000:3b:00.2
	says fail uverbs uverbs1
	check --device 0000:3b:00.3
	says ok uverbs 'all 1'
}

@test "uverbs-holes: none" {
	connectx
	check
	says ok uverbs-holes '0 to 2'
}

@test "uverbs-holes: two, and more than nine devices" {
	local i
	pf 0000:3b:00.0 0x020000 mlx5_core ens1f0
	for i in 0 1 3 4 5 6 7 8 10 11 12; do
		vf 0000:3b:00.0 "$i" "0000:3b:01.$((i % 8))$i" mlx5_core
		away "pci/0000:3b:01.$((i % 8))$i" "mlx5_$i" "$i"
	done
	check
	ends_with 2
	says warn uverbs-holes 'renumbered: uverbs2, uverbs9'
	mends uverbs-holes 'device plugin'
}

@test "many subjects: a few on the line, all in the JSON" {
	local i
	pf 0000:3b:00.0 0x020000 mlx5_core ens1f0
	rdma pci/0000:3b:00.0 mlx5_0 0
	for i in {0..6}; do
		vf 0000:3b:00.0 "$i" "0000:3b:01.$i" ''
	done
	check
	says fail driver '0000:3b:01.0, 0000:3b:01.1, 0000:3b:01.2, 0000:3b:01.3 and 3 more'
	check --json
	[ "$(jq -c '.checks[]|select(.id == "driver").findings[0].subjects|length' <<<"$output")" = 7 ]
}

@test "a number of VFs that no card has ends" {
	connectx
	put sys/bus/pci/devices/0000:3b:00.0/sriov_numvfs 4294967295
	status=0
	timeout 60 "$NODE" check --root "$ROOT" >/dev/null 2>&1 || status=$?
	ends_with 0
	put sys/bus/pci/devices/0000:3b:00.0/sriov_numvfs 99999999999999999999
	check
	[ "$status" -lt 3 ]
	put sys/bus/pci/devices/0000:3b:00.0/sriov_numvfs -1
	check
	[ "$status" -lt 3 ]
}

# bats test_tags=unsanitized
@test "250 VFs take less than a second" {
	local i before address
	pf 0000:3b:00.0 0x020000 mlx5_core ens1f0
	rdma pci/0000:3b:00.0 mlx5_0 0
	for i in {0..249}; do
		printf -v address '0000:%02x:%02x.%x' $((0x40 + i / 128)) $((i / 8 % 16)) $((i % 8))
		vf 0000:3b:00.0 "$i" "$address" mlx5_core
		rdma "pci/$address" "mlx5_$((i + 1))" "$((i + 1))" Ethernet '1: DOWN'
	done
	processor
	before=$used
	check
	processor
	echo "$((used - before)) ms"
	ends_with 0
	says ok vfs '250, on 1'
	[ $((used - before)) -lt 1000 ]
	processor
	before=$used
	node_command show
	processor
	echo "$((used - before)) ms"
	[ "$(wc -l <<<"$output")" = 253 ]
	[ $((used - before)) -lt 1000 ]
}

# SPDX-License-Identifier: Apache-2.0
# rdma-node show: the map, as far as files tell; test/vm/node.bats has what is in namespaces.

load lib

show_map() { node_command show "$@"; }

# has_line WORD...: one line of these words.
has_line() {
	local line want="$*"
	while read -ra line; do
		[ "${line[*]}" != "$want" ] || return 0
	done <<<"$output"
	echo "no line: $want"
	show
	return 1
}

@test "a PF, its VFs behind it in their order, where each device is" {
	connectx
	mkdir -p "$ROOT/sys/bus/pci/devices/0000:3b:00.2/net/ens1f0v0"
	vf 0000:3b:00.0 2 0000:3a:00.1 ''
	pf 0000:5e:00.0 0x020700 mlx5_core ibs2
	rdma pci/0000:5e:00.0 mlx5_3 3 InfiniBand '2: INIT'
	show_map
	ends_with 0
	[ -z "$log" ]
	[ "$(sed 1q <<<"$output")" = 'netns mode exclusive' ]
	has_line FUNCTION DRIVER NETDEV RDMA PORT UVERBS WHERE
	has_line 0000:3b:00.0 mlx5_core ens1f0 mlx5_0 1 ACTIVE Ethernet uverbs0 host
	has_line 0000:3b:00.2 mlx5_core ens1f0v0 mlx5_1 1 DOWN Ethernet uverbs1 host
	has_line 0000:3b:00.3 mlx5_core - mlx5_2 - uverbs2 another namespace
	has_line 0000:3a:00.1 - - - - - -
	has_line 0000:5e:00.0 mlx5_core ibs2 mlx5_3 1 INIT InfiniBand uverbs3 host
	[ "$(sed -n '3,$s/^\( *[^ ]*\) .*/\1/p' <<<"$output" | tr '\n' '|')" = \
		'0000:3b:00.0|  0000:3b:00.2|  0000:3b:00.3|  0000:3a:00.1|0000:5e:00.0|' ]
}

@test "the columns stand below each other" {
	connectx
	show_map
	[ "$(sed 1d <<<"$output" | grep -ob -E '(WHERE|host|another)' | wc -l)" = 4 ]
	[ "$(sed 1d <<<"$output" | awk '{ print match($0, /WHERE|host|another/) }' | sort -u | wc -l)" = 1 ]
}

@test "whose a device is that is in a pod" {
	connectx
	entry net-c1-net1
	show_map
	has_line 0000:3b:00.3 mlx5_core - mlx5_2 - uverbs2 another namespace: pod ns/training-0, \
		network net, container c1, interface net1
	[[ $output != *'!'* ]]
}

@test "an attachment without a pod, and one of the Go plugin" {
	connectx
	entry net-c1-net1 '{podName: null} | del(.podName)'
	show_map
	[[ $output == *'another namespace: network net, container c1'* ]] || { show && false; }
	entry net-c1-net1 '{} | del(.network, .containerID, .ifname, .podName, .podNamespace)'
	show_map
	[[ $output == *'another namespace: an attachment of the Go rdma-cni'* ]] || { show && false; }
}

@test "what is stale or contradictory is marked" {
	connectx
	entry net-c1-net1 '{bootID: "00000000-0000-4000-8000-000000000000"}'
	show_map
	ends_with 0
	has_line ! stale attachment, made before the last boot: net-c1-net1
	entry net-c2-net1 '{containerID: "c2"}'
	show_map
	[[ $output != *stale* && $output == *'container c2'* ]] || { show && false; }
	entry net-c3-net1 '{containerID: "c3"}'
	show_map
	has_line ! another attachment claims it too: net-c3-net1
}

@test "an attachment whose function is gone" {
	connectx
	entry net-c9-net1 '{containerID: "c9", deviceID: "0000:3b:01.7"}'
	mkdir -p "$ROOT/sys/class/infiniband/rxe0/ports/1"
	show_map
	ends_with 0
	has_line - - - - - - -: pod ns/training-0, network net, container c9, interface net1
	has_line ! its function is gone: 0000:3b:01.7
	show_map --json
	jq -e '.map | length == 5 and (.[3:] | map(has("function")) == [false, false]) and
		any(.attachment.containerID == "c9" and .devices == [] and
			.marks == ["its function is gone: 0000:3b:01.7"])' <<<"$output"
	show_map --device 0000:3b:00.3
	[[ $output != *c9* ]]
	check
	says skip attachments 'whether the pods of '
	# One that is there, but has nothing to do with RDMA any more, is not gone.
	mkdir -p "$ROOT/sys/bus/pci/devices/0000:3b:01.7"
	show_map
	[[ $output != *gone* ]]
}

@test "two devices on one function, one of no function" {
	connectx
	mkdir -p "$ROOT/sys/bus/pci/devices/0000:3b:00.2/infiniband/mlx5_9"
	rdma pci/0000:3b:00.2 mlx5_9 9
	mkdir -p "$ROOT/sys/class/infiniband/rxe0/ports/1"
	show_map
	[ "$(grep -c 0000:3b:00.2 <<<"$output")" = 1 ]
	has_line mlx5_core - mlx5_9 1 ACTIVE Ethernet uverbs9 host
	[[ $(tail -n 1 <<<"$output") =~ ^-\ +-\ +-\ +rxe0\  ]]
	show_map --device 0000:3b:00.3
	[ "$(wc -l <<<"$output")" = 3 ]
}

@test "scalable functions" {
	sf mlx5_core.sf.4
	rdma auxiliary/mlx5_core.sf.4 mlx5_3 0
	show_map
	has_line mlx5_core.sf.4 mlx5_core.sf - mlx5_3 1 ACTIVE Ethernet uverbs0 host
}

@test "nothing to show" {
	show_map
	ends_with 0
	[[ $output == *'no functions for RDMA'* ]]
	rm -r "${ROOT:?}"/sys/{module,class,bus}
	show_map
	ends_with 0
	[ "$(sed 1q <<<"$output")" = 'no RDMA network namespaces' ]
	show_map --json
	[ "$(jq -c '[.mode, .map]' <<<"$output")" = '["none",[]]' ]
}

@test "mode shared is said" {
	connectx
	put sys/module/ib_core/parameters/netns_mode Y
	show_map
	[[ $(sed 1q <<<"$output") == 'netns mode shared'* ]]
	show_map --json
	[ "$(jq -r .mode <<<"$output")" = shared ]
}

@test "--json: the documented document" {
	connectx
	entry net-c1-net1
	show_map --json
	ends_with 0
	jq -e 'keys_unsorted == ["version", "mode", "map"] and (.map | length == 3) and
		(.map | all((keys - ["function", "pf", "vf", "driver", "netdevs", "attachment"] | sort)
			== ["devices", "marks"]))' <<<"$output"
	[ "$(jq -c '.map[0]' <<<"$output")" = '{"function":"0000:3b:00.0","driver":"mlx5_core",'\
'"netdevs":["ens1f0"],"devices":[{"name":"mlx5_0","ports":[{"number":"1","state":"ACTIVE",'\
'"linkLayer":"Ethernet"}],"uverbs":"uverbs0","where":"host"}],"marks":[]}' ]
	[ "$(jq -c '.map[2]' <<<"$output")" = '{"function":"0000:3b:00.3","pf":"0000:3b:00.0","vf":1,'\
'"driver":"mlx5_core","netdevs":[],"devices":[{"name":"mlx5_2","ports":[],"uverbs":"uverbs2",'\
'"where":"unknown"}],"attachment":{"file":"net-c1-net1","state":"unknown","network":"net",'\
'"containerID":"c1","ifname":"net1","podNamespace":"ns","podName":"training-0"},"marks":[]}' ]
}

@test "--help, bad options, a tree that is none" {
	node_command show --help
	ends_with 0
	[[ $output == *--device*--json*--root* ]]
	node_command show --nonsense
	ends_with 3
	node_command show extra
	ends_with 3
	[[ $log == *"rdma-node show: unexpected argument 'extra'"* ]]
	"$NODE" show --root "$BATS_TEST_TMPDIR/none" 2>"$LOG" || status=$?
	ends_with 3
	[ "$(wc -l <"$LOG")" = 1 ]
}

@test "hostile names do not reach the terminal, and are JSON all the same" {
	local escape=$'\033' csi=$'\302\233' name
	connectx
	# A control character of two bytes starts a sequence as well; a byte that is no UTF-8 is no JSON.
	for name in $'\033[2Jx' $'\302\2332Jx' $'\n! x' $'\377"\\'; do
		entry net-c1-net1 "$(jq -nr --arg name "$(iconv -c -t UTF-8 <<<"$name")" \
			'{podName: $name, podNamespace: $name} | tojson')"
		put "sys/class/infiniband/mlx5_0/ports/1/state" "4: $name"
		put "sys/class/infiniband/mlx5_0/ports/1/link_layer" "$name"
		lead sys/bus/pci/devices/0000:3b:00.0/driver "../$name"
		mkdir -p "$ROOT/sys/bus/pci/devices/0000:3b:00.0/net/$name"
		show_map
		ends_with 0
		[[ $output != *"$escape"* && $output != *"$csi"* ]] || { show && false; }
		[[ $output != *$'\n! x'* ]] || { show && false; }
		iconv -f UTF-8 <<<"$output" >/dev/null
		show_map --json
		jq -e '.map | length == 3' <<<"$output" || { show && false; }
		rm -r "$ROOT/sys/bus/pci/devices/0000:3b:00.0/net/$name"
	done
}

@test "states that are no entries: deep, huge, of wrong types, binary" {
	local state=$ROOT/var/lib/cni/rdma
	connectx
	head -c 3000 /dev/zero | tr '\0' '[' >"$state/deep"
	head -c 3000000 /dev/zero | tr '\0' 'x' >"$state/huge"
	truncate -s 1T "$state/hole"
	head -c 5000 /dev/urandom >"$state/binary"
	: >"$state/empty"
	mkfifo "$state/fifo"
	mkdir "$state/directory"
	ln -s /etc/passwd "$state/link"
	entry types '{network: 7, containerID: [], podName: {}, netnsInode: -1, devices: "x"}'
	entry function '{deviceID: "../../../etc"}'
	for command in check show; do
		for option in '' --json; do
			# shellcheck disable=SC2086 # or none
			node_command $command $option
			[ "$status" -lt 3 ] || { show && false; }
			[ -z "$log" ]
			[ -z "$option" ] || jq -e . <<<"$output" >/dev/null
		done
	done
}

# SPDX-License-Identifier: Apache-2.0
# rdma-node prepare: the netns mode, who keeps it from changing, MAC addresses.

load lib

NODE=$BATS_TEST_DIRNAME/../../build/bin/rdma-node
FILE=/etc/modprobe.d/ib_core.conf

prepare() {
	status=0
	output=$("$NODE" prepare "$@" 2>"$BATS_TEST_TMPDIR/log") || status=$?
	log=$(<"$BATS_TEST_TMPDIR/log")
}

# ends_with STATUS [TEXT...]: on standard output.
ends_with() {
	local text
	[ "$status" = "$1" ] || { show && false; }
	for text in "${@:2}"; do
		[[ $output == *"$text"* ]] || { echo "missing: $text" && show && false; }
	done
}

complains() {
	local text
	for text in "$@"; do
		[[ $log == *"$text"* ]] || { echo "missing: $text" && show && false; }
	done
}

mode() { rdma system show netns | sed 's/.*netns \([a-z]*\).*/\1/'; }
mode_is() { [ "$(mode)" = "$1" ]; }

macs() { ip link show "$PF" | sed -n 's/^ *vf [0-9]* .*link\/ether \([0-9a-f:]*\) .*/\1/p'; }

setup_file() {
	make_vfs
	[ -s /etc/machine-id ] || echo 0123456789abcdef0123456789abcdef >/etc/machine-id
}

teardown() {
	local i
	[ -z "${sleeper-}" ] || kill "$sleeper"
	[ -z "${keeper-}" ] || kill "$keeper"
	[ -z "${held-}" ] || exec {held}<&-
	rm -f "$FILE" /etc/modprobe.d/other.conf
	for i in "${!VF[@]}"; do
		ip link set "$PF" vf "$i" mac 00:00:00:00:00:00
	done
	reset_node
	until_true 20 'the mode of the other cases' exclusive_again
	until_true 20 'drivers of the VFs' vfs_have_drivers
	restore_devices
}

exclusive_again() { mode_is exclusive || rdma system set netns exclusive; }

@test "the mode: there and back, and a second run changes nothing" {
	prepare --mode exclusive
	ends_with 0 'exclusive already'
	# Namespaces of other cases may still be on their way out.
	until_true 20 'the kernel to agree' switch_to shared
	ends_with 0 'from exclusive to shared'
	mode_is shared
	prepare --mode shared
	ends_with 0 'shared already'
	prepare --mode exclusive
	ends_with 0 'from shared to exclusive'
	mode_is exclusive
}

switch_to() {
	prepare --mode "$1"
	[ "$status" = 0 ]
}

@test "the mode: refused, and all kinds of holders are told" {
	local program=$BATS_TEST_TMPDIR/$'\033[2Jx'
	ip netns add named
	ip netns add held
	exec {held}</run/netns/held
	ip netns del held
	# A container chooses the name of its processes.
	cp "$(type -P sleep)" "$program"
	unshare --net "$program" 300 {held}<&- 3>&- 4>&- &
	sleeper=$!
	until_true 20 'the process in its namespace' left_ours net "$sleeper"
	ip netns add elsewhere
	unshare --mount sleep 300 {held}<&- 3>&- 4>&- &
	keeper=$!
	until_true 20 'the process with its mounts' left_ours mnt "$keeper"
	umount /run/netns/elsewhere
	prepare --mode shared
	ends_with 2 'from exclusive to shared'
	complains 'network namespaces exist' "process $sleeper (?[2Jx" 'mounted on /run/netns/named' \
		"open in process $BASHPID" "mounted on /run/netns/elsewhere, as seen by process $keeper (sleep"
	[ "$(grep -c '/run/netns/named' <<<"$log")" = 1 ]
	[[ $log != *$'\033'* ]]
	mode_is exclusive
}

left_ours() { [ "$(readlink "/proc/$2/ns/$1")" != "$(readlink "/proc/self/ns/$1")" ]; }

@test "--dry-run tells, and does nothing" {
	prepare --dry-run --mode shared --persist --vf-macs --rebind
	ends_with 0 'from exclusive to shared' "$FILE" "ip link set $PF vf 0 mac" \
		"unbind and bind ${VF[0]}"
	mode_is exclusive
	[ ! -e "$FILE" ]
	[ "$(macs | sort -u)" = 00:00:00:00:00:00 ]
}

@test "--persist: what check then reads, and a second run changes nothing" {
	local before
	prepare --mode exclusive --persist
	ends_with 0 "$FILE" initramfs
	[ "$(<"$FILE")" = 'options ib_core netns_mode=0' ]
	[ "$(stat -c %a "$FILE")" = 644 ]
	"$NODE" check | grep -qE "^ok +mode-boot +exclusive \($FILE\)"
	modprobe -c | grep -qx 'options ib_core netns_mode=0'
	before=$(stat -c '%i %Z' "$FILE")
	prepare --mode exclusive --persist
	ends_with 0 'next boot is exclusive already'
	[ "$(stat -c '%i %Z' "$FILE")" = "$before" ]
}

@test "--persist: the own file is changed, another one is not" {
	echo 'options ib_core netns_mode=1' >"$FILE"
	prepare --mode exclusive --persist
	ends_with 0
	[ "$(<"$FILE")" = 'options ib_core netns_mode=0' ]
	rm "$FILE"
	echo 'options ib_core netns_mode=1' >/etc/modprobe.d/other.conf
	prepare --mode exclusive --persist
	ends_with 2
	complains /etc/modprobe.d/other.conf
	[ ! -e "$FILE" ]
}

@test "--vf-macs: locally administered, one for each, the same again" {
	local first
	prepare --vf-macs
	ends_with 0 "ip link set $PF vf 0 mac " "ip link set $PF vf 6 mac "
	first=$(macs)
	[ "$(sort -u <<<"$first" | wc -l)" = 7 ]
	[ "$(grep -c '^.[26ae]:' <<<"$first")" = 7 ]
	prepare --vf-macs
	ends_with 0 'no VF lacks'
	for i in "${!VF[@]}"; do
		ip link set "$PF" vf "$i" mac 00:00:00:00:00:00
	done
	prepare --vf-macs
	[ "$(macs)" = "$first" ]
	"$NODE" check | grep -qE '^ok +vf-mac '
}

@test "--vf-macs: an address that is set stays, a VF in a pod is left alone" {
	# Each driver that starts anew takes two seconds here: most VFs have an address.
	for i in 1 3 4 5 6; do
		ip link set "$PF" vf "$i" mac "02:00:00:00:00:0$i"
	done
	pod a
	rdma dev set mlx5_2 netns a
	prepare --vf-macs --rebind
	ends_with 0 "leave ${VF[2]} alone"
	[ "$(macs | sed -n 2p)" = 02:00:00:00:00:01 ]
	[ "$(macs | sed -n 3p)" = 00:00:00:00:00:00 ]
	[[ $output != *"bind ${VF[1]} "* && $output != *"bind ${VF[2]} "* ]]
	is_at mlx5_2 a
}

@test "--rebind: the driver starts anew" {
	local before
	before=$(cat "/sys/bus/pci/devices/${VF[0]}"/net/*/ifindex)
	prepare --vf-macs
	prepare --vf-macs --rebind
	ends_with 0 'no VF lacks'
	[ "$(cat "/sys/bus/pci/devices/${VF[0]}"/net/*/ifindex)" = "$before" ]
	ip link set "$PF" vf 0 mac 00:00:00:00:00:00
	prepare --vf-macs --rebind
	ends_with 0 "unbind and bind ${VF[0]} (igbvf)"
	until_true 20 'the driver' test -e "/sys/bus/pci/devices/${VF[0]}/net"
	[ "$(cat "/sys/bus/pci/devices/${VF[0]}"/net/*/ifindex)" != "$before" ]
}

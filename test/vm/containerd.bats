# SPDX-License-Identifier: Apache-2.0
# vm: part=runtimes
# Containerd by `ctr run --cni`, which looks for plugins in /opt/cni/bin and takes the first network of
# /etc/cni/net.d: each ctr has a mount namespace in which that is another one. It undoes the network
# when the container's namespace is gone, and host-device gives no address back then: there are none.

load runtimes

ROOT=/run/busybox

prepare() {
	local i
	mkdir -p "$ROOT" /run/ctr /opt/cni /var/lib/containerd
	tar -xf /run/busybox.tar -C "$ROOT"
	rm -rf /opt/cni/bin
	ln -s /usr/lib/cni /opt/cni/bin
	for i in "${!VF[@]}"; do
		mkdir -p "/run/networks/rdma-$i"
		jq 'del(.plugins[0].ipam)' "$NETWORKS/rdma-$i.conflist" >"/run/networks/rdma-$i/rdma.conflist"
	done
	mount -t tmpfs containerd /var/lib/containerd
	containerd >/run/containerd.log 2>&1 3>&- 4>&- &
	echo $! >/run/containerd.pid
	until_true 60 'an answer of containerd' answers
}

# bats waits for whatever it has started.
teardown_file() { kill "$(</run/containerd.pid)"; }

answers() { ctr version >/dev/null 2>&1; }

start() {
	local name=$1 network=$2 run=(ctr run --rm)
	if [ "$network" != none ]; then
		# shellcheck disable=SC2016 # the inner shell's
		run=(unshare --mount sh -c 'mount --bind "$0" /etc/cni/net.d && exec "$@"'
			"/run/networks/$network" "${run[@]}" --cni)
	fi
	"${run[@]}" --device "/dev/infiniband/$3" --rootfs "$ROOT" "$name" "${SLEEPER[@]}" \
		</dev/null >"/run/ctr/$name.log" 2>&1 3>&- 4>&- &
	echo $! >"/run/ctr/$name"
	until_true 30 "$name running" is_running "$name" || { cat "/run/ctr/$name.log" && return 1; }
}

is_running() { ctr task ls | grep -q "^$1 .*RUNNING"; }

# What undoes the network is the ctr that made it.
has_ended() { ! kill -0 "$(<"/run/ctr/$1")" 2>/dev/null; }
ended() { until_true 30 "the end of $1" has_ended "$1" || { cat "/run/ctr/$1.log" && return 1; }; }

inside() {
	local name=$1
	shift
	ctr task exec --exec-id "exec-$BASHPID-$RANDOM" "$name" /bin/busybox "$@" 3>&-
}

containers() { ctr container ls --quiet; }

stop() { ctr task kill "$1" && ended "$1"; }

kill_hard() {
	kill -9 "$(ctr task ls | awk -v name="$1" '$1 == name { print $2 }')"
	ended "$1"
}

remove() {
	ctr task kill --signal KILL "$1"
	ended "$1"
}

run_image() {
	local file=$1 name
	shift
	name=$(ctr image import --snapshotter native --base-name rdma-cni "$file" 3>&- | sed -n 's/^unpacking \(\S*\) .*/\1/p')
	ctr run --rm --snapshotter native "$name" image "$@" 3>&-
}

@test "containerd: a container has its RDMA device, alone, and another can't open it" { case_alone; }

@test "containerd: stop, kill -9 and kill return everything" { case_ends; }

@test "containerd: ten containers one after another on one VF" { case_ten; }

@test "containerd: seven containers at once" { case_seven; }

@test "containerd: the image of the release runs" { case_image; }

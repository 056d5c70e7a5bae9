# SPDX-License-Identifier: Apache-2.0
# vm: part=runtimes
# Podman with its CNI back end, which podman 5 has no more.

load runtimes

export CONTAINERS_CONF=/run/containers.conf CONTAINERS_STORAGE_CONF=/run/storage.conf

prepare() {
	cat >"$CONTAINERS_CONF" <<-END
		[network]
		network_backend = "cni"
		network_config_dir = "$NETWORKS"
		cni_plugin_dirs = ["/usr/lib/cni"]
		[engine]
		cgroup_manager = "cgroupfs"
		events_logger = "none"
		[containers]
		log_driver = "none"
	END
	cat >"$CONTAINERS_STORAGE_CONF" <<-END
		[storage]
		driver = "vfs"
		runroot = "/run/podman"
		graphroot = "/var/lib/podman"
	END
	mkdir -p /var/lib/podman
	mount -t tmpfs podman /var/lib/podman
	podman import --quiet /run/busybox.tar busybox 3>&-
}

start() {
	podman run --quiet --detach --name "$1" --network "$2" --device "/dev/infiniband/$3" \
		localhost/busybox "${SLEEPER[@]}" 3>&- >/dev/null
}

inside() {
	local name=$1
	shift
	podman exec "$name" /bin/busybox "$@" 3>&-
}

containers() { podman ps --all --format '{{.Names}}' 3>&-; }

stop() { podman stop "$1" 3>&- >/dev/null && podman rm "$1" 3>&- >/dev/null; }

# Its process, by somebody who does not ask podman; podman finds out.
kill_hard() {
	kill -9 "$(podman inspect --format '{{.State.Pid}}' "$1" 3>&-)"
	podman wait "$1" 3>&- >/dev/null
	podman rm "$1" 3>&- >/dev/null
}

remove() { podman rm --force --time 0 "$1" 3>&- >/dev/null; }

run_image() {
	local file=$1 id
	shift
	id=$(podman pull --quiet "oci-archive:$file" 3>&-)
	podman run --rm --network none "$id" "$@" 3>&-
}

@test "podman: a container has its RDMA device, alone, and another can't open it" { case_alone; }

@test "podman: stop, kill -9 and rm return everything" { case_ends; }

@test "podman: ten containers one after another on one VF" { case_ten; }

@test "podman: seven containers at once" { case_seven; }

@test "podman: the image of the release runs" { case_image; }

# As the DaemonSet's containers (scripts/deploy/base/daemonset.yaml).
in_image() {
	podman run --rm --network none --read-only --cap-drop all \
		--security-opt no-new-privileges "$@" 3>&-
}

@test "podman: the image installs its plugin, and tells whether it is ready" {
	local id bin=/run/host-cni-bin
	id=$(podman pull --quiet "oci-archive:$(echo "$PACKAGES"/*.oci.tar)" 3>&-)
	mkdir "$bin"
	in_image --volume "$bin:/host/cni-bin" "$id" /rdma-node install --to /host/cni-bin
	cmp /usr/lib/cni/rdma "$bin/rdma"
	run in_image --user 65535 --volume "$bin:/host/cni-bin:ro" "$id" \
		/rdma-node status --in /host/cni-bin --data-dir /dev/shm/rdma
	[ "$status" = 0 ]
	[[ $output == *ready ]]
	run ! in_image --user 65535 --volume "$bin:/host/cni-bin:ro" "$id" \
		/rdma-node install --to /host/cni-bin --from /rdma-node
	cmp /usr/lib/cni/rdma "$bin/rdma"
}

# SPDX-License-Identifier: Apache-2.0
# rdma-node check: the plugin, what it left, and what starts the pods.

load lib

@test "plugin: of this version" {
	check
	says ok plugin /opt/cni/bin/rdma "$("$NODE" --version | sed 's/.* //')"
}

@test "plugin: the shipped executable tells its version" {
	cp "$BATS_TEST_DIRNAME/../../build/bin/rdma" "$ROOT/opt/cni/bin/rdma"
	check
	grep -qE '^(ok|warn) +plugin +/opt/cni/bin/rdma' <<<"$output"
	says '(ok|warn)' plugin "$("$BATS_TEST_DIRNAME/../../build/bin/rdma" --version | sed 's/.* //')"
}

@test "plugin: another version" {
	printf 'ELF\0rdma 0.0.1: CNI plugin that moves the RDMA device of a pod\n\0' \
		>"$ROOT/opt/cni/bin/rdma"
	check
	ends_with 1
	says warn plugin 0.0.1 ', and this program '
	mends plugin 'rdma-node install --to /opt/cni/bin'
}

@test "plugin: the Go one, of either name" {
	local name
	for name in k8snetworkplumbingwg Mellanox; do
		printf 'ELF\0path\tgithub.com/%s/rdma-cni/cmd/rdma\n' "$name" >"$ROOT/opt/cni/bin/rdma"
		check
		ends_with 1
		says warn plugin ' is the Go rdma-cni'
		mends plugin 'rdma-node install --to /opt/cni/bin'
	done
}

@test "plugin: something else, an empty file" {
	echo '#!/bin/sh' >"$ROOT/opt/cni/bin/rdma"
	check
	ends_with 1
	says warn plugin 'not known'
	mends plugin 'rdma-node install --to /opt/cni/bin'
	: >"$ROOT/opt/cni/bin/rdma"
	check
	says warn plugin 'not known'
}

@test "plugin: not executable" {
	chmod 0644 "$ROOT/opt/cni/bin/rdma"
	check
	ends_with 2
	says fail plugin 'not executable'
	mends plugin 'chmod 0755'
}

@test "plugin: not installed" {
	rm "$ROOT/opt/cni/bin/rdma"
	check
	ends_with 2
	says fail plugin 'not installed'
	mends plugin 'rdma-node install --to /opt/cni/bin'
	rm -r "$ROOT/opt/cni"
	check
	mends plugin 'rdma-node install --to /opt/cni/bin, which is to be made first'
}

@test "plugin: where distributions put it, beside an empty or foreign /opt/cni/bin" {
	mkdir -p "$ROOT/usr/lib/cni"
	mv "$ROOT/opt/cni/bin"/* "$ROOT/usr/lib/cni"
	check
	says ok plugin /usr/lib/cni/rdma
	touch "$ROOT/opt/cni/bin/loopback"
	check
	says ok plugin /usr/lib/cni/rdma
	says ok cni-plugins /usr/lib/cni
}

@test "plugin, cni-plugins: what only root may read" {
	chmod 0700 "$ROOT/opt/cni/bin/rdma"
	check_as_nobody
	says skip plugin 'only root may read /opt/cni/bin/rdma'
	says ok cni-plugins
	chmod 0700 "$ROOT/opt/cni/bin"
	check_as_nobody
	says skip plugin 'only root may read /opt/cni/bin/rdma'
	says skip cni-plugins 'only root may look into /opt/cni/bin'
	check
	says ok plugin
}

@test "cni-plugins: Multus and sriov, by all their names" {
	check
	says ok cni-plugins
	mv "$ROOT/opt/cni/bin/multus" "$ROOT/opt/cni/bin/multus-shim"
	mv "$ROOT/opt/cni/bin/sriov" "$ROOT/opt/cni/bin/ib-sriov"
	check
	says ok cni-plugins
}

@test "cni-plugins: one is missing" {
	local name
	for name in multus sriov; do
		rm "$ROOT/opt/cni/bin/$name"
		check
		ends_with 1
		says warn cni-plugins "not in /opt/cni/bin: $name"
		mends cni-plugins 'install them'
		touch "$ROOT/opt/cni/bin/$name"
	done
	rm -r "$ROOT/opt/cni"
	check
	says warn cni-plugins 'a directory for CNI plugins: multus, sriov'
}

@test "state-dir: usable, also before it exists" {
	check
	says ok state-dir '0 attachments'
	rm -r "$ROOT/var/lib/cni"
	check
	says ok state-dir
}

@test "state-dir: others can write to it" {
	chmod 0777 "$ROOT/var/lib/cni/rdma"
	check
	ends_with 2
	says fail state-dir 'mode 777'
	mends state-dir 'chmod 0700'
	says skip attachments
}

@test "state-dir: no directory, a link" {
	rm -r "$ROOT/var/lib/cni/rdma"
	touch "$ROOT/var/lib/cni/rdma"
	check
	ends_with 2
	says fail state-dir
	mends state-dir directory
	rm "$ROOT/var/lib/cni/rdma"
	ln -s /tmp "$ROOT/var/lib/cni/rdma"
	check
	says fail state-dir
}

@test "attachments: none" {
	check
	says ok attachments
}

@test "attachments: of another boot" {
	entry net-c1-net1 '{bootID: "00000000-0000-4000-8000-000000000000"}'
	check
	ends_with 1
	says ok state-dir '1 attachments'
	says warn attachments 'last boot: net-c1-net1'
	mends attachments 'rdma-node release --stale'
}

@test "attachments: of this boot, in a tree that has no running kernel" {
	entry net-c1-net1
	check
	ends_with 0
	says skip attachments 'whether the pods of ' '1 attachments'
}

@test "attachments: what is none" {
	put var/lib/cni/rdma/net-c1-net1 '{'
	check
	ends_with 1
	says warn attachments 'no attachment can be read from: net-c1-net1'
	mends attachments rm
}

@test "lost-devices: only the running kernel knows" {
	check
	says skip lost-devices kernel
}

@test "memlock: no runtime" {
	check
	says skip memlock
}

@test "memlock: every runtime without a limit" {
	local name
	for name in containerd crio dockerd k3s-server k3s-agent; do
		process 712 "$name" unlimited
		check
		ends_with 0
		says ok memlock "$name" 712
	done
}

@test "memlock: a limit, and nothing in the unit" {
	process 712 containerd 8388608
	process 713 crio unlimited
	check
	ends_with 1
	says warn memlock containerd 712 '8192 KiB'
	says ok memlock crio
	mends memlock LimitMEMLOCK=infinity /etc/systemd/system/containerd.service.d
}

@test "memlock: a limit that the unit has lifted since" {
	local file
	process 712 containerd 8388608
	for file in {etc,run,usr/lib,lib}/systemd/system/containerd.service{,.d/memlock.conf}; do
		put "$file" $'[Service]\nLimitMEMLOCK=infinity'
		check
		says warn memlock '8192 KiB'
		mends memlock 'systemctl restart containerd.service'
		rm "$ROOT/$file"
	done
}

@test "memlock: which of the unit's files counts" {
	process 712 containerd 8388608
	put usr/lib/systemd/system/containerd.service $'[Service]\nLimitMEMLOCK=infinity'
	put etc/systemd/system/containerd.service.d/low.conf $'[Service]\nLimitMEMLOCK=1M'
	check
	mends memlock memlock.conf
	put etc/systemd/system/containerd.service.d/upper.conf $'[Service]\nLimitMEMLOCK=infinity'
	check
	mends memlock 'systemctl restart'
}

@test "memlock: the unit is the one that the runtime is in" {
	process 712 containerd 8388608
	put proc/712/cgroup '0::/system.slice/k3s.service'
	check
	mends memlock /etc/systemd/system/k3s.service.d 'restart k3s.service'
	put etc/systemd/system/k3s.service $'[Service]\nLimitMEMLOCK=infinity'
	check
	mends memlock 'systemctl restart k3s.service'
	# Version 1 has a line for each hierarchy, and not all are systemd's.
	put proc/712/cgroup $'12:rdma:/\n11:cpu:/system.slice\n1:name=systemd:/system.slice/rke2-server.service'
	check
	mends memlock 'restart rke2-server.service'
	put proc/712/cgroup '0::/machine.slice/docker-1234.scope'
	check
	mends memlock 'restart containerd.service'
	put proc/712/cgroup 'nonsense'
	check
	mends memlock 'restart containerd.service'
}

@test "memlock: limits that can't be read" {
	process 712 containerd
	check
	ends_with 0
	says skip memlock 'the limits of ' containerd
	put proc/712/limits 'nonsense'
	check
	says skip memlock containerd
}

# SPDX-License-Identifier: Apache-2.0
# rdma-node check: the kernel, its modules, the network namespace mode.

load lib

# modules NAME...: those that depmod knows of this kernel, with the names in $BUILT_IN built in.
modules() {
	local name directory=$ROOT/lib/modules/$RELEASE
	mkdir -p "$directory/kernel"
	for name in "$@"; do
		# An object without any symbol is a module as far as depmod looks.
		printf '' | gcc -x c -c -o "$directory/kernel/$name.ko" -
	done
	for name in $BUILT_IN; do
		echo "kernel/$name.ko"
	done >"$directory/modules.builtin"
	touch "$directory/modules.order"
	/sbin/depmod -b "$ROOT" "$RELEASE"
}

@test "rdma-netns: a kernel that knows them" {
	check
	says ok rdma-netns "$RELEASE"
}

@test "rdma-netns: a kernel before 5.3" {
	rm -r "$ROOT/sys/module/ib_core/parameters"
	check
	ends_with 2
	says fail rdma-netns "$RELEASE" 'no RDMA network namespaces'
	mends rdma-netns 5.3
	says skip mode
	says skip mode-boot 'there is none'
}

@test "rdma-netns: a kernel without RDMA is said in a line, and nothing crashes" {
	rm -r "${ROOT:?}"/{dev,sys/module,sys/class,sys/bus}
	check
	ends_with 2
	[ -z "$log" ]
	says fail rdma-netns ib_core
	mends rdma-netns 'modprobe ib_core'
	for id in mode mode-boot vfs driver rdma-device vf-mac vf-guid node-guid names ports uverbs \
		uverbs-holes; do
		says skip "$id"
	done
}

@test "modules: all are loaded" {
	check
	says ok modules
}

@test "modules: there, but not loaded" {
	rm -r "$ROOT"/sys/module/{ib_uverbs,rdma_ucm}
	modules ib_core ib_uverbs rdma_cm rdma_ucm
	check
	ends_with 2
	says fail modules 'not loaded' ib_uverbs
	says warn modules 'not loaded' rdma_ucm
	mends modules 'modprobe ib_uverbs'
	mends modules 'modprobe rdma_ucm'
}

@test "modules: not there at all" {
	rm -r "$ROOT"/sys/module/{ib_uverbs,rdma_ucm}
	modules ib_core
	check
	says fail modules neither ib_uverbs
	says warn modules neither rdma_ucm
	mends modules modules-extra
}

@test "modules: built in ones need not be loaded" {
	rm -r "$ROOT"/sys/module/{ib_uverbs,rdma_cm,rdma_ucm}
	BUILT_IN='ib_uverbs rdma_cm rdma_ucm' modules ib_core
	check
	says ok modules
}

@test "mode: exclusive" {
	check
	says ok mode exclusive
}

@test "mode: shared" {
	put sys/module/ib_core/parameters/netns_mode Y
	check
	ends_with 2
	says fail mode shared
	mends mode 'rdma-node prepare --mode exclusive'
}

@test "mode-boot: by the kernel command line" {
	check
	says ok mode-boot exclusive 'kernel command line'
}

@test "mode-boot: by each directory of modprobe.d" {
	put proc/cmdline quiet
	for directory in etc run usr/local/lib usr/lib lib; do
		put "$directory/modprobe.d/rdma.conf" 'options ib_core foo=1 netns_mode=0'
		check
		says ok mode-boot exclusive "/$directory/modprobe.d/rdma.conf"
		rm "$ROOT/$directory/modprobe.d/rdma.conf"
	done
}

@test "mode-boot: of equally named files the one in /etc counts" {
	put proc/cmdline quiet
	put usr/lib/modprobe.d/rdma.conf 'options ib_core netns_mode=0'
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=1'
	check
	says warn mode-boot 'shared (/etc/modprobe.d/rdma.conf), and it is ' exclusive
	mends mode-boot 'options ib_core netns_mode=0'
}

@test "mode-boot: the command line beats the file" {
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=1'
	check
	says ok mode-boot exclusive 'kernel command line'
}

@test "mode-boot: every spelling of a boolean" {
	for value in 0 n N no off; do
		put proc/cmdline "ib_core.netns_mode=$value"
		check
		says ok mode-boot exclusive
	done
	for value in 1 y Y yes on; do
		put proc/cmdline "ib_core.netns_mode=$value"
		check
		says warn mode-boot shared 'exclusive now'
	done
	put proc/cmdline ib_core.netns_mode
	check
	says warn mode-boot shared
}

@test "mode-boot: nothing says" {
	put proc/cmdline quiet
	check
	ends_with 1
	says warn mode-boot "shared (the kernel's default), and it is exclusive now"
	mends mode-boot 'options ib_core netns_mode=0' /etc/modprobe.d
}

@test "mode-boot: a value that is no boolean" {
	put proc/cmdline ib_core.netns_mode=exclusive
	check
	ends_with 2
	says fail mode-boot "'exclusive'"
	mends mode-boot netns_mode=0
	put proc/cmdline ib_core.netns_mode=
	check
	says fail mode-boot "''"
}

@test "mode-boot: exclusive then, shared now" {
	put sys/module/ib_core/parameters/netns_mode Y
	check
	says warn mode-boot exclusive 'shared now'
	mends mode-boot reboot initramfs
}

@test "mode-boot: an initramfs that is older than the file" {
	put proc/cmdline quiet
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=0'
	for image in initrd.img-$RELEASE initramfs-$RELEASE.img initrd-$RELEASE; do
		put "boot/$image" ''
		touch -d '1 hour ago' "$ROOT/boot/$image"
		check
		says warn mode-boot "/boot/$image" older
		mends mode-boot update-initramfs dracut
		touch -d '1 hour' "$ROOT/boot/$image"
		check
		says ok mode-boot exclusive
		rm "$ROOT/boot/$image"
	done
}

# loaded_before OLDER NEWER: as /proc/modules tells, whose first one was loaded last.
loaded_before() {
	put proc/modules "${1}_other 16384 0 - Live 0x0
$2 991232 1 - Live 0x0
$1 434176 1 ib_uverbs, Live 0x0"
}

@test "mode-boot: ib_core comes from an older initramfs, for certain" {
	put proc/cmdline quiet
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=0'
	put "boot/initrd.img-$RELEASE" ''
	touch -d '1 hour ago' "$ROOT/boot/initrd.img-$RELEASE"
	put proc/1/mountinfo '1 1 0:2 / / rw - rootfs rootfs rw
25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 25 8:2 / /home rw,relatime shared:1 - xfs /dev/sda2 rw'
	loaded_before ib_core ext4
	check
	says warn mode-boot 'but ib_core comes from the initramfs' "/boot/initrd.img-$RELEASE"
	mends mode-boot update-initramfs
	touch -d '1 hour' "$ROOT/boot/initrd.img-$RELEASE"
	check
	says ok mode-boot exclusive
}

@test "mode-boot: what does not tell where ib_core comes from" {
	local root newer older
	put proc/cmdline quiet
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=0'
	put "boot/initrd.img-$RELEASE" ''
	touch -d '1 hour ago' "$ROOT/boot/initrd.img-$RELEASE"
	# Loaded after the root's file system, before another one, before a container's root.
	while read -r root older newer; do
		put proc/1/mountinfo "25 1 8:1 / / rw,relatime shared:1 - $root /dev/sda1 rw"
		loaded_before "$older" "$newer"
		check
		says warn mode-boot 'but if ib_core is loaded from the initramfs'
	done <<-END
		ext4 ext4 ib_core
		xfs ib_core ext4
		overlay ib_core overlay
	END
	loaded_before ib_core ext4
	put proc/1/mountinfo nonsense
	check
	says warn mode-boot 'but if ib_core is loaded from the initramfs'
}

@test "mode-boot: a file does not count where ib_core is built in" {
	BUILT_IN=ib_core modules rdma_cm
	put proc/cmdline quiet
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=0'
	check
	says warn mode-boot 'built in' /etc/modprobe.d/rdma.conf
	mends mode-boot ib_core.netns_mode=0
}

@test "mode-boot: a file that only root may read" {
	put proc/cmdline quiet
	put etc/modprobe.d/rdma.conf 'options ib_core netns_mode=0'
	chmod 0600 "$ROOT/etc/modprobe.d/rdma.conf"
	check_as_nobody
	says skip mode-boot 'only root may read /etc/modprobe.d/rdma.conf'
	chmod 0700 "$ROOT/etc/modprobe.d"
	check_as_nobody
	says skip mode-boot 'only root may read /etc/modprobe.d'
	put proc/cmdline ib_core.netns_mode=0
	check_as_nobody
	says ok mode-boot exclusive
	check
	says ok mode-boot exclusive
}

@test "shared-plugin: none" {
	check
	says ok shared-plugin
}

@test "shared-plugin: one runs" {
	process 4711 k8s-rdma-shared
	check
	ends_with 2
	says fail shared-plugin 4711
	mends shared-plugin DaemonSet
}

@test "shared-plugin: its pod is on the node, though it ended at once" {
	mkdir -p "$ROOT"/var/log/pods/{kube-system_kube-proxy-x_1234,kube-system_rdma-shared-dp-ds-5z7gn_5678}
	check
	ends_with 1
	says warn shared-plugin 'a pod of a shared RDMA device plugin is on this node' rdma-shared-dp-ds-5z7gn
	mends shared-plugin DaemonSet
	process 4711 k8s-rdma-shared
	check
	says fail shared-plugin 4711
}

@test "shared-plugin: processes can't be seen" {
	rm -r "$ROOT/proc/1"
	check
	says skip shared-plugin
}

@test "driver-stack: no mlx5" {
	check
	says skip driver-stack mlx5_core
}

@test "driver-stack: the kernel's own" {
	connectx
	check
	says ok driver-stack own
	# What mlx5 of the kernel said until Linux 5.6.
	put sys/module/mlx5_core/version 5.0-0
	check
	says ok driver-stack own
	put sys/module/mlx5_ib/version 5.0-0
	check
	says ok driver-stack own
}

@test "driver-stack: MLNX_OFED or DOCA-OFED" {
	connectx
	put sys/module/mlx5_core/version 24.10-1.1.4
	put sys/module/mlx5_ib/version 24.10-1.1.4
	check
	says ok driver-stack 'MLNX_OFED or DOCA-OFED, mlx5_core 24.10-1.1.4'
}

@test "driver-stack: modules of two stacks" {
	connectx
	put sys/module/mlx5_core/version 24.10-1.1.4
	check
	ends_with 1
	says warn driver-stack 'mlx5_core is 24.10-1.1.4' ' and mlx5_ib is ' "the kernel's own"
	mends driver-stack initramfs
}

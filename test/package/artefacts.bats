# SPDX-License-Identifier: Apache-2.0
# What scripts/package makes, as its users get it.

load lib

setup_file() { "$BATS_TEST_DIRNAME/../../scripts/package" >"$BATS_FILE_TMPDIR/log" 2>&1; }

setup() {
	tarball=$(the "$OUT"/rdma-cni-*-linux-amd64.tar.gz)
	deb=$(the "$OUT"/rdma-cni_*_amd64.deb)
	image=$(the "$OUT"/rdma-cni-*-amd64.oci.tar)
	version=$(sed -n 's/^project(.* VERSION \([0-9.]*\) .*/\1/p' "$TOP/CMakeLists.txt")
}

# same_programs DIR: the executables of build/bin and nothing else.
same_programs() { diff -r "$TOP/build/bin" "$1"; }

# copy_tree DIR: the sources as they are now.
copy_tree() {
	mkdir -p "$1"
	(cd "$TOP" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$1")
}

# unpack_image DIR: what a container of it sees.
unpack_image() {
	local blobs=$BATS_TEST_TMPDIR/layout/blobs/sha256 manifest layer
	mkdir -p "$BATS_TEST_TMPDIR/layout" "$1"
	tar -xf "$image" -C "$BATS_TEST_TMPDIR/layout"
	manifest=$(jq -r '.manifests[].digest' "$BATS_TEST_TMPDIR/layout/index.json")
	for layer in $(jq -r '.layers[].digest' "$blobs/${manifest#sha256:}"); do
		tar -xzf "$blobs/${layer#sha256:}" -C "$1"
	done
}

@test "the version is the release's, with the day and the commit" {
	local commit day own
	commit=$(git -C "$TOP" rev-parse HEAD)
	day=$(date -ud "@$(git -C "$TOP" log -1 --format=%ct)" +%Y%m%d)
	own=$("$TOP/build/bin/rdma" --version)
	[ "${own%.changed}" = "rdma $version+$day.${commit:0:12}" ] || fail "$own"
	# "changed" is what git has not got.
	[ "$own" = "${own%.changed}" ] || ! git -C "$TOP" diff --quiet HEAD
}

@test "a tree that git exported has the same version, one without either that of the release" {
	local tree=$BATS_TEST_TMPDIR/tree own
	copy_tree "$tree"
	git -C "$TOP" archive HEAD scripts/config/commit | tar -x -C "$tree"
	configured() {
		cmake -S "$tree" -B "$tree/build/$1" >/dev/null
		sed -n 's/.*RDMA_CNI_VERSION=[\]*"\([^"\]*\).*/\1/p' "$tree/build/$1/CMakeFiles/rdma.dir/flags.make"
	}
	own=$("$TOP/build/bin/rdma" --version)
	own=${own%.changed}
	[ "$(configured exported)" = "${own#rdma }" ]
	[ "$(SOURCE_DATE_EPOCH=86400 configured early)" = "$version+19700102.${own##*.}" ]
	cp "$TOP/scripts/config/commit" "$tree/scripts/config/commit"
	[ "$(configured bare)" = "$version" ]
}

@test "the tarball has the executables, the manual pages and the licences" {
	mkdir "$BATS_TEST_TMPDIR/all"
	tar -xzf "$tarball" -C "$BATS_TEST_TMPDIR/all"
	cd "$BATS_TEST_TMPDIR/all/rdma-cni-$version"*
	same_programs bin
	[ "$(basename -a "$TOP"/cmd/*/*.8 | sort)" = "$(basename -a share/man/man8/* | sort)" ]
	cmp "$TOP/cmd/rdma-node/rdma-node.bash-completion" share/bash-completion/completions/rdma-node
	[ -s README.md ] && [ -s LICENSE ] && [ -s copyright ]
	[ "$(tar -tvzf "$tarball" | awk '{ print $2 }' | sort -u)" = 0/0 ]
}

@test "the Debian package pleases lintian" {
	run lintian --allow-root --fail-on error,warning --no-cfg "$deb"
	[ "$status" = 0 ] && [ -z "$output" ] || fail "$output"
}

@test "the Debian package has the executables, the plugin where Debian's runtimes look" {
	local root=$BATS_TEST_TMPDIR/root program
	dpkg-deb -x "$deb" "$root"
	cmp "$TOP/build/bin/rdma" "$root/usr/lib/cni/rdma"
	for program in "$TOP"/build/bin/*; do
		[ -n "$(find "$root/usr" -name "$(basename "$program")" -perm 755 -exec cmp -s "$program" {} \; -print)" ] ||
			fail "$program is not in it"
	done
	(cd "$root" && dpkg-deb --ctrl-tarfile "$deb" | tar -xO ./md5sums | md5sum --quiet -c)
	for page in "$TOP"/cmd/*/*.8; do
		zcat "$root/usr/share/man/man8/$(basename "$page").gz" | cmp "$page"
	done
	cmp "$TOP/cmd/rdma-node/rdma-node.bash-completion" \
		"$root/usr/share/bash-completion/completions/rdma-node"
}

@test "the image is valid, small, and has the executables alone" {
	local root=$BATS_TEST_TMPDIR/root
	# Reads each blob and compares it with its digest.
	skopeo copy "oci-archive:$image" "dir:$BATS_TEST_TMPDIR/copy"
	[ "$(skopeo inspect "oci-archive:$image" | jq -r '[.Os, .Architecture] | join("/")')" = linux/amd64 ]
	unpack_image "$root"
	same_programs "$root"
	[ "$(stat -c %s "$image")" -lt $((3 * 1024 * 1024)) ]
}

@test "no executable knows where it was built" {
	! grep -lF "$TOP" "$TOP"/build/bin/* || false
}

@test "another directory, umask, time zone and language give the same bytes" {
	local copy=$BATS_TEST_TMPDIR/elsewhere
	copy_tree "$copy"
	cp -r "$TOP/.git" "$copy/.git"
	mkdir -p "$copy/build/deps"
	cp -r "$TOP/build/deps/musl" "$copy/build/deps/"
	(
		umask 077
		cd /
		TZ=Asia/Kathmandu LC_ALL=C HOME=/nowhere "$copy/scripts/package"
	)
	diff "$OUT/SHA256SUMS" "$copy/build/package/SHA256SUMS"
	(cd "$copy/build/package" && sha256sum --quiet -c SHA256SUMS)
}

@test "the plugin directory of the Debian package can be chosen" {
	cp "$deb" "$BATS_TEST_TMPDIR/usual.deb"
	"$TOP/scripts/package" --plugin-dir /opt/cni/bin deb
	dpkg-deb -c "$(the "$OUT"/*.deb)" | grep -q ' ./opt/cni/bin/rdma$'
	"$TOP/scripts/package"
	cmp "$(the "$OUT"/*.deb)" "$BATS_TEST_TMPDIR/usual.deb"
}

@test "CMake alone builds and installs: as in the README, for Kubernetes" {
	local root=$BATS_TEST_TMPDIR/root build=$BATS_TEST_TMPDIR/build
	cmake -S "$TOP" -B "$build" >/dev/null
	cmake --build "$build" -j "$(nproc)" >/dev/null
	DESTDIR=$root cmake --install "$build"
	[ -x "$root/opt/cni/bin/rdma" ]
	cmp "$TOP/cmd/rdma/rdma-cni.8" "$root/usr/local/share/man/man8/rdma-cni.8"
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the scripts share: words, packages, and other Debian suites than the running one.
# Everything made stays below build/; nothing outside it is changed but installed packages.

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$TOP/build
# shellcheck source=/dev/null
. /etc/os-release
export LC_ALL=C.UTF-8

step() { printf '\n== %s\n' "$*" >&2; }
say() { printf '   %s\n' "$*" >&2; }
die() {
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
	exit 1
}

# The comment block on top of a script is its --help.
usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "$0"; }

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		die "this needs root to $1: run it as root, or install sudo"
	fi
}

# --- packages of the running suite ---

apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"; }

is_installed() {
	[ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]
}

# Install what is missing of these packages.
apt_need() {
	local package missing=()
	command -v apt-get >/dev/null ||
		die "this script prepares Debian 12 or 13; elsewhere install by hand: $*"
	for package in "$@"; do
		is_installed "$package" || missing+=("$package")
	done
	[ ${#missing[@]} = 0 ] && return
	say "installing packages: ${missing[*]}"
	apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null 2>&1 && return
	# Lists that were never fetched, or are older than what they name.
	apt_get update >/dev/null
	apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null ||
		die "cannot install ${missing[*]}"
}

# --- sources and other suites, through apt configurations of our own ---

# Where apt is configured to get the running suite from.
apt_site() {
	# shellcheck disable=SC2016 # apt's variables
	apt-get indextargets --format '$(SITE)|$(RELEASE)|$(COMPONENT)' |
		awk -F'|' -v suite="$VERSION_CODENAME" '$2 == suite && $3 == "main" { print $1; exit }'
}

# apt_of SUITE ARGUMENT...: apt-get that knows that suite, and what it builds upon.
apt_of() {
	local directory=$BUILD/apt/$1
	shift
	apt-get -qq -o Dpkg::Use-Pty=0 -o APT::Sandbox::User=root \
		-o Dir::Etc::SourceList="$directory/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$directory/lists" -o Dir::Cache="$directory/cache" "$@"
}

# Read a suite's package lists, at most once a day.
apt_suite() {
	local suite=$1 directory=$BUILD/apt/$1 site keyring signed='' each
	[ -n "$(find "$directory/updated" -mmin -1440 2>/dev/null)" ] && return
	[ -n "$(apt_site)" ] || apt_get update
	site=$(apt_site)
	[ -n "$site" ] || die "apt has no source for $VERSION_CODENAME main"
	for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
		[ -e "$keyring" ] && signed="[signed-by=$keyring]"
	done
	mkdir -p "$directory/lists/partial" "$directory/cache/archives/partial"
	# Backports are built upon their suite: "x-backports" needs "x".
	for each in "${suite%-backports}" "$suite"; do
		echo "deb $signed $site $each main"
		echo "deb-src $signed $site $each main"
	done | sort -u >"$directory/sources.list"
	say "reading the package lists of $suite"
	apt_of "$suite" update >&2
	touch "$directory/updated"
}

# apt_fetch_source PACKAGE DIR [SUITE]: the source package of a suite, the running one by default,
# unpacked to DIR.
apt_fetch_source() {
	local package=$1 directory=$2 suite=${3:-$VERSION_CODENAME} scratch=$BUILD/apt/source/$1
	apt_suite "$suite"
	rm -rf "$scratch" "$directory"
	mkdir -p "$scratch" "$(dirname "$directory")"
	(cd "$scratch" && apt_of "$suite" source --download-only "$package" >&2)
	dpkg-source --no-check -x "$scratch"/*.dsc "$directory" >/dev/null
}

# apt_fetch_deb SUITE DIR PACKAGE...: a suite's packages, unpacked to DIR, not installed.
apt_fetch_deb() {
	local suite=$1 directory=$2 package of=/$1 scratch=$BUILD/apt/deb
	local download=(apt_of "$suite" download)
	shift 2
	if [ "$suite" = "$VERSION_CODENAME" ]; then
		# The machine's own configuration knows its security updates too.
		download=(apt-get -qq -o APT::Sandbox::User=root download)
		of=
	else
		apt_suite "$suite"
	fi
	mkdir -p "$scratch" "$directory"
	for package in "$@"; do
		rm -f "$scratch"/*.deb
		say "fetching $package from $suite"
		(cd "$scratch" && "${download[@]}" "$package$of" >&2) || die "cannot fetch $package"
		dpkg-deb -x "$scratch"/*.deb "$directory"
	done
}

# apt_need_from SUITE PACKAGE...: install from another suite what is missing.
apt_need_from() {
	local suite=$1
	shift
	apt_suite "$suite"
	say "installing from $suite: $*"
	as_root env DEBIAN_FRONTEND=noninteractive bash -c \
		"BUILD=$BUILD; $(declare -f apt_of); apt_of \"\$@\"" bash \
		"$suite" -t "$suite" install -y --no-install-recommends "$@" >/dev/null
}

# --- the developers' build ---

# Configure build/dev; its compile_commands.json tells the tools what is compiled and how.
configure_dev() {
	cmake -S "$TOP" -B "$BUILD/dev" -C "$TOP/scripts/config/dev.cmake" >/dev/null
}

# The flags of that build, but for those that say what to compile to what; of lib/node, which has
# the directories of all headers.
dev_flags() {
	configure_dev
	sed -n '/lib\/node\//s/^ *"command": "[^ ]* \(.*\) -o .*/\1/p; T; q' \
		"$BUILD/dev/compile_commands.json" | grep .
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What the cases about packages and manifests share.

bats_require_minimum_version 1.5.0

TOP=$(realpath "$BATS_TEST_DIRNAME/../..")
OUT=$TOP/build/package

fail() {
	echo "$*"
	return 1
}

# the FILE...: the one file that a pattern found.
the() {
	[ $# = 1 ] || fail "not one file: $*"
	[ -e "$1" ] || fail "there is no $1"
	echo "$1"
}

# SPDX-License-Identifier: Apache-2.0
# rdma-node check in RDMA netns mode shared.
#
# vm: mode=shared

load lib

NODE=$BATS_TEST_DIRNAME/../../build/bin/rdma-node

@test "mode shared is a failure, and nothing is lost in it" {
	pod a
	status=0
	output=$("$NODE" check) || status=$?
	[ "$status" = 2 ]
	grep -qE '^fail +mode +shared' <<<"$output"
	grep -qE '^warn +mode-boot +shared .*shared now' <<<"$output"
	grep -qE '^skip +lost-devices ' <<<"$output"
	grep -qE '^ok +rdma-device +all 7' <<<"$output"
}

@test "status: not ready, with the plugin's own words" {
	mkdir "$BATS_TEST_TMPDIR/cni-bin"
	"$NODE" install --to "$BATS_TEST_TMPDIR/cni-bin"
	run -2 --separate-stderr "$NODE" status --in "$BATS_TEST_TMPDIR/cni-bin"
	[ -z "$output" ]
	[[ $stderr == *"STATUS with error 50: "*"'shared'"* ]]
}

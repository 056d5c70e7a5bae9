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

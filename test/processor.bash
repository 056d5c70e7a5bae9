# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# A bound for what is to be quick, on machines that have other work as well: the wall clock would tell
# how busy the machine is.

# processor: sets used to the processor time, in milliseconds, of this test's children that have ended.
processor() {
	local field
	# proc(5): cutime and cstime are fields 16 and 17, in ticks of 10 ms.
	read -ra field <"/proc/$BASHPID/stat"
	used=$(((field[15] + field[16]) * 10))
}

# SPDX-License-Identifier: Apache-2.0
# The same code under AddressSanitizer and UndefinedBehaviorSanitizer.

set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS "-Og -g -fsanitize=address,undefined -fno-sanitize-recover=all \
-fno-omit-frame-pointer" CACHE STRING "")
set(RDMA_CNI_TESTS ON CACHE BOOL "")

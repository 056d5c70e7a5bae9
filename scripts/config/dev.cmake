# SPDX-License-Identifier: Apache-2.0
# Where developers and the tests build: every warning is an error.

set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS "-Og -Werror" CACHE STRING "")
set(RDMA_CNI_TESTS ON CACHE BOOL "")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON CACHE BOOL "")

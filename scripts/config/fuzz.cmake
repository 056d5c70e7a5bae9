# SPDX-License-Identifier: Apache-2.0
# The fuzz targets: libFuzzer, with AddressSanitizer and UndefinedBehaviorSanitizer (scripts/fuzz).

set(CMAKE_C_COMPILER clang CACHE STRING "")
set(CMAKE_BUILD_TYPE None CACHE STRING "")
set(CMAKE_C_FLAGS "-O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all \
-fno-omit-frame-pointer" CACHE STRING "")
set(RDMA_CNI_FUZZ ON CACHE BOOL "")

# SPDX-License-Identifier: Apache-2.0
# What is shipped: one static, hardened executable that runs on any distribution.
# Needs scripts/static-deps; scripts/build does both.

set(CMAKE_C_COMPILER musl-gcc CACHE STRING "")
set(CMAKE_BUILD_TYPE None CACHE STRING "")
set(RDMA_CNI_STATIC_MUSL ON CACHE BOOL "")

set(CMAKE_C_FLAGS "-Os -DNDEBUG -fPIE -ffunction-sections -fdata-sections -fstack-protector-strong \
-fstack-clash-protection -fcf-protection -ffile-prefix-map=${CMAKE_SOURCE_DIR}=." CACHE STRING "")

# A static executable that is loaded at a random address. Debian's musl-gcc has no -static-pie
# (it links dynamically then), so musl's own start file for that is named here. __fprintf_chk, a function of
# glibc's, is wanted by libmnl's debug printer, which nothing here calls.
execute_process(COMMAND gcc -dumpmachine OUTPUT_VARIABLE machine OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "-.*" "" machine ${machine})
set(musl /usr/lib/${machine}-linux-musl)
set(CMAKE_EXE_LINKER_FLAGS "-static -nostartfiles ${musl}/rcrt1.o ${musl}/crti.o \
-Wl,-pie,--no-dynamic-linker,-z,text,-z,relro,-z,now,-z,noexecstack,--gc-sections,--build-id=none,-s \
-Wl,--defsym=__fprintf_chk=abort" CACHE STRING "")
set(CMAKE_C_STANDARD_LIBRARIES "${musl}/crtn.o" CACHE STRING "")

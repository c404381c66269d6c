// SPDX-License-Identifier: MIT

#include "runtime_library.hpp"

#define EMBED(symbol, path)                                                                            \
    asm(".section .rodata\n.balign 64\n.global " #symbol "_begin\n.hidden " #symbol "_begin\n" #symbol \
        "_begin:\n.incbin \"" path "\"\n.global " #symbol "_end\n.hidden " #symbol "_end\n" #symbol    \
        "_end:\n.byte 0\n.previous\n");                                                                \
    extern "C" const char symbol##_begin[], symbol##_end[]

EMBED(metal_host_runtime, METAL_HOST_RUNTIME_BITCODE);
EMBED(metal_host_known_texels, METAL_HOST_KNOWN_TEXELS_BITCODE);
EMBED(metal_host_support, METAL_HOST_SUPPORT_OBJECT);

namespace metal_host {

llvm::MemoryBufferRef runtimeBitcode() {
    return {llvm::StringRef(metal_host_runtime_begin, metal_host_runtime_end - metal_host_runtime_begin), "runtime"};
}

llvm::MemoryBufferRef knownTexelsBitcode() {
    return {llvm::StringRef(metal_host_known_texels_begin, metal_host_known_texels_end - metal_host_known_texels_begin),
            "known texels"};
}

llvm::MemoryBufferRef supportObject() {
    return {llvm::StringRef(metal_host_support_begin, metal_host_support_end - metal_host_support_begin), "support"};
}

}  // namespace metal_host

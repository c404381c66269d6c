// SPDX-License-Identifier: MIT
//
// What is compiled at build time for kernels and carried inside the compiler (runtime/).

#pragma once

#include <llvm/Support/MemoryBufferRef.h>

namespace metal_host {

/// Textures, samplers and atomics as bitcode of one thread's code, to be inlined.
llvm::MemoryBufferRef runtimeBitcode();

/// The same of texels of one format each, for code that knows it (bound_resources.hpp).
llvm::MemoryBufferRef knownTexelsBitcode();

/// Functions that LLVM's code generator may call (memcpy, conversions), and those of the run-time library that kernels
/// call rather than have inlined, as an object file; linking takes those that are called.
llvm::MemoryBufferRef supportObject();

}  // namespace metal_host

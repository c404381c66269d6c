// SPDX-License-Identifier: MIT
//
// Makes the two symbols of a kernel's shared object (kernel_abi.h) around a function that runs one strip.
//
//   metal_kernel(launch, first, count, ...):  for each threadgroup { its place and size; for each of its strips {
//   strip(...) } }
//
// A kernel in which threads of a group meet runs a whole group by a function of its own (split_at_barriers.hpp), called
// here once a group. After widening; the functions are inlined afterwards.

#pragma once

#include <kernel_abi.h>
#include <llvm/IR/Function.h>

namespace metal_host {

/// `strip` runs one strip, or, if `wholeGroup`, all strips of a group (its parameters about one strip are then
/// ignored).
/// `strip` runs one strip, or a whole group; then `fullGroup`, if there is one, those whose strips are all full.
void makeKernelEntry(llvm::Function& strip, bool wholeGroup, llvm::Function* fullGroup, const metal_kernel_info& info);

}  // namespace metal_host

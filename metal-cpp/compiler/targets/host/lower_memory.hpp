// SPDX-License-Identifier: MIT
//
// Memory accesses that have no widened form, as some that have one.
//
// memcpy, memmove and memset are written out as loads and stores of whole elements:
//   before:  memcpy(a, b, 12)      after:  three loads and stores of 4 bytes; a loop when there are many
//
// Integers of three, six and other numbers of bytes, which optimisation makes of three components, are taken apart:
// in an array each has the room of four or eight, in a vector of them it has not.
//   before:  store i48 v, p        after:  store i16 v, p; store i16 v >> 16, p + 2; store i16 v >> 32, p + 4
//
// After optimisation, which makes some of both and removes most.

#pragma once

#include <llvm/IR/Function.h>

namespace metal_host {

void expandMemoryIntrinsics(llvm::Function& function);

/// Whether there were any.
bool splitOddIntegers(llvm::Function& function);

/// One worker runs a threadgroup, strip after strip: its atomic updates of threadgroup memory are plain ones. After
/// splitting at barriers, which asks what strips may see of each other.
void makeThreadgroupAtomicsPlain(llvm::Module& module);

}  // namespace metal_host

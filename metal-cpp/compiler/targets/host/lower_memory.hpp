// SPDX-License-Identifier: MIT
//
// Writes memcpy, memmove and memset out as loads and stores of whole elements, which widening can give to lanes.
//
//   before:  memcpy(a, b, 12)      after:  three loads and stores of 4 bytes; a loop when there are many
//
// After optimisation, which makes some of these calls and removes most.

#pragma once

#include <llvm/IR/Function.h>

namespace metal_host {

void expandMemoryIntrinsics(llvm::Function& function);

}  // namespace metal_host

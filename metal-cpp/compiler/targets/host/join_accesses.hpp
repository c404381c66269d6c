// SPDX-License-Identifier: MIT
//
// Joins a thread's loads, or stores, of two to four neighbouring elements into one of a short vector. Widening then
// sees that lanes lie side by side with these elements between them, and reads the whole stretch at once
// (widen_memory.cpp).
//
//   before:  x = p[0]; y = p[1]; z = p[2]      after:  <3 x float> v = *p; x = v.x; y = v.y; z = v.z
//
// After the Scalarizer, which takes vector accesses apart; before widening. Private variables are left alone.

#pragma once

#include <llvm/IR/Function.h>

namespace metal_host {

void joinAccesses(llvm::Function& function);

}  // namespace metal_host

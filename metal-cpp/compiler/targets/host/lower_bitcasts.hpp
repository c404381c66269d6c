// SPDX-License-Identifier: MIT
//
// Vectors exist as lists of their elements from here on, so reading their bits as elements of another size becomes
// arithmetic on integers.
//   before:  %h = bitcast i32 %x to <2 x half>
//   after:   each half from trunc (%x) and trunc (lshr %x, 16)
// After the scalarizer, which does the casts between vectors that it can, and with no InstCombine behind it, which
// would put the cast back; before widening.

#pragma once

#include <llvm/IR/Function.h>

namespace metal_host {

void lowerBitcasts(llvm::Function& function);

}  // namespace metal_host

// SPDX-License-Identifier: MIT
//
// Arithmetic that this processor has no instructions for, where LLVM's code generator does not do well.
//
// Halves that it can convert but not compute with would be computed one lane at a time, by calls. Instead, by vectors
// of floats:
//   maxnum and minnum               of floats, which have the same order
//   fmuladd, and products that may be contracted into a sum: one multiply-add of floats, rounded to half
//
// A multiply-add of floats in fast mathematics would become a product and a sum, which round twice. Without the flags
// that allow it, it is a call of the support object's function.
//
// The last step before code generation: until then optimisations know these operations by their own names.

#pragma once

#include <llvm/IR/Module.h>

namespace metal_host {

struct Arithmetic {
    bool halves = false, multiplyAdds = false;  ///< that the processor has
};

void replaceMissingArithmetic(llvm::Module& module, const Arithmetic& has);

}  // namespace metal_host

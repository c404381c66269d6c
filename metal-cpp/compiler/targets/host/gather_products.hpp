// SPDX-License-Identifier: MIT
//
// Products of simdgroup_matrix that do not need each other stand side by side afterwards, in groups that share factors:
//   before:  for i { for j { sum[i][j] += x[i] * y[j] } }, unrolled
//   after:   i 0 and 1 with j 0 and 1, i 0 and 1 with j 2 and 3, ...
// The widener sums those of a group column by column. So a factor that was spread to the lanes is read once for several
// products, where it would be read for each: with one product after the other the processor's loads are its limit.
// After the thread is optimised, before it is widened.

#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace metal_host {

/// Half a product: one element of each lane, __metal_simd_matrix_multiply_f32.
bool isMatrixProduct(const llvm::Instruction& instruction);

/// Sums of a group that the vector registers hold beside what they are made of; 1 where they do not hold several.
unsigned productsAtOnce(const llvm::Function& function);

void gatherProducts(llvm::Function& function);

}  // namespace metal_host

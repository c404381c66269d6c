// SPDX-License-Identifier: MIT
//
// Code generation looks at one block at a time: it takes a gather's 32-bit indices for what they are only where it sees
// them extended. Passes that move what does not change out of loops move the extension with it.

#pragma once

#include <llvm/IR/Function.h>

namespace metal_host {

/// Extends the indices of gathers and scatters in the block that uses them.
void sinkIndices(llvm::Function& function);

}  // namespace metal_host

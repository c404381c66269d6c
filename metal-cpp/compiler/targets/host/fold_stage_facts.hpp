// SPDX-License-Identifier: MIT
//
// What the headers ask about the stage they are compiled for, answered before anything else is done: what another stage
// would do is then gone before it is linked and inlined.

#pragma once

#include <llvm/IR/Module.h>

namespace metal_host {

/// Replaces calls of `__metal_has_derivatives` by the answer and removes the branches not taken; without derivatives,
/// those of anything are zero.
void foldStageFacts(llvm::Module& module, bool hasDerivatives);

}  // namespace metal_host

// SPDX-License-Identifier: MIT
//
// How long a thread can run at most, whatever its arguments hold. A thread of the program may run work that is known to
// end soon; with other work it could be held up for ever.

#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace metal_host {

/// Instructions that one call of the function runs at most; 0 where no number is known, as with a loop that goes round
/// as often as an argument says. After optimiseThread, whose loops have one entry.
std::uint32_t mostSteps(llvm::Function& function);

/// Tells the executor (METAL_KERNEL_MOST_STEPS_SYMBOL).
void exportMostSteps(llvm::Module& module, std::uint32_t steps);

}  // namespace metal_host

// SPDX-License-Identifier: MIT
//
// The passes around widening that are LLVM's own, and their order.

#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include "bound_resources.hpp"

namespace metal_host {

/// Answers what the code asks about its stage, links the run-time library, keeps what `entry` reaches and inlines all
/// of it into `entry`; guards arithmetic. `keepsLines`: each instruction still says where in the source it comes from.
/// What is known of `bound` becomes constants.
llvm::Error inlineAll(llvm::Module& module, llvm::StringRef entry, llvm::TargetMachine& machine, bool hasDerivatives,
                      bool keepsLines, const BoundResources& bound);

/// A function that kernels call through a table (METAL_FUNCTION_SYMBOL in kernel_abi.h) runs for one lane at a time, so
/// it cannot take part in what lanes do together.
llvm::Error prepareVisibleFunction(llvm::Function& function);

/// One thread's code made small, then brought into the form that widening reads.
void optimiseThread(llvm::Function& function, llvm::TargetMachine& machine);

/// After widening: slots become registers, masks fold; the form that splitting at barriers reads.
void optimiseStrip(llvm::Function& function, llvm::TargetMachine& machine);

/// The whole kernel before code generation.
void optimiseKernel(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace metal_host

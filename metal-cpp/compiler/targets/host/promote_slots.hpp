// SPDX-License-Identifier: MIT
//
// Makes registers of variables that are only read and written whole. LLVM's passes do that, too, but walk through all
// that is behind each write; for n variables in n blocks, as widening makes them, that is n * n steps. This walks
// through the blocks between a variable's writes and reads only.

#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace metal_host {

/// The variables are gone afterwards. What was not written before it is read is poison.
void promoteSlots(llvm::Function& function, llvm::ArrayRef<llvm::AllocaInst*> slots,
                  const llvm::DominatorTree& dominators);

}  // namespace metal_host

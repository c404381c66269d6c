// SPDX-License-Identifier: MIT
//
// Decides how a variable that each thread has for itself, and that could not become registers, lies in the memory of a
// strip.
//
//   float a[8];   interleaved, when every access is a whole element:  a[0] of all lanes, a[1] of all lanes, ...
//                 (the same element in all lanes is then one vector);
//                 else one block a lane, one after the other.
//
// A pointer into interleaved memory counts in steps of a whole row of lanes: byte offset o of the variable is
// o * lanes, and lane l's element is l * element size further on, added at the access.

#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <string>

namespace metal_host {

struct PrivateVariable {
    std::uint64_t size = 0;         ///< bytes of one thread, padded
    std::uint64_t elementSize = 0;  ///< of an interleaved variable; 0: one block a lane
    llvm::Align align;
};

class PrivateMemory {
public:
    explicit PrivateMemory(llvm::Function& function);

    /// Null unless the pointer points into an interleaved variable.
    const PrivateVariable* interleaved(const llvm::Value* pointer) const;
    const PrivateVariable& variable(const llvm::AllocaInst* variable) const {
        return variables_.find(variable)->second;
    }

private:
    llvm::DenseMap<const llvm::AllocaInst*, PrivateVariable> variables_;
    llvm::DenseMap<const llvm::Value*, const llvm::AllocaInst*> pointers_;
};

}  // namespace metal_host

// SPDX-License-Identifier: MIT
//
// Values of program-scope variables that follow from function constants: known only when the pipeline is made.

#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>

#include <cstdint>

namespace metal_compiler {

/// A constant of the bytes as Metal lays them in memory, which is how the IR lays them. Null for a type with pointers.
llvm::Constant* constantFromBytes(llvm::Type* type, const std::uint8_t* bytes, const llvm::DataLayout& layout);

/// Runs a constructor of the module now and keeps what it stored as initial values. Function constants have theirs.
/// False when it does something that cannot be done before the program runs.
bool runConstructor(llvm::Function& constructor);

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
//
// Reads one function and what it needs from a library's bitcode. A library may hold a thousand kernels, and a pipeline
// is made of one.

#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace metal_compiler {

/// A module with `entry`, the constructors of the program's variables, and all that these reach.
llvm::Expected<std::unique_ptr<llvm::Module>> readFunction(llvm::MemoryBufferRef bitcode, llvm::StringRef entry,
                                                           llvm::LLVMContext& context);

}  // namespace metal_compiler

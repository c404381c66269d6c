// SPDX-License-Identifier: MIT
//
// The last steps: machine code for the module, and a shared object without undefined symbols.

#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace metal_host {

std::unique_ptr<llvm::TargetMachine> makeMachine(const std::string& triple, const std::string& cpu,
                                                 const std::string& features);

llvm::SmallVector<char, 0> emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType kind);

llvm::Expected<std::vector<std::uint8_t>> linkShared(llvm::ArrayRef<char> object);

}  // namespace metal_host

// SPDX-License-Identifier: MIT
//
// `constant int n [[function_constant(0)]];` is a declared global until a pipeline is made. Then its value is put into
// the IR, and globals that are computed from it (`constant int m = n * 2;`, a constructor run at start-up to Clang) are
// folded.

#pragma once

#include <clang/AST/Type.h>

#include <string>
#include <vector>

#include "protocol.hpp"

namespace llvm {
class Module;
}

namespace metal_compiler {

class Session;

struct FunctionConstantVariable {
    std::string symbol;
    std::uint32_t index;
    std::string name;
    clang::QualType type;
};

/// The program's, before their attributes are dropped. Two of one index are reported.
std::vector<FunctionConstantVariable> functionConstantsOf(Session& session);

/// Notes in the module which global is which constant, and in the reply which kernels use which.
void recordFunctionConstants(llvm::Module& module, const std::vector<FunctionConstantVariable>& constants,
                             protocol::LibraryReply& reply);

/// Gives them their values for `entry` and folds what depends on them. Returns what is wrong, one message a line, or
/// "".
std::string applyFunctionConstants(llvm::Module& module, const std::string& entry,
                                   const std::vector<protocol::ConstantValue>& values);

}  // namespace metal_compiler

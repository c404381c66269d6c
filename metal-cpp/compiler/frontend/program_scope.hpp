// SPDX-License-Identifier: MIT
//
// `uint2 position [[thread_position_in_grid]];` and `texture2d<float> constant image [[texture(0)]];` in program scope:
// variables that every kernel finds set. To Clang they are declared only. A kernel that uses one, itself or in what it
// calls, has it as a further argument; when its pipeline is made, each function that uses it asks for it as entries
// ask for their parameters:
//
//   before:  load @position                      after:  store __metal_index(0, 0), %position; ...; load %position
//            load @image                                 load __metal_argument(3)

#pragma once

#include <string>
#include <vector>

#include "frontend/arguments.hpp"

namespace llvm {
class Module;
}

namespace metal_compiler {

class Session;

struct ProgramScopeVariable {
    std::string symbol;
    KernelArgument argument;
    protocol::Argument facts;  // but for the slot; of a thread's place: only the name
};

/// The program's, before their attributes are dropped. What is wrong with them is reported.
std::vector<ProgramScopeVariable> programScopeVariablesOf(Session& session);

/// Notes in the module which kernel has which of them as which argument, and in the reply likewise.
void recordProgramScope(llvm::Module& module, const std::vector<ProgramScopeVariable>& variables,
                        protocol::LibraryReply& reply);

/// Makes the functions that a kernel's entry needs ask for them. Returns what is wrong, one message a line, or "".
std::string bindProgramScope(llvm::Module& module, const std::string& entry);

}  // namespace metal_compiler

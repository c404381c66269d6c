// SPDX-License-Identifier: MIT
//
// Gives each instruction of a kernel the line of the program that it comes of: of what is inlined from the standard
// headers and the run-time library, the line that asks for it.
//
//   before:  !dbg line 214 of metal_math, inlined at line 80 of metal_vectors, inlined at line 5 of program_source
//   after:   !dbg line 5 of program_source
//
// After everything is inlined, before all passes that move code: places of one function can be joined, and LLVM's
// remarks name them as they stand.

#pragma once

#include <llvm/IR/Function.h>

#include "notes.hpp"

namespace metal_host {

/// Notes the texture operations on the way. Of other functions of the module nothing is kept.
void keepProgramLines(llvm::Function& entry, llvm::StringRef name, Notes& notes);

/// Gives what leads into each loop the loop's own line, by which LLVM's code generator knows a loop; loops over threads
/// have none. Last, before code generation.
void placeLoops(llvm::Function& kernel);

}  // namespace metal_host

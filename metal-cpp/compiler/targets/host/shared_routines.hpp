// SPDX-License-Identifier: MIT
//
// Code of the run-time library that a kernel uses often, kept as functions that are widened once and called by strips.
// A sampler's code has thousands of instructions once widened: inlined at each use, it takes longer to compile than all
// the rest of a kernel.
//
//   t.sample(s, a), u.sample(s, b), ... x 16      <4 x float> @routine(ptr texture, i64 sampler, float x, float y)
//
// A routine has what is the same constant at all of its calls as constants, and reads memory only. Widening
// (widen_routines.cpp) makes a form of it for the arguments that differ between lanes.

#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace metal_host {

/// Names of routines, of one thread and of a strip.
inline constexpr const char* routinePrefix = "__metal_routine_";
inline constexpr const char* stripRoutinePrefix = "__metal_strip_routine_";

/// A parameter of a routine that differs between lanes.
inline constexpr const char* differsAttribute = "metal-differs";

/// Whether calls of the library's function may stay calls until it is known how many there are.
bool mayBeShared(const llvm::Function& function);

/// Makes routines of what `entry` calls often and calls them; the functions that `mayBeShared` named are to be inlined
/// where calls of them are left.
void shareRoutines(llvm::Function& entry);

/// A routine that widening has a form for: without memory of its own.
bool canBeWidened(const llvm::Function& routine);

}  // namespace metal_host

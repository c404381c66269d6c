// SPDX-License-Identifier: MIT
//
// Gives integer operations that C++ leaves undefined a harmless result, before any pass may build on them.
//
//   a / b, a % b:  b is 1 instead where it is 0, or where it is -1 and a the smallest integer (nothing traps)
//   a << n, >> n:  n is taken modulo the width
//
// First of all passes: later ones take the absence of undefined behaviour for a fact. Constant divisors and counts
// stay.

#pragma once

#include <llvm/IR/Function.h>

namespace metal_host {

void guardArithmetic(llvm::Function& function);

}  // namespace metal_host

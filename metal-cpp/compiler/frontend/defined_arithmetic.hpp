// SPDX-License-Identifier: MIT
//
// Gives the program's constant shift counts and divisors a meaning where C++ has none, before code generation folds
// them to poison; the target does the same for those that vary.
//
//   x << 33, x >> -13   the count is taken modulo the width: x << 1, x >> 19 (of 32 bits)
//   x / 0, x % 0        the divisor is 1 instead

#pragma once

namespace metal_compiler {

class Session;

/// Call before Session::generate.
void defineArithmetic(Session& session);

}  // namespace metal_compiler

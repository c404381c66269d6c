// SPDX-License-Identifier: MIT
//
// Edits the tokens between preprocessor and parser, where Metal's grammar departs from C++'s. Every token keeps its
// place in the source, so diagnostics stay exact, macros included. What it does, and why macros or the parser cannot:
//
//   device float* p            ->  __attribute__((opencl_global_device)) float* p
//       not by macros: `[[threadgroup(0)]]` is legal, and notes must not say "expanded from macro"
//   T& get() device { ... }    ->  T& get() __attribute__((metal_method_device)) { ... }
//       the method's own type takes the space in that attribute's handler (method_spaces.hpp)
//   [[buffer(IDX)]]            ->  [[buffer((IDX))]]
//       Clang hands a lone identifier to attribute handlers as a name; parenthesised it is an expression
//   template [[host_name("f")]] [[kernel]] ...  ->  template __attribute__((host_name("f"))) __attribute__((kernel))
//   ...
//       C++ has no attributes there; GNU ones are accepted and reach our handlers
//   kernel void f(...)         ->  __attribute__((kernel)) void f(...)
//       not by a macro: `[[kernel]]` is legal as well
//   is_function_constant_defined(c)  ->  __metal_is_function_constant_defined(&c)
//       a function would take the constant's value, where its name is what counts
//   inside ? p[i] : float4(0)  ->  inside ? (__metal_operand(), p[i]) : float4(0)
//       Clang refuses two qualifications of one class unless one includes the other, and `const device` and none don't;
//       the prelude's comma turns an object of a class into a const value, which all can become. For other types the
//       comma is the language's own, which changes nothing; what it would change, a literal null pointer, stays
//   constant int64_t sizes[2]  ->  constant int64_t *sizes   (in parameter lists)
//       Clang looks at the address space before the array becomes a pointer, and a parameter may have none
//   "text"                     ->  ((constant char*)"text")
//       literals are in the default space to Clang; in Metal they are `constant`
//   static_cast<T>(x), half(x), (bfloat)x  ->  static_cast<T>((__metal_to<T>(), x)) ...
//       Clang knows no conversion between half and bfloat; the prelude's comma goes by float, which is exact. For other
//       types the comma is the language's own

#pragma once

#include <clang/Lex/Token.h>
#include <llvm/ADT/ArrayRef.h>

#include <vector>

namespace clang {
class Preprocessor;
}

namespace metal_compiler {

std::vector<clang::Token> rewriteTokens(llvm::ArrayRef<clang::Token> tokens, clang::Preprocessor& preprocessor);

}  // namespace metal_compiler

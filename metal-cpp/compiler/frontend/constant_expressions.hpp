// SPDX-License-Identifier: MIT
//
// Expressions over function constants that decide how a function is bound: the n of [[buffer(n)]], whether an argument
// with [[function_constant(c)]] is there. The host must know them before any code is compiled, so they travel as steps
// that it computes itself:
//
//   constant int a [[function_constant(0)]];
//   constant int b = a + 2;          [[buffer(b)]]  ->  constant 0, number 2, add

#pragma once

#include <clang/AST/Expr.h>

#include <cstdint>
#include <optional>

#include "protocol.hpp"

namespace metal_compiler {

/// Nothing for an expression that is made of anything else than numbers and scalar function constants.
std::optional<protocol::ConstantExpression> constantExpressionOf(const clang::Expr* expression,
                                                                 const clang::ASTContext& context);

/// The same, of a variable's value.
std::optional<protocol::ConstantExpression> constantExpressionOf(const clang::VarDecl* variable,
                                                                 const clang::ASTContext& context);

/// Whether the expression asks for the function constant.
bool names(const protocol::ConstantExpression& expression, std::uint32_t index);

/// Whether it asks if the function constant has a value, so that it need not have one.
bool asksWhetherDefined(const protocol::ConstantExpression& expression, std::uint32_t index);

}  // namespace metal_compiler

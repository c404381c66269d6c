// SPDX-License-Identifier: MIT
//
// Metal's attributes, registered with Clang's parser. Handlers only record facts on declarations, as annotations that
// template instantiation copies and evaluates; the rest of the front end reads them by the functions below.
// dropAttributes() takes them off before code generation, which would put them into the IR.

#pragma once

#include <clang/AST/Decl.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/address_spaces.hpp"
#include "protocol.hpp"

namespace metal_compiler {

/// Marks a declaration written with `threadgroup`: a local variable in that space becomes static, since it is the
/// group's.
inline constexpr llvm::StringLiteral threadgroupVariableAttribute = "metal_threadgroup_variable";

/// The GNU attribute that a space after a method's parameter list becomes.
llvm::StringRef methodSpaceAttributeOf(AddressSpace space);

/// True for Metal's attributes.
bool isMetalAttribute(llvm::StringRef attribute);

/// True for attributes whose one argument is an integral constant expression: [[buffer(n)]], [[id(n)]].
bool takesIndex(llvm::StringRef attribute);

/// True for attributes of one to three sizes: [[required_threads_per_threadgroup(x, y, z)]].
bool takesSizes(llvm::StringRef attribute);

/// True for attributes of a feature that this compiler does not have: their arguments may name what it does not know.
bool isUnsupported(llvm::StringRef attribute);

/// True when the declaration carries the Metal attribute.
bool hasAttribute(const clang::Decl* declaration, llvm::StringRef attribute);

/// Where the attribute is written.
clang::SourceRange rangeOfAttribute(const clang::Decl* declaration, llvm::StringRef attribute);

/// The attribute's argument; null without the attribute or an argument.
const clang::Expr* argumentOf(const clang::Decl* declaration, llvm::StringRef attribute);

/// The argument's value, when it is a constant.
std::optional<std::int64_t> indexOf(const clang::Decl* declaration, llvm::StringRef attribute);

/// The arguments of an attribute that takes sizes; empty without it.
std::vector<std::uint64_t> sizesOf(const clang::Decl* declaration, llvm::StringRef attribute);

/// The n of [[buffer(n)]] and its like where function constants say it; else no steps.
protocol::ConstantExpression indexValueOf(const clang::Decl* declaration, llvm::StringRef attribute);

/// [[function_constant(name)]] of an argument or member; nothing without it.
struct Condition {
    std::string name;
    protocol::ConstantExpression value;  // no steps where the host cannot compute it
};
std::optional<Condition> conditionOf(const clang::Decl* declaration);

/// The argument's text: [[host_name("text")]].
std::optional<llvm::StringRef> textOf(const clang::Decl* declaration, llvm::StringRef attribute);

/// What [[thread_position_in_grid]] and its like ask of `__metal_index`; nothing for other attributes.
struct IndexQuery {
    llvm::StringRef attribute;
    unsigned kind;
    unsigned dimensions;  // 1 or 3
};
std::optional<IndexQuery> indexQueryOf(const clang::Decl* parameter);

/// What an attribute is written at.
enum class AttributeSubject : std::uint8_t { parameter, kernelParameter, field, function, variable };

/// An attribute that may stand there, and how it is used: "buffer", "buffer(index)".
struct AttributeWord {
    std::string name, usage;
};
std::vector<AttributeWord> attributeWords(AttributeSubject subject);

void dropAttributes(clang::Decl* declaration);

/// Registers all handlers; call once, before the first session.
void registerAttributes();

}  // namespace metal_compiler

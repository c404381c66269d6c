// SPDX-License-Identifier: MIT
//
// What can be told from tokens alone, before anything is parsed. No question takes longer than a constant time, so that
// the stage stays linear on any text.

#pragma once

#include <clang/Lex/Token.h>
#include <llvm/ADT/ArrayRef.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace metal_compiler {

/// `constant int64_t strides[2]` in a parameter list.
struct ArrayParameter {
    std::size_t open, close;  // its first brackets
    bool hasName;
};

/// Whether the token names one of Metal's scalars or vectors, half and bfloat excepted.
bool isOtherStandardType(const clang::Token& token);
/// Whether the token begins a type for sure: a keyword such as `int` or `const`, an address space, Metal's own types.
bool beginsType(const clang::Token& token);

/// `typename T` of a template, and the declaration in which it means that.
struct TypeParameter {
    std::size_t begin, end;
    const clang::IdentifierInfo* name;
};

class TokenScan {
public:
    explicit TokenScan(llvm::ArrayRef<clang::Token> tokens);

    /// Of the bracket at `open`; nothing when it is not closed.
    std::optional<std::size_t> closingBracket(std::size_t open) const;

    /// One past the operand of a cast that begins at `begin`: prefixes, a name or parentheses, and what is applied to
    /// them.
    std::optional<std::size_t> endOfCastOperand(std::size_t begin) const;

    /// Of the parameter whose address space is the keyword at `space`; nothing when it is no array.
    std::optional<ArrayParameter> arrayParameterAt(std::size_t space) const;

private:
    const clang::Token& at(std::size_t index) const;
    std::optional<std::size_t> closingAngle(std::size_t open) const;

    llvm::ArrayRef<clang::Token> tokens_;
    std::vector<std::uint32_t> closings_;  // by token; 0 for what is no bracket or not closed
};

/// In the order in which their templates begin.
std::vector<TypeParameter> findTypeParameters(llvm::ArrayRef<clang::Token> tokens, const TokenScan& scan);

}  // namespace metal_compiler

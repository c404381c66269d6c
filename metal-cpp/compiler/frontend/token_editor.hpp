// SPDX-License-Identifier: MIT
//
// What rules of the token stage have in common: a place in the tokens read, the tokens written, and the brackets around
// that place.

#pragma once

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <vector>

namespace metal_compiler {

class TokenEditor {
protected:
    using Token = clang::Token;

    TokenEditor(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor)
        : in_(tokens), preprocessor_(preprocessor) {
        out_.reserve(tokens.size() + tokens.size() / 4);
    }

    const Token& peek(std::size_t ahead = 0) const;
    static llvm::StringRef nameOf(const Token& token) {
        return token.is(clang::tok::identifier) ? token.getIdentifierInfo()->getName() : llvm::StringRef();
    }

    void copy();

    // A token that is not in the source, at the place of one that is.
    void emit(const Token& like, clang::tok::TokenKind kind, llvm::StringRef identifier = {});
    void openGnuAttribute(const Token& like);
    void closeGnuAttribute(const Token& like);
    void gnuAttribute(const Token& like, llvm::StringRef name);

    // Writes a `)` before the token of that number when it is copied.
    void closeBefore(std::size_t index) { ++closings_[index]; }

    // The innermost bracket that is open; `eof` outside all.
    clang::tok::TokenKind bracket() const { return brackets_.empty() ? clang::tok::eof : brackets_.back().kind; }
    // Whether string literals here are text for the compiler, as in static_assert, rather than the program's data.
    bool isCompilersText() const { return !brackets_.empty() && brackets_.back().isCompilersText; }

    llvm::ArrayRef<Token> in_;
    std::vector<Token> out_;
    std::size_t at_ = 0;
    clang::Preprocessor& preprocessor_;

private:
    struct Bracket {
        clang::tok::TokenKind kind;
        bool isCompilersText;
    };
    void follow(const Token& token);

    llvm::SmallVector<Bracket, 32> brackets_;
    llvm::DenseMap<std::size_t, unsigned> closings_;
};

}  // namespace metal_compiler

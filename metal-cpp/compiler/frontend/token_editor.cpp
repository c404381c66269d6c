// SPDX-License-Identifier: MIT
#include "frontend/token_editor.hpp"

namespace metal_compiler {

namespace tok = clang::tok;

const clang::Token& TokenEditor::peek(std::size_t ahead) const {
    static const Token none = [] {
        Token token;
        token.startToken();
        token.setKind(tok::eof);
        return token;
    }();
    return at_ + ahead < in_.size() ? in_[at_ + ahead] : none;
}

void TokenEditor::copy() {
    const Token& token = in_[at_];
    if (!closings_.empty()) {
        for (unsigned count = closings_.lookup(at_); count != 0; --count) emit(token, tok::r_paren);
    }
    follow(token);
    out_.push_back(token);
    ++at_;
}

void TokenEditor::follow(const Token& token) {
    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
        const bool opensText = !out_.empty() && out_.back().isOneOf(tok::kw_static_assert, tok::kw__Static_assert,
                                                                    tok::kw_asm, tok::kw___attribute, tok::kw_sizeof);
        brackets_.push_back({token.getKind(), opensText || isCompilersText()});
    } else if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && !brackets_.empty()) {
        brackets_.pop_back();
    }
}

void TokenEditor::emit(const Token& like, tok::TokenKind kind, llvm::StringRef identifier) {
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(like.getLocation());
    token.setLength(like.getLength());
    if (!identifier.empty()) token.setIdentifierInfo(preprocessor_.getIdentifierInfo(identifier));
    out_.push_back(token);
}

void TokenEditor::openGnuAttribute(const Token& like) {
    emit(like, tok::kw___attribute, "__attribute__");
    emit(like, tok::l_paren);
    emit(like, tok::l_paren);
}

void TokenEditor::closeGnuAttribute(const Token& like) {
    emit(like, tok::r_paren);
    emit(like, tok::r_paren);
}

void TokenEditor::gnuAttribute(const Token& like, llvm::StringRef name) {
    openGnuAttribute(like);
    emit(like, tok::identifier, name);
    closeGnuAttribute(like);
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/token_stage.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringSet.h>

#include <string>

#include "frontend/address_spaces.hpp"
#include "frontend/attributes.hpp"

namespace metal_compiler {
namespace {

using clang::Token;
namespace tok = clang::tok;

class TokenStage {
public:
    TokenStage(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor)
        : in_(tokens), preprocessor_(preprocessor) {}

    std::vector<Token> run() {
        out_.reserve(in_.size() + in_.size() / 4);
        while (at_ < in_.size()) step();
        return std::move(out_);
    }

private:
    const Token& peek(std::size_t ahead = 0) const {
        static const Token none = [] {
            Token token;
            token.startToken();
            token.setKind(tok::eof);
            return token;
        }();
        return at_ + ahead < in_.size() ? in_[at_ + ahead] : none;
    }
    static llvm::StringRef nameOf(const Token& token) {
        return token.is(tok::identifier) ? token.getIdentifierInfo()->getName() : llvm::StringRef();
    }
    void copy() { out_.push_back(in_[at_++]); }

    // A token that is not in the source, at the place of one that is.
    void emit(const Token& like, tok::TokenKind kind, llvm::StringRef identifier = {}) {
        Token token;
        token.startToken();
        token.setKind(kind);
        token.setLocation(like.getLocation());
        token.setLength(like.getLength());
        if (!identifier.empty()) token.setIdentifierInfo(preprocessor_.getIdentifierInfo(identifier));
        out_.push_back(token);
    }
    void openGnuAttribute(const Token& like) {
        emit(like, tok::kw___attribute, "__attribute__");
        emit(like, tok::l_paren);
        emit(like, tok::l_paren);
    }
    void closeGnuAttribute(const Token& like) {
        emit(like, tok::r_paren);
        emit(like, tok::r_paren);
    }
    void gnuAttribute(const Token& like, llvm::StringRef name) {
        openGnuAttribute(like);
        emit(like, tok::identifier, name);
        closeGnuAttribute(like);
    }

    void step() {
        const Token& token = peek();
        if (atAttributeList()) {
            attributeList(false);
        } else if (token.is(tok::kw_template) && peek(1).is(tok::l_square) && peek(2).is(tok::l_square)) {
            copy();
            while (atAttributeList()) attributeList(true);
        } else if (token.is(tok::identifier)) {
            identifier(token);
        } else if (token.is(tok::numeric_constant)) {
            literal(token);
        } else if (token.is(tok::question) && !preprocessor_.getSourceManager().isInSystemHeader(token.getLocation())) {
            conditional();
        } else {
            copy();
        }
    }

    // `?`, the middle operand and `:`.
    void conditional() {
        const Token question = peek();
        copy();
        const bool isLiteral = peek(1).is(tok::colon) && (tok::isLiteral(peek().getKind()) ||
                                                          peek().isOneOf(tok::kw_true, tok::kw_false, tok::kw_nullptr));
        const bool isValue = !isLiteral && peek().isNot(tok::colon);
        if (isValue) {
            emit(question, tok::l_paren);
            emit(question, tok::identifier, "__metal_operand");
            emit(question, tok::l_paren);
            emit(question, tok::r_paren);
            emit(question, tok::comma);
        }
        int depth = 0;
        while (at_ < in_.size() && !(depth == 0 && peek().isOneOf(tok::colon, tok::semi, tok::eof))) {
            const std::size_t first = at_;
            step();
            for (std::size_t i = first; i < at_; ++i) {
                if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
                if (in_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) --depth;
            }
            if (depth < 0) return;  // no `:`; the parser says so
        }
        if (isValue) emit(peek(), tok::r_paren);
        if (peek().is(tok::colon)) copy();
    }

    void identifier(const Token& token) {
        const llvm::StringRef name = nameOf(token);
        if (const auto space = addressSpaceOfKeyword(name)) {
            if (followsParameterList() && endsMethodDeclarator()) {
                gnuAttribute(token, methodSpaceAttributeOf(*space));
            } else {
                addressSpace(token, *space);
            }
            ++at_;
        } else if (name == "kernel" || name == "vertex" || name == "fragment") {
            gnuAttribute(token, name);
            ++at_;
        } else if (name == "is_function_constant_defined" && peek(1).is(tok::l_paren)) {
            if (out_.size() >= 2 && out_.back().is(tok::coloncolon) && nameOf(out_[out_.size() - 2]) == "metal") {
                out_.resize(out_.size() - 2);
            }
            emit(token, tok::identifier, "__metal_is_function_constant_defined");
            ++at_;
            copy();
            emit(token, tok::amp);
        } else {
            copy();
        }
    }

    // `1.5h` and `1.5bf` -> `_Float16(1.5)` and `__bf16(1.5)`: the suffixes are not C++'s, and a literal operator may not
    // be named so.
    void literal(const Token& token) {
        const std::string text = preprocessor_.getSpelling(token);
        const llvm::StringRef number(text);
        const bool isHex = number.starts_with_insensitive("0x");
        const bool isFraction = isHex ? number.contains_insensitive('p') : number.find_first_of(".eE") != number.npos;
        const bool isHalf = number.ends_with_insensitive("h");
        const unsigned suffix = isHalf ? 1 : number.ends_with("bf") || number.ends_with("BF") ? 2 : 0;
        if (!isFraction || suffix == 0 || token.needsCleaning()) return copy();
        emit(token, isHalf ? tok::kw__Float16 : tok::kw___bf16);
        emit(token, tok::l_paren);
        Token value = token;
        preprocessor_.CreateString(number.drop_back(suffix), value, token.getLocation(), token.getLocation());
        out_.push_back(value);
        emit(token, tok::r_paren);
        ++at_;
    }

    void addressSpace(const Token& token, AddressSpace space) {
        if (space == AddressSpace::thread) return;
        if (space == AddressSpace::constant) emit(token, tok::kw_const, "const");
        gnuAttribute(token, typeAttributeOf(space));
        // Variables of functions become static by it (attributes.cpp). In a cast there is none.
        if (space == AddressSpace::threadgroup && !isInsideList()) gnuAttribute(token, threadgroupVariableAttribute);
    }

    // Whether the type that is being written began behind `(`, `<` or `,`: a cast, a parameter, a template's argument.
    bool isInsideList() const {
        std::size_t i = out_.size();
        // The space's own attribute, `__attribute__((name))`, is the last thing written.
        if (i >= 6 && out_[i - 6].is(tok::kw___attribute)) i -= 6;
        // Names of types and qualifiers; no keyword that starts a statement stands before a type.
        while (i > 0 && (out_[i - 1].is(tok::coloncolon) || out_[i - 1].getIdentifierInfo())) --i;
        return i > 0 && out_[i - 1].isOneOf(tok::l_paren, tok::less, tok::comma);
    }

    // `)`, or `)` and qualifiers: the end of a parameter list, of a condition or of a cast.
    bool followsParameterList() const {
        std::size_t i = out_.size();
        while (i > 0 && out_[i - 1].isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_noexcept)) --i;
        return i > 0 && out_[i - 1].is(tok::r_paren);
    }
    // What may follow a method's qualifiers, and cannot follow the address space of a declaration or cast.
    bool endsMethodDeclarator() const {
        std::size_t ahead = 1;
        while (peek(ahead).isOneOf(tok::kw_const, tok::kw_volatile) || addressSpaceOfKeyword(nameOf(peek(ahead))))
            ++ahead;
        return peek(ahead).isOneOf(tok::l_brace, tok::semi, tok::equal, tok::colon, tok::arrow, tok::kw_noexcept,
                                   tok::amp, tok::ampamp);
    }

    bool atAttributeList() const { return peek().is(tok::l_square) && peek(1).is(tok::l_square); }

    // [[ name, scope::name(arguments), ... ]]
    void attributeList(bool asGnu) {
        const Token& first = peek();
        if (asGnu) {
            openGnuAttribute(first);
            at_ += 2;
        } else {
            copy();
            copy();
        }
        bool expectsName = true;
        while (at_ < in_.size() && peek().isNot(tok::eof)) {
            if (peek().is(tok::r_square)) break;
            if (expectsName && peek().getIdentifierInfo() && peek(1).is(tok::l_paren)) {
                const bool parenthesise = takesIndex(peek().getIdentifierInfo()->getName());
                copy();
                argumentList(parenthesise);
                expectsName = false;
                continue;
            }
            if (peek().is(tok::l_paren)) {
                argumentList(false);
                continue;
            }
            if (peek().isOneOf(tok::semi, tok::l_brace, tok::r_brace)) return;  // unterminated: the parser says so
            expectsName = peek().isOneOf(tok::comma, tok::coloncolon);
            copy();
        }
        if (!peek().is(tok::r_square)) return;
        if (asGnu) {
            closeGnuAttribute(peek());
            at_ += peek(1).is(tok::r_square) ? 2 : 1;
        } else {
            copy();
            if (peek().is(tok::r_square)) copy();
        }
    }

    void argumentList(bool parenthesise) {
        const Token open = peek();
        copy();
        // An empty list stays one, so that the complaint is about the missing number.
        parenthesise = parenthesise && peek().isNot(tok::r_paren);
        if (parenthesise) emit(open, tok::l_paren);
        for (int depth = 1; at_ < in_.size() && peek().isNot(tok::eof);) {
            if (peek().is(tok::l_paren)) ++depth;
            if (peek().is(tok::r_paren) && --depth == 0) break;
            copy();
        }
        if (!peek().is(tok::r_paren)) return;
        if (parenthesise) emit(peek(), tok::r_paren);
        copy();
    }

    llvm::ArrayRef<Token> in_;
    clang::Preprocessor& preprocessor_;
    std::vector<Token> out_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> rewriteTokens(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor) {
    return TokenStage(tokens, preprocessor).run();
}

}  // namespace metal_compiler

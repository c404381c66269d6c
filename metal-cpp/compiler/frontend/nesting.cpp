// SPDX-License-Identifier: MIT
#include "frontend/nesting.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/SmallVector.h>

namespace metal_compiler {
namespace {

using clang::Token;
namespace tok = clang::tok;

constexpr unsigned mostPrefixes = 1024, mostConditionals = 1024, mostBranches = 4096, mostOperators = 16384;

bool isPrefix(const Token& token) {
    return token.isOneOf(tok::minus, tok::plus, tok::exclaim, tok::tilde, tok::star, tok::amp, tok::minusminus,
                         tok::plusplus);
}

bool isOperator(const Token& token) {
    return token.isOneOf(tok::minus, tok::plus, tok::star, tok::slash, tok::percent, tok::amp, tok::pipe, tok::caret,
                         tok::ampamp, tok::pipepipe, tok::less, tok::greater, tok::equalequal, tok::exclaimequal,
                         tok::lessless, tok::equal, tok::period, tok::arrow);
}

class Nesting {
public:
    // What is too much at this token; null when nothing is.
    const char* add(const Token& token) {
        const char* wrong = nullptr;
        prefixes_ = isPrefix(token) ? prefixes_ + 1 : 0;
        if (prefixes_ > mostPrefixes) wrong = "more than 1024 operators before one operand";
        if (token.isOneOf(tok::semi, tok::comma, tok::colon)) open_.back().operators = 0;
        if (token.isOneOf(tok::semi, tok::comma)) open_.back().conditionals = 0;
        if (token.is(tok::kw_if) && !followsElse_) open_.back().branches = 0;
        if (token.is(tok::kw_if) && followsElse_ && ++open_.back().branches > mostBranches)
            wrong = "more than 4096 'else if' after one another; use 'switch', or an array";
        if (token.is(tok::question) && ++open_.back().conditionals > mostConditionals)
            wrong = "more than 1024 conditional operators in one another";
        if ((isOperator(token) || token.isOneOf(tok::l_paren, tok::l_square)) &&
            ++open_.back().operators > mostOperators)
            wrong = "more than 16384 operators in one expression";
        followsElse_ = token.is(tok::kw_else);
        if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) open_.emplace_back();
        if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && open_.size() > 1) {
            open_.pop_back();
            if (token.is(tok::r_brace)) open_.back().operators = open_.back().conditionals = 0;
        }
        return wrong;
    }

private:
    struct Bracket {
        unsigned operators = 0, conditionals = 0, branches = 0;
    };
    llvm::SmallVector<Bracket, 32> open_{Bracket{}};
    unsigned prefixes_ = 0;
    bool followsElse_ = false;
};

}  // namespace

bool checkNesting(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor) {
    Nesting nesting;
    for (const Token& token : tokens) {
        const char* wrong = nesting.add(token);
        if (wrong == nullptr) continue;
        clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
        const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "nested too deeply: %0");
        diagnostics.Report(token.getLocation(), id) << wrong;
        return false;
    }
    return true;
}

}  // namespace metal_compiler

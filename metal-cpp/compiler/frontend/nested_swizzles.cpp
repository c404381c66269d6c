// SPDX-License-Identifier: MIT
#include "frontend/nested_swizzles.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallString.h>

#include <optional>

#include "frontend/rule_report.hpp"

namespace metal_compiler {
namespace {

using clang::Token;
namespace tok = clang::tok;

// Which components the name selects, in order, if it can be a swizzle's.
std::optional<llvm::SmallString<4>> componentsOf(const Token& token) {
    if (token.isNot(tok::identifier)) return std::nullopt;
    const llvm::StringRef name = token.getIdentifierInfo()->getName();
    if (name.size() > 4) return std::nullopt;
    for (const llvm::StringRef letters : {"xyzw", "rgba"}) {
        if (name.find_first_not_of(letters) != llvm::StringRef::npos) continue;
        llvm::SmallString<4> places;
        for (const char letter : name) places += static_cast<char>(letters.find(letter));
        return places;
    }
    return std::nullopt;
}

bool repeats(llvm::StringRef places) {
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (places.take_front(i).contains(places[i])) return true;
    }
    return false;
}

class SwizzleJoiner {
public:
    SwizzleJoiner(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor)
        : in_(tokens), preprocessor_(preprocessor) {}

    std::vector<Token> run() {
        for (std::size_t i = 0; i < in_.size(); ++i) {
            out_.push_back(in_[i]);
            while (joins(i)) {
                out_.back() = joined(out_.back(), in_[i + 2]);
                i += 2;
            }
            if (isIndexedFromTheFirst(i)) out_.resize(out_.size() - 2);
        }
        return std::move(out_);
    }

private:
    // Whether the last name written, the one at `i`, is one of two: `. first . second`.
    bool joins(std::size_t i) {
        if (out_.size() < 2 || !out_[out_.size() - 2].isOneOf(tok::period, tok::arrow)) return false;
        if (i + 3 >= in_.size() || in_[i + 1].isNot(tok::period) || in_[i + 3].is(tok::l_paren)) return false;
        const auto first = componentsOf(out_.back()), second = componentsOf(in_[i + 2]);
        if (!first || !second || first->size() < 2 || repeats(*first)) return false;
        for (const char place : *second) {
            if (static_cast<std::size_t>(place) >= first->size()) return false;
        }
        return !isHeaders(out_.back()) && !members().contains(out_.back().getIdentifierInfo());
    }

    // Whether what was written last is `.xyz`, and `[`, which is no attribute's, follows the name at `i`.
    bool isIndexedFromTheFirst(std::size_t i) {
        if (out_.size() < 2 || out_[out_.size() - 2].isNot(tok::period)) return false;
        if (i + 2 >= in_.size() || in_[i + 1].isNot(tok::l_square) || in_[i + 2].is(tok::l_square)) return false;
        const auto places = componentsOf(out_.back());
        if (!places || places->size() < 2) return false;
        for (std::size_t place = 0; place < places->size(); ++place) {
            if (static_cast<std::size_t>((*places)[place]) != place) return false;
        }
        return !isHeaders(out_.back()) && !members().contains(out_.back().getIdentifierInfo());
    }

    Token joined(const Token& first, Token second) const {
        const auto outer = componentsOf(first), inner = componentsOf(second);
        // With the letters of the second name, for messages.
        const bool isOfColors = second.getIdentifierInfo()->getName().find_first_of("rgba") != llvm::StringRef::npos;
        llvm::SmallString<4> name;
        for (const char place : *inner) name += (isOfColors ? "rgba" : "xyzw")[static_cast<int>((*outer)[place])];
        second.setIdentifierInfo(preprocessor_.getIdentifierInfo(name));
        return second;
    }

    bool isHeaders(const Token& token) const {
        const clang::SourceManager& sources = preprocessor_.getSourceManager();
        return sources.isInSystemHeader(sources.getSpellingLoc(token.getLocation()));
    }

    // Every name that stands directly in a class of the program.
    const llvm::DenseSet<const clang::IdentifierInfo*>& members() {
        if (members_) return *members_;
        members_.emplace();
        std::vector<bool> isClass;  // by open brace
        bool classComes = false, basesCome = false;
        int depth = 0, depthOfClass = 0;  // of parentheses and square brackets, the latter where `struct` stands
        for (std::size_t i = 0; i < in_.size(); ++i) {
            const Token& token = in_[i];
            if (token.isOneOf(tok::kw_struct, tok::kw_class, tok::kw_union)) {
                classComes = true;
                basesCome = false;
                depthOfClass = depth;
            } else if (token.is(tok::colon)) {
                basesCome = true;
            } else if (token.isOneOf(tok::l_paren, tok::l_square)) {
                if (classComes && !basesCome && depth == depthOfClass && startsParameters(i)) classComes = false;
                ++depth;
            } else if (token.isOneOf(tok::r_paren, tok::r_square)) {
                if (--depth < depthOfClass) classComes = false;  // `sizeof(struct S)`
            } else if (token.isOneOf(tok::semi, tok::equal)) {
                classComes = false;
            } else if (token.is(tok::l_brace)) {
                isClass.push_back(classComes);
                classComes = false;
            } else if (token.is(tok::r_brace) && !isClass.empty()) {
                isClass.pop_back();
            } else if (token.is(tok::identifier) && !isClass.empty() && isClass.back() && !isHeaders(token)) {
                members_->insert(token.getIdentifierInfo());
            }
        }
        return *members_;
    }

    // `struct S f() {`, but not `struct alignas(16) S {`.
    bool startsParameters(std::size_t i) const {
        return in_[i].is(tok::l_paren) && !in_[i - 1].isOneOf(tok::kw_alignas, tok::kw___attribute);
    }

    llvm::ArrayRef<Token> in_;
    clang::Preprocessor& preprocessor_;
    std::vector<Token> out_;
    std::optional<llvm::DenseSet<const clang::IdentifierInfo*>> members_;
};

// What is assigned to or counted up or down.
const clang::Expr* targetOf(const clang::Expr* form) {
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(form))
        return operation->isAssignmentOp() ? operation->getLHS() : nullptr;
    const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(form);
    return operation != nullptr && operation->isIncrementDecrementOp() ? operation->getSubExpr() : nullptr;
}

}  // namespace

std::vector<Token> joinSwizzles(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor) {
    return SwizzleJoiner(tokens, preprocessor).run();
}

void checkSwizzleTarget(const clang::PseudoObjectExpr* expression, RuleReport& report) {
    const clang::Expr* target = targetOf(expression->getSyntacticForm());
    const auto* property =
        target == nullptr ? nullptr : llvm::dyn_cast<clang::MSPropertyRefExpr>(target->IgnoreParens());
    if (property == nullptr || property->isArrow()) return;
    const clang::Expr* object = property->getBaseExpr();
    if (const auto* value = llvm::dyn_cast<clang::OpaqueValueExpr>(object)) object = value->getSourceExpr();
    if (object->isLValue()) return;
    report.forbid(property->getMemberLoc(),
                  "expression is not assignable: '" + property->getPropertyDecl()->getName().str() +
                      "' is of a copy here; write to the components of the vector itself",
                  object->getSourceRange());
}

}  // namespace metal_compiler

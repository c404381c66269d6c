// SPDX-License-Identifier: MIT
#include "frontend/function_rules.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include "frontend/attributes.hpp"

namespace metal_compiler {

using namespace clang;

namespace {

// "kernel", "vertex" or "fragment"; null for other functions.
const char* stageWordOf(const FunctionDecl* function) {
    for (const char* stage : {"kernel", "vertex", "fragment"}) {
        if (hasAttribute(function, stage)) return stage;
    }
    return nullptr;
}

// Of sections 6.9.2, 6.9.3 and 6.10.1: nothing else has neighbours in a quad, samples, or an output to give up.
bool isOfFragments(const FunctionDecl* function) {
    static constexpr llvm::StringLiteral names[] = {
        "dfdx",
        "dfdy",
        "fwidth",
        "discard_fragment",
        "get_num_samples",
        "get_sample_position",
        "simd_is_helper_thread",
        "quad_is_helper_thread",
    };
    return function->getIdentifier() != nullptr && !isa<CXXMethodDecl>(function) &&
           llvm::is_contained(names, function->getName());
}

bool isLeftUndefined(const FunctionDecl* function) {
    return function->isUsed() && !function->isDefined() && !function->isImplicit() && !function->isDeleted() &&
           !function->hasAttr<AsmLabelAttr>() && !hasAttribute(function, "visible") && function->getBuiltinID() == 0;
}

}  // namespace

void FunctionRules::checkDeclaration(const FunctionDecl* function) {
    if (function->isVariadic()) {
        report_.forbid(function->getLocation(), "variadic functions are not supported in Metal; write a template");
    }
    if (function->getDeclContext()->getRedeclContext()->isTranslationUnit() && function->getIdentifier() != nullptr &&
        function->getName() == "main") {
        report_.forbid(function->getLocation(), "'main' cannot be the name of a function in Metal; give it another");
    }
    const bool isPattern = function->isDependentContext();
    if (!isPattern && (hasAttribute(function, "kernel") || hasAttribute(function, "vertex")))
        notOfFragments_.push_back(function);
}

void FunctionRules::checkCall(const CallExpr* call, const FunctionDecl* caller) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) return;
    if (caller != nullptr && !isTailCallOfItself(caller, call)) calls_.add(caller, callee, call->getExprLoc());
    if (report_.isOfLibrary(callee)) {
        if (caller != nullptr && isOfFragments(callee))
            ofFragments_[caller->getCanonicalDecl()].push_back({callee, call->getExprLoc()});
        return;
    }
    const auto name = [&] { return "'" + callee->getNameAsString() + "'"; };
    if (const char* stage = stageWordOf(callee)) {
        report_.forbid(call->getExprLoc(), "a " + std::string(stage) + " function cannot be called: " + name() +
                                               "; put what both need into a function of its own");
    }
    if (caller != nullptr && !caller->isDependentContext() && isLeftUndefined(callee)) {
        report_.forbid(call->getExprLoc(), "undefined function " + name() + ": it is declared, but has no body");
        report_.note(callee->getLocation(), name() + " declared here");
    }
}

void FunctionRules::finish() {
    checkRecursion();
    checkStages();
}

void FunctionRules::checkStages() {
    llvm::DenseSet<SourceLocation> reported;  // one kernel is enough to say
    for (const FunctionDecl* function : notOfFragments_) {
        for (const FunctionDecl* caller : calls_.reachedFrom(function)) {
            const auto found = ofFragments_.find(caller);
            if (found == ofFragments_.end()) continue;
            const bool isDirect = caller == function->getCanonicalDecl();
            const std::string name = "'" + function->getNameAsString() + "'";
            for (const CallGraph::Call& call : found->second) {
                if (!reported.insert(call.place).second) continue;
                report_.forbid(call.place, "'" + call.callee->getNameAsString() +
                                               "' can only be called in fragment functions, and " +
                                               (isDirect ? name + " is a " : "this is called by ") +
                                               stageWordOf(function) + (isDirect ? " function" : " function " + name));
            }
        }
    }
}

void FunctionRules::checkRecursion() {
    for (const CallGraph::Call& call : calls_.closingCalls()) {
        if (call.callee->isConstexpr()) continue;  // meant for the compiler, which computes the value
        const std::string what = "recursion is not supported in Metal: '" + call.callee->getNameAsString() +
                                 "' can reach itself; write a loop instead";
        // Published headers recurse (f(x) is -f(-x) for negative x), and Apple's compiler takes them. In the program's
        // own text it is a mistake.
        if (report_.isOfHeader(call.place)) {
            report_.warn(call.place, what);
        } else {
            report_.forbid(call.place, what);
        }
    }
}

}  // namespace metal_compiler

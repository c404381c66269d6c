// SPDX-License-Identifier: MIT
//
// What functions may be and whom they may call: no recursion, no calls of kernels or of what has no body, what is of
// fragments only in fragment functions.

#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include "frontend/recursion.hpp"
#include "frontend/rule_report.hpp"

namespace metal_compiler {

class FunctionRules {
public:
    explicit FunctionRules(RuleReport& report) : report_(report) {}

    void checkDeclaration(const clang::FunctionDecl* function);
    void checkCall(const clang::CallExpr* call, const clang::FunctionDecl* caller);
    /// After all of the program.
    void finish();

private:
    void checkRecursion();
    void checkStages();

    RuleReport& report_;
    CallGraph calls_;
    std::vector<const clang::FunctionDecl*> notOfFragments_;  // kernels and vertex functions
    // By the function that calls: derivatives and what else only fragments have.
    llvm::DenseMap<const clang::FunctionDecl*, std::vector<CallGraph::Call>> ofFragments_;
};

}  // namespace metal_compiler

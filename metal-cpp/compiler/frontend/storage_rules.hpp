// SPDX-License-Identifier: MIT
//
// Where variables may live: in the constant address space at program scope, in a thread or its threadgroup in
// functions.

#pragma once

#include <clang/AST/Decl.h>

#include "frontend/address_spaces.hpp"
#include "frontend/rule_report.hpp"

namespace metal_compiler {

class StorageRules {
public:
    explicit StorageRules(RuleReport& report) : report_(report) {}

    /// `function`: what the variable is in; null at program scope.
    void check(clang::VarDecl* variable, const clang::FunctionDecl* function);

private:
    void checkLocal(const clang::VarDecl* variable, AddressSpace space);
    void checkProgramScope(const clang::VarDecl* variable, AddressSpace space);
    void checkFunctionConstant(const clang::VarDecl* variable);
    void checkThreadgroup(clang::VarDecl* variable, const clang::FunctionDecl* function);

    RuleReport& report_;
};

}  // namespace metal_compiler

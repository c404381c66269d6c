// SPDX-License-Identifier: MIT
//
// Conversions that Clang makes and Metal does not have: from other address spaces to `thread`, which is Clang's default
// space, and from float to bfloat.

#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

#include "frontend/rule_report.hpp"

namespace metal_compiler {

class ConversionRules {
public:
    explicit ConversionRules(RuleReport& report) : report_(report) {}

    void checkVariable(const clang::VarDecl* variable);
    void checkReturn(const clang::ReturnStmt* statement, const clang::FunctionDecl* function);
    void checkAssignment(const clang::BinaryOperator* operation);
    void checkCompound(const clang::CompoundAssignOperator* operation);
    void checkOperands(const clang::BinaryOperator* operation);
    void checkList(const clang::InitListExpr* list);
    void checkMember(const clang::FieldDecl* member, const clang::Expr* value);
    void checkCall(const clang::CallExpr* call);
    void checkConstruction(const clang::CXXConstructExpr* expression);

private:
    /// `what` cannot be done: said of a value that breaks a rule, and made only then.
    void check(const clang::Expr* value, llvm::function_ref<std::string()> what, clang::SourceLocation place);
    void checkParameter(const clang::ParmVarDecl* parameter, const clang::Expr* argument);
    void checkObject(const clang::CallExpr* call, const clang::CXXMethodDecl* method);
    std::string describe(clang::QualType type) const;

    RuleReport& report_;
};

}  // namespace metal_compiler

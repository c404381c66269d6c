// SPDX-License-Identifier: MIT
//
// Conversions between address spaces. To Clang every space converts to the default one, which is `thread`; Metal has
// no such conversion.

#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "frontend/rule_report.hpp"

namespace metal_compiler {

class ConversionRules {
public:
    explicit ConversionRules(RuleReport& report) : report_(report) {}

    void checkVariable(const clang::VarDecl* variable);
    void checkReturn(const clang::ReturnStmt* statement, const clang::FunctionDecl* function);
    void checkAssignment(const clang::BinaryOperator* operation);
    void checkCall(const clang::CallExpr* call);
    void checkConstruction(const clang::CXXConstructExpr* expression);

private:
    void check(const clang::Expr* value, const std::string& what, clang::SourceLocation place);
    void checkParameter(const clang::ParmVarDecl* parameter, const clang::Expr* argument);
    void checkObject(const clang::CallExpr* call, const clang::CXXMethodDecl* method);
    std::string describe(clang::QualType type) const;

    RuleReport& report_;
};

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/rules.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

#include "frontend/attributes.hpp"
#include "frontend/session.hpp"

namespace metal_compiler {
namespace {

class AttributeDropper : public clang::RecursiveASTVisitor<AttributeDropper> {
public:
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseStmt(clang::Stmt*, void* = nullptr) { return true; }
    bool VisitDecl(clang::Decl* declaration) {
        dropAttributes(declaration);
        return true;
    }
};

}  // namespace

void checkRules(Session&) {}

void dropAllAttributes(Session& session) {
    AttributeDropper dropper;
    for (clang::Decl* declaration : session.declarations()) dropper.TraverseDecl(declaration);
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/method_spaces.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <cstring>

namespace metal_compiler {
namespace {

using namespace clang;

// Templates are instantiated from the type as written, so it must agree with the type; its locations stay.
void setType(ASTContext& context, CXXMethodDecl* method, QualType type) {
    method->setType(type);
    TypeSourceInfo* written = method->getTypeSourceInfo();
    if (written == nullptr) return;
    const TypeLoc location = written->getTypeLoc();
    const unsigned size = location.getFullDataSize();
    TypeSourceInfo* changed = context.CreateTypeSourceInfo(type, size);
    std::memcpy(changed->getTypeLoc().getOpaqueData(), location.getOpaqueData(), size);
    method->setTypeSourceInfo(changed);
}

}  // namespace

void putMethodIntoSpace(Sema& sema, Decl* declaration, AddressSpace space, SourceLocation place) {
    if (auto* functionTemplate = dyn_cast<FunctionTemplateDecl>(declaration))
        declaration = functionTemplate->getTemplatedDecl();
    auto* method = dyn_cast<CXXMethodDecl>(declaration);
    if (method == nullptr) return;
    ASTContext& context = sema.Context;
    LangAS languageSpace = languageSpaceOf(space);
    if (space == AddressSpace::thread) {
        // Clang checks the space of constructors and conversions strictly, and local objects are in the default one.
        if (isa<CXXConstructorDecl, CXXConversionDecl>(method)) return;
        // Elsewhere the private space leaves the other spaces' methods alone, and the condition makes this method the
        // better one for local objects, which every method would fit otherwise.
        languageSpace = LangAS::sycl_private;
        Expr* always = CXXBoolLiteralExpr::Create(context, true, context.BoolTy, place);
        method->addAttr(EnableIfAttr::CreateImplicit(context, always, "thread"));
    }
    const auto* type = method->getType()->castAs<FunctionProtoType>();
    FunctionProtoType::ExtProtoInfo information = type->getExtProtoInfo();
    information.TypeQuals.removeAddressSpace();
    information.TypeQuals.addAddressSpace(languageSpace);
    if (space == AddressSpace::constant) information.TypeQuals.addConst();  // as everything in that space is
    setType(context, method, context.getFunctionType(type->getReturnType(), type->getParamTypes(), information));
}

}  // namespace metal_compiler

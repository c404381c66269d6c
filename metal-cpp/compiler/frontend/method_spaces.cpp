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

constexpr llvm::StringLiteral threadMethodAnnotation = "metal method of local objects";

void putInto(ASTContext& context, CXXMethodDecl* method, LangAS space, bool isConst) {
    const auto* type = method->getType()->castAs<FunctionProtoType>();
    FunctionProtoType::ExtProtoInfo information = type->getExtProtoInfo();
    information.TypeQuals.removeAddressSpace();
    information.TypeQuals.addAddressSpace(space);
    if (isConst) information.TypeQuals.addConst();
    setType(context, method, context.getFunctionType(type->getReturnType(), type->getParamTypes(), information));
}

CXXMethodDecl* methodOf(Decl* declaration) {
    if (auto* functionTemplate = dyn_cast<FunctionTemplateDecl>(declaration))
        declaration = functionTemplate->getTemplatedDecl();
    return dyn_cast<CXXMethodDecl>(declaration);
}

// Clang checks the space of constructors and conversions strictly, and local objects are in the default one.
bool isAlwaysDefault(const CXXMethodDecl* method) {
    return isa<CXXConstructorDecl, CXXConversionDecl>(method);
}

// Gives a `thread` method a space of its own, which leaves the other spaces' objects alone, and a condition that makes
// it the better one for local objects, which every method would fit otherwise.
void separate(ASTContext& context, CXXMethodDecl* method, SourceLocation place) {
    if (isAlwaysDefault(method) || method->getMethodQualifiers().getAddressSpace() == threadMethodSpace) return;
    Expr* always = CXXBoolLiteralExpr::Create(context, true, context.BoolTy, place);
    method->addAttr(EnableIfAttr::CreateImplicit(context, always, "thread"));
    putInto(context, method, threadMethodSpace, false);
}

}  // namespace

bool isThreadMethod(const CXXMethodDecl* method) {
    return llvm::any_of(method->specific_attrs<AnnotateAttr>(), [](const AnnotateAttr* annotation) {
        return annotation->getAnnotation() == threadMethodAnnotation;
    });
}

void putMethodIntoSpace(Sema& sema, Decl* declaration, AddressSpace space, SourceLocation place) {
    CXXMethodDecl* method = methodOf(declaration);
    if (method == nullptr) return;
    ASTContext& context = sema.Context;
    bool hasOthers = false;
    for (NamedDecl* other : method->getParent()->lookup(method->getDeclName())) {
        CXXMethodDecl* sibling = methodOf(other);
        if (sibling == nullptr || sibling == method) continue;
        if (isThreadMethod(sibling)) {
            if (space != AddressSpace::thread) separate(context, sibling, place);
        } else {
            hasOthers |= sibling->getMethodQualifiers().hasAddressSpace();
        }
    }
    if (space == AddressSpace::thread) {
        method->addAttr(AnnotateAttr::CreateImplicit(context, threadMethodAnnotation, nullptr, 0));
        // Alone it may as well be a method for all, which keeps the space out of the types of its class's members; the
        // rules see to it that no other object calls it.
        if (hasOthers) separate(context, method, place);
        return;
    }
    putInto(context, method, languageSpaceOf(space), space == AddressSpace::constant);  // everything there is const
}

}  // namespace metal_compiler

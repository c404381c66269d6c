// SPDX-License-Identifier: MIT
#include "frontend/conversion_rules.hpp"

#include "frontend/address_spaces.hpp"
#include "frontend/method_spaces.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {

using namespace clang;

namespace {

bool isBuiltin(QualType type, BuiltinType::Kind kind) {
    const auto* builtin = type->getAs<BuiltinType>();
    return builtin != nullptr && builtin->getKind() == kind;
}

// What a person wrote, before what Clang makes of it on the way to another pointer.
const Expr* beforePointerCasts(const Expr* value) {
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(value)) {
        if (cast->getCastKind() != CK_BitCast && cast->getCastKind() != CK_NoOp) break;
        value = cast->getSubExpr();
    }
    return value;
}

}  // namespace

// 'thread float *' for what Clang calls 'float *'.
std::string ConversionRules::describe(QualType type) const {
    std::string name = metalTypeName(type, report_.context());
    const bool pointsAt = type->isPointerType() || type->isReferenceType();
    if (pointsAt && addressSpaceOf(type->getPointeeType().getAddressSpace()) == AddressSpace::thread)
        name = "thread " + name;
    return "'" + name + "'";
}

void ConversionRules::check(const Expr* value, llvm::function_ref<std::string()> what, SourceLocation place) {
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(value)) {
        const Expr* from = cast->getSubExpr();
        const bool isPointer = cast->getType()->isPointerType() && from->getType()->isPointerType();
        const QualType before = isPointer ? from->getType()->getPointeeType() : from->getType();
        const QualType after = isPointer ? cast->getType()->getPointeeType() : cast->getType();
        const bool bindsPlace = cast->isGLValue() && from->isGLValue();
        if ((isPointer || bindsPlace) && before.hasAddressSpace() && !after.hasAddressSpace() &&
            addressSpaceOf(before.getAddressSpace()) != AddressSpace::thread) {
            const Expr* written = beforePointerCasts(from);
            report_.forbid(place,
                           what() + " with an " + (written->IgnoreParenImpCasts()->isLValue() ? "lvalue" : "rvalue") +
                               " of type " + describe(written->getType()),
                           written->getSourceRange());
            return;
        }
        if (cast->getCastKind() == CK_FloatingCast && isBuiltin(after, BuiltinType::BFloat16) &&
            isBuiltin(before, BuiltinType::Float)) {
            report_.forbid(place, what() + " with an rvalue of type 'float'; write 'bfloat(...)'",
                           from->getSourceRange());
            return;
        }
        value = from;
    }
}

void ConversionRules::checkVariable(const VarDecl* variable) {
    if (const Expr* value = variable->getInit()) {
        check(
            value, [&] { return "cannot initialize a variable of type " + describe(variable->getType()); },
            variable->getLocation());
    }
}

void ConversionRules::checkReturn(const ReturnStmt* statement, const FunctionDecl* function) {
    if (const Expr* value = statement->getRetValue(); value != nullptr && function != nullptr) {
        check(
            value, [&] { return "cannot initialize return object of type " + describe(function->getReturnType()); },
            value->getExprLoc());
    }
}

void ConversionRules::checkAssignment(const BinaryOperator* operation) {
    if (const auto* compound = dyn_cast<CompoundAssignOperator>(operation)) return checkCompound(compound);
    if (operation->getOpcode() != BO_Assign) return;
    check(
        operation->getRHS(), [&] { return "cannot assign to " + describe(operation->getLHS()->getType()); },
        operation->getRHS()->getExprLoc());
}

// a += b is a = a + b, whose sum may be a float.
void ConversionRules::checkCompound(const CompoundAssignOperator* operation) {
    if (!isBuiltin(operation->getLHS()->getType(), BuiltinType::BFloat16) ||
        !isBuiltin(operation->getComputationResultType(), BuiltinType::Float))
        return;
    report_.forbid(operation->getOperatorLoc(),
                   "cannot assign to " + describe(operation->getLHS()->getType()) +
                       " with an rvalue of type 'float'; write 'bfloat(...)'",
                   operation->getRHS()->getSourceRange());
}

void ConversionRules::checkList(const InitListExpr* list) {
    if (list == nullptr) return;  // in a template's own text
    const RecordDecl* record = list->getType()->getAsRecordDecl();
    const char* part = record != nullptr ? "a member subobject" : "an array element";
    for (const Expr* value : list->inits()) {
        if (value == nullptr || isa<ImplicitValueInitExpr>(value)) continue;
        check(
            value, [&] { return std::string("cannot initialize ") + part + " of type " + describe(value->getType()); },
            value->getExprLoc());
    }
}

void ConversionRules::checkMember(const FieldDecl* member, const Expr* value) {
    check(
        value, [&] { return "cannot initialize a member subobject of type " + describe(member->getType()); },
        value->getExprLoc());
}

// Neither is the wider one, so there is no type for the result.
void ConversionRules::checkOperands(const BinaryOperator* operation) {
    const Expr* left = operation->getLHS()->IgnoreParenImpCasts();
    const Expr* right = operation->getRHS()->IgnoreParenImpCasts();
    if (operation->isCommaOp() || operation->getOpcode() == BO_Assign || operation->isLogicalOp()) return;
    const auto mixes = [](const Expr* a, const Expr* b) {
        return isBuiltin(a->getType(), BuiltinType::BFloat16) && isBuiltin(b->getType(), BuiltinType::Float16);
    };
    if (!mixes(left, right) && !mixes(right, left)) return;
    report_.forbid(operation->getOperatorLoc(),
                   "invalid operands to binary expression (" + describe(left->getType()) + " and " +
                       describe(right->getType()) + "); convert one, or both to 'float'",
                   operation->getSourceRange());
}

void ConversionRules::checkParameter(const ParmVarDecl* parameter, const Expr* argument) {
    check(
        argument, [&] { return "cannot initialize a parameter of type " + describe(parameter->getType()); },
        argument->getExprLoc());
}

void ConversionRules::checkObject(const CallExpr* call, const CXXMethodDecl* method) {
    const auto* member = dyn_cast<CXXMemberCallExpr>(call);
    const Expr* object = member != nullptr                ? member->getImplicitObjectArgument()
                         : isa<CXXOperatorCallExpr>(call) ? call->getArg(0)
                                                          : nullptr;
    if (object == nullptr) return;  // in a template's own text
    const auto what = [&] {
        ASTContext& context = report_.context();
        const std::string type = metalTypeName(context.getCanonicalTagType(method->getParent()), context);
        return "cannot initialize object parameter of type 'thread " + type + "'";
    };
    check(object, what, object->getExprLoc());
}

void ConversionRules::checkCall(const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || report_.isOfLibrary(callee)) return;
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (method != nullptr && method->isImplicit()) return;
    if (method != nullptr && isThreadMethod(method)) checkObject(call, method);
    // The object of an operator that is a method is no parameter.
    const unsigned shift = isa<CXXOperatorCallExpr>(call) && method != nullptr && method->isInstance() ? 1 : 0;
    for (unsigned i = 0; i < callee->getNumParams() && i + shift < call->getNumArgs(); ++i) {
        checkParameter(callee->getParamDecl(i), call->getArg(i + shift));
    }
}

void ConversionRules::checkConstruction(const CXXConstructExpr* expression) {
    const CXXConstructorDecl* constructor = expression->getConstructor();
    if (constructor->isImplicit() || constructor->isDefaulted() || report_.isOfLibrary(constructor)) return;
    for (unsigned i = 0; i < constructor->getNumParams() && i < expression->getNumArgs(); ++i) {
        checkParameter(constructor->getParamDecl(i), expression->getArg(i));
    }
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/storage_rules.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "frontend/arguments.hpp"
#include "frontend/attributes.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {

using namespace clang;

namespace {

// `threadgroup T x;` of a class whose default constructor is for threadgroup memory. Nothing runs it: the threads
// would undo each other's writes, and threadgroup memory begins undefined.
bool isConstructedInPlace(const VarDecl& variable, const CXXConstructExpr& construction) {
    const bool isWritten =
        variable.getInitStyle() != VarDecl::CallInit || construction.getParenOrBraceRange().isValid();
    const LangAS space = construction.getConstructor()->getMethodQualifiers().getAddressSpace();
    return !isWritten && construction.getNumArgs() == 0 && addressSpaceOf(space) == AddressSpace::threadgroup;
}

// `sampler`, `array<sampler, 2>`
bool isOfSamplers(QualType type) {
    type = type.getCanonicalType();
    const llvm::StringRef name = standardClassName(type);
    return name == "sampler" || (name == "array" && isOfSamplers(templateArgumentsOf(type)[0].getAsType()));
}

}  // namespace

void StorageRules::check(VarDecl* variable, const FunctionDecl* function) {
    if (variable->getTSCSpec() != TSCS_unspecified) {
        report_.forbid(variable->getLocation(), "thread-local storage is not supported in Metal");
        return;
    }
    const QualType element = report_.context().getBaseElementType(variable->getType());
    const AddressSpace space = addressSpaceOf(element.getAddressSpace());
    if (variable->isLocalVarDecl()) {
        checkLocal(variable, space);
    } else if (variable->isFileVarDecl()) {
        checkProgramScope(variable, space);
    }
    if (space == AddressSpace::threadgroup) checkThreadgroup(variable, function);
}

void StorageRules::checkLocal(const VarDecl* variable, AddressSpace space) {
    if (variable->isStaticLocal() && space != AddressSpace::constant && space != AddressSpace::threadgroup) {
        report_.forbid(variable->getLocation(), "static variable in a function must reside in constant address space");
    }
    if (!variable->isStaticLocal() && space == AddressSpace::device) {
        report_.forbid(variable->getLocation(), "variable in a function cannot reside in device address space");
    }
}

void StorageRules::checkProgramScope(const VarDecl* variable, AddressSpace space) {
    if (indexQueryOf(variable)) return;  // a thread's place
    if (hasAttribute(variable, "function_constant")) checkFunctionConstant(variable);
    const bool isSampler = isOfSamplers(variable->getType());
    if (space == AddressSpace::constant || (isSampler && variable->isConstexpr())) return;
    if (isSampler) {
        report_.forbid(variable->getLocation(), "program scope sampler must be declared 'constexpr'", {},
                       FixItHint::CreateInsertion(variable->getBeginLoc(), "constexpr "));
        return;
    }
    const bool isFixed = variable->isConstexpr() || variable->getType().isConstQualified();
    const bool hasSpace = space != AddressSpace::thread;
    report_.forbid(variable->getLocation(),
                   std::string("program scope variable must reside in constant address space") +
                       (isFixed    ? "; write 'constant' before its type"
                        : hasSpace ? ""
                                   : "; write 'constant' before its type, or take what changes from a buffer"),
                   {},
                   isFixed ? FixItHint::CreateInsertion(variable->getTypeSpecStartLoc(), "constant ") : FixItHint());
}

void StorageRules::checkFunctionConstant(const VarDecl* variable) {
    const std::string name = variable->getNameAsString();
    const QualType type = variable->getType();
    const llvm::StringRef standard = standardClassName(type);
    const bool isNumber = type->isArithmeticType() || type->isEnumeralType() || type->isDependentType();
    if (!isNumber && standard != "vec" && standard != "packed_vec") {
        report_.forbid(variable->getLocation(),
                       "invalid type '" + metalTypeName(type.getUnqualifiedType(), report_.context()) +
                           "' for function constant '" + name + "': expected a scalar or a vector");
    }
    const auto index = indexOf(variable, "function_constant");
    constexpr std::int64_t last = 65535;
    if (index && *index > last) {
        report_.forbid(rangeOfAttribute(variable, "function_constant").getBegin(),
                       "index of function constant '" + name + "' is out of bounds: must be between 0 and " +
                           std::to_string(last));
    }
    if (variable->hasInit()) {
        report_.forbid(variable->getLocation(),
                       "function constant '" + name + "' cannot have an initializer; for a default, write 'constant " +
                           metalTypeName(type.getUnqualifiedType(), report_.context()) +
                           " x = is_function_constant_defined(" + name + ") ? " + name + " : value'");
    }
}

void StorageRules::checkThreadgroup(VarDecl* variable, const FunctionDecl* function) {
    const bool isInKernel = function != nullptr && hasAttribute(function, "kernel");
    if (variable->isLocalVarDecl() && !isInKernel && !report_.isOfLibrary(variable)) {
        report_.forbid(variable->getLocation(),
                       "variable in threadgroup address space must be declared in a kernel; declare it there and pass "
                       "a 'threadgroup' pointer or reference to it");
    }
    const Expr* value = variable->getInit();
    if (value == nullptr) return;
    if (const auto* construction = dyn_cast<CXXConstructExpr>(value->IgnoreImplicit())) {
        if (construction->getConstructor()->isTrivial() && construction->getNumArgs() == 0) return;
        if (isConstructedInPlace(*variable, *construction)) {
            variable->setInit(nullptr);
            return;
        }
    }
    report_.forbid(variable->getLocation(),
                   "variable in threadgroup address space cannot have an initializer; assign to it in the kernel");
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/rules.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/Sema.h>

#include <set>
#include <string>
#include <utility>

#include "frontend/arguments.hpp"
#include "frontend/attributes.hpp"
#include "frontend/explicit_spaces.hpp"
#include "frontend/method_spaces.hpp"
#include "frontend/recursion.hpp"
#include "frontend/report.hpp"
#include "frontend/session.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class MslRules : public RecursiveASTVisitor<MslRules> {
public:
    explicit MslRules(Session& session)
        : sema_(session.sema()), context_(session.context()), spaces_(session.tokens()) {}

    bool shouldVisitTemplateInstantiations() const { return true; }

    void finish() {
        for (const CallGraph::Call& call : calls_.closingCalls()) {
            const std::string what = "recursion is not supported in Metal: '" + call.callee->getNameAsString() +
                                     "' can reach itself; write a loop instead";
            // Published headers recurse (f(x) is -f(-x) for negative x), and Apple's compiler takes them. In the
            // program's own text it is a mistake.
            if (isOfAHeader(call.place)) {
                report(sema_, DiagnosticIDs::Warning, call.place, what);
            } else {
                forbid(call.place, what);
            }
        }
    }

    // Of a file that the program includes, be it by name or with its text between #line directives.
    bool isOfAHeader(SourceLocation place) const {
        const SourceManager& sources = context_.getSourceManager();
        const PresumedLoc named = sources.getPresumedLoc(place), written = sources.getPresumedLoc(place, false);
        return written.getIncludeLoc().isValid() ||
               llvm::StringRef(named.getFilename()) != llvm::StringRef(written.getFilename());
    }

    bool TraverseDecl(Decl* declaration) {
        if (declaration == nullptr) return true;
        if (declaration->getLocation().isValid() &&
            context_.getSourceManager().isInSystemHeader(declaration->getLocation())) {
            return true;
        }
        auto* function = dyn_cast<FunctionDecl>(declaration);
        const FunctionDecl* outer = function_;
        const bool wasNaming = namesFunctions_;
        if (function != nullptr) function_ = function;
        // A template's argument is a function known while compiling, and its type may have an alias.
        namesFunctions_ = isa<NonTypeTemplateParmDecl, TypeAliasDecl>(declaration);
        const bool result = RecursiveASTVisitor::TraverseDecl(declaration);
        function_ = outer;
        namesFunctions_ = wasNaming;
        return result;
    }

    // ---- Types ----

    bool VisitBuiltinTypeLoc(BuiltinTypeLoc location) {
        switch (location.getTypePtr()->getKind()) {
            case BuiltinType::Double:
                forbid(location.getBeginLoc(), "'double' is not supported in Metal; use 'float'");
                break;
            case BuiltinType::LongDouble:
                forbid(location.getBeginLoc(), "'long double' is not supported in Metal; use 'float'");
                break;
            case BuiltinType::Int128:
            case BuiltinType::UInt128:
                forbid(location.getBeginLoc(), "'__int128' is not supported in Metal; use 'long' or 'ulong'");
                break;
            default:
                break;
        }
        return true;
    }
    // Apple's compiler takes a function as an argument of another that it inlines: `T (*operation)(T, T)`.
    bool VisitParmVarDecl(ParmVarDecl* parameter) {
        if (const TypeSourceInfo* written = parameter->getTypeSourceInfo()) {
            if (const auto pointer = written->getTypeLoc().getAs<PointerTypeLoc>())
                functionArguments_.insert(pointer.getStarLoc());
        }
        return true;
    }
    bool VisitPointerTypeLoc(PointerTypeLoc location) {
        const QualType pointee = location.getTypePtr()->getPointeeType();
        if (pointee->isFunctionType()) {
            if (functionArguments_.count(location.getStarLoc()) != 0) return true;
            if (!namesFunctions_) forbid(location.getStarLoc(), "function pointers are not supported in Metal");
        } else {
            checkSpace(pointee, location.getStarLoc(), "pointer");
        }
        return true;
    }
    bool VisitReferenceTypeLoc(ReferenceTypeLoc location) {
        const QualType pointee = location.getTypePtr()->getPointeeTypeAsWritten();
        const SourceLocation place = location.getLocalSourceRange().getBegin();
        if (pointee->isFunctionType()) {
            forbid(place, "references to functions are not supported in Metal");
        } else if (!pointee->isPointerType()) {  // a pointer is taken to be a local one: `device T*& p`
            checkSpace(pointee, place, "reference");
        }
        return true;
    }
    bool VisitMemberPointerTypeLoc(MemberPointerTypeLoc location) {
        return forbid(location.getStarLoc(), "pointers to members are not supported in Metal");
    }
    bool VisitVariableArrayTypeLoc(VariableArrayTypeLoc location) {
        return forbid(location.getLBracketLoc(),
                      "variable length arrays are not supported in Metal; give the length as a constant");
    }
    bool VisitConstantArrayTypeLoc(ConstantArrayTypeLoc location) {
        if (location.getTypePtr()->getSize().isZero()) {
            forbid(location.getLBracketLoc(), "zero-length arrays are not supported in Metal");
        }
        return true;
    }

    // ---- Declarations ----

    bool VisitCXXMethodDecl(CXXMethodDecl* method) {
        if (method->isVirtualAsWritten()) forbid(method->getLocation(), "virtual functions are not supported in Metal");
        return true;
    }
    bool VisitCXXRecordDecl(CXXRecordDecl* record) {
        if (!record->isThisDeclarationADefinition()) return true;
        for (const CXXBaseSpecifier& base : record->bases()) {
            if (base.isVirtual()) forbid(base.getBeginLoc(), "virtual base classes are not supported in Metal");
        }
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) {
        if (isa<ParmVarDecl>(variable)) return true;
        if (variable->getTSCSpec() != TSCS_unspecified) {
            forbid(variable->getLocation(), "thread-local storage is not supported in Metal");
        }
        const AddressSpace space = addressSpaceOf(context_.getBaseElementType(variable->getType()).getAddressSpace());
        checkStorage(variable, space);
        if (space == AddressSpace::threadgroup) checkThreadgroupVariable(variable);
        if (const Expr* value = variable->getInit()) {
            checkConversion(value, "cannot initialize a variable of type " + describe(variable->getType()),
                            variable->getLocation());
        }
        return true;
    }

    // ---- Statements and expressions ----

    bool VisitCXXNewExpr(CXXNewExpr* expression) {
        return forbid(expression->getBeginLoc(), "'new' is not supported in Metal; declare a variable or use a buffer");
    }
    bool VisitCXXDeleteExpr(CXXDeleteExpr* expression) {
        return forbid(expression->getBeginLoc(), "'delete' is not supported in Metal");
    }
    bool VisitCXXThrowExpr(CXXThrowExpr* expression) {
        return forbid(expression->getBeginLoc(), "exceptions are not supported in Metal");
    }
    bool VisitCXXTryStmt(CXXTryStmt* statement) {
        return forbid(statement->getBeginLoc(), "exceptions are not supported in Metal");
    }
    bool VisitGotoStmt(GotoStmt* statement) {
        return forbid(statement->getGotoLoc(), "'goto' is not supported in Metal");
    }
    bool VisitIndirectGotoStmt(IndirectGotoStmt* statement) {
        return forbid(statement->getGotoLoc(), "'goto' is not supported in Metal");
    }
    bool VisitAsmStmt(AsmStmt* statement) {
        return forbid(statement->getAsmLoc(), "inline assembly is not supported in Metal");
    }
    bool VisitReturnStmt(ReturnStmt* statement) {
        if (const Expr* value = statement->getRetValue(); value != nullptr && function_ != nullptr) {
            checkConversion(value, "cannot initialize return object of type " + describe(function_->getReturnType()),
                            value->getExprLoc());
        }
        return true;
    }
    bool VisitBinaryOperator(BinaryOperator* operation) {
        if (operation->getOpcode() == BO_Assign) {
            checkConversion(operation->getRHS(), "cannot assign to " + describe(operation->getLHS()->getType()),
                            operation->getRHS()->getExprLoc());
        }
        return true;
    }
    bool VisitCallExpr(CallExpr* call) {
        const FunctionDecl* callee = call->getDirectCallee();
        if (callee == nullptr) return true;
        if (function_ != nullptr && !isTailCallOfItself(function_, call))
            calls_.add(function_, callee, call->getExprLoc());
        if (context_.getSourceManager().isInSystemHeader(callee->getLocation())) return true;
        const auto* method = dyn_cast<CXXMethodDecl>(callee);
        if (method != nullptr && method->isImplicit()) return true;
        if (method != nullptr && isThreadMethod(method)) checkObject(call, method);
        // The object of an operator that is a method is no parameter.
        const unsigned shift = isa<CXXOperatorCallExpr>(call) && method != nullptr && method->isInstance() ? 1 : 0;
        for (unsigned i = 0; i < callee->getNumParams() && i + shift < call->getNumArgs(); ++i) {
            checkParameter(callee->getParamDecl(i), call->getArg(i + shift));
        }
        return true;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* expression) {
        const CXXConstructorDecl* constructor = expression->getConstructor();
        if (constructor->isImplicit() || constructor->isDefaulted() ||
            context_.getSourceManager().isInSystemHeader(constructor->getLocation())) {
            return true;
        }
        for (unsigned i = 0; i < constructor->getNumParams() && i < expression->getNumArgs(); ++i) {
            checkParameter(constructor->getParamDecl(i), expression->getArg(i));
        }
        return true;
    }

private:
    // Once for each place: instantiations of a template repeat it.
    bool forbid(SourceLocation place, const std::string& message, SourceRange range = {}) {
        if (reported_.insert({place.getRawEncoding(), message}).second) {
            report(sema_, DiagnosticIDs::Error, place, message, range);
        }
        return true;
    }

    // 'thread float *' for what Clang calls 'float *'.
    std::string describe(QualType type) const {
        std::string name = metalTypeName(type, context_);
        const bool pointsAt = type->isPointerType() || type->isReferenceType();
        if (pointsAt && addressSpaceOf(type->getPointeeType().getAddressSpace()) == AddressSpace::thread)
            name = "thread " + name;
        return "'" + name + "'";
    }

    void checkSpace(QualType pointee, SourceLocation place, const char* what) {
        // A template's parameter may bring its space along; what it stands for is no business of this place then.
        if (pointee->isDependentType() || pointee->getContainedAutoType() != nullptr) {
            dependent_.insert(place.getRawEncoding());
            return;
        }
        if (addressSpaceOf(pointee.getAddressSpace()) != AddressSpace::thread || pointee.hasAddressSpace()) return;
        if (dependent_.count(place.getRawEncoding()) != 0 || spaces_.isWritten(place)) return;
        forbid(place,
               std::string(what) +
                   " type must have explicit address space qualifier: 'device', 'constant', 'threadgroup' or 'thread'");
    }

    void checkStorage(const VarDecl* variable, AddressSpace space) {
        if (variable->isLocalVarDecl()) {
            if (variable->isStaticLocal() && space != AddressSpace::constant && space != AddressSpace::threadgroup) {
                forbid(variable->getLocation(), "static variable in a function must reside in constant address space");
            }
            if (!variable->isStaticLocal() && space == AddressSpace::device) {
                forbid(variable->getLocation(), "variable in a function cannot reside in device address space");
            }
            return;
        }
        const bool isProgramScope = variable->isFileVarDecl();
        const bool isSampler = variable->isConstexpr() && standardClassName(variable->getType()) == "sampler";
        if (!isProgramScope || space == AddressSpace::constant || isSampler) return;
        const bool isFixed = variable->isConstexpr() || variable->getType().isConstQualified();
        forbid(variable->getLocation(), std::string("program scope variable must reside in constant address space") +
                                            (isFixed ? "; write 'constant' before its type" : ""));
    }

    void checkThreadgroupVariable(VarDecl* variable) {
        const Expr* value = variable->getInit();
        if (value == nullptr) return;
        if (const auto* construction = dyn_cast<CXXConstructExpr>(value->IgnoreImplicit())) {
            if (construction->getConstructor()->isTrivial() && construction->getNumArgs() == 0) return;
            if (isConstructedInPlace(*variable, *construction)) {
                variable->setInit(nullptr);
                return;
            }
        }
        forbid(variable->getLocation(), "variable in threadgroup address space cannot have an initializer");
    }

    // `threadgroup T x;` of a class whose default constructor is for threadgroup memory. Nothing runs it: the threads
    // would undo each other's writes, and threadgroup memory begins undefined.
    static bool isConstructedInPlace(const VarDecl& variable, const CXXConstructExpr& construction) {
        const bool isWritten =
            variable.getInitStyle() != VarDecl::CallInit || construction.getParenOrBraceRange().isValid();
        const LangAS space = construction.getConstructor()->getMethodQualifiers().getAddressSpace();
        return !isWritten && construction.getNumArgs() == 0 && addressSpaceOf(space) == AddressSpace::threadgroup;
    }

    void checkObject(const CallExpr* call, const CXXMethodDecl* method) {
        const auto* member = dyn_cast<CXXMemberCallExpr>(call);
        const Expr* object = member != nullptr                ? member->getImplicitObjectArgument()
                             : isa<CXXOperatorCallExpr>(call) ? call->getArg(0)
                                                              : nullptr;
        if (object == nullptr) return;  // in a template's own text
        const std::string type = metalTypeName(context_.getCanonicalTagType(method->getParent()), context_);
        checkConversion(object, "cannot initialize object parameter of type 'thread " + type + "'",
                        object->getExprLoc());
    }

    void checkParameter(const ParmVarDecl* parameter, const Expr* argument) {
        checkConversion(argument, "cannot initialize a parameter of type " + describe(parameter->getType()),
                        argument->getExprLoc());
    }

    // Every space converts to the default one, which is `thread`; Metal has no such conversion.
    void checkConversion(const Expr* value, const std::string& what, SourceLocation place) {
        while (const auto* cast = dyn_cast<ImplicitCastExpr>(value)) {
            const Expr* from = cast->getSubExpr();
            const bool isPointer = cast->getType()->isPointerType() && from->getType()->isPointerType();
            const QualType before = isPointer ? from->getType()->getPointeeType() : from->getType();
            const QualType after = isPointer ? cast->getType()->getPointeeType() : cast->getType();
            const bool bindsPlace = cast->isGLValue() && from->isGLValue();
            if ((isPointer || bindsPlace) && before.hasAddressSpace() && !after.hasAddressSpace() &&
                addressSpaceOf(before.getAddressSpace()) != AddressSpace::thread) {
                forbid(place,
                       what + " with an " + (from->IgnoreParenImpCasts()->isLValue() ? "lvalue" : "rvalue") +
                           " of type " + describe(from->getType()),
                       from->getSourceRange());
                return;
            }
            value = from;
        }
    }

    Sema& sema_;
    ASTContext& context_;
    ExplicitSpaces spaces_;
    CallGraph calls_;
    std::set<SourceLocation> functionArguments_;
    const FunctionDecl* function_ = nullptr;
    bool namesFunctions_ = false;
    std::set<std::pair<SourceLocation::UIntTy, std::string>> reported_;
    std::set<SourceLocation::UIntTy> dependent_;
};

class AttributeDropper : public RecursiveASTVisitor<AttributeDropper> {
public:
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseStmt(Stmt*, void* = nullptr) { return true; }
    bool VisitDecl(Decl* declaration) {
        dropAttributes(declaration);
        return true;
    }
};

}  // namespace

void checkRules(Session& session) {
    MslRules rules(session);
    for (Decl* declaration : session.declarations()) {
        if (!declaration->isImplicit()) rules.TraverseDecl(declaration);
    }
    rules.finish();
}

void dropAllAttributes(Session& session) {
    AttributeDropper dropper;
    for (Decl* declaration : session.declarations()) dropper.TraverseDecl(declaration);
}

}  // namespace metal_compiler

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

#include "frontend/address_spaces.hpp"
#include "frontend/argument_ids.hpp"
#include "frontend/attributes.hpp"
#include "frontend/conversion_rules.hpp"
#include "frontend/explicit_spaces.hpp"
#include "frontend/function_rules.hpp"
#include "frontend/nested_swizzles.hpp"
#include "frontend/rule_report.hpp"
#include "frontend/session.hpp"
#include "frontend/storage_rules.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class MslRules : public RecursiveASTVisitor<MslRules> {
public:
    MslRules(Session& session, std::uint32_t languageVersion)
        : context_(session.context()),
          languageVersion_(languageVersion),
          spaces_(session.tokens()),
          report_(session.sema()),
          functions_(report_),
          storage_(report_),
          conversions_(report_) {}

    bool shouldVisitTemplateInstantiations() const { return true; }

    void finish() {
        functions_.finish();
        for (const SourceLocation place : spaces_.doubled())
            forbid(place, "multiple address spaces specified for type");
    }

    bool TraverseDecl(Decl* declaration) {
        if (declaration == nullptr) return true;
        if (declaration->getLocation().isValid() &&
            context_.getSourceManager().isInSystemHeader(declaration->getLocation())) {
            return true;
        }
        auto* function = dyn_cast<FunctionDecl>(declaration);
        const FunctionDecl* outer = function_;
        if (function != nullptr) function_ = function;
        const bool result = RecursiveASTVisitor::TraverseDecl(declaration);
        function_ = outer;
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
    bool VisitPointerTypeLoc(PointerTypeLoc location) {
        const QualType pointee = location.getTypePtr()->getPointeeType();
        // A pointer is taken to be a local one: `device T** p`.
        if (!pointee->isFunctionType() && !pointee->isPointerType())
            checkSpace(pointee, location.getStarLoc(), "pointer");
        return true;
    }
    bool VisitReferenceTypeLoc(ReferenceTypeLoc location) {
        const QualType pointee = location.getTypePtr()->getPointeeTypeAsWritten();
        const SourceLocation place = location.getLocalSourceRange().getBegin();
        // A pointer is taken to be a local one: `device T*& p`.
        if (!pointee->isFunctionType() && !pointee->isPointerType()) checkSpace(pointee, place, "reference");
        return true;
    }
    bool VisitComplexTypeLoc(ComplexTypeLoc location) {
        return forbid(location.getBeginLoc(), "complex numbers are not supported in Metal; use 'float2'");
    }
    bool VisitAtomicTypeLoc(AtomicTypeLoc location) {
        return forbid(location.getBeginLoc(), "'_Atomic' is not supported in Metal; use 'atomic<T>' of <metal_atomic>");
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
        if (method->isVirtualAsWritten())
            forbid(method->getLocation(), "virtual functions are not supported in Metal; use a template or a switch");
        return true;
    }
    bool VisitCXXRecordDecl(CXXRecordDecl* record) {
        if (!record->isThisDeclarationADefinition()) return true;
        for (const CXXBaseSpecifier& base : record->bases()) {
            if (base.isVirtual()) forbid(base.getBeginLoc(), "virtual base classes are not supported in Metal");
        }
        checkArgumentIds(record, report_);
        return true;
    }
    bool VisitFieldDecl(FieldDecl* member) {
        if (const Expr* value = member->getInClassInitializer()) conversions_.checkMember(member, value);
        return true;
    }
    bool VisitCXXConstructorDecl(CXXConstructorDecl* constructor) {
        for (const CXXCtorInitializer* part : constructor->inits()) {
            if (part->isWritten() && part->isMemberInitializer())
                conversions_.checkMember(part->getMember(), part->getInit());
        }
        return true;
    }
    bool VisitFunctionDecl(FunctionDecl* function) {
        functions_.checkDeclaration(function);
        if (hasAttribute(function, "early_fragment_tests") && !hasAttribute(function, "fragment")) {
            forbid(rangeOfAttribute(function, "early_fragment_tests").getBegin(),
                   "'early_fragment_tests' attribute only applies to fragment functions");
        }
        for (const char* attribute : {"required_threads_per_threadgroup", "user_annotation"}) {
            if (!isBefore(4, 0) || !hasAttribute(function, attribute)) continue;
            forbid(rangeOfAttribute(function, attribute).getBegin(),
                   std::string("'") + attribute + "' attribute requires Metal language standard metal4.0 or higher");
        }
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) {
        if (isa<ParmVarDecl>(variable)) return true;
        storage_.check(variable, function_);
        conversions_.checkVariable(variable);
        return true;
    }

    // ---- Statements and expressions ----

    bool VisitCXXNewExpr(CXXNewExpr* expression) {
        return forbid(expression->getBeginLoc(), "'new' is not supported in Metal; declare a variable or use a buffer");
    }
    bool VisitCXXDeleteExpr(CXXDeleteExpr* expression) {
        return forbid(expression->getBeginLoc(), "'delete' is not supported in Metal");
    }
    bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr* expression) {
        return forbid(expression->getBeginLoc(), "'dynamic_cast' is not supported in Metal; use 'static_cast'");
    }
    bool VisitCXXTypeidExpr(CXXTypeidExpr* expression) {
        return forbid(expression->getBeginLoc(), "'typeid' is not supported in Metal");
    }
    bool VisitLambdaExpr(LambdaExpr* expression) {
        if (isBefore(3, 2)) {
            forbid(expression->getBeginLoc(), "lambda expressions are not supported before Metal 3.2");
        }
        return true;
    }
    bool VisitCXXThrowExpr(CXXThrowExpr* expression) {
        return forbid(expression->getBeginLoc(),
                      "exceptions are not supported in Metal; write a value that means failure");
    }
    bool VisitCXXTryStmt(CXXTryStmt* statement) {
        return forbid(statement->getBeginLoc(),
                      "exceptions are not supported in Metal; write a value that means failure");
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
        conversions_.checkReturn(statement, function_);
        return true;
    }
    bool VisitBinaryOperator(BinaryOperator* operation) {
        conversions_.checkAssignment(operation);
        conversions_.checkOperands(operation);
        return true;
    }
    bool VisitInitListExpr(InitListExpr* list) {
        conversions_.checkList(list->isSemanticForm() ? list : list->getSemanticForm());
        return true;
    }
    bool VisitPseudoObjectExpr(PseudoObjectExpr* expression) {
        checkSwizzleTarget(expression, report_);
        return true;
    }
    bool VisitCallExpr(CallExpr* call) {
        functions_.checkCall(call, function_);
        conversions_.checkCall(call);
        return true;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* expression) {
        conversions_.checkConstruction(expression);
        return true;
    }

private:
    // The newest version counts as having everything.
    bool isBefore(std::uint32_t major, std::uint32_t minor) const {
        return languageVersion_ != 0 && languageVersion_ < (major << 16 | minor);
    }

    bool forbid(SourceLocation place, const std::string& message) { return report_.forbid(place, message); }

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

    ASTContext& context_;
    const std::uint32_t languageVersion_;
    ExplicitSpaces spaces_;
    RuleReport report_;
    FunctionRules functions_;
    StorageRules storage_;
    ConversionRules conversions_;
    const FunctionDecl* function_ = nullptr;  // what is being visited is in
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

void checkRules(Session& session, std::uint32_t languageVersion) {
    MslRules rules(session, languageVersion);
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

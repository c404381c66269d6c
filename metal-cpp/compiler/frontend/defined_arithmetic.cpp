// SPDX-License-Identifier: MIT
#include "frontend/defined_arithmetic.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <optional>

#include "frontend/session.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class ArithmeticDefiner : public RecursiveASTVisitor<ArithmeticDefiner> {
public:
    explicit ArithmeticDefiner(ASTContext& context) : context_(context) {}

    bool shouldVisitTemplateInstantiations() const { return true; }
    // A count may itself be a shift: x << (255 << 33).
    bool shouldTraversePostOrder() const { return true; }

    bool TraverseVarDecl(VarDecl* variable) {
        const unsigned before = changes_;
        const bool result = RecursiveASTVisitor::TraverseVarDecl(variable);
        // Sema keeps the value it computed from the old expression; setting the initialiser anew drops it.
        if (changes_ != before && variable->hasInit() && !isa<ParmVarDecl>(variable))
            variable->setInit(variable->getInit());
        return result;
    }

    bool VisitBinaryOperator(BinaryOperator* operation) {
        if (!operation->isShiftOp() && !operation->isShiftAssignOp() && !isDivision(operation->getOpcode()))
            return true;
        Expr* right = operation->getRHS();
        const QualType type = computedType(operation);
        if (right->isValueDependent() || !right->getType()->isIntegerType() || type.isNull() ||
            !type->isIntegerType()) {
            return true;
        }
        const std::optional<llvm::APSInt> value = constantValue(right);
        if (!value) return true;
        if (operation->isShiftOp() || operation->isShiftAssignOp()) {
            const auto width = static_cast<unsigned>(context_.getIntWidth(type));
            const std::uint64_t count = value->extOrTrunc(64).getZExtValue();
            if (count >= width) replaceRight(operation, count % width);
        } else if (value->isZero() || overflows(operation, *value)) {
            replaceRight(operation, 1);
        }
        return true;
    }

private:
    static bool isDivision(BinaryOperatorKind kind) {
        return kind == BO_Div || kind == BO_Rem || kind == BO_DivAssign || kind == BO_RemAssign;
    }
    static QualType computedType(const BinaryOperator* operation) {
        const auto* assignment = dyn_cast<CompoundAssignOperator>(operation);
        return assignment != nullptr ? assignment->getComputationLHSType() : operation->getLHS()->getType();
    }
    std::optional<llvm::APSInt> constantValue(const Expr* expression) const {
        Expr::EvalResult result;
        // What C++ leaves undefined, as bits that a shift drops, has its value in Metal: 1 << (13 << 30).
        if (expression->isValueDependent() ||
            !expression->EvaluateAsInt(result, context_, Expr::SE_AllowUndefinedBehavior))
            return std::nullopt;
        return result.Val.getInt();
    }
    // The smallest integer divided by -1, when both are constants.
    bool overflows(const BinaryOperator* operation, const llvm::APSInt& divisor) const {
        if (!divisor.isSigned() || !divisor.isAllOnes() || operation->isCompoundAssignmentOp()) return false;
        const std::optional<llvm::APSInt> left = constantValue(operation->getLHS());
        return left && left->isMinSignedValue();
    }
    void replaceRight(BinaryOperator* operation, std::uint64_t value) {
        ++changes_;
        const QualType type = operation->getRHS()->getType();
        operation->setRHS(IntegerLiteral::Create(context_,
                                                 llvm::APInt(static_cast<unsigned>(context_.getIntWidth(type)), value),
                                                 type, operation->getRHS()->getExprLoc()));
    }

    ASTContext& context_;
    unsigned changes_ = 0;
};

}  // namespace

void defineArithmetic(Session& session) {
    ArithmeticDefiner definer(session.context());
    for (Decl* declaration : session.declarations()) definer.TraverseDecl(declaration);
}

}  // namespace metal_compiler

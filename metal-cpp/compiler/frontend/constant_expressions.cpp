// SPDX-License-Identifier: MIT
#include "frontend/constant_expressions.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/bit.h>

#include <algorithm>

#include "frontend/attributes.hpp"
#include "frontend/types.hpp"

namespace metal_compiler {
namespace {

using namespace clang;
using Operation = protocol::ConstantOperation;

constexpr int deepest = 64;             // how far constants may follow from one another
constexpr std::size_t mostSteps = 512;  // what is named twice is computed twice

class Reader {
public:
    explicit Reader(const ASTContext& context) : context_(context) {}

    bool read(const Expr* expression) {
        if (expression == nullptr || expression->isValueDependent()) return false;
        if (++depth_ > deepest || steps.size() > mostSteps) return false;
        const bool known = readNumber(expression) || readParts(expression);
        --depth_;
        return known;
    }

    bool readVariable(const VarDecl* variable) {
        const std::uint32_t type = scalarDataType(variable->getType().getCanonicalType());
        if (type == 0) return false;
        if (const auto index = indexOf(variable, "function_constant")) {
            steps.push_back({Operation::constant, type, static_cast<std::uint64_t>(*index)});
            return true;
        }
        const Expr* value = variable->getAnyInitializer();
        if (!variable->hasGlobalStorage() || !variable->getType().isConstQualified() || value == nullptr) return false;
        return read(value);
    }

    std::vector<protocol::ConstantStep> steps;

private:
    std::uint32_t typeOf(const Expr* expression) const {
        QualType type = expression->getType().getCanonicalType();
        if (const auto* enumeration = type->getAs<EnumType>())
            type = enumeration->getDecl()->getDefinitionOrSelf()->getIntegerType().getCanonicalType();
        return scalarDataType(type);
    }

    bool readNumber(const Expr* expression) {
        const std::uint32_t type = typeOf(expression);
        Expr::EvalResult result;
        if (type == 0 || !expression->isPRValue() || !expression->EvaluateAsRValue(result, context_) ||
            result.HasSideEffects)
            return false;
        if (result.Val.isInt()) {
            steps.push_back({Operation::number, type, static_cast<std::uint64_t>(result.Val.getInt().getExtValue())});
            return true;
        }
        if (!result.Val.isFloat()) return false;
        llvm::APFloat value = result.Val.getFloat();
        bool losesInformation = false;
        value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInformation);
        steps.push_back({Operation::number, type, llvm::bit_cast<std::uint64_t>(value.convertToDouble())});
        return true;
    }

    bool readParts(const Expr* expression) {
        if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
            const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
            return variable != nullptr && readVariable(variable);
        }
        if (const auto* outer = dyn_cast<ParenExpr>(expression)) return read(outer->getSubExpr());
        if (const auto* outer = dyn_cast<FullExpr>(expression)) return read(outer->getSubExpr());
        if (const auto* outer = dyn_cast<MaterializeTemporaryExpr>(expression)) return read(outer->getSubExpr());
        if (const auto* cast = dyn_cast<CastExpr>(expression)) return readCast(cast);
        if (const auto* operation = dyn_cast<UnaryOperator>(expression)) return readUnary(operation);
        if (const auto* operation = dyn_cast<BinaryOperator>(expression)) return readBinary(operation);
        if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
            return read(choice->getCond()) && read(choice->getTrueExpr()) && read(choice->getFalseExpr()) &&
                   push(Operation::select, choice);
        }
        if (const auto* list = dyn_cast<InitListExpr>(expression))
            return list->getNumInits() == 1 && read(list->getInit(0));
        if (const auto* call = dyn_cast<CallExpr>(expression)) return readCall(call);
        return false;
    }

    bool push(Operation operation, const Expr* typed) {
        const std::uint32_t type = typeOf(typed);
        if (type == 0) return false;
        steps.push_back({operation, type, 0});
        return true;
    }

    bool readCast(const CastExpr* cast) {
        if (!read(cast->getSubExpr())) return false;
        switch (cast->getCastKind()) {
            case CK_LValueToRValue:
            case CK_NoOp:
                return true;
            case CK_IntegralCast:
            case CK_IntegralToBoolean:
            case CK_IntegralToFloating:
            case CK_FloatingToIntegral:
            case CK_FloatingToBoolean:
            case CK_FloatingCast:
                return push(Operation::convert, cast);
            default:
                return false;
        }
    }

    bool readUnary(const UnaryOperator* operation) {
        if (!read(operation->getSubExpr())) return false;
        switch (operation->getOpcode()) {
            case UO_Plus:
                return true;
            case UO_Minus:
                return push(Operation::negate, operation);
            case UO_Not:
                return push(Operation::complement, operation);
            case UO_LNot:
                return push(Operation::logicalNot, operation->getSubExpr());
            default:
                return false;
        }
    }

    static std::optional<Operation> operationOf(BinaryOperatorKind kind) {
        switch (kind) {
            case BO_Add:
                return Operation::add;
            case BO_Sub:
                return Operation::subtract;
            case BO_Mul:
                return Operation::multiply;
            case BO_Div:
                return Operation::divide;
            case BO_Rem:
                return Operation::remainder;
            case BO_Shl:
                return Operation::shiftLeft;
            case BO_Shr:
                return Operation::shiftRight;
            case BO_And:
                return Operation::bitAnd;
            case BO_Or:
                return Operation::bitOr;
            case BO_Xor:
                return Operation::bitXor;
            case BO_EQ:
                return Operation::equal;
            case BO_NE:
                return Operation::notEqual;
            case BO_LT:
                return Operation::less;
            case BO_LE:
                return Operation::lessOrEqual;
            case BO_GT:
                return Operation::greater;
            case BO_GE:
                return Operation::greaterOrEqual;
            case BO_LAnd:
                return Operation::logicalAnd;
            case BO_LOr:
                return Operation::logicalOr;
            default:
                return std::nullopt;
        }
    }

    bool readBinary(const BinaryOperator* operation) {
        // The token stage puts one before a conditional's middle operand.
        if (operation->getOpcode() == BO_Comma) return read(operation->getRHS());
        const auto found = operationOf(operation->getOpcode());
        return found && read(operation->getLHS()) && read(operation->getRHS()) && push(*found, operation->getLHS());
    }

    // What the token stage makes of is_function_constant_defined(c).
    bool readCall(const CallExpr* call) {
        const FunctionDecl* callee = call->getDirectCallee();
        if (callee == nullptr || callee->getNameAsString() != "__metal_is_function_constant_defined") return false;
        const Expr* argument = call->getArg(0)->IgnoreParenCasts();
        const auto* address = dyn_cast<UnaryOperator>(argument);
        const auto* reference =
            address != nullptr ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParenCasts()) : nullptr;
        const auto index = reference != nullptr ? indexOf(reference->getDecl(), "function_constant") : std::nullopt;
        if (!index) return false;
        steps.push_back({Operation::isDefined, scalarDataType(context_.BoolTy), static_cast<std::uint64_t>(*index)});
        return true;
    }

    const ASTContext& context_;
    int depth_ = 0;
};

}  // namespace

std::optional<protocol::ConstantExpression> constantExpressionOf(const Expr* expression, const ASTContext& context) {
    Reader reader(context);
    if (!reader.read(expression)) return std::nullopt;
    return protocol::ConstantExpression{std::move(reader.steps)};
}

std::optional<protocol::ConstantExpression> constantExpressionOf(const VarDecl* variable, const ASTContext& context) {
    Reader reader(context);
    if (!reader.readVariable(variable)) return std::nullopt;
    return protocol::ConstantExpression{std::move(reader.steps)};
}

bool names(const protocol::ConstantExpression& expression, std::uint32_t index) {
    return std::any_of(expression.steps.begin(), expression.steps.end(), [&](const protocol::ConstantStep& step) {
        return (step.operation == Operation::constant || step.operation == Operation::isDefined) && step.value == index;
    });
}

bool asksWhetherDefined(const protocol::ConstantExpression& expression, std::uint32_t index) {
    return std::any_of(expression.steps.begin(), expression.steps.end(), [&](const protocol::ConstantStep& step) {
        return step.operation == Operation::isDefined && step.value == index;
    });
}

}  // namespace metal_compiler

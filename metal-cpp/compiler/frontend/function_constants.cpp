// SPDX-License-Identifier: MIT
#include "frontend/function_constants.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <memory>
#include <set>

#include "frontend/address_spaces.hpp"
#include "frontend/attributes.hpp"
#include "frontend/constant_expressions.hpp"
#include "frontend/initial_values.hpp"
#include "frontend/reach.hpp"
#include "frontend/report.hpp"
#include "frontend/session.hpp"

namespace metal_compiler {
namespace {

constexpr const char* metadataName = "metal.function_constants";
constexpr const char* definedQuery = "__metal_is_function_constant_defined";

class ConstantFinder : public clang::RecursiveASTVisitor<ConstantFinder> {
public:
    bool TraverseStmt(clang::Stmt*, void* = nullptr) { return true; }
    bool VisitVarDecl(clang::VarDecl* variable) {
        if (hasAttribute(variable, "function_constant") && !llvm::isa<clang::ParmVarDecl>(variable))
            found.push_back(variable);
        return true;
    }
    std::vector<clang::VarDecl*> found;
};

struct NamedConstant {
    llvm::GlobalVariable* variable;
    std::uint32_t index;
    std::string name;
};

std::vector<NamedConstant> constantsOf(llvm::Module& module) {
    std::vector<NamedConstant> found;
    const llvm::NamedMDNode* list = module.getNamedMetadata(metadataName);
    if (list == nullptr) return found;
    for (const llvm::MDNode* entry : list->operands()) {
        auto* variable = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(entry->getOperand(0));
        if (variable == nullptr) continue;
        found.push_back({variable,
                         static_cast<std::uint32_t>(
                             llvm::mdconst::extract<llvm::ConstantInt>(entry->getOperand(1))->getZExtValue()),
                         llvm::cast<llvm::MDString>(entry->getOperand(2))->getString().str()});
    }
    return found;
}

llvm::SmallVector<llvm::CallInst*, 4> definedQueriesOf(const llvm::GlobalVariable& variable) {
    llvm::SmallVector<llvm::CallInst*, 4> found;
    llvm::SmallVector<const llvm::User*, 8> users(variable.user_begin(), variable.user_end());
    while (!users.empty()) {
        const llvm::User* user = users.pop_back_val();
        if (llvm::isa<llvm::ConstantExpr>(user)) users.append(user->user_begin(), user->user_end());
        const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        if (call == nullptr || call->getCalledFunction() == nullptr) continue;
        if (call->getCalledFunction()->getName() == definedQuery) found.push_back(const_cast<llvm::CallInst*>(call));
    }
    return found;
}

std::string setValue(const NamedConstant& constant, const wire::Bytes& bytes, const llvm::DataLayout& layout) {
    llvm::Type* type = constant.variable->getValueType();
    const std::uint64_t size = layout.getTypeStoreSize(type);
    if (bytes.size() < size) {
        return "function constant '" + constant.name + "': value has " + std::to_string(bytes.size()) +
               " bytes, its type has " + std::to_string(size) + "\n";
    }
    llvm::Constant* value = constantFromBytes(type, bytes.data(), layout);
    if (value == nullptr) return "function constant '" + constant.name + "' has a type that cannot be specialised\n";
    constant.variable->setInitializer(value);
    constant.variable->setConstant(true);
    constant.variable->setLinkage(llvm::GlobalValue::InternalLinkage);
    return "";
}

void answerDefinedQueries(const NamedConstant& constant, bool isDefined) {
    for (llvm::CallInst* call : definedQueriesOf(*constant.variable)) {
        call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), isDefined));
        call->eraseFromParent();
    }
}

// What a program's constructors have set is never written again: such globals are in the constant address space.
void makeConstant(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.getAddressSpace() == irConstantSpace && variable.hasInitializer()) variable.setConstant(true);
    }
}

std::string runConstructors(llvm::Module& module, const Reach& reach) {
    std::string problems;
    for (llvm::Function* constructor : constructorsOf(module)) {
        if (!reach.contains(constructor) || runConstructor(*constructor)) continue;
        problems += "the initial value of a program scope variable cannot be computed when the pipeline is made\n";
    }
    if (llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors")) list->eraseFromParent();
    makeConstant(module);
    return problems;
}

}  // namespace

std::vector<FunctionConstantVariable> functionConstantsOf(Session& session) {
    ConstantFinder finder;
    for (clang::Decl* declaration : session.declarations()) finder.TraverseDecl(declaration);
    std::vector<FunctionConstantVariable> constants;
    const std::unique_ptr<clang::MangleContext> mangler(session.context().createMangleContext());
    for (const clang::VarDecl* variable : finder.found) {
        std::string symbol;
        llvm::raw_string_ostream stream(symbol);
        if (mangler->shouldMangleDeclName(variable)) {
            mangler->mangleName(clang::GlobalDecl(variable), stream);
        } else {
            stream << variable->getName();
        }
        const auto index = static_cast<std::uint32_t>(indexOf(variable, "function_constant").value_or(0));
        const std::string name = variable->getNameAsString();
        for (const FunctionConstantVariable& known : constants) {
            if (known.index != index || known.symbol == symbol) continue;
            report(session.sema(), clang::DiagnosticIDs::Error, variable->getLocation(),
                   "function constants '" + known.name + "' and '" + name + "' have the same index " +
                       std::to_string(index),
                   variable->getSourceRange());
        }
        constants.push_back({symbol, index, name, variable->getType()});
    }
    return constants;
}

void recordFunctionConstants(llvm::Module& module, const std::vector<FunctionConstantVariable>& constants,
                             protocol::LibraryReply& reply) {
    llvm::LLVMContext& context = module.getContext();
    std::vector<NamedConstant> named;
    for (const FunctionConstantVariable& constant : constants) {
        llvm::GlobalVariable* variable = module.getGlobalVariable(constant.symbol, /*AllowInternal=*/true);
        if (variable == nullptr) continue;  // nothing uses it
        named.push_back({variable, constant.index, constant.name});
        llvm::Metadata* operands[] = {
            llvm::ConstantAsMetadata::get(variable),
            llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), constant.index)),
            llvm::MDString::get(context, constant.name)};
        module.getOrInsertNamedMetadata(metadataName)->addOperand(llvm::MDNode::get(context, operands));
        for (protocol::FunctionConstant& known : reply.constants) {
            if (known.index == constant.index) known.isRequired = definedQueriesOf(*variable).empty();
        }
    }
    if (constants.empty()) return;
    References references(module);
    for (protocol::Function& function : reply.functions) {
        llvm::Function* entry = module.getFunction(function.entry);
        if (entry == nullptr) continue;
        std::set<std::uint32_t> used;
        const Reach reach(references, entry);
        for (const NamedConstant& constant : named) {
            if (reach.contains(constant.variable)) used.insert(constant.index);
        }
        // Those that say whether an argument is there, and where, belong to the function, though its body may not ask
        // for them.
        for (const FunctionConstantVariable& constant : constants) {
            const auto asks = [&](const auto& facts) {
                return facts.condition == constant.name || names(facts.conditionValue, constant.index) ||
                       names(facts.indexValue, constant.index);
            };
            const auto asksForGroup = [&](const protocol::StageValue& value) {
                return asks(value) || names(value.rasterOrderGroupValue, constant.index);
            };
            if (std::any_of(function.arguments.begin(), function.arguments.end(), asks) ||
                std::any_of(function.inputs.begin(), function.inputs.end(), asksForGroup) ||
                std::any_of(function.outputs.begin(), function.outputs.end(), asksForGroup))
                used.insert(constant.index);
            for (const protocol::Argument& argument : function.arguments) {
                if (!asksWhetherDefined(argument.indexValue, constant.index)) continue;
                for (protocol::FunctionConstant& known : reply.constants) {
                    if (known.index == constant.index) known.isRequired = false;
                }
            }
        }
        function.constants.assign(used.begin(), used.end());
    }
}

std::string applyFunctionConstants(llvm::Module& module, const std::string& entry,
                                   const std::vector<protocol::ConstantValue>& values) {
    llvm::Function* function = module.getFunction(entry);
    if (function == nullptr || function->isDeclaration()) return "the library has no function '" + entry + "'\n";
    References references(module);
    const Reach reach(references, function);
    std::string problems;
    for (const NamedConstant& constant : constantsOf(module)) {
        const auto given = std::find_if(values.begin(), values.end(), [&](const protocol::ConstantValue& value) {
            return value.index == constant.index;
        });
        if (given != values.end()) {
            problems += setValue(constant, given->bytes, module.getDataLayout());
        } else if (reach.contains(constant.variable) && definedQueriesOf(*constant.variable).empty()) {
            problems += "function constant '" + constant.name + "' (index " + std::to_string(constant.index) +
                        ") has no value: the function uses it\n";
        } else {
            const std::uint64_t size = module.getDataLayout().getTypeStoreSize(constant.variable->getValueType());
            problems += setValue(constant, wire::Bytes(size), module.getDataLayout());
        }
        answerDefinedQueries(constant, given != values.end());
    }
    if (!problems.empty()) return problems;
    if (llvm::NamedMDNode* list = module.getNamedMetadata(metadataName)) list->eraseFromParent();
    return runConstructors(module, reach);
}

}  // namespace metal_compiler

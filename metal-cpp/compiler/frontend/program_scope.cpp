// SPDX-License-Identifier: MIT
#include "frontend/program_scope.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <algorithm>
#include <memory>

#include "frontend/address_spaces.hpp"
#include "frontend/reach.hpp"
#include "frontend/report.hpp"
#include "frontend/session.hpp"

namespace metal_compiler {
namespace {

constexpr const char* listName = "metal.program_scope";

class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
    bool TraverseStmt(clang::Stmt*, void* = nullptr) { return true; }
    bool VisitVarDecl(clang::VarDecl* variable) {
        if (variable->isFileVarDecl() && isProgramScopeBinding(variable)) found.push_back(variable);
        return true;
    }
    std::vector<clang::VarDecl*> found;
};

/// How a variable gets its value in one entry.
enum class Way : std::uint32_t {
    place,               // from __metal_index; the number is the kind of query
    pointer,             // the argument's own address
    threadgroupPointer,  // the same, in threadgroup memory
    value,               // what lies at the argument's address
};

Way wayOf(KernelArgument::Kind kind) {
    switch (kind) {
        case KernelArgument::Kind::place:
            return Way::place;
        case KernelArgument::Kind::buffer:
            return Way::pointer;
        case KernelArgument::Kind::threadgroupMemory:
            return Way::threadgroupPointer;
        default:
            return Way::value;
    }
}

/// Makes one function ask for one variable.
class Binder {
public:
    Binder(llvm::Module& module, llvm::GlobalVariable& variable, Way way, std::uint32_t number)
        : module_(module), variable_(variable), builder_(module.getContext()), way_(way), number_(number) {}

    void bind(llvm::Function& function) {
        llvm::Constant* name = &variable_;
        llvm::convertUsersOfConstantsToInstructions(name, &function);
        llvm::SmallVector<llvm::Use*, 8> uses;
        for (llvm::Use& use : variable_.uses()) {
            const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
            if (user != nullptr && user->getFunction() == &function) uses.push_back(&use);
        }
        if (uses.empty()) return;
        builder_.SetInsertPoint(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        llvm::Value* place = way_ == Way::value ? ask("__metal_argument", builder_.getPtrTy()) : fill();
        if (place->getType() != variable_.getType())
            place = builder_.CreateAddrSpaceCast(place, variable_.getType(), variable_.getName());
        for (llvm::Use* use : uses) use->set(place);
    }

private:
    llvm::Value* ask(const char* intrinsic, llvm::Type* type) {
        const auto callee =
            module_.getOrInsertFunction(intrinsic, llvm::FunctionType::get(type, {builder_.getInt32Ty()}, false));
        return builder_.CreateCall(callee, {builder_.getInt32(number_)});
    }

    llvm::Value* fill() {
        llvm::Value* place = builder_.CreateAlloca(variable_.getValueType(), nullptr, variable_.getName());
        if (way_ == Way::pointer) {
            llvm::Value* address = ask("__metal_argument", builder_.getPtrTy());
            builder_.CreateStore(builder_.CreateAddrSpaceCast(address, variable_.getValueType()), place);
        } else if (way_ == Way::threadgroupPointer) {
            builder_.CreateStore(ask("__metal_threadgroup_argument", builder_.getPtrTy(irThreadgroupSpace)), place);
        } else {
            fillPlace(place);
        }
        return place;
    }

    /// The components of a scalar or vector of unsigned integers.
    void fillPlace(llvm::Value* place) {
        llvm::Type* type = variable_.getValueType();
        llvm::Type* element = type;
        while (!element->isIntegerTy()) element = element->getContainedType(0);
        const llvm::DataLayout& layout = module_.getDataLayout();
        const std::uint64_t size = layout.getTypeStoreSize(element), count = layout.getTypeStoreSize(type) / size;
        llvm::Type* number = builder_.getInt32Ty();
        const auto query =
            module_.getOrInsertFunction("__metal_index", llvm::FunctionType::get(number, {number, number}, false));
        // A vector of three has the size of four.
        for (std::uint32_t i = 0; i < std::min<std::uint64_t>(count, 3); ++i) {
            llvm::Value* value = builder_.CreateCall(query, {builder_.getInt32(number_), builder_.getInt32(i)});
            builder_.CreateStore(builder_.CreateTrunc(value, element),
                                 builder_.CreateConstGEP1_64(builder_.getInt8Ty(), place, i * size));
        }
    }

    llvm::Module& module_;
    llvm::GlobalVariable& variable_;
    llvm::IRBuilder<> builder_;
    const Way way_;
    const std::uint32_t number_;
};

std::string symbolOf(const clang::VarDecl* variable, clang::MangleContext& mangler) {
    if (!mangler.shouldMangleDeclName(variable)) return variable->getNameAsString();
    std::string symbol;
    llvm::raw_string_ostream stream(symbol);
    mangler.mangleName(clang::GlobalDecl(variable), stream);
    return symbol;
}

std::uint32_t numberIn(const llvm::MDNode& entry, unsigned operand) {
    return static_cast<std::uint32_t>(
        llvm::mdconst::extract<llvm::ConstantInt>(entry.getOperand(operand))->getZExtValue());
}

}  // namespace

std::vector<ProgramScopeVariable> programScopeVariablesOf(Session& session) {
    Finder finder;
    for (clang::Decl* declaration : session.declarations()) finder.TraverseDecl(declaration);
    const std::unique_ptr<clang::MangleContext> mangler(session.context().createMangleContext());
    std::vector<ProgramScopeVariable> variables;
    for (const clang::VarDecl* variable : finder.found) {
        const std::string symbol = symbolOf(variable, *mangler);
        const bool isKnown = std::any_of(variables.begin(), variables.end(),
                                         [&](const ProgramScopeVariable& known) { return known.symbol == symbol; });
        if (isKnown) continue;
        auto argument = argumentOfVariable(variable, session.sema());
        if (!argument) continue;
        for (const ProgramScopeVariable& other : variables) {
            const KernelArgument& known = other.argument;
            if (known.kind != argument->kind || known.index != argument->index ||
                known.kind == KernelArgument::Kind::place ||
                session.context().hasSameType(known.declaration->getType(), variable->getType())) {
                continue;
            }
            report(session.sema(), clang::DiagnosticIDs::Error, variable->getLocation(),
                   "'" + variable->getNameAsString() + "' and '" + known.declaration->getNameAsString() +
                       "' have the same index, but not the same type",
                   variable->getSourceRange());
        }
        variables.push_back({symbol, *std::move(argument), {}});
    }
    return variables;
}

void recordProgramScope(llvm::Module& module, const std::vector<ProgramScopeVariable>& variables,
                        protocol::LibraryReply& reply) {
    if (variables.empty()) return;
    llvm::LLVMContext& context = module.getContext();
    const auto number = [&](std::uint32_t value) {
        return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
    };
    References references(module);
    for (protocol::Function& function : reply.functions) {
        llvm::Function* entry = module.getFunction(function.entry);
        if (entry == nullptr) continue;
        const Reach reach(references, entry);
        std::uint32_t slot = 0;
        for (const protocol::Argument& argument : function.arguments) slot = std::max(slot, argument.slot + 1);
        for (const ProgramScopeVariable& variable : variables) {
            llvm::GlobalVariable* global = module.getGlobalVariable(variable.symbol, /*AllowInternal=*/true);
            if (global == nullptr || !reach.contains(global)) continue;
            const Way way = wayOf(variable.argument.kind);
            const std::uint32_t value = way == Way::place ? variable.argument.query.kind : slot++;
            llvm::Metadata* operands[] = {llvm::ConstantAsMetadata::get(global),
                                          llvm::MDString::get(context, function.entry),
                                          llvm::MDString::get(context, variable.facts.name),
                                          number(static_cast<std::uint32_t>(way)), number(value)};
            module.getOrInsertNamedMetadata(listName)->addOperand(llvm::MDNode::get(context, operands));
            if (way == Way::place) continue;
            function.arguments.push_back(variable.facts);
            function.arguments.back().slot = value;
        }
    }
}

std::string bindProgramScope(llvm::Module& module, const std::string& entry) {
    llvm::NamedMDNode* list = module.getNamedMetadata(listName);
    if (list == nullptr) return "";
    std::string problems;
    const bool isKernel = module.getFunction(entry)->getFnAttribute("metal-entry").getValueAsString() == "kernel";
    for (const llvm::MDNode* node : list->operands()) {
        auto* variable = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(node->getOperand(0));
        if (variable == nullptr || llvm::cast<llvm::MDString>(node->getOperand(1))->getString() != entry) continue;
        if (!isKernel) {
            problems += "'" + llvm::cast<llvm::MDString>(node->getOperand(2))->getString().str() +
                        "' in program scope is used by a function that is no kernel\n";
            continue;
        }
        Binder binder(module, *variable, static_cast<Way>(numberIn(*node, 3)), numberIn(*node, 4));
        for (llvm::Function& function : module) {
            if (!function.isDeclaration()) binder.bind(function);
        }
    }
    list->eraseFromParent();
    return problems;
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/entries.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/SetVector.h>

#include "frontend/recording_consumer.hpp"
#include "frontend/report.hpp"
#include "frontend/session.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseStmt(Stmt*, void* = nullptr) { return true; }  // functions hold no kernels

    bool VisitFunctionDecl(FunctionDecl* function) {
        if (!function->isDependentContext() && hasAttribute(function, "kernel") && function->isFirstDecl()) {
            found.insert(function);
        }
        return true;
    }
    llvm::SetVector<FunctionDecl*> found;  // an explicit instantiation is met twice
};

class EntryBuilder {
public:
    explicit EntryBuilder(Session& session)
        : sema_(session.sema()),
          context_(session.context()),
          linkage_(LinkageSpecDecl::Create(context_, context_.getTranslationUnitDecl(), {}, {},
                                           LinkageSpecLanguageIDs::C,
                                           /*HasBraces=*/true)),
          argument_(declare("__metal_argument", context_.VoidPtrTy, {context_.IntTy})),
          threadgroupArgument_(declare("__metal_threadgroup_argument",
                                       pointerTo(AddressSpace::threadgroup, context_.VoidTy), {context_.IntTy})),
          index_(declare("__metal_index", context_.UnsignedIntTy, {context_.IntTy, context_.IntTy})) {}

    FunctionDecl* build(const Kernel& kernel) {
        place_ = kernel.function->getLocation();
        FunctionDecl* entry = declare(kernel.entry, context_.VoidTy, {});
        entry->setImplicit();
        entry->addAttr(SYCLExternalAttr::CreateImplicit(context_));
        Sema::SynthesizedFunctionScope scope(sema_, entry);
        llvm::SmallVector<Expr*, 8> values;
        for (const KernelArgument& argument : kernel.arguments) {
            const ExprResult value = valueOf(argument);
            if (value.isInvalid()) return nullptr;
            values.push_back(value.get());
        }
        const ExprResult call = sema_.ActOnFinishFullExpr(
            this->call(const_cast<FunctionDecl*>(kernel.function), values).get(), place_, /*DiscardedValue=*/true);
        if (call.isInvalid()) return nullptr;
        entry->setBody(CompoundStmt::Create(context_, {call.get()}, FPOptionsOverride(), place_, place_));
        return entry;
    }

private:
    QualType pointerTo(AddressSpace space, QualType pointee) const {
        pointee = context_.removeAddrSpaceQualType(pointee);
        if (space != AddressSpace::thread) pointee = context_.getAddrSpaceQualType(pointee, languageSpaceOf(space));
        return context_.getPointerType(pointee);
    }

    FunctionDecl* declare(llvm::StringRef name, QualType result, llvm::ArrayRef<QualType> parameters) {
        const QualType type = context_.getFunctionType(result, parameters, FunctionProtoType::ExtProtoInfo());
        FunctionDecl* function = FunctionDecl::Create(context_, linkage_, place_, place_, &context_.Idents.get(name),
                                                      type, context_.getTrivialTypeSourceInfo(type), SC_None);
        llvm::SmallVector<ParmVarDecl*, 2> declared;
        for (const QualType parameter : parameters) {
            declared.push_back(
                ParmVarDecl::Create(context_, function, place_, place_, nullptr, parameter, nullptr, SC_None, nullptr));
        }
        function->setParams(declared);
        return function;
    }

    ExprResult call(FunctionDecl* function, llvm::MutableArrayRef<Expr*> values) {
        Expr* callee = sema_.BuildDeclRefExpr(function, function->getType(), VK_LValue, place_);
        return sema_.BuildCallExpr(nullptr, callee, place_, values, place_);
    }
    Expr* number(unsigned value) {
        return IntegerLiteral::Create(context_, llvm::APInt(32, value), context_.IntTy, place_);
    }
    Expr* cast(Expr* value, QualType type, CastKind kind) {
        return ImplicitCastExpr::Create(context_, type, kind, value, nullptr, VK_PRValue, FPOptionsOverride());
    }
    ExprResult dereference(Expr* pointer) { return sema_.CreateBuiltinUnaryOp(place_, UO_Deref, pointer); }

    ExprResult valueOf(const KernelArgument& argument) {
        if (argument.kind == KernelArgument::Kind::place) return placeOf(argument);
        Expr* slot[] = {number(argument.slot)};
        const bool isShared = argument.kind == KernelArgument::Kind::threadgroupMemory;
        const ExprResult fetched = call(isShared ? threadgroupArgument_ : argument_, slot);
        if (fetched.isInvalid()) return ExprError();
        const bool isValue =
            argument.kind == KernelArgument::Kind::texture || argument.kind == KernelArgument::Kind::sampler;
        const QualType pointer =
            isValue ? context_.getPointerType(argument.type.withConst()) : context_.getPointerType(argument.type);
        const bool changesSpace = !isShared && !isValue;
        Expr* address = cast(fetched.get(), pointer, changesSpace ? CK_AddressSpaceConversion : CK_BitCast);
        return isValue || argument.isReference ? dereference(address) : ExprResult(address);
    }

    // uint3(__metal_index(kind, 0), __metal_index(kind, 1), __metal_index(kind, 2))
    ExprResult placeOf(const KernelArgument& argument) {
        unsigned count = 1;
        const QualType type = argument.type;
        QualType element = type;
        if (standardClassName(type) == "vec") {
            count = static_cast<unsigned>(templateArgumentsOf(type)[1].getAsIntegral().getZExtValue());
            element = templateArgumentsOf(type)[0].getAsType();
        }
        llvm::SmallVector<Expr*, 3> parts;
        for (unsigned dimension = 0; dimension < count; ++dimension) {
            Expr* query[] = {number(argument.query.kind), number(dimension)};
            const ExprResult fetched = call(index_, query);
            if (fetched.isInvalid()) return ExprError();
            Expr* part[] = {fetched.get()};
            const ExprResult converted = construct(element, part);
            if (converted.isInvalid()) return ExprError();
            parts.push_back(converted.get());
        }
        return count == 1 && element == type ? ExprResult(parts[0]) : construct(type, parts);
    }
    ExprResult construct(QualType type, llvm::MutableArrayRef<Expr*> parts) {
        return sema_.BuildCXXTypeConstructExpr(context_.getTrivialTypeSourceInfo(type, place_), place_, parts, place_,
                                               false);
    }

    Sema& sema_;
    ASTContext& context_;
    SourceLocation place_;
    LinkageSpecDecl* linkage_;
    FunctionDecl* argument_;
    FunctionDecl* threadgroupArgument_;
    FunctionDecl* index_;
};

bool checkKernel(const FunctionDecl* function, Sema& sema) {
    if (function->getReturnType()->isVoidType()) return true;
    report(sema, DiagnosticIDs::Error, function->getLocation(), "kernel must have a void return type",
           function->getReturnTypeSourceRange());
    return false;
}

}  // namespace

std::vector<Kernel> addEntries(Session& session) {
    KernelFinder finder;
    for (Decl* declaration : session.declarations()) finder.TraverseDecl(declaration);
    std::vector<Kernel> kernels;
    EntryBuilder builder(session);
    RecordingConsumer& consumer = session.consumer();
    for (FunctionDecl* function : finder.found) {
        if (!checkKernel(function, session.sema())) continue;
        auto arguments = argumentsOf(function, session.sema());
        const FunctionDecl* definition = nullptr;
        const bool isDefined =
            function->isDefined(definition) || function->getTemplateInstantiationPattern() != nullptr;
        if (!arguments || !isDefined) continue;
        Kernel kernel{function, "__metal_entry_" + std::to_string(kernels.size()), std::move(*arguments)};
        FunctionDecl* entry = builder.build(kernel);
        if (entry == nullptr) continue;
        consumer.HandleTopLevelDecl(DeclGroupRef(entry));
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

}  // namespace metal_compiler

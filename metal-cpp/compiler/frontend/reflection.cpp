// SPDX-License-Identifier: MIT
#include "frontend/reflection.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include "frontend/comments.hpp"
#include "frontend/entries.hpp"
#include "frontend/function_constants.hpp"
#include "frontend/program_scope.hpp"
#include "frontend/session.hpp"
#include "frontend/type_names.hpp"
#include "frontend/types.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class Reflector {
public:
    Reflector(Session& session, protocol::LibraryReply& reply)
        : context_(session.context()), sema_(session.sema()), reply_(reply), types_(context_, reply.types) {}

    void addFunction(const EntryPoint& kernel) {
        const FunctionDecl* written = writtenDeclaration(kernel.function);
        protocol::Function function;
        function.name = hostNameOf(kernel.function);
        function.entry = kernel.entry;
        function.kind = kernel.kind;
        function.maxTotalThreads =
            static_cast<std::uint32_t>(indexOf(kernel.function, "max_total_threads_per_threadgroup").value_or(0));
        const std::vector<std::uint64_t> sizes = sizesOf(kernel.function, "required_threads_per_threadgroup");
        for (std::size_t axis = 0; !sizes.empty() && axis < 3; ++axis)
            function.requiredThreads[axis] = axis < sizes.size() ? static_cast<std::uint32_t>(sizes[axis]) : 1;
        function.userAnnotation = textOf(kernel.function, "user_annotation").value_or("").str();
        const PresumedLoc place = context_.getSourceManager().getPresumedLoc(written->getLocation());
        function.line = place.isValid() ? place.getLine() : 0;
        function.signature = signatureOf(written);
        function.comment = commentAbove(*written, sema_);
        for (const KernelArgument& argument : kernel.arguments) {
            using Kind = KernelArgument::Kind;
            if (argument.kind == Kind::place || argument.kind == Kind::stage) continue;
            function.arguments.push_back(describe(kernel, argument));
        }
        for (const StageValue& value : kernel.inputs) function.inputs.push_back(describe(value));
        for (const StageValue& value : kernel.outputs) function.outputs.push_back(describe(value));
        function.earlyFragmentTests = hasAttribute(kernel.function, "early_fragment_tests");
        function.patchControlPoints = kernel.patchControlPoints;
        function.patchType = kernel.patchType;
        reply_.functions.push_back(std::move(function));
    }

    void describeVariable(ProgramScopeVariable& variable) {
        variable.facts = describe(variable.argument);
        variable.facts.isUsed = true;
        variable.facts.typeText =
            metalTypeName(variable.argument.declaration->getType().getUnqualifiedType(), context_);
    }

    void addConstant(const FunctionConstantVariable& constant) {
        reply_.constants.push_back({constant.name, constant.index, types_.add(constant.type), /*isRequired=*/true});
    }

private:
    // The template that an instantiation comes from, or the function itself; with a body if there is one.
    static const FunctionDecl* writtenDeclaration(const FunctionDecl* function) {
        if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) function = pattern;
        const FunctionDecl* definition = nullptr;
        return function->isDefined(definition) ? definition : function;
    }

    std::string sourceText(SourceLocation first, SourceLocation last) const {
        const SourceManager& sources = context_.getSourceManager();
        if (first.isInvalid() || last.isInvalid()) return "";
        const CharSourceRange range = CharSourceRange::getTokenRange(first, last);
        return Lexer::getSourceText(Lexer::makeFileCharRange(range, sources, context_.getLangOpts()), sources,
                                    context_.getLangOpts())
            .str();
    }

    std::string signatureOf(const FunctionDecl* function) const {
        const FunctionTypeLoc location = function->getFunctionTypeLoc();
        if (location.isNull()) return "";
        return sourceText(function->getReturnTypeSourceRange().getBegin(), location.getRParenLoc());
    }

    std::string typeTextOf(const DeclaratorDecl* parameter, bool isInstantiated) const {
        std::string text;
        if (!isInstantiated) text = sourceText(parameter->getBeginLoc(), parameter->getLocation());
        const llvm::StringRef name = parameter->getName();
        if (text.empty() || !llvm::StringRef(text).ends_with(name))
            return metalTypeName(parameter->getType(), context_);
        return llvm::StringRef(text).drop_back(name.size()).rtrim().str() + textBehindName(parameter);
    }

    // `)[3]` of `constant float (&weights [[buffer(0)]])[3]`.
    std::string textBehindName(const DeclaratorDecl* parameter) const {
        const SourceManager& sources = context_.getSourceManager();
        const TypeSourceInfo* written = parameter->getTypeSourceInfo();
        const SourceLocation name = parameter->getLocation();
        if (written == nullptr || !sources.isBeforeInTranslationUnit(name, written->getTypeLoc().getEndLoc()))
            return "";
        const std::string text = sourceText(name, written->getTypeLoc().getEndLoc());
        llvm::StringRef behind = llvm::StringRef(text).drop_front(parameter->getName().size()).ltrim();
        if (behind.starts_with("[[")) behind = behind.substr(behind.find("]]") + 2);
        return behind.str();
    }

    protocol::StageValue describe(const StageValue& value) {
        protocol::StageValue described = value.facts;
        described.type = types_.add(value.type);
        return described;
    }

    protocol::Argument describe(const EntryPoint& kernel, const KernelArgument& argument) {
        protocol::Argument described = describe(argument);
        described.isUsed = isUsed(kernel.function, argument.parameter->getFunctionScopeIndex());
        described.typeText = typeTextOf(argument.declaration, kernel.function->isTemplateInstantiation());
        return described;
    }

    protocol::Argument describe(const KernelArgument& argument) {
        protocol::Argument described;
        described.name = argument.declaration->getNameAsString();
        described.index = argument.index;
        described.slot = argument.slot;
        described.arrayLength = argument.arrayLength;
        described.isReference = argument.isReference;
        described.condition = argument.condition.name;
        described.conditionValue = argument.condition.value;
        described.indexValue = argument.indexValue;
        QualType type = argument.type;
        switch (argument.kind) {
            case KernelArgument::Kind::buffer:
                described.kind = protocol::ArgumentKind::buffer;
                described.access = type.isConstQualified() ? 0 : 1;
                break;
            case KernelArgument::Kind::texture:
                described.kind = protocol::ArgumentKind::texture;
                type = elementOf(type);
                described.access = TypeTable::accessOfTexture(type);
                break;
            case KernelArgument::Kind::sampler:
                described.kind = protocol::ArgumentKind::sampler;
                type = elementOf(type);
                break;
            case KernelArgument::Kind::threadgroupMemory:
                described.kind = protocol::ArgumentKind::threadgroupMemory;
                described.access = 1;
                break;
            case KernelArgument::Kind::functionTable:
                described.kind = protocol::ArgumentKind::functionTable;
                break;
            case KernelArgument::Kind::place:
            case KernelArgument::Kind::stage:
                break;
        }
        if (!type->isVoidType()) described.type = types_.add(type);
        return described;
    }

    QualType elementOf(QualType type) const {
        for (;;) {
            if (const auto* array = context_.getAsConstantArrayType(type)) {
                type = array->getElementType();
            } else if (standardClassName(type) == "array") {
                type = templateArgumentsOf(type)[0].getAsType();
            } else {
                return type;
            }
        }
    }

    static bool isUsed(const FunctionDecl* kernel, unsigned index) {
        const FunctionDecl* definition = nullptr;
        if (!kernel->isDefined(definition)) definition = kernel;
        const ParmVarDecl* parameter = definition->getParamDecl(index);
        return parameter->isUsed(/*CheckUsedAttr=*/false) || parameter->isReferenced();
    }

    ASTContext& context_;
    Sema& sema_;
    protocol::LibraryReply& reply_;
    TypeTable types_;
};

}  // namespace

void reflect(Session& session, const std::vector<EntryPoint>& points,
             const std::vector<FunctionConstantVariable>& constants, std::vector<ProgramScopeVariable>& variables,
             protocol::LibraryReply& reply) {
    Reflector reflector(session, reply);
    for (const EntryPoint& kernel : points) reflector.addFunction(kernel);
    for (ProgramScopeVariable& variable : variables) reflector.describeVariable(variable);
    for (const FunctionConstantVariable& constant : constants) reflector.addConstant(constant);
}

}  // namespace metal_compiler

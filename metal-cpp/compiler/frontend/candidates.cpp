// SPDX-License-Identifier: MIT
#include "frontend/candidates.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class FunctionCollector : public RecursiveASTVisitor<FunctionCollector> {
public:
    FunctionCollector(llvm::DenseMap<SourceLocation, std::vector<const FunctionDecl*>>& found,
                      llvm::DenseSet<const CXXRecordDecl*>& classes, const ASTContext& context)
        : found_(found), classes_(classes), context_(context) {}
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseStmt(Stmt*, void* = nullptr) { return true; }
    bool VisitFunctionDecl(FunctionDecl* function) {
        found_[function->getLocation()].push_back(function);
        return true;
    }
    bool VisitDeclaratorDecl(DeclaratorDecl* declaration) {
        if (context_.getSourceManager().isInSystemHeader(declaration->getLocation())) return true;
        const QualType type = context_.getBaseElementType(declaration->getType().getNonReferenceType());
        if (const CXXRecordDecl* made = type->getAsCXXRecordDecl()) classes_.insert(made->getCanonicalDecl());
        return true;
    }

private:
    llvm::DenseMap<SourceLocation, std::vector<const FunctionDecl*>>& found_;
    llvm::DenseSet<const CXXRecordDecl*>& classes_;
    const ASTContext& context_;
};

// A template of the headers' own making: its parameters' names say nothing to a person.
bool isInner(const FunctionDecl* function) {
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function)) {
        const llvm::StringRef name = constructor->getParent()->getName();
        return name == "vec" || name == "packed_vec" || name == "matrix" || name.starts_with("__");
    }
    const auto isBare = [](QualType type) {
        return type.getNonReferenceType()->isTemplateTypeParmType() || type->isUndeducedType();
    };
    if (isBare(function->getReturnType())) return true;
    return llvm::any_of(function->parameters(), [&](const ParmVarDecl* one) { return isBare(one->getType()); });
}

std::string signatureOf(const FunctionDecl* function, const ASTContext& context) {
    std::string text;
    if (!isa<CXXConstructorDecl>(function)) {
        text = metalTypeName(function->getReturnType(), context);
        if (text.back() != '*' && text.back() != '&') text += ' ';
    }
    const auto* constructor = dyn_cast<CXXConstructorDecl>(function);
    text += constructor != nullptr ? metalTypeName(context.getCanonicalTagType(constructor->getParent()), context)
                                   : function->getNameAsString();
    text += '(';
    for (const ParmVarDecl* parameter : function->parameters()) {
        if (text.back() != '(') text += ", ";
        text += metalTypeName(parameter->getType(), context);
        const std::string name = parameter->getNameAsString();
        if (name.empty()) continue;
        if (text.back() != '*' && text.back() != '&') text += ' ';
        text += name;
    }
    return text + ')';
}

// The reason in Clang's note; empty when it only names a candidate.
llvm::StringRef reasonOf(llvm::StringRef note) {
    for (const llvm::StringRef before : {"not viable: ", "template ignored: "}) {
        const std::size_t at = note.find(before);
        if (at != llvm::StringRef::npos) return note.substr(at + before.size());
    }
    return {};
}

}  // namespace

void Candidates::collect() {
    isCollected_ = true;
    FunctionCollector(functions_, classes_, context_).TraverseDecl(context_.getTranslationUnitDecl());
}

const FunctionDecl* Candidates::declaredAt(SourceLocation place) {
    if (!isCollected_) collect();
    const auto found = functions_.find(place);
    if (found == functions_.end()) return nullptr;
    // Of a template and its instances, the one instance says more than the template, and the template more than any of
    // several. Members of classes that the program does not name are the headers' own instances.
    const FunctionDecl* pattern = nullptr;
    llvm::SmallVector<const FunctionDecl*> instances;
    for (const FunctionDecl* function : found->second) {
        if (function->isDependentContext()) {
            pattern = function;
        } else {
            instances.push_back(function);
        }
    }
    if (instances.size() > 1) {
        llvm::erase_if(instances, [&](const FunctionDecl* one) {
            const auto* method = dyn_cast<CXXMethodDecl>(one);
            return method != nullptr && !classes_.contains(method->getParent()->getCanonicalDecl());
        });
    }
    return instances.size() == 1 || (pattern == nullptr && !instances.empty()) ? instances.front() : pattern;
}

std::string Candidates::describe(SourceLocation place, llvm::StringRef note) {
    if (!note.starts_with("candidate ")) return "";
    if (note.contains("implicit copy") || note.contains("implicit move")) return "";
    const FunctionDecl* function = declaredAt(place);
    if (function == nullptr || isInner(function)) return "";
    std::string text = "candidate: " + signatureOf(function, context_);
    if (llvm::StringRef(text).contains("__") || llvm::StringRef(text).contains("type-parameter")) return "";
    const llvm::StringRef reason = reasonOf(note);
    if (!reason.empty() && !reason.contains("__") && !reason.contains("[with")) text += ": " + reason.str();
    return text;
}

}  // namespace metal_compiler

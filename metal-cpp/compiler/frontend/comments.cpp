// SPDX-License-Identifier: MIT
#include "frontend/comments.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RawCommentList.h>
#include <clang/Sema/Sema.h>

namespace metal_compiler {

std::string commentAbove(const clang::FunctionDecl& function, clang::Sema& sema) {
    const clang::FunctionDecl* written = &function;
    if (const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern()) written = pattern;
    const clang::Decl* declaration = written;
    if (const auto* described = written->getDescribedFunctionTemplate()) declaration = described;
    const clang::RawComment* comment = sema.getASTContext().getRawCommentForDeclNoCache(declaration);
    return comment != nullptr ? comment->getFormattedText(sema.getSourceManager(), sema.getDiagnostics()) : "";
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/log_formats.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

#include <optional>
#include <set>
#include <string>

#include "frontend/report.hpp"
#include "frontend/session.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

struct Conversion {
    std::string text;  // with its %
    char kind = 0;
    bool isWide = false;  // of 64 bits
    unsigned components = 1;
    std::string problem;
};

/// What an argument consists of.
struct Shape {
    QualType element;
    unsigned components = 1;
};

Shape shapeOf(QualType type) {
    const auto* record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (record != nullptr && (record->getName() == "vec" || record->getName() == "packed_vec")) {
        const TemplateArgumentList& arguments = record->getTemplateArgs();
        if (arguments.size() == 2 && arguments[1].getKind() == TemplateArgument::Integral)
            return {arguments[0].getAsType(), unsigned(arguments[1].getAsIntegral().getZExtValue())};
    }
    return {type, 1};
}

class FormatReader {
public:
    explicit FormatReader(llvm::StringRef text) : text_(text) {}

    std::optional<Conversion> next() {
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] != '%') continue;
            if (at_ + 1 < text_.size() && text_[at_ + 1] == '%') {
                ++at_;
                continue;
            }
            return conversion();
        }
        return std::nullopt;
    }

private:
    Conversion conversion() {
        const std::size_t start = at_++;
        Conversion made;
        skip("-+ #0");
        skip("0123456789");
        if (peek() == '.') {
            ++at_;
            skip("0123456789");
        }
        const bool isStar = peek() == '*';
        if (isStar) ++at_;
        if (peek() == 'v') {
            ++at_;
            const std::size_t digits = at_;
            skip("0123456789");
            if (text_.slice(digits, at_).getAsInteger(10, made.components)) made.components = 0;
        }
        const std::size_t length = at_;
        skip("hljzt");
        const llvm::StringRef modifier = text_.slice(length, at_);
        made.isWide = modifier != "hl" && modifier.find_first_of("ljzt") != llvm::StringRef::npos;
        made.kind = peek();
        if (made.kind != 0) ++at_;
        made.text = text_.slice(start, at_).str();
        if (made.kind == 0) {
            made.problem = "incomplete format specifier";
        } else if (isStar || llvm::StringRef("diouxXcpfFeEgGaA").find(made.kind) == llvm::StringRef::npos) {
            made.problem = "invalid conversion specifier '" + made.text + "' in the format of a log message";
        } else if (made.components == 0 || made.components > 4) {
            made.problem = "invalid vector size in '" + made.text + "'";
        }
        return made;
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip(llvm::StringRef set) {
        while (peek() != '\0' && set.find(peek()) != llvm::StringRef::npos) ++at_;
    }

    llvm::StringRef text_;
    std::size_t at_ = 0;
};

class LogFormats : public RecursiveASTVisitor<LogFormats> {
public:
    explicit LogFormats(Session& session) : sema_(session.sema()), context_(session.context()) {}

    bool shouldVisitTemplateInstantiations() const { return true; }

    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) {
        const CXXMethodDecl* method = call->getMethodDecl();
        if (method == nullptr || !method->getDeclName().isIdentifier() || !method->getName().starts_with("log") ||
            method->getParent()->getName() != "os_log")
            return true;
        const unsigned place = method->getName() == "log_with_type" ? 1 : 0;
        if (call->getNumArgs() <= place) return true;
        // The token stage casts texts to `constant`.
        const auto* literal = dyn_cast<StringLiteral>(call->getArg(place)->IgnoreParenCasts());
        if (literal == nullptr || call->getBeginLoc().isInvalid() ||
            context_.getSourceManager().isInSystemHeader(call->getBeginLoc()))
            return true;
        check(*call, *literal, place + 1);
        return true;
    }

private:
    // `argument` is the first that the format names.
    void check(const CXXMemberCallExpr& call, const StringLiteral& literal, unsigned argument) {
        FormatReader reader(literal.getString());
        while (const auto conversion = reader.next()) {
            if (!conversion->problem.empty()) {
                warn(literal.getBeginLoc(), conversion->problem);
                return;
            }
            if (argument >= call.getNumArgs()) {
                warn(literal.getBeginLoc(), "more '%' conversions than data arguments");
                return;
            }
            compare(*conversion, *call.getArg(argument++));
        }
        if (argument < call.getNumArgs())
            warn(call.getArg(argument)->getBeginLoc(), "data argument not used by format string");
    }

    void compare(const Conversion& conversion, const Expr& argument) {
        const QualType type = argument.IgnoreParenImpCasts()->getType().getUnqualifiedType();
        const Shape shape = shapeOf(context_.getCanonicalType(type).getUnqualifiedType());
        bool fits = shape.components == conversion.components;
        switch (conversion.kind) {
            case 'p':
                fits = fits && (type->isPointerType() || type->isArrayType());
                break;
            case 'f':
            case 'F':
            case 'e':
            case 'E':
            case 'g':
            case 'G':
            case 'a':
            case 'A':
                fits = fits && shape.element->isRealFloatingType();
                break;
            default:
                fits = fits && shape.element->isIntegralOrEnumerationType() &&
                       (context_.getTypeSize(shape.element) > 32) == conversion.isWide;
        }
        if (fits) return;
        warn(argument.getBeginLoc(), "format specifies type '" + nameOf(conversion) + "' but the argument has type '" +
                                         metalTypeName(type, context_) + "'");
    }

    static std::string nameOf(const Conversion& conversion) {
        std::string name;
        switch (conversion.kind) {
            case 'p':
                return "void *";
            case 'd':
            case 'i':
                name = conversion.isWide ? "long" : "int";
                break;
            case 'c':
                name = "char";
                break;
            case 'o':
            case 'u':
            case 'x':
            case 'X':
                name = conversion.isWide ? "ulong" : "uint";
                break;
            default:
                name = "float";
        }
        return conversion.components > 1 ? name + std::to_string(conversion.components) : name;
    }

    // Once for each place, however many instantiations reach it.
    void warn(SourceLocation place, const std::string& message) {
        if (said_.insert({place.getRawEncoding(), message}).second)
            report(sema_, DiagnosticIDs::Warning, place, message);
    }

    Sema& sema_;
    ASTContext& context_;
    std::set<std::pair<SourceLocation::UIntTy, std::string>> said_;
};

}  // namespace

void checkLogFormats(Session& session) {
    if (!session.preprocessor().isMacroDefined("__METAL_LOGGING__")) return;
    LogFormats formats(session);
    for (Decl* declaration : session.declarations()) formats.TraverseDecl(declaration);
}

}  // namespace metal_compiler

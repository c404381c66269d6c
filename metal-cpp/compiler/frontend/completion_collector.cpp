// SPDX-License-Identifier: MIT
#include "frontend/completion_collector.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

#include "frontend/call_signatures.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;
using Context = CodeCompletionContext;
using Kind = protocol::CompletionKind;

CodeCompleteOptions options() {
    CodeCompleteOptions options;
    options.IncludeMacros = true;
    return options;
}

// Names that begin so are the implementation's.
bool isReserved(llvm::StringRef name) {
    return name.starts_with("_");
}

enum Place : unsigned {
    atTopLevel = 1,
    inStatement = 2,
    inExpression = 4,
    inType = 8,
    inRecord = 16,
    inDirective = 32
};

unsigned placeOf(Context::Kind context) {
    switch (context) {
        case Context::CCC_TopLevel:
            return atTopLevel | inType;
        case Context::CCC_ClassStructUnion:
            return inRecord | inType;
        case Context::CCC_Statement:
        case Context::CCC_Recovery:
        case Context::CCC_Other:
        case Context::CCC_OtherWithMacros:
            return inStatement | inExpression | inType;
        case Context::CCC_Expression:
            return inExpression;
        case Context::CCC_ParenthesizedExpression:
            return inExpression | inType;
        case Context::CCC_Type:
            return inType;
        case Context::CCC_PreprocessorDirective:
            return inDirective;
        default:
            return 0;
    }
}

// The words of the language, Metal's own among them. Clang offers words of C++ that Metal does not have, so none of its
// words are taken.
struct Word {
    const char* text;
    unsigned places;
};
constexpr Word words[] = {
    {"kernel", atTopLevel},
    {"vertex", atTopLevel},
    {"fragment", atTopLevel},
    {"template", atTopLevel | inRecord},
    {"using", atTopLevel | inStatement | inRecord},
    {"namespace", atTopLevel},
    {"typedef", atTopLevel | inRecord},
    {"struct", inType},
    {"enum", inType},
    {"union", inType},
    {"typename", inType},
    {"static", atTopLevel | inRecord},
    {"inline", atTopLevel | inRecord},
    {"constexpr", inType},
    {"static_assert", atTopLevel | inStatement | inRecord},
    {"device", inType},
    {"constant", inType},
    {"threadgroup", inType},
    {"thread", inType},
    {"const", inType},
    {"volatile", inType},
    {"auto", inType},
    {"void", inType},
    {"bool", inType},
    {"char", inType},
    {"short", inType},
    {"int", inType},
    {"long", inType},
    {"float", inType},
    {"unsigned", inType},
    {"signed", inType},
    {"if", inStatement},
    {"else", inStatement},
    {"for", inStatement},
    {"while", inStatement},
    {"do", inStatement},
    {"switch", inStatement},
    {"case", inStatement},
    {"default", inStatement},
    {"break", inStatement},
    {"continue", inStatement},
    {"return", inStatement},
    {"true", inExpression},
    {"false", inExpression},
    {"nullptr", inExpression},
    {"sizeof", inExpression},
    {"alignof", inExpression},
    {"static_cast", inExpression},
    {"reinterpret_cast", inExpression},
    {"const_cast", inExpression},
    {"public", inRecord},
    {"private", inRecord},
    {"operator", inRecord},
    {"define", inDirective},
    {"elif", inDirective},
    {"else", inDirective},
    {"endif", inDirective},
    {"error", inDirective},
    {"if", inDirective},
    {"ifdef", inDirective},
    {"ifndef", inDirective},
    {"include", inDirective},
    {"pragma", inDirective},
    {"undef", inDirective},
};

// Better than a library's name, worse than one of the program's own.
constexpr unsigned wordRank = 45;

Kind kindOf(const NamedDecl* declaration) {
    declaration = declaration->getUnderlyingDecl();
    if (isa<FunctionDecl, FunctionTemplateDecl>(declaration)) return Kind::function;
    if (isa<FieldDecl, MSPropertyDecl>(declaration)) return Kind::field;
    if (isa<EnumConstantDecl>(declaration)) return Kind::enumerator;
    if (isa<TypeDecl, ClassTemplateDecl, TypeAliasTemplateDecl>(declaration)) return Kind::type;
    if (isa<NamespaceDecl, NamespaceAliasDecl>(declaration)) return Kind::scope;
    return Kind::variable;
}

// `float4 mix(float4 x, float4 y, float4 a)` of the pieces that Clang makes of a declaration.
void append(const CodeCompletionString& text, std::string& result) {
    for (const CodeCompletionString::Chunk& chunk : text) {
        switch (chunk.Kind) {
            case CodeCompletionString::CK_Optional:
                append(*chunk.Optional, result);
                break;
            case CodeCompletionString::CK_ResultType:
                result += chunk.Text;
                if (!llvm::StringRef(result).ends_with("*") && !llvm::StringRef(result).ends_with("&")) result += " ";
                break;
            case CodeCompletionString::CK_VerticalSpace:
                break;
            default:
                result += chunk.Text;
                break;
        }
    }
}

// The position of a swizzle among those of a vector: components first, then runs like xyz, then the rest.
unsigned swizzleRank(llvm::StringRef name) {
    llvm::StringRef letters = "xyzw";
    unsigned rank = 0;
    if (name.find_first_not_of("rgba") == llvm::StringRef::npos) {
        letters = "rgba";
        rank = 4;
    } else if (name.find_first_not_of(letters) != llvm::StringRef::npos) {
        return 0;  // no swizzle
    }
    const std::size_t first = letters.find(name.front());
    if (name.size() == 1) return rank + static_cast<unsigned>(first);
    if (letters.contains(name)) return 10 + rank + static_cast<unsigned>(4 * name.size() + first);
    return 60 + rank + static_cast<unsigned>(name.size());
}

bool isSwizzle(const NamedDecl* declaration) {
    return isa<MSPropertyDecl>(declaration);
}

// The inside of what the library makes of textures, samplers and the like.
bool isInside(const NamedDecl* declaration) {
    const auto* record = dyn_cast<CXXRecordDecl>(declaration->getDeclContext());
    if (!isa<FieldDecl>(declaration) || record == nullptr) return false;
    const llvm::StringRef name = record->getName();
    return !name.starts_with("__components") && name != "matrix";
}

// Parts of a header that a person did not mean to see.
bool isInner(llvm::StringRef text) {
    return text.contains("__") || text.contains("(lambda");
}

}  // namespace

CompletionCollector::CompletionCollector(std::string word, bool isInFunction)
    : CodeCompleteConsumer(options()),
      word_(std::move(word)),
      isInFunction_(isInFunction),
      information_(std::make_shared<GlobalCodeCompletionAllocator>()) {}

void CompletionCollector::add(protocol::Completion item, unsigned rank) {
    if (!llvm::StringRef(item.text).starts_with(word_)) return;
    found_.push_back({std::move(item), rank});
}

void CompletionCollector::addWords(Context::Kind context) {
    unsigned here = placeOf(context);
    // `void f(` begins a variable's initialiser to Clang, until it sees a type.
    if (context == Context::CCC_Expression && !isInFunction_) here |= inType;
    for (const Word& word : words) {
        if (word.places & here) add({word.text, Kind::keyword, ""}, wordRank);
    }
}

void CompletionCollector::addDeclaration(Sema& sema, const Context& context, CodeCompletionResult& result) {
    const NamedDecl* declaration = result.Declaration;
    const DeclarationName name = declaration->getDeclName();
    if (!name.isIdentifier() || result.Hidden || result.Availability == CXAvailability_NotAccessible) return;
    const llvm::StringRef text = name.getAsIdentifierInfo()->getName();
    if (text.empty() || isReserved(text) || !text.starts_with(word_)) return;
    if (const auto* record = dyn_cast<CXXRecordDecl>(declaration); record != nullptr && record->isInjectedClassName())
        return;
    unsigned rank = result.Priority;
    const bool isOurs = sema.getSourceManager().isInSystemHeader(declaration->getLocation());
    if (isOurs && isInside(declaration)) return;
    if (isOurs) rank += 20;
    if (isSwizzle(declaration) || (isOurs && isa<FieldDecl>(declaration))) {
        const unsigned swizzle = swizzleRank(text);
        // Of the 680 names that a float4 has, only those that a person reads as one are offered unasked.
        if (isSwizzle(declaration) && word_.empty() && swizzle >= 60) return;
        rank += swizzle;
    }
    std::string signature;
    if (const CodeCompletionString* whole =
            result.CreateCodeCompletionString(sema, context, getAllocator(), information_, false)) {
        append(*whole, signature);
    }
    signature = inMetalWords(signature);
    const Kind kind = kindOf(declaration);
    if (isInner(signature)) signature = kind == Kind::function ? (text + "(...)").str() : text.str();
    if (kind == Kind::type || kind == Kind::scope) signature = kind == Kind::type ? "type" : "namespace";
    add({text.str(), kind, signature}, rank);
}

void CompletionCollector::ProcessCodeCompleteResults(Sema& sema, Context context, CodeCompletionResult* results,
                                                     unsigned count) {
    isAttribute_ = isAttribute_ || context.getKind() == Context::CCC_Attribute;
    if (isAttribute_) return;
    for (unsigned i = 0; i < count; ++i) {
        CodeCompletionResult& result = results[i];
        if (result.Kind == CodeCompletionResult::RK_Declaration) {
            addDeclaration(sema, context, result);
        } else if (result.Kind == CodeCompletionResult::RK_Macro) {
            const llvm::StringRef name = result.Macro->getName();
            if (!isReserved(name)) add({name.str(), Kind::macro, "macro"}, result.Priority);
        } else if (result.Kind == CodeCompletionResult::RK_Pattern && result.CursorKind == CXCursor_MacroDefinition) {
            const llvm::StringRef name = result.Pattern->getTypedText();
            if (!isReserved(name)) add({name.str(), Kind::macro, "macro"}, result.Priority);
        }
    }
    addWords(context.getKind());
}

void CompletionCollector::ProcessOverloadCandidates(Sema& sema, unsigned argument, OverloadCandidate* candidates,
                                                    unsigned count, SourceLocation, bool braced) {
    argument_ = argument;
    signatures_ = callSignatures(sema, argument, {candidates, count}, braced, getAllocator(), information_);
}

std::vector<protocol::Completion> CompletionCollector::takeItems() {
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.item.text < b.item.text;
    });
    std::vector<Found> unique;
    llvm::StringMap<std::size_t> places;
    for (Found& found : found_) {
        const auto [place, isNew] = places.try_emplace(found.item.text, unique.size());
        if (isNew) {
            unique.push_back(std::move(found));
        } else if (unique[place->second].item.kind == Kind::function && found.item.kind == Kind::function) {
            Found& first = unique[place->second];
            ++first.overloads;
            // Of twelve overloads the one of floats is the one that a person looks for.
            const auto isFloat = [](const Found& one) {
                return llvm::StringRef(one.item.signature).starts_with("float");
            };
            if (!isFloat(first) && isFloat(found)) first.item.signature = std::move(found.item.signature);
        }
    }
    std::vector<protocol::Completion> items;
    for (Found& found : unique) {
        if (found.overloads > 1) found.item.signature += " (+" + std::to_string(found.overloads - 1) + ")";
        items.push_back(std::move(found.item));
    }
    return items;
}

}  // namespace metal_compiler

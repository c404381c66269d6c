// SPDX-License-Identifier: MIT
#include "frontend/call_signatures.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <optional>

#include "frontend/comments.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;
using Candidate = CodeCompleteConsumer::OverloadCandidate;
using Chunk = CodeCompletionString::Chunk;

// Our headers make most functions by macros, which call all parameters a, b, c (p, q, r in the templates of vectors).
// Metal's names for them, where they are not x, y, z.
llvm::StringRef parameterNames(llvm::StringRef function) {
    static const llvm::StringMap<llvm::StringRef> names = {
        {"atan2", "y x"},
        {"clamp", "x minval maxval"},
        {"extract_bits", "x offset bits"},
        {"faceforward", "N I Nref"},
        {"fma", "a b c"},
        {"frexp", "x exponent"},
        {"insert_bits", "base insert offset bits"},
        {"ldexp", "x k"},
        {"madhi", "a b c"},
        {"madsat", "a b c"},
        {"mix", "x y a"},
        {"modf", "x intval"},
        {"reflect", "I N"},
        {"refract", "I N eta"},
        {"rotate", "v i"},
        {"select", "a b c"},
        {"sincos", "x cosval"},
        {"smoothstep", "edge0 edge1 x"},
        {"step", "edge x"},
    };
    const auto found = names.find(function);
    return found != names.end() ? found->second : "x y z";
}

bool isShort(llvm::StringRef name) {
    return name.size() == 1;
}

bool endsWithWord(llvm::StringRef text, llvm::StringRef word) {
    return text.size() > word.size() && text.ends_with(word) && !llvm::isAlnum(text[text.size() - word.size() - 1]) &&
           text[text.size() - word.size() - 1] != '_';
}

// `__operand<T>`, which is T.
std::string withoutOperand(llvm::StringRef text) {
    std::string result;
    constexpr llvm::StringLiteral opening = "__operand<";
    while (true) {
        const auto [before, after] = text.split(opening);
        result += before;
        if (before.size() == text.size()) return result;
        const auto [inner, rest] = after.split('>');
        result += inner;
        text = rest;
    }
}

std::string inWords(llvm::StringRef text) {
    return withoutOperand(inMetalWords(text));
}

class Writer {
public:
    Writer(Sema& sema, const Candidate& candidate) : sema_(sema), candidate_(candidate) {
        if (const FunctionDecl* function = candidate.getFunction()) {
            isLibrarys_ = sema.getSourceManager().isInSystemHeader(function->getLocation());
            if (isLibrarys_ && function->getDeclName().isIdentifier()) {
                llvm::SplitString(parameterNames(function->getName()), names_);
                isOfVectors_ = function->getTemplateSpecializationInfo() != nullptr ||
                               function->getDescribedFunctionTemplate() != nullptr;
            }
            if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
                className_ = metalTypeName(sema.getASTContext().getCanonicalTagType(constructor->getParent()),
                                           sema.getASTContext());
        }
    }

    protocol::Signature write(const CodeCompletionString& whole) {
        if (isOfVectors_) findVector(whole);
        add(whole);
        const FunctionDecl* function = candidate_.getFunction();
        if (function != nullptr && !isLibrarys_) signature_.comment = commentAbove(*function, sema_);
        return std::move(signature_);
    }

private:
    // The letters that our templates of vectors call their types; any of them is the same T to a person.
    static bool isVectorsLetter(llvm::StringRef type) {
        return type == "A" || type == "B" || type == "C" || type == "V";
    }

    static constexpr llvm::StringLiteral vectorsScalar = "__scalar<V>";

    // The type that an argument has told Clang, if one has.
    void findVector(const CodeCompletionString& text) {
        bool isTemplate = false;
        std::string known;
        bool isScalar = false;
        for (const Chunk& chunk : text) {
            if (chunk.Kind == CodeCompletionString::CK_ResultType) {
                isScalar = llvm::StringRef(chunk.Text) == vectorsScalar;
                isTemplate = isScalar || isVectorsLetter(chunk.Text);
            }
            if (chunk.Kind != CodeCompletionString::CK_Placeholder &&
                chunk.Kind != CodeCompletionString::CK_CurrentParameter)
                continue;
            const std::string type = inMetalWords(llvm::StringRef(chunk.Text).rsplit(' ').first);
            if (!isVectorsLetter(type) && llvm::isDigit(type.back())) known = type;
        }
        if (!isTemplate) return;
        vector_ = !known.empty() ? known : isScalar ? "vec<T, n>" : "T";
        scalar_ = known.empty() ? "T" : llvm::StringRef(known).rtrim("0123456789").str();
    }

    std::string typeWord(llvm::StringRef type) const {
        if (vector_.empty()) return inWords(type);
        return isVectorsLetter(type) ? vector_ : type == vectorsScalar ? scalar_ : inWords(type);
    }

    // A vector's constructors from one scalar, from a vector of other elements.
    std::optional<std::string> vectorsParameter(llvm::StringRef text) const {
        const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(candidate_.getFunction());
        const auto* vector =
            constructor == nullptr ? nullptr : dyn_cast<ClassTemplateSpecializationDecl>(constructor->getParent());
        if (!isLibrarys_ || vector == nullptr || vector->getName() != "vec") return std::nullopt;
        const std::string words = inMetalWords(text);
        llvm::StringRef type = llvm::StringRef(words).split(' ').first;
        if (type == "S") return metalTypeName(vector->getTemplateArgs()[0].getAsType(), sema_.getASTContext()) + " x";
        if (type.consume_front("U")) return "vec<U, " + type.str() + "> v";
        return std::nullopt;
    }

    std::string parameter(llvm::StringRef text) {
        if (const auto written = vectorsParameter(text)) return *written;
        const unsigned index = static_cast<unsigned>(signature_.parameters.size());
        const NamedDecl* declaration = candidate_.getParamDecl(index);
        if (!isLibrarys_ || declaration == nullptr || !declaration->getDeclName().isIdentifier()) return inWords(text);
        const llvm::StringRef name = declaration->getName();
        if (name.empty() || !endsWithWord(text, name)) return inWords(text);
        const llvm::StringRef type = text.drop_back(name.size());
        const bool isRenamed = isShort(name) && className_.empty() && index < names_.size();
        const std::string spaces = type.rtrim().size() < type.size() ? " " : "";
        const llvm::StringRef metals = name == "at" ? "coord" : isRenamed ? names_[index] : name;
        return typeWord(type.rtrim()) + spaces + metals.str();
    }

    void addParameter(llvm::StringRef text) {
        const std::string written = parameter(text);
        const auto begin = static_cast<std::uint32_t>(signature_.text.size());
        signature_.text += written;
        signature_.parameters.push_back({begin, static_cast<std::uint32_t>(signature_.text.size())});
    }

    void add(const CodeCompletionString& text) {
        for (const Chunk& chunk : text) {
            switch (chunk.Kind) {
                case CodeCompletionString::CK_Optional:
                    add(*chunk.Optional);
                    break;
                case CodeCompletionString::CK_Placeholder:
                case CodeCompletionString::CK_CurrentParameter:
                    addParameter(chunk.Text);
                    break;
                case CodeCompletionString::CK_ResultType: {
                    const std::string type = typeWord(chunk.Text);
                    signature_.text += type;
                    if (type.back() != '*' && type.back() != '&') signature_.text += ' ';
                    break;
                }
                case CodeCompletionString::CK_Text:
                    signature_.text += className_.empty() ? llvm::StringRef(chunk.Text) : llvm::StringRef(className_);
                    break;
                case CodeCompletionString::CK_VerticalSpace:
                    break;
                default:
                    signature_.text += chunk.Text;
                    break;
            }
        }
    }

    Sema& sema_;
    const Candidate& candidate_;
    bool isLibrarys_ = false, isOfVectors_ = false;
    llvm::SmallVector<llvm::StringRef, 4> names_;
    std::string className_;        // of a constructor
    std::string vector_, scalar_;  // what the types of a template of vectors are called; empty in all else
    protocol::Signature signature_;
};

bool isCopying(const FunctionDecl* function) {
    const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(function);
    return constructor != nullptr && constructor->isImplicit();
}

}  // namespace

std::vector<protocol::Signature> callSignatures(Sema& sema, unsigned argument, llvm::ArrayRef<Candidate> candidates,
                                                bool braced, CodeCompletionAllocator& allocator,
                                                CodeCompletionTUInfo& information) {
    std::vector<protocol::Signature> found;
    for (const Candidate& candidate : candidates) {
        if (isCopying(candidate.getFunction())) continue;
        const CodeCompletionString* whole =
            candidate.CreateSignatureString(argument, sema, allocator, information, false, braced);
        if (whole == nullptr) continue;
        protocol::Signature signature = Writer(sema, candidate).write(*whole);
        const llvm::StringRef text = signature.text;
        const bool isInner = text.contains("__") || text.contains("(packed_U");
        const bool isKnown =
            llvm::any_of(found, [&](const protocol::Signature& other) { return other.text == signature.text; });
        if (!isInner && !isKnown) found.push_back(std::move(signature));
    }
    // Of twelve overloads, before an argument tells them apart, the one of floats is what a person looks for.
    if (argument == 0) {
        std::stable_partition(found.begin(), found.end(), [](const protocol::Signature& signature) {
            return llvm::StringRef(signature.text).starts_with("float ");
        });
    }
    return found;
}

}  // namespace metal_compiler

// SPDX-License-Identifier: MIT
#include "frontend/type_names.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ASTDiagnostic.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <optional>

namespace metal_compiler {
namespace {

// Clang's words for Metal's. The vector library's internals are not here: they are named by their own rules below.
llvm::StringRef metalWord(llvm::StringRef word) {
    static const llvm::StringMap<llvm::StringRef> words = {
        {"__global_device", "device"}, {"__global_host", "constant"}, {"__local", "threadgroup"}, {"__ptr64", "thread"},
        {"_Float16", "half"},          {"__bf16", "bfloat"},          {"_Bool", "bool"},
    };
    const auto found = words.find(word);
    return found != words.end() ? found->second : word;
}

// The rest after `unsigned int` and the like, which Metal's programs call by one word.
std::optional<std::pair<llvm::StringRef, llvm::StringRef>> unsignedWord(llvm::StringRef text) {
    static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
        {"unsigned int", "uint"}, {"unsigned long", "ulong"}, {"unsigned short", "ushort"}, {"unsigned char", "uchar"}};
    for (const auto& [clang, metal] : words) {
        llvm::StringRef rest = text;
        if (rest.consume_front(clang) && (rest.empty() || !(llvm::isAlnum(rest.front()) || rest.front() == '_'))) {
            return std::pair{llvm::StringRef(metal), rest};
        }
    }
    return std::nullopt;
}

// `vec<float, 4>` -> `float4`, `matrix<half, 2, 3>` -> `half2x3`, `packed_vec<float, 3>` -> `packed_float3`.
std::optional<std::pair<std::string, llvm::StringRef>> vectorName(llvm::StringRef word, llvm::StringRef rest) {
    const bool isMatrix = word == "matrix", isPacked = word == "packed_vec";
    if (!(isMatrix || isPacked || word == "vec") || !rest.consume_front("<")) return std::nullopt;
    const std::size_t close = rest.find('>');
    if (close == llvm::StringRef::npos) return std::nullopt;
    llvm::SmallVector<llvm::StringRef, 4> parts;
    rest.substr(0, close).split(parts, ',');
    rest = rest.substr(close + 1);
    if (parts.size() != (isMatrix ? 3u : 2u)) return std::nullopt;
    for (llvm::StringRef& part : parts) part = part.trim();
    llvm::StringRef element = parts[0];
    if (const auto found = unsignedWord(element)) element = found->first;
    element = metalWord(element);
    std::string name = (isPacked ? "packed_" : "") + element.str() + parts[1].str();
    for (const char letter : name) {
        if (!llvm::isAlnum(letter) && letter != '_') return std::nullopt;  // a template's parameter
    }
    if (isMatrix) name += "x" + parts[2].str();
    return std::pair{name, rest};
}

// 'float4' (aka 'float4') says nothing more than 'float4'.
llvm::StringRef withoutEmptyAka(llvm::StringRef text) {
    const std::size_t aka = text.find(" (aka '");
    if (aka == llvm::StringRef::npos || !text.ends_with("')")) return text;
    const llvm::StringRef first = text.substr(0, aka), second = text.substr(aka + 6).drop_back();
    if (first.contains("__") && !second.contains("__")) return second;  // a header's own alias
    return first == second ? first : text;
}

void formatArgument(clang::DiagnosticsEngine::ArgumentKind kind, std::intptr_t value, llvm::StringRef modifier,
                    llvm::StringRef argument, llvm::ArrayRef<clang::DiagnosticsEngine::ArgumentValue> previous,
                    llvm::SmallVectorImpl<char>& output, void* cookie, llvm::ArrayRef<std::intptr_t> qualTypes) {
    llvm::SmallString<128> text;
    clang::FormatASTNodeDiagnosticArgument(kind, value, modifier, argument, previous, text, cookie, qualTypes);
    const bool isName =
        kind == clang::DiagnosticsEngine::ak_identifierinfo || kind == clang::DiagnosticsEngine::ak_declarationname;
    const std::string metal = isName ? text.str().str() : inMetalWords(text);
    const llvm::StringRef shown = withoutEmptyAka(metal);
    output.append(shown.begin(), shown.end());
}

}  // namespace

std::string inMetalWords(llvm::StringRef text) {
    std::string result;
    while (!text.empty()) {
        if (const auto found = unsignedWord(text)) {
            result += found->first;
            text = found->second;
            continue;
        }
        if (text.consume_front("metal::")) continue;
        const llvm::StringRef word =
            text.take_while([](char letter) { return llvm::isAlnum(letter) || letter == '_'; });
        if (word.empty()) {
            result += text.front();
            text = text.drop_front();
            continue;
        }
        text = text.drop_front(word.size());
        if (const auto vector = vectorName(word, text)) {
            result += vector->first;
            text = vector->second;
            continue;
        }
        const llvm::StringRef metal = metalWord(word);
        // `constant` is const already.
        if (metal == "constant" && llvm::StringRef(result).ends_with("const ")) result.resize(result.size() - 6);
        result += metal;
        if (metal == "constant" && text.starts_with(" const ")) text = text.drop_front(6);
    }
    return result;
}

void useMetalTypeNames(clang::DiagnosticsEngine& diagnostics, clang::ASTContext& context) {
    diagnostics.SetArgToStringFn(&formatArgument, &context);
}

std::string metalTypeName(clang::QualType type, const clang::ASTContext& context) {
    return inMetalWords(type.getAsString(context.getPrintingPolicy()));
}

}  // namespace metal_compiler

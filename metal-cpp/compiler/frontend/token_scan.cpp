// SPDX-License-Identifier: MIT
#include "frontend/token_scan.hpp"

#include <clang/Basic/IdentifierTable.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>

#include "frontend/address_spaces.hpp"

namespace metal_compiler {
namespace {

using clang::Token;
namespace tok = clang::tok;

// Longer types, operands and parameters than anybody writes are left as they are.
constexpr std::size_t longest = 256;

llvm::StringRef nameOf(const Token& token) {
    return token.is(tok::identifier) ? token.getIdentifierInfo()->getName() : llvm::StringRef();
}

bool isTypeKeyword(const Token& token) {
    return token.isOneOf(tok::kw_bool, tok::kw_char, tok::kw_short, tok::kw_int, tok::kw_long, tok::kw_float) ||
           token.isOneOf(tok::kw_double, tok::kw_signed, tok::kw_unsigned, tok::kw_void, tok::kw_auto);
}

bool isQualifier(const Token& token) {
    return token.isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_typename, tok::kw_struct);
}

}  // namespace

TokenScan::TokenScan(llvm::ArrayRef<Token> tokens) : tokens_(tokens), closings_(tokens.size()) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) open.push_back(i);
        if (tokens_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && !open.empty()) {
            closings_[open.back()] = static_cast<std::uint32_t>(i);
            open.pop_back();
        }
    }
}

const Token& TokenScan::at(std::size_t index) const {
    static const Token none = [] {
        Token token;
        token.startToken();
        token.setKind(tok::eof);
        return token;
    }();
    return index < tokens_.size() ? tokens_[index] : none;
}

std::optional<std::size_t> TokenScan::closingBracket(std::size_t open) const {
    return closings_[open] != 0 ? std::optional<std::size_t>(closings_[open]) : std::nullopt;
}

std::optional<std::size_t> TokenScan::closingAngle(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size() && i < open + longest; ++i) {
        const Token& token = tokens_[i];
        if (token.is(tok::less)) {
            ++depth;
        } else if (token.is(tok::greater)) {
            if (--depth == 0) return i;
        } else if (token.is(tok::greatergreater)) {
            depth -= 2;
            if (depth <= 0) return i;
        } else if (token.is(tok::l_paren)) {
            const auto close = closingBracket(i);
            if (!close) return std::nullopt;
            i = *close;
        } else if (!isTypeKeyword(token) && !isQualifier(token) &&
                   !token.isOneOf(tok::identifier, tok::coloncolon, tok::comma, tok::numeric_constant, tok::star) &&
                   !token.isOneOf(tok::amp, tok::kw_true, tok::kw_false, tok::plus, tok::minus, tok::slash)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

bool isOtherStandardType(const Token& token) {
    if (isTypeKeyword(token)) return true;
    static const llvm::StringSet<> names = {"float",    "int",     "uint",     "short",   "ushort",   "char",
                                            "uchar",    "long",    "ulong",    "bool",    "size_t",   "int8_t",
                                            "int16_t",  "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t",
                                            "uint64_t", "float16", "ptrdiff_t"};
    llvm::StringRef name = nameOf(token);
    name.consume_front("packed_");
    if (name.size() > 1 && name.back() >= '2' && name.back() <= '4') name = name.drop_back();
    return names.contains(name);
}

bool beginsType(const Token& token) {
    const llvm::StringRef name = nameOf(token);
    return isTypeKeyword(token) || isQualifier(token) || addressSpaceOfKeyword(name) || isOtherStandardType(token) ||
           name == "half" || name == "bfloat";
}

std::optional<std::size_t> TokenScan::endOfCastOperand(std::size_t begin) const {
    std::size_t i = begin;
    for (;; i += 3) {  // prefixes and casts within
        while (at(i).isOneOf(tok::minus, tok::plus, tok::tilde, tok::exclaim, tok::star, tok::amp)) ++i;
        if (i > begin + longest) return std::nullopt;
        if (at(i).isNot(tok::l_paren) || at(i + 2).isNot(tok::r_paren) || !beginsType(at(i + 1))) break;
    }
    if (at(i).is(tok::l_paren)) {
        const auto close = closingBracket(i);
        if (!close) return std::nullopt;
        i = *close + 1;
    } else if (at(i).isOneOf(tok::identifier, tok::kw_this)) {
        ++i;
    } else {
        return std::nullopt;
    }
    for (const std::size_t first = i; i < first + longest;) {
        const Token& token = at(i);
        if (token.isOneOf(tok::l_paren, tok::l_square)) {
            const auto close = closingBracket(i);
            if (!close) return std::nullopt;
            i = *close + 1;
        } else if (token.isOneOf(tok::period, tok::arrow, tok::coloncolon)) {
            if (!at(i + 1).is(tok::identifier)) return std::nullopt;
            i += 2;
        } else if (token.is(tok::less)) {
            // A comparison, unless a call follows what may be template arguments.
            const auto close = closingAngle(i);
            if (!close || !at(*close + 1).isOneOf(tok::l_paren, tok::coloncolon)) return i;
            i = *close + 1;
        } else {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<ArrayParameter> TokenScan::arrayParameterAt(std::size_t space) const {
    bool hasType =
        space > 0 && (tokens_[space - 1].isOneOf(tok::identifier, tok::greater) || isTypeKeyword(tokens_[space - 1]));
    for (std::size_t i = space + 1; i < tokens_.size() && i < space + longest; ++i) {
        const Token& token = tokens_[i];
        if (token.is(tok::less)) {
            const auto close = closingAngle(i);
            if (!close) return std::nullopt;
            i = *close;
        } else if (token.is(tok::l_square)) {
            if (at(i + 1).is(tok::l_square)) return std::nullopt;  // an attribute
            const auto close = closingBracket(i);
            if (!close) return std::nullopt;
            const bool hasName = hasType && tokens_[i - 1].is(tok::identifier) && i - 1 > space;
            return ArrayParameter{i, *close, hasName};
        } else if (isTypeKeyword(token) || token.is(tok::identifier)) {
            const bool isSpace = addressSpaceOfKeyword(nameOf(token)).has_value();
            // The last name before the bracket is the parameter's, if a type came before it.
            const bool isLast = at(i + 1).is(tok::l_square);
            if (!isSpace && !(isLast && token.is(tok::identifier))) hasType = true;
        } else if (!isQualifier(token) && !token.is(tok::coloncolon)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

namespace {

// One past `template <...>` that begins at `begin`; `begin` when it is none.
std::size_t endOfParameterList(llvm::ArrayRef<Token> tokens, std::size_t begin) {
    if (begin + 1 >= tokens.size() || tokens[begin + 1].isNot(tok::less)) return begin;
    int depth = 0;
    for (std::size_t i = begin + 1; i < tokens.size() && i < begin + 4 * longest; ++i) {
        if (tokens[i].is(tok::less)) ++depth;
        if (tokens[i].is(tok::greater)) --depth;
        if (tokens[i].is(tok::greatergreater)) depth -= 2;
        if (depth <= 0) return i + 1;
        if (tokens[i].isOneOf(tok::semi, tok::l_brace)) break;
    }
    return begin;
}

}  // namespace

std::vector<TypeParameter> findTypeParameters(llvm::ArrayRef<Token> tokens, const TokenScan& scan) {
    std::vector<TypeParameter> found;
    // From the last to the first, so that `template <...> template <...> ...` ends where the template within it does.
    std::vector<std::uint32_t> ends(tokens.size());
    for (std::size_t begin = tokens.size(); begin-- > 0;) {
        if (tokens[begin].isNot(tok::kw_template)) continue;
        const std::size_t list = endOfParameterList(tokens, begin);
        if (list == begin) continue;
        std::size_t end = list;
        while (end < tokens.size() && tokens[end].isNot(tok::semi)) {
            if (ends[end] != 0) {
                end = ends[end];
                break;
            }
            if (tokens[end].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
                const bool isBody = tokens[end].is(tok::l_brace);
                end = scan.closingBracket(end).value_or(tokens.size());
                // Behind a constructor's `member{value}` its body is to come.
                if (isBody && (end + 1 >= tokens.size() || !tokens[end + 1].isOneOf(tok::comma, tok::l_brace))) break;
            }
            ++end;
        }
        ends[begin] = static_cast<std::uint32_t>(end);
        for (std::size_t i = list; i-- > begin;) {
            if (tokens[i].isOneOf(tok::kw_typename, tok::kw_class) && tokens[i + 1].is(tok::identifier) &&
                i + 2 < tokens.size() && tokens[i + 2].isOneOf(tok::comma, tok::greater, tok::equal))
                found.push_back({begin, end, tokens[i + 1].getIdentifierInfo()});
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace metal_compiler

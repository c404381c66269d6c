// SPDX-License-Identifier: MIT
#include "frontend/token_stage.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <optional>

#include "frontend/address_spaces.hpp"
#include "frontend/attributes.hpp"
#include "frontend/nested_swizzles.hpp"
#include "frontend/token_editor.hpp"
#include "frontend/token_scan.hpp"

namespace metal_compiler {
namespace {

using clang::Token;
namespace tok = clang::tok;

class TokenStage : TokenEditor {
public:
    TokenStage(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor)
        : TokenEditor(tokens, preprocessor),
          scan_(tokens),
          completes_(preprocessor.isCodeCompletionEnabled()),
          typeParameters_(findTypeParameters(tokens, scan_)) {
        for (std::size_t i = 1; completes_ && i < tokens.size(); ++i) {
            if (tokens[i].is(tok::identifier) && !tokens[i - 1].isOneOf(tok::period, tok::arrow) && !isOurs(tokens[i]))
                ownNames_.insert(tokens[i].getIdentifierInfo());
        }
    }

    std::vector<Token> run() {
        while (at_ < in_.size()) step();
        return std::move(out_);
    }

private:
    bool isOurs(const Token& token) const {
        const clang::SourceManager& sources = preprocessor_.getSourceManager();
        return sources.isInSystemHeader(sources.getSpellingLoc(token.getLocation()));
    }

    void step() {
        const Token& token = peek();
        if (atAttributeList() && nameOf(peek(2)) == "function_groups") {
            // Of a call through a table: which functions it may reach, for who links them. All are here.
            while (at_ < in_.size() && !peek().isOneOf(tok::eof, tok::semi) &&
                   !(peek().is(tok::r_square) && peek(1).is(tok::r_square)))
                ++at_;
            at_ += peek().is(tok::r_square) ? 2 : 0;
        } else if (atAttributeList()) {
            attributeList(followsArray() && isMetalAttribute(nameOf(peek(2))));
        } else if (token.is(tok::kw_template) && peek(1).is(tok::l_square) && peek(2).is(tok::l_square)) {
            copy();
            while (atAttributeList()) attributeList(true);
        } else if (parameter_ && at_ == parameter_->place) {
            arrayParameter();
        } else if (token.is(tok::kw_constexpr) && declaresFunctionConstant()) {
            ++at_;
        } else if (completes_ && readsSwizzle()) {
            swizzle();
        } else if (token.is(tok::kw_static_cast) && !isOurs(token)) {
            staticCast();
        } else if (token.is(tok::l_paren) && !isOurs(token)) {
            parenthesis();
        } else if (token.is(tok::identifier)) {
            identifier(token);
        } else if (token.is(tok::numeric_constant)) {
            literal(token);
        } else if ((tok::isStringLiteral(token.getKind()) || isFunctionsName(token)) && !isOurs(token)) {
            stringLiteral();
        } else if (token.is(tok::question) && !preprocessor_.getSourceManager().isInSystemHeader(token.getLocation())) {
            conditional();
        } else {
            copy();
        }
    }

    // ---- While completing: `v.xyz` -> `v.__get_xyz()`, since Clang tells no signatures behind an argument that is a
    // property. Not for a name that the program declares somewhere.

    bool readsSwizzle() const {
        if (!peek().isOneOf(tok::period, tok::arrow) || peek(1).isNot(tok::identifier) || isOurs(peek())) return false;
        const llvm::StringRef name = nameOf(peek(1));
        if (name.size() > 4 || ownNames_.contains(peek(1).getIdentifierInfo())) return false;
        const bool isOfColours = name.find_first_not_of("rgba") == llvm::StringRef::npos;
        const bool isOfPlaces = name.size() > 1 && name.find_first_not_of("xyzw") == llvm::StringRef::npos;
        return (isOfColours || isOfPlaces) && !changes(peek(2));
    }

    static bool changes(const Token& token) {
        return token.isOneOf(tok::equal, tok::plusequal, tok::minusequal, tok::starequal, tok::slashequal,
                             tok::percentequal, tok::ampequal, tok::pipeequal, tok::caretequal, tok::lesslessequal,
                             tok::greatergreaterequal, tok::plusplus, tok::minusminus);
    }

    void swizzle() {
        copy();
        const Token name = peek();
        std::string getter = "__get_";
        for (const char letter : nameOf(name)) {
            const std::size_t colour = llvm::StringRef("rgba").find(letter);
            getter += colour == llvm::StringRef::npos ? letter : "xyzw"[colour];
        }
        ++at_;
        emit(name, tok::identifier, getter);
        emit(name, tok::l_paren);
        emit(name, tok::r_paren);
    }

    // `?`, the middle operand and `:`.
    void conditional() {
        const Token question = peek();
        copy();
        const bool isLiteral = peek(1).is(tok::colon) && (tok::isLiteral(peek().getKind()) ||
                                                          peek().isOneOf(tok::kw_true, tok::kw_false, tok::kw_nullptr));
        const bool isValue = !isLiteral && peek().isNot(tok::colon);
        if (isValue) {
            emit(question, tok::l_paren);
            emit(question, tok::identifier, "__metal_operand");
            emit(question, tok::l_paren);
            emit(question, tok::r_paren);
            emit(question, tok::comma);
        }
        int depth = 0;
        while (at_ < in_.size() && !(depth == 0 && peek().isOneOf(tok::colon, tok::semi, tok::eof))) {
            const std::size_t first = at_;
            step();
            for (std::size_t i = first; i < at_; ++i) {
                if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
                if (in_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) --depth;
            }
            if (depth < 0) return;  // no `:`; the parser says so
        }
        if (isValue) emit(peek(), tok::r_paren);
        if (peek().is(tok::colon)) copy();
    }

    void identifier(const Token& token) {
        const llvm::StringRef name = nameOf(token);
        if (const auto space = addressSpaceOfKeyword(name)) {
            if (isDefaultedAnyway(*space)) {
                return defaultedDeclaration(*space);
            } else if (peek(1).is(tok::equal) && peek(2).is(tok::kw_default)) {
                // As C++ has it, which makes objects in every space.
            } else if (followsParameterList() && endsMethodDeclarator()) {
                const Token keyword = token;
                if (const auto other = assignment()) assigning_.insert(other->className.getIdentifierInfo());
                if (peek(1).is(tok::kw_noexcept)) {  // GNU attributes come after it
                    ++at_;
                    copy();
                    if (peek().is(tok::l_paren)) {
                        const std::size_t end = scan_.closingBracket(at_).value_or(at_);
                        while (at_ <= end) copy();
                    }
                    --at_;
                }
                gnuAttribute(keyword, methodSpaceAttributeOf(*space));
            } else {
                addressSpace(token, *space);
            }
            ++at_;
        } else if (name == "memory_coherence" && declaresTemplateParameter()) {
            // Textures take a type there: see metal_texture.
            if (out_.size() >= 2 && out_.back().is(tok::coloncolon) && nameOf(out_[out_.size() - 2]) == "metal")
                out_.resize(out_.size() - 2);
            emit(token, tok::kw_typename, "typename");
            ++at_;
        } else if (name == "kernel" || name == "vertex" || name == "fragment") {
            gnuAttribute(token, name);
            ++at_;
        } else if (const std::size_t length = coherenceAt()) {
            at_ += length;
        } else if (name == "is_function_constant_defined" && peek(1).is(tok::l_paren)) {
            if (out_.size() >= 2 && out_.back().is(tok::coloncolon) && nameOf(out_[out_.size() - 2]) == "metal") {
                out_.resize(out_.size() - 2);
            }
            emit(token, tok::identifier, "__metal_is_function_constant_defined");
            ++at_;
            copy();
            emit(token, tok::amp);
        } else {
            copy();
        }
    }

    // `T(const device T&) thread = default;`, `device T& operator=(const thread T&) device = default;`: a way to copy
    // that the class has without it, for objects of every space, and that C++ would not know for one. `T() device =
    // default;` is `T() thread = default;` again.
    bool isDefaultedAnyway(AddressSpace space) const {
        if (peek(1).isNot(tok::equal) || peek(2).isNot(tok::kw_default) || peek(3).isNot(tok::semi)) return false;
        if (at_ < 2 || in_[at_ - 1].isNot(tok::r_paren)) return false;
        return in_[at_ - 2].isNot(tok::l_paren) || space != AddressSpace::thread;
    }
    void defaultedDeclaration(AddressSpace space) {
        const Token keyword = peek();
        const std::optional<Assignment> declared = assignment();
        while (!out_.empty() && !out_.back().isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon))
            out_.pop_back();
        at_ += 4;
        if (!declared || !assigning_.contains(declared->className.getIdentifierInfo())) return;
        assign(keyword, space, *declared, /*isValue=*/false);
        if (!declared->source) assign(keyword, space, *declared, /*isValue=*/true);
    }

    // ---- Assignment in classes that also declare it of something else, for each space: Clang's own, which is for
    // objects of every space, would then be no better a match than those. So the defaulted one is written out, as a
    // template, since that is none of the class's own in C++:
    //
    //   threadgroup S& operator=(const device S& s) threadgroup = default;
    //   template <class = void> threadgroup S& operator=(const device S& s) threadgroup {
    //       __builtin_memcpy(this, &s, sizeof(S));
    //       return *this;
    //   }

    struct Assignment {
        Token className;
        std::optional<AddressSpace> source;  // none for what is in the default space
    };
    // Whose parameter list ends before this place.
    std::optional<Assignment> assignment() const {
        if (at_ < 2) return std::nullopt;
        Assignment found{};
        std::size_t i = at_ - 2;
        for (; i > 0 && in_[i].isNot(tok::l_paren); --i) {
            if (in_[i].is(tok::r_paren)) return std::nullopt;
            const auto space = addressSpaceOfKeyword(nameOf(in_[i]));
            if (space && *space != AddressSpace::thread) found.source = space;
        }
        if (i < 4 || in_[i - 1].isNot(tok::equal) || in_[i - 2].isNot(tok::kw_operator)) return std::nullopt;
        if (in_[i - 3].isNot(tok::amp) || in_[i - 4].isNot(tok::identifier)) return std::nullopt;
        found.className = in_[i - 4];
        return found;
    }
    void assign(const Token& like, AddressSpace space, const Assignment& declared, bool isValue) {
        const auto put = [&](std::initializer_list<std::pair<tok::TokenKind, const char*>> tokens) {
            for (const auto& [kind, text] : tokens) emit(like, kind, text);
        };
        const llvm::StringRef name = nameOf(declared.className);
        put({{tok::kw_template, "template"},
             {tok::less, ""},
             {tok::kw_class, "class"},
             {tok::equal, ""},
             {tok::kw_void, "void"},
             {tok::greater, ""}});
        if (space != AddressSpace::thread) gnuAttribute(like, typeAttributeOf(space));
        emit(like, tok::identifier, name);
        put({{tok::amp, ""}, {tok::kw_operator, "operator"}, {tok::equal, ""}, {tok::l_paren, ""}});
        if (!isValue) emit(like, tok::kw_const, "const");
        if (declared.source) gnuAttribute(like, typeAttributeOf(*declared.source));
        emit(like, tok::identifier, name);
        put({{isValue ? tok::ampamp : tok::amp, ""}, {tok::identifier, "__other"}, {tok::r_paren, ""}});
        gnuAttribute(like, methodSpaceAttributeOf(space));
        put({{tok::l_brace, ""},
             {tok::identifier, "__builtin_memcpy"},
             {tok::l_paren, ""},
             {tok::kw_this, "this"},
             {tok::comma, ""},
             {tok::amp, ""},
             {tok::identifier, "__other"},
             {tok::comma, ""},
             {tok::kw_sizeof, "sizeof"},
             {tok::l_paren, ""}});
        emit(like, tok::identifier, name);
        put({{tok::r_paren, ""},
             {tok::r_paren, ""},
             {tok::semi, ""},
             {tok::kw_return, "return"},
             {tok::star, ""},
             {tok::kw_this, "this"},
             {tok::semi, ""},
             {tok::r_brace, ""}});
    }

    // `coherent(device)` and `coherent`, before or after `device`: the memory of this device is coherent anyway. How
    // many tokens it has.
    std::size_t coherenceAt() const {
        if (nameOf(peek()) != "coherent") return 0;
        const bool isScoped =
            peek(1).is(tok::l_paren) && addressSpaceOfKeyword(nameOf(peek(2))) && peek(3).is(tok::r_paren);
        const std::size_t length = isScoped ? 4 : 1;
        const bool isAfterSpace = at_ > 0 && addressSpaceOfKeyword(nameOf(in_[at_ - 1]));
        const bool isBeforeSpace = addressSpaceOfKeyword(nameOf(peek(length))).has_value();
        const bool isBeforeType = beginsType(peek(length)) || (isAfterSpace && peek(length).is(tok::identifier));
        return isBeforeSpace || isBeforeType ? length : 0;
    }

    // `template <..., memory_coherence c>`
    bool declaresTemplateParameter() const {
        std::size_t i = out_.size();
        if (i >= 2 && out_[i - 1].is(tok::coloncolon)) i -= 2;
        return i > 0 && out_[i - 1].isOneOf(tok::less, tok::comma) &&
               peek(1).isOneOf(tok::identifier, tok::comma, tok::greater, tok::equal, tok::ellipsis);
    }

    // `1.5` -> `1.5f`: Metal has no double, and Clang's own conversion of such literals is lost where templates are
    // instantiated. `1.5h` and `1.5bf` -> `_Float16(1.5f)` and `__bf16(1.5f)`: their suffixes are not C++'s.
    void literal(const Token& token) {
        const std::string text = preprocessor_.getSpelling(token);
        const llvm::StringRef number(text);
        const bool isHex = number.starts_with_insensitive("0x");
        const bool isFraction = isHex ? number.contains_insensitive('p') : number.find_first_of(".eE") != number.npos;
        const bool isHalf = number.ends_with_insensitive("h");
        const bool isBfloat = number.ends_with("bf") || number.ends_with("BF");
        const llvm::StringRef digits = number.drop_back(isHalf ? 1 : isBfloat ? 2 : 0);
        const bool isUnmarked = !digits.empty() && (llvm::isDigit(digits.back()) || digits.back() == '.');
        if (!isFraction || !isUnmarked || digits.count('.') > 1) return copy();
        if (isHalf || isBfloat) {
            emit(token, isHalf ? tok::kw__Float16 : tok::kw___bf16);
            emit(token, tok::l_paren);
        }
        Token value = token;
        preprocessor_.CreateString((digits + "f").str(), value, token.getLocation(), token.getLocation());
        value.setLocation(token.getLocation());  // what it says is elsewhere; where it stands is not
        out_.push_back(value);
        if (isHalf || isBfloat) emit(token, tok::r_paren);
        ++at_;
    }

    void addressSpace(const Token& token, AddressSpace space) {
        if (space == AddressSpace::thread) return;
        if (bracket() == tok::l_paren) {
            if (const auto found = scan_.arrayParameterAt(at_))
                parameter_ = {found->hasName ? found->open - 1 : found->open, found->open, found->close};
        }
        if (space == AddressSpace::constant) emit(token, tok::kw_const, "const");
        gnuAttribute(token, typeAttributeOf(space));
        // Variables of functions become static by it (attributes.cpp). In a cast there is none.
        if (space == AddressSpace::threadgroup && !isInsideList()) gnuAttribute(token, threadgroupVariableAttribute);
    }

    // Whether the type that is being written began behind `(`, `<` or `,`: a cast, a parameter, a template's argument.
    bool isInsideList() const {
        std::size_t i = out_.size();
        // The space's own attribute, `__attribute__((name))`, is the last thing written.
        if (i >= 6 && out_[i - 6].is(tok::kw___attribute)) i -= 6;
        // Names of types and qualifiers; no keyword that starts a statement stands before a type.
        while (i > 0 && (out_[i - 1].is(tok::coloncolon) || out_[i - 1].getIdentifierInfo())) --i;
        return i > 0 && out_[i - 1].isOneOf(tok::l_paren, tok::less, tok::comma);
    }

    // Of the array's declarator: name and first brackets.
    void arrayParameter() {
        const PendingParameter parameter = *parameter_;
        parameter_.reset();
        const bool hasMore = parameter.close + 1 < in_.size() && in_[parameter.close + 1].is(tok::l_square) &&
                             !(parameter.close + 2 < in_.size() && in_[parameter.close + 2].is(tok::l_square));
        if (hasMore) emit(peek(), tok::l_paren);
        emit(peek(), tok::star);
        if (at_ != parameter.open) copy();
        if (hasMore) emit(peek(), tok::r_paren);
        at_ = parameter.close + 1;
    }

    // `constexpr constant int n [[function_constant(0)]];`: Metal lets it be constexpr, though its value comes later.
    bool declaresFunctionConstant() const {
        for (std::size_t ahead = 1; ahead < 16; ++ahead) {
            if (peek(ahead).is(tok::l_square) && peek(ahead + 1).is(tok::l_square))
                return nameOf(peek(ahead + 2)) == "function_constant";
            if (!peek(ahead).getIdentifierInfo()) return false;
        }
        return false;
    }

    // ---- Explicit conversions between half and bfloat ----

    // Here: elsewhere the name may be a variable's.
    bool isTypeParameter(const Token& token) {
        for (; nextParameter_ < typeParameters_.size() && typeParameters_[nextParameter_].begin <= at_;
             ++nextParameter_) {
            std::size_t& end = endOfParameter_[typeParameters_[nextParameter_].name];
            end = std::max(end, typeParameters_[nextParameter_].end);
        }
        return token.is(tok::identifier) && at_ < endOfParameter_.lookup(token.getIdentifierInfo());
    }
    // A type that may turn out to be half or bfloat.
    bool mayBeHalf(const Token& token) {
        const llvm::StringRef name = nameOf(token);
        return name == "half" || name == "bfloat" || isTypeParameter(token);
    }
    // The parser replaces names by what they mean, and finds where such a name begins by its place in the source: no
    // two tokens in a row of these may begin at the same one.
    void emitTarget(const Token& bracket, const Token& like, std::size_t begin, std::size_t end) {
        emit(bracket, tok::identifier, "__metal_to");
        emit(like, tok::less);
        for (std::size_t i = begin; i < end; ++i) out_.push_back(in_[i]);
        emit(like, tok::greater);
        emit(like, tok::l_paren);
        emit(like, tok::r_paren);
        emit(like, tok::comma);
    }
    bool isSingleLiteral(std::size_t begin, std::size_t end) const {
        return end == begin + 1 && (tok::isLiteral(in_[begin].getKind()) ||
                                    in_[begin].isOneOf(tok::kw_true, tok::kw_false, tok::kw_nullptr));
    }

    // static_cast < type > ( operand )
    void staticCast() {
        const std::size_t first = at_ + 2;
        std::size_t end = first;
        while (end < in_.size() && in_[end].isOneOf(tok::identifier, tok::coloncolon, tok::kw_typename)) ++end;
        const bool isPlain = peek(1).is(tok::less) && end > first && end + 2 < in_.size() &&
                             in_[end].is(tok::greater) && in_[end + 1].is(tok::l_paren) &&
                             !isOtherStandardType(in_[end - 1]) && !addressSpaceOfKeyword(nameOf(in_[first]));
        const auto close = isPlain ? scan_.closingBracket(end + 1) : std::nullopt;
        if (!close || isSingleLiteral(end + 2, *close)) return copy();
        while (at_ < end + 2) copy();
        emitTarget(in_[end + 1], in_[first], first, end);
    }

    // `(half)operand`, `half(operand)`
    void parenthesis() {
        const auto close = scan_.closingBracket(at_);
        if (!close) return copy();
        if (*close == at_ + 2 && mayBeHalf(peek(1))) {
            const bool declares = at_ > 0 && (isOtherStandardType(in_[at_ - 1]) ||
                                              in_[at_ - 1].isOneOf(tok::identifier, tok::r_paren, tok::greater,
                                                                   tok::kw_sizeof, tok::kw_decltype));
            const std::size_t end = declares ? 0 : scan_.endOfCastOperand(*close + 1).value_or(0);
            const bool isSpace = addressSpaceOfKeyword(nameOf(peek(3))).has_value();
            if (end == 0 || isSpace || end >= in_.size()) return copy();
            const std::size_t type = at_ + 1;
            copy();
            copy();
            copy();
            emit(in_[type], tok::l_paren);
            emitTarget(in_[type - 1], in_[type], type, type + 1);
            closeBefore(end);
            return;
        }
        const bool declaresPointer = peek(1).isOneOf(tok::star, tok::amp) && *close + 1 < in_.size() &&
                                     in_[*close + 1].is(tok::l_paren);  // T (*function)(T)
        const bool converts = !declaresPointer && at_ > 1 && mayBeHalf(in_[at_ - 1]) && beginsExpression(at_ - 1) &&
                              isOneExpression(at_ + 1, *close);
        copy();
        if (!converts) return;
        const std::size_t type = at_ - 2;
        emit(in_[type], tok::l_paren);
        emitTarget(in_[type + 1], in_[type], type, type + 1);
        closeBefore(*close);
    }
    // What is before a conversion, and never between a declaration's specifiers.
    bool beginsExpression(std::size_t type) const {
        return in_[type - 1].isOneOf(tok::l_paren, tok::l_square, tok::comma, tok::equal, tok::kw_return,
                                     tok::question) ||
               in_[type - 1].isOneOf(tok::colon, tok::plus, tok::minus, tok::star, tok::slash, tok::exclaim) ||
               in_[type - 1].isOneOf(tok::plusequal, tok::minusequal, tok::starequal, tok::slashequal) ||
               in_[type - 1].isOneOf(tok::less, tok::greater, tok::lessequal, tok::greaterequal) ||
               in_[type - 1].isOneOf(tok::equalequal, tok::exclaimequal, tok::ampamp, tok::pipepipe);
    }
    bool isOneExpression(std::size_t begin, std::size_t end) {
        if (begin == end || isSingleLiteral(begin, end)) return false;
        if (beginsType(in_[begin]) && !(in_[begin + 1].isOneOf(tok::l_paren, tok::l_brace))) return false;
        if (end == begin + 1 && isTypeParameter(in_[begin])) return false;
        for (std::size_t i = begin; i < end; ++i) {
            if (in_[i].isOneOf(tok::ellipsis, tok::comma, tok::semi)) return false;
            if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) i = scan_.closingBracket(i).value_or(end);
        }
        return true;
    }

    // ---- String literals ----

    void stringLiteral() {
        const bool fillsArray =
            out_.size() > 1 && out_.back().is(tok::equal) && out_[out_.size() - 2].is(tok::r_square);
        const bool isKept = isCompilersText() || fillsArray || peek().hasUDSuffix() ||
                            (peek().isNot(tok::string_literal) && !isFunctionsName(peek())) ||
                            (!out_.empty() && out_.back().isOneOf(tok::kw_extern, tok::kw_operator));
        const Token first = peek();
        if (!isKept) {
            emit(first, tok::l_paren);
            emit(first, tok::l_paren);
            emit(first, tok::kw_const, "const");
            gnuAttribute(first, typeAttributeOf(AddressSpace::constant));
            emit(first, tok::kw_char, "char");
            emit(first, tok::star);
            emit(first, tok::r_paren);
        }
        do {
            copy();
        } while (tok::isStringLiteral(peek().getKind()));
        if (!isKept) emit(first, tok::r_paren);
    }
    static bool isFunctionsName(const Token& token) {
        return token.isOneOf(tok::kw___func__, tok::kw___FUNCTION__, tok::kw___PRETTY_FUNCTION__);
    }

    // `)`, or `)` and qualifiers: the end of a parameter list, of a condition or of a cast.
    bool followsParameterList() const {
        std::size_t i = out_.size();
        while (i > 0 && out_[i - 1].isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_noexcept)) --i;
        return i > 0 && out_[i - 1].is(tok::r_paren);
    }
    // What may follow a method's qualifiers, and cannot follow the address space of a declaration or cast.
    bool endsMethodDeclarator() const {
        std::size_t ahead = 1;
        while (peek(ahead).isOneOf(tok::kw_const, tok::kw_volatile) || addressSpaceOfKeyword(nameOf(peek(ahead))))
            ++ahead;
        return peek(ahead).isOneOf(tok::l_brace, tok::semi, tok::equal, tok::colon, tok::arrow, tok::kw_noexcept,
                                   tok::amp, tok::ampamp);
    }

    bool atAttributeList() const { return peek().is(tok::l_square) && peek(1).is(tok::l_square); }

    // `float distances[2] [[clip_distance]]`: C++ takes what stands there for the array type's, GNU's form for the
    // declaration's.
    bool followsArray() const {
        return !out_.empty() && (out_.size() == gnuEnd_ || (out_.back().is(tok::r_square) && out_.size() != listEnd_));
    }

    // [[ name, scope::name(arguments), ... ]]
    void attributeList(bool asGnu) {
        const Token& first = peek();
        if (asGnu) {
            openGnuAttribute(first);
            at_ += 2;
        } else {
            copy();
            copy();
        }
        bool expectsName = true;
        while (at_ < in_.size() && peek().isNot(tok::eof)) {
            if (peek().is(tok::r_square)) break;
            if (expectsName && peek().getIdentifierInfo() && peek(1).is(tok::l_paren)) {
                const llvm::StringRef name = peek().getIdentifierInfo()->getName();
                const bool parenthesise = takesIndex(name), drop = isUnsupported(name), separately = takesSizes(name);
                copy();
                const std::size_t before = out_.size();
                argumentList(parenthesise || separately, separately);
                if (drop) out_.resize(before);
                expectsName = false;
                continue;
            }
            if (peek().is(tok::l_paren)) {
                argumentList(false);
                continue;
            }
            if (peek().isOneOf(tok::semi, tok::l_brace, tok::r_brace)) return;  // unterminated: the parser says so
            expectsName = peek().isOneOf(tok::comma, tok::coloncolon);
            copy();
        }
        if (!peek().is(tok::r_square)) return;
        if (asGnu) {
            closeGnuAttribute(peek());
            at_ += peek(1).is(tok::r_square) ? 2 : 1;
            gnuEnd_ = out_.size();
        } else {
            copy();
            if (peek().is(tok::r_square)) copy();
            listEnd_ = out_.size();
        }
    }

    // `separately`: `(a, b)` becomes `((a), (b))`.
    void argumentList(bool parenthesise, bool separately = false) {
        const Token open = peek();
        copy();
        // An empty list stays one, so that the complaint is about the missing number.
        parenthesise = parenthesise && peek().isNot(tok::r_paren);
        if (parenthesise) emit(open, tok::l_paren);
        for (int depth = 1; at_ < in_.size() && peek().isNot(tok::eof);) {
            if (peek().is(tok::l_paren)) ++depth;
            if (peek().is(tok::r_paren) && --depth == 0) break;
            const Token comma = peek();
            const bool ends = separately && depth == 1 && comma.is(tok::comma);
            if (ends) emit(comma, tok::r_paren);
            copy();
            if (ends) emit(comma, tok::l_paren);
        }
        if (!peek().is(tok::r_paren)) return;
        if (parenthesise) emit(peek(), tok::r_paren);
        copy();
    }

    // An array parameter that is being read: where its declarator begins, and its first brackets.
    struct PendingParameter {
        std::size_t place, open, close;
    };
    TokenScan scan_;
    const bool completes_;
    std::optional<PendingParameter> parameter_;
    std::vector<TypeParameter> typeParameters_;
    std::size_t nextParameter_ = 0;  // the first whose template has not begun
    llvm::DenseMap<const clang::IdentifierInfo*, std::size_t> endOfParameter_;
    llvm::DenseSet<const clang::IdentifierInfo*> ownNames_;   // while completing: those that stand behind no dot
    llvm::DenseSet<const clang::IdentifierInfo*> assigning_;  // classes that are assigned something else in some space
    std::size_t listEnd_ = 0, gnuEnd_ = 0;  // of the last attribute list written, in C++'s or GNU's form
};

}  // namespace

std::vector<Token> rewriteTokens(llvm::ArrayRef<Token> tokens, clang::Preprocessor& preprocessor) {
    if (preprocessor.isCodeCompletionEnabled()) return TokenStage(tokens, preprocessor).run();
    const std::vector<Token> joined = joinSwizzles(tokens, preprocessor);
    return TokenStage(joined, preprocessor).run();
}

}  // namespace metal_compiler

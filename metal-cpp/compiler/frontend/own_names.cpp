// SPDX-License-Identifier: MIT
#include "frontend/own_names.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <string>

namespace metal_compiler {
namespace {

using namespace clang;

// A reading of the program's tokens that knows which namespace it is in, and nothing else of what they mean.
class Definitions {
public:
    Definitions(llvm::ArrayRef<Token> tokens, const SourceManager& sources) : in_(tokens) {
        end_.startToken();
        end_.setKind(tok::eof);
        for (at_ = 0; at_ < in_.size(); ++at_) {
            if (sources.isInSystemHeader(in_[at_].getLocation())) continue;
            read();
        }
    }

    // Defined at file scope or in namespace metal, and not meant to be the library's elsewhere.
    std::vector<const IdentifierInfo*> names() const {
        std::vector<const IdentifierInfo*> found;
        for (const auto& [name, inMetal] : defined_) {
            if (inMetal || !ofMetal_.contains(name)) found.push_back(name);
        }
        return found;
    }

private:
    const Token& peek(std::size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : end_; }
    const IdentifierInfo* nameAt(std::size_t ahead) const {
        return peek(ahead).is(tok::identifier) ? peek(ahead).getIdentifierInfo() : nullptr;
    }
    bool isMetal(std::size_t ahead) const {
        return nameAt(ahead) != nullptr && nameAt(ahead)->isStr("metal") &&
               (at_ + ahead == 0 || !in_[at_ + ahead - 1].is(tok::coloncolon) || at_ + ahead == 1 ||
                !in_[at_ + ahead - 2].is(tok::identifier));
    }

    void read() {
        const Token& token = peek();
        if (token.isOneOf(tok::kw_template, tok::semi, tok::l_brace, tok::r_brace))
            inTemplate_ = token.is(tok::kw_template);
        if (token.is(tok::kw_namespace)) {
            readNamespace();
        } else if (token.isOneOf(tok::l_paren, tok::r_paren)) {
            parentheses_ += token.is(tok::l_paren) ? 1 : -1;
        } else if (token.is(tok::l_brace)) {
            scopes_.emplace_back("{");
        } else if (token.is(tok::r_brace)) {
            if (!scopes_.empty()) scopes_.pop_back();
        } else if (isMetal(0) && peek(1).is(tok::coloncolon) && nameAt(2) != nullptr) {
            ofMetal_.insert(nameAt(2));
        } else if (const IdentifierInfo* name = definedHere()) {
            std::string scope;
            for (const std::string& part : scopes_) scope += part;
            if (scope.empty() || scope == "metal") defined_[name] = scope == "metal";
        }
    }

    // `namespace a::b {`, `namespace {`; not `using namespace a;` and `namespace a = b;`
    void readNamespace() {
        std::string name;
        std::size_t ahead = 1;
        for (; nameAt(ahead) != nullptr || peek(ahead).is(tok::coloncolon); ++ahead) {
            name += nameAt(ahead) != nullptr ? nameAt(ahead)->getName().str() : "::";
        }
        if (!peek(ahead).is(tok::l_brace)) return;
        scopes_.push_back(name);
        at_ += ahead;
    }

    // struct name {, struct name : base {, using name =, bool name_v =, T&& name(
    const IdentifierInfo* definedHere() const {
        const Token &token = peek(), &next = peek(2);
        if (nameAt(1) == nullptr || parentheses_ != 0) return nullptr;
        const bool isClass = token.isOneOf(tok::kw_struct, tok::kw_class) && next.isOneOf(tok::l_brace, tok::colon);
        const bool isValue = token.isOneOf(tok::kw_using, tok::kw_bool) && next.is(tok::equal);
        // One that is no template is the better match beside the library's.
        const bool isFunction =
            inTemplate_ && next.is(tok::l_paren) &&
            (token.isOneOf(tok::identifier, tok::amp, tok::ampamp) ||
             token.isOneOf(tok::star, tok::greater, tok::kw_void) || token.isOneOf(tok::kw_auto, tok::kw_bool));
        return isClass || isValue || isFunction ? nameAt(1) : nullptr;
    }

    llvm::ArrayRef<Token> in_;
    Token end_;  // behind the last
    std::size_t at_ = 0;
    int parentheses_ = 0;
    bool inTemplate_ = false;                              // between `template` and the body
    std::vector<std::string> scopes_;                      // by open brace; a namespace's name, nothing for one without
    llvm::DenseMap<const IdentifierInfo*, bool> defined_;  // whether in namespace metal
    llvm::DenseSet<const IdentifierInfo*> ofMetal_;        // metal::name
};

bool mayBeHidden(const NamedDecl* declaration, const SourceManager& sources) {
    const SourceLocation place = sources.getExpansionLoc(declaration->getLocation());
    const llvm::StringRef file = sources.getFilename(place);
    return sources.isInSystemHeader(place) && isa<TemplateDecl>(declaration) &&
           (file.ends_with("/metal_utility") || file.ends_with("/metal_type_traits"));
}

}  // namespace

OwnNames::OwnNames(llvm::ArrayRef<Token> program, Sema& sema)
    : sema_(sema), names_(Definitions(program, sema.getSourceManager()).names()) {}

void OwnNames::hideTheHeaders() {
    ASTContext& context = sema_.Context;
    for (NamedDecl* found : context.getTranslationUnitDecl()->lookup(&context.Idents.get("metal"))) {
        auto* metal = dyn_cast<NamespaceDecl>(found);
        if (metal == nullptr) continue;
        for (const IdentifierInfo* name : names_) {
            const auto declarations = metal->lookup(name);
            const std::vector<NamedDecl*> all(declarations.begin(), declarations.end());
            for (NamedDecl* declaration : all) {
                if (mayBeHidden(declaration, context.getSourceManager()))
                    declaration->getLexicalDeclContext()->removeDecl(declaration);
            }
        }
    }
}

}  // namespace metal_compiler

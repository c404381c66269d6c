// SPDX-License-Identifier: MIT
//
// Types as reflection describes them: Metal's data type, size, alignment, members.

#pragma once

#include <clang/AST/Type.h>
#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <vector>

#include "protocol.hpp"

namespace clang {
class ASTContext;
class RecordDecl;
}  // namespace clang

namespace metal_compiler {

/// MTL::DataType of a scalar of the language; zero for every other type.
std::uint32_t scalarDataType(clang::QualType type);

/// Fills LibraryReply::types, each type once.
class TypeTable {
public:
    TypeTable(const clang::ASTContext& context, std::vector<protocol::Type>& types)
        : context_(context), types_(types) {}

    /// Index of the type; protocol::noType for what Metal has no word for.
    std::uint32_t add(clang::QualType type);

    /// MTL::BindingAccess of a texture's type.
    static std::uint32_t accessOfTexture(clang::QualType type);

private:
    bool fill(clang::QualType type, protocol::Type& described);
    bool fillStandardClass(llvm::StringRef name, clang::QualType type, protocol::Type& described);
    void fillTexture(llvm::StringRef name, clang::QualType type, protocol::Type& described);
    void fillArray(clang::QualType element, std::uint64_t length, protocol::Type& described);
    void fillMembers(const clang::RecordDecl* record, std::uint64_t base, protocol::Type& described);

    const clang::ASTContext& context_;
    std::vector<protocol::Type>& types_;
    llvm::DenseMap<clang::QualType, std::uint32_t> known_;
};

}  // namespace metal_compiler

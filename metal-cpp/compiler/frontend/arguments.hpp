// SPDX-License-Identifier: MIT
//
// What the parameters of a kernel, vertex or fragment function are bound to: buffers, textures, samplers and
// threadgroup memory with their indices and slots, a thread's place in the grid, or what the stage before gives.

#pragma once

#include <clang/AST/Type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/address_spaces.hpp"
#include "frontend/attributes.hpp"
#include "frontend/stages.hpp"

namespace clang {
class FunctionDecl;
class ParmVarDecl;
class Sema;
}  // namespace clang

namespace metal_compiler {

struct KernelArgument {
    enum class Kind : std::uint8_t { buffer, texture, sampler, threadgroupMemory, functionTable, place, stage };

    const clang::ParmVarDecl* parameter = nullptr;
    Kind kind = Kind::buffer;
    AddressSpace space = AddressSpace::thread;  // of buffers and threadgroup memory
    clang::QualType type;                       // what a buffer points at; else the parameter's type
    bool isReference = false;
    std::uint32_t index = 0;           // n of [[buffer(n)]]
    std::uint32_t slot = 0;            // place in metal_launch::arguments
    std::uint64_t arrayLength = 1;     // of textures and samplers
    IndexQuery query{};                // of Kind::place
    std::vector<StageScalar> scalars;  // of Kind::stage
    std::string condition;             // constant in [[function_constant(name)]]
};

/// The name of a class of the standard library ("texture2d", "sampler", "array", "vec"); empty for other types.
llvm::StringRef standardClassName(clang::QualType type);
/// Template arguments of such a class.
llvm::ArrayRef<clang::TemplateArgument> templateArgumentsOf(clang::QualType type);
bool isTextureName(llvm::StringRef className);

/// Reports what is wrong with them; nothing then. Stage inputs are read by `reader`.
std::optional<std::vector<KernelArgument>> argumentsOf(const clang::FunctionDecl* function, StageReader& reader,
                                                       clang::Sema& sema);

}  // namespace metal_compiler

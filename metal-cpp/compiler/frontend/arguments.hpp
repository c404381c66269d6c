// SPDX-License-Identifier: MIT
//
// What the parameters of a kernel, vertex or fragment function are bound to: buffers, textures, samplers and
// threadgroup memory with their indices and slots, a thread's place in the grid, or what the stage before gives. A
// parameter may be a struct of the former, whose members are arguments of their own then.

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
class DeclaratorDecl;
class FunctionDecl;
class ParmVarDecl;
class Sema;
class VarDecl;
}  // namespace clang

namespace metal_compiler {

struct KernelArgument {
    enum class Kind : std::uint8_t { buffer, texture, sampler, threadgroupMemory, functionTable, place, stage };

    const clang::ParmVarDecl* parameter = nullptr;
    const clang::DeclaratorDecl* declaration = nullptr;  // the parameter, or a member of it
    bool isMember = false;
    std::uint64_t offset = 0;  // of a member: bytes from the parameter's start
    Kind kind = Kind::buffer;
    AddressSpace space = AddressSpace::thread;  // of buffers and threadgroup memory
    clang::QualType type;                       // what a buffer points at; else the declaration's type
    bool isReference = false;
    std::uint32_t index = 0;                  // n of [[buffer(n)]]
    std::uint32_t slot = 0;                   // place in metal_launch::arguments
    std::uint64_t arrayLength = 1;            // of textures and samplers
    IndexQuery query{};                       // of Kind::place
    std::vector<StageScalar> scalars;         // of Kind::stage
    Condition condition;                      // of [[function_constant(name)]]; no name without it
    protocol::ConstantExpression indexValue;  // of n in [[buffer(n)]], where function constants say it
};

/// The name of a class of the standard library ("texture2d", "sampler", "array", "vec"); empty for other types.
llvm::StringRef standardClassName(clang::QualType type);
/// Template arguments of such a class.
llvm::ArrayRef<clang::TemplateArgument> templateArgumentsOf(clang::QualType type);
bool isTextureName(llvm::StringRef className);

/// Whether a variable of the program's scope is one that kernels find set: see program_scope.hpp.
bool isProgramScopeBinding(const clang::VarDecl* variable);
/// What such a variable is bound to. Reports what is wrong with it; nothing then.
std::optional<KernelArgument> argumentOfVariable(const clang::VarDecl* variable, clang::Sema& sema);

/// Reports what is wrong with them; nothing then. Stage inputs are read by `reader`.
std::optional<std::vector<KernelArgument>> argumentsOf(const clang::FunctionDecl* function, StageReader& reader,
                                                       clang::Sema& sema);

}  // namespace metal_compiler

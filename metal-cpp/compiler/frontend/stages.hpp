// SPDX-License-Identifier: MIT
//
// What a vertex or fragment function (or a kernel with [[stage_in]]) gets from the stage before it and gives to the
// one after: which members and parameters, by which attribute, and in which columns (metal_stage in kernel_abi.h) their
// scalars lie.

#pragma once

#include <clang/AST/Type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol.hpp"

namespace clang {
class Decl;
class FieldDecl;
class FunctionDecl;
class NamedDecl;
class ParmVarDecl;
class RecordDecl;
class Sema;
}  // namespace clang

namespace metal_compiler {

/// The function's stage by its attribute; nothing for functions that no pipeline runs.
std::optional<protocol::FunctionKind> stageOf(const clang::FunctionDecl* function);

/// "kernel", "vertex", "fragment" or "visible".
const char* stageName(protocol::FunctionKind stage);

/// Whether a parameter comes from the stage before: [[stage_in]], [[vertex_id]], or a struct of such members.
bool isStageInput(const clang::ParmVarDecl* parameter, protocol::FunctionKind stage);

/// A scalar of a parameter or result: where in it, of which type, and which column holds it.
struct StageScalar {
    // As `__metal_stage_input` and `__metal_stage_output` know it.
    enum class Type : std::uint8_t { f32, f16, bf16, boolean, i8, u8, i16, u16, i32, u32 };

    std::uint64_t offset = 0;
    Type type = Type::f32;
    std::uint32_t column = 0;
};

struct StageValue {
    protocol::StageValue facts;  // all but the type
    clang::QualType type;
    const clang::NamedDecl* declaration = nullptr;  // a member, a parameter, or the function that returns it
};

/// Reads one function's stage values, reporting what is wrong with them.
class StageReader {
public:
    StageReader(const clang::FunctionDecl* function, protocol::FunctionKind stage, clang::Sema& sema);

    /// Of a parameter for which isStageInput() holds.
    std::vector<StageScalar> readInput(const clang::ParmVarDecl* parameter);
    /// Of what the function returns.
    std::vector<StageScalar> readOutput();

    std::vector<StageValue> inputs, outputs;
    std::uint32_t patchControlPoints = 0;  // of [[patch(quad, n)]]
    std::uint8_t patchType = 0;            // MTL::PatchType
    bool failed = false;

private:
    enum class Direction : std::uint8_t { input, output };

    void readPatch();
    void readMembers(const clang::RecordDecl* record, std::uint64_t base, Direction direction,
                     std::vector<StageScalar>& scalars);
    void readMember(const clang::FieldDecl* field, std::uint64_t offset, Direction direction,
                    std::vector<StageScalar>& scalars);
    void readControlPoints(const clang::FieldDecl* field, std::uint64_t offset, std::vector<StageScalar>& scalars);
    void add(const clang::NamedDecl* declaration, clang::QualType type, std::uint64_t offset, Direction direction,
             bool isMember, std::vector<StageScalar>& scalars);
    bool describe(const clang::NamedDecl* declaration, clang::QualType type, Direction direction, bool isMember,
                  protocol::StageValue& facts);
    void readModifiers(const clang::NamedDecl* declaration, clang::QualType type, protocol::StageValue& facts);
    void checkInterpolation(const clang::NamedDecl* declaration, bool isNumber, const protocol::StageValue& facts);
    void readInterpolant(const clang::NamedDecl* declaration, clang::QualType type, protocol::StageValue& facts);
    bool flatten(clang::QualType type, std::uint64_t offset, std::vector<StageScalar>& scalars) const;
    void fail(const clang::NamedDecl* declaration, const std::string& message);
    std::string nameOf(clang::QualType type) const;

    const clang::FunctionDecl* function_;
    protocol::FunctionKind stage_;
    clang::Sema& sema_;
    std::uint32_t inputColumns_ = 0, outputColumns_ = 0;
    bool isLinked_ = false;          // members without attribute are varyings
    std::uint32_t points_ = 0;       // of the patch_control_point being read
    std::uint64_t pointStride_ = 0;  // bytes from one control point to the next
    std::uint32_t nextColor_ = 0;    // for members of a result that say none
};

}  // namespace metal_compiler

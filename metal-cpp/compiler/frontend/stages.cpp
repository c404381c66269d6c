// SPDX-License-Identifier: MIT
#include "frontend/stages.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "frontend/arguments.hpp"
#include "frontend/attributes.hpp"
#include "frontend/report.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;
using Value = protocol::StageValueKind;
using Scalar = StageScalar::Type;

constexpr std::uint32_t mostAttributes = 31, mostColors = 8, mostControlPoints = 32;

enum Stages : std::uint8_t { none = 0, inVertex = 1, inFragment = 2, inKernel = 4 };

// The types that Metal's specification allows for an attribute.
enum class Types : std::uint8_t {
    anything,
    attribute,
    uint1,
    index,
    smallIndex,
    boolean,
    float1,
    float2,
    float1to3,
    float2or3,
    float3,
    float4,
    distances,
    color
};

struct Row {
    const char* attribute;
    Value value;
    std::uint8_t inputOf, outputOf;
    Types types;
    const char* expected;
};

constexpr Row rows[] = {
    // In a struct that both stages take, the fragment function's comes from the vertex function, by name.
    {"attribute", Value::attribute, inVertex | inFragment | inKernel, none, Types::attribute,
     "a scalar or vector of floating-point numbers or integers"},
    {"user", Value::varying, inFragment, inVertex, Types::anything, ""},
    {"position", Value::position, inFragment, inVertex, Types::float4, "'float4'"},
    // A struct that both stages share may have these two, though a fragment function gets nothing from them.
    {"point_size", Value::pointSize, inFragment, inVertex, Types::float1, "'float'"},
    {"clip_distance", Value::clipDistance, inFragment, inVertex, Types::distances,
     "'float' or an array of up to 8 of it"},
    {"vertex_id", Value::vertexId, inVertex, none, Types::index, "'uint' or 'ushort'"},
    {"instance_id", Value::instanceId, inVertex, none, Types::index, "'uint' or 'ushort'"},
    {"base_vertex", Value::baseVertex, inVertex, none, Types::index, "'uint' or 'ushort'"},
    {"base_instance", Value::baseInstance, inVertex, none, Types::index, "'uint' or 'ushort'"},
    {"amplification_id", Value::amplificationId, inVertex | inFragment, none, Types::index, "'uint' or 'ushort'"},
    {"amplification_count", Value::amplificationCount, inVertex | inFragment, none, Types::index, "'uint' or 'ushort'"},
    {"patch_id", Value::patchId, inVertex, none, Types::index, "'uint' or 'ushort'"},
    {"position_in_patch", Value::positionInPatch, inVertex, none, Types::float2or3, "'float2' or 'float3'"},
    {"front_facing", Value::frontFacing, inFragment, none, Types::boolean, "'bool'"},
    {"point_coord", Value::pointCoord, inFragment, none, Types::float2, "'float2'"},
    {"primitive_id", Value::primitiveId, inFragment, none, Types::uint1, "'uint'"},
    {"sample_id", Value::sampleId, inFragment, none, Types::uint1, "'uint'"},
    {"sample_mask", Value::sampleMask, inFragment, inFragment, Types::uint1, "'uint'"},
    {"barycentric_coord", Value::barycentricCoord, inFragment, none, Types::float1to3, "'float', 'float2' or 'float3'"},
    {"render_target_array_index", Value::renderTargetArrayIndex, inFragment, inVertex, Types::smallIndex,
     "'uint', 'ushort' or 'uchar'"},
    {"viewport_array_index", Value::viewportArrayIndex, inFragment, inVertex, Types::smallIndex,
     "'uint', 'ushort' or 'uchar'"},
    {"color", Value::color, inFragment, inFragment, Types::color,
     "a scalar or vector of 'float', 'half', 'int', 'uint', 'short' or 'ushort'"},
    {"depth", Value::depth, none, inFragment, Types::float1, "'float'"},
    {"stencil", Value::stencil, none, inFragment, Types::uint1, "'uint'"},
};

std::uint8_t bitOf(protocol::FunctionKind stage) {
    switch (stage) {
        case protocol::FunctionKind::vertex:
            return inVertex;
        case protocol::FunctionKind::fragment:
            return inFragment;
        case protocol::FunctionKind::kernel:
            return inKernel;
        case protocol::FunctionKind::visible:
            return none;
    }
    return none;
}

const Row* rowOf(const Decl* declaration) {
    for (const Row& row : rows) {
        if (hasAttribute(declaration, row.attribute)) return &row;
    }
    return nullptr;
}

std::optional<Scalar> scalarOf(QualType type) {
    if (const auto* enumeration = type->getAs<EnumType>())
        type = enumeration->getDecl()->getDefinitionOrSelf()->getIntegerType().getCanonicalType();
    const auto* builtin = type->getAs<BuiltinType>();
    if (builtin == nullptr) return std::nullopt;
    switch (builtin->getKind()) {
        case BuiltinType::Float:
            return Scalar::f32;
        case BuiltinType::Float16:
            return Scalar::f16;
        case BuiltinType::BFloat16:
            return Scalar::bf16;
        case BuiltinType::Bool:
            return Scalar::boolean;
        case BuiltinType::Char_S:
        case BuiltinType::SChar:
            return Scalar::i8;
        case BuiltinType::Char_U:
        case BuiltinType::UChar:
            return Scalar::u8;
        case BuiltinType::Short:
            return Scalar::i16;
        case BuiltinType::UShort:
            return Scalar::u16;
        case BuiltinType::Int:
            return Scalar::i32;
        case BuiltinType::UInt:
            return Scalar::u32;
        default:
            return std::nullopt;
    }
}

protocol::ColumnType columnTypeOf(Scalar scalar) {
    switch (scalar) {
        case Scalar::f32:
        case Scalar::f16:
        case Scalar::bf16:
            return protocol::ColumnType::float32;
        case Scalar::i8:
        case Scalar::i16:
        case Scalar::i32:
            return protocol::ColumnType::int32;
        default:
            return protocol::ColumnType::uint32;
    }
}

std::uint64_t numberOf(const TemplateArgument& argument) {
    return argument.getAsIntegral().getZExtValue();
}

// The scalar or vector's element and how many there are of it.
std::pair<QualType, std::uint64_t> elementsOf(QualType type) {
    type = type.getCanonicalType().getUnqualifiedType();
    const llvm::StringRef name = standardClassName(type);
    if (name == "vec" || name == "packed_vec") {
        return {templateArgumentsOf(type)[0].getAsType().getCanonicalType(), numberOf(templateArgumentsOf(type)[1])};
    }
    return {type, 1};
}

// As many planes as the rasteriser cuts at.
constexpr std::uint64_t mostDistances = 8;

bool fits(QualType type, Types types, const ASTContext& context) {
    if (const auto* array = context.getAsConstantArrayType(type); array != nullptr && types == Types::distances) {
        if (array->getSize().ugt(mostDistances)) return false;
        type = array->getElementType();
    }
    const auto [element, count] = elementsOf(type);
    const std::optional<Scalar> scalar = scalarOf(element);
    if (!scalar) return types == Types::anything;
    const bool isFloat = *scalar == Scalar::f32;
    switch (types) {
        case Types::anything:
            return true;
        case Types::attribute:
            return *scalar != Scalar::boolean;
        case Types::uint1:
            return count == 1 && *scalar == Scalar::u32;
        case Types::index:
            return count == 1 && (*scalar == Scalar::u32 || *scalar == Scalar::u16);
        case Types::smallIndex:
            return count == 1 && (*scalar == Scalar::u32 || *scalar == Scalar::u16 || *scalar == Scalar::u8);
        case Types::boolean:
            return count == 1 && *scalar == Scalar::boolean;
        case Types::float1:
        case Types::distances:
            return count == 1 && isFloat;
        case Types::float2:
            return count == 2 && isFloat;
        case Types::float1to3:
            return count <= 3 && isFloat;
        case Types::float2or3:
            return (count == 2 || count == 3) && isFloat;
        case Types::float3:
            return count == 3 && isFloat;
        case Types::float4:
            return count == 4 && isFloat;
        case Types::color:
            return *scalar != Scalar::bf16 && *scalar != Scalar::boolean && *scalar != Scalar::i8 &&
                   *scalar != Scalar::u8;
    }
    return false;
}

// Matrices, arrays and packed vectors do not pass between stages.
bool isVectorOrScalar(Value kind, QualType type) {
    if (kind == Value::clipDistance) return true;
    const llvm::StringRef name = standardClassName(type);
    return !type->isArrayType() && name != "array" && name != "matrix" && name != "packed_vec";
}

std::optional<protocol::Interpolation> interpolationOf(const Decl* declaration) {
    using Kind = protocol::Interpolation;
    static constexpr std::pair<const char*, Kind> words[] = {
        {"flat", Kind::flat},
        {"center_perspective", Kind::centerPerspective},
        {"center_no_perspective", Kind::centerNoPerspective},
        {"centroid_perspective", Kind::centroidPerspective},
        {"centroid_no_perspective", Kind::centroidNoPerspective},
        {"sample_perspective", Kind::samplePerspective},
        {"sample_no_perspective", Kind::sampleNoPerspective},
    };
    for (const auto& [word, kind] : words) {
        if (hasAttribute(declaration, word)) return kind;
    }
    return std::nullopt;
}

}  // namespace

const char* stageName(protocol::FunctionKind stage) {
    switch (stage) {
        case protocol::FunctionKind::vertex:
            return "vertex";
        case protocol::FunctionKind::fragment:
            return "fragment";
        case protocol::FunctionKind::kernel:
            return "kernel";
        case protocol::FunctionKind::visible:
            return "visible";
    }
    return "";
}

std::optional<protocol::FunctionKind> stageOf(const FunctionDecl* function) {
    for (const auto stage : {protocol::FunctionKind::kernel, protocol::FunctionKind::vertex,
                             protocol::FunctionKind::fragment, protocol::FunctionKind::visible}) {
        if (hasAttribute(function, stageName(stage))) return stage;
    }
    // What a stitched graph would call; it can be called through a table just as well.
    if (hasAttribute(function, "stitchable")) return protocol::FunctionKind::visible;
    return std::nullopt;
}

bool isStageInput(const ParmVarDecl* parameter, protocol::FunctionKind stage) {
    if (hasAttribute(parameter, "stage_in") || rowOf(parameter) != nullptr) return true;
    const QualType type = parameter->getType().getCanonicalType();
    return stage != protocol::FunctionKind::kernel && type->isRecordType() && standardClassName(type).empty();
}

StageReader::StageReader(const FunctionDecl* function, protocol::FunctionKind stage, Sema& sema)
    : function_(function), stage_(stage), sema_(sema) {
    readPatch();
}

std::string StageReader::nameOf(QualType type) const {
    return "'" + metalTypeName(type.getUnqualifiedType(), sema_.Context) + "'";
}

void StageReader::fail(const NamedDecl* declaration, const std::string& message) {
    report(sema_, DiagnosticIDs::Error, declaration->getLocation(), message, declaration->getSourceRange());
    failed = true;
}

// [[patch(quad, 4)]], [[patch(triangle)]]
void StageReader::readPatch() {
    const auto words = textOf(function_, "patch");
    if (!words) return;
    const auto [type, count] = words->split(',');
    patchType = type == "triangle" ? 1 : 2;
    patchControlPoints = mostControlPoints;
    if (!count.empty() && (count.getAsInteger(10, patchControlPoints) || patchControlPoints == 0 ||
                           patchControlPoints > mostControlPoints)) {
        fail(function_, "'patch' attribute takes 1 to " + std::to_string(mostControlPoints) + " control points, got " +
                            count.str());
    } else if (type != "triangle" && type != "quad") {
        fail(function_, "'patch' attribute takes 'triangle' or 'quad', got '" + type.str() + "'");
    } else if (stage_ != protocol::FunctionKind::vertex) {
        fail(function_, "'patch' attribute only applies to vertex functions");
    }
}

std::vector<StageScalar> StageReader::readInput(const ParmVarDecl* parameter) {
    std::vector<StageScalar> scalars;
    const QualType type = parameter->getType().getCanonicalType();
    const bool isStruct = type->isRecordType() && standardClassName(type).empty() && rowOf(parameter) == nullptr;
    if (!hasAttribute(parameter, "stage_in") && !isStruct) {
        add(parameter, type, 0, Direction::input, /*isMember=*/false, scalars);
        return scalars;
    }
    isLinked_ = hasAttribute(parameter, "stage_in");
    sema_.isCompleteType(parameter->getLocation(), type);
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !standardClassName(type).empty() || record->getDefinition() == nullptr) {
        fail(parameter, "'stage_in' parameter must be a struct, got " + nameOf(parameter->getType()));
        return scalars;
    }
    if (isLinked_ && record->getDefinition()->getNumBases() != 0) {
        fail(parameter, "'stage_in' parameter cannot be a derived struct, got " + nameOf(parameter->getType()));
        return scalars;
    }
    readMembers(record->getDefinition(), 0, Direction::input, scalars);
    return scalars;
}

std::vector<StageScalar> StageReader::readOutput() {
    std::vector<StageScalar> scalars;
    const QualType type = function_->getReturnType().getCanonicalType();
    if (type->isVoidType()) return scalars;
    sema_.isCompleteType(function_->getLocation(), type);
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !standardClassName(type).empty()) {
        add(function_, type, 0, Direction::output, /*isMember=*/false, scalars);
    } else if (record->getDefinition() != nullptr) {
        readMembers(record->getDefinition(), 0, Direction::output, scalars);
    }
    const auto isPosition = [](const StageValue& value) { return value.facts.kind == Value::position; };
    if (!failed && stage_ == protocol::FunctionKind::vertex &&
        std::none_of(outputs.begin(), outputs.end(), isPosition)) {
        fail(function_,
             "vertex function must return the vertex position: a 'float4', or a struct with a 'float4' "
             "member that has the 'position' attribute; or nothing");
    }
    return scalars;
}

void StageReader::readMembers(const RecordDecl* record, std::uint64_t base, Direction direction,
                              std::vector<StageScalar>& scalars) {
    const ASTRecordLayout& layout = sema_.Context.getASTRecordLayout(record);
    if (const auto* derived = dyn_cast<CXXRecordDecl>(record)) {
        for (const CXXBaseSpecifier& parent : derived->bases()) {
            const CXXRecordDecl* parentRecord = parent.getType()->getAsCXXRecordDecl();
            if (parentRecord == nullptr || parentRecord->isEmpty()) continue;
            const auto offset = static_cast<std::uint64_t>(layout.getBaseClassOffset(parentRecord).getQuantity());
            readMembers(parentRecord, base + offset, direction, scalars);
        }
    }
    for (const FieldDecl* field : record->fields()) {
        readMember(field, base + layout.getFieldOffset(field->getFieldIndex()) / 8, direction, scalars);
    }
}

void StageReader::readMember(const FieldDecl* field, std::uint64_t offset, Direction direction,
                             std::vector<StageScalar>& scalars) {
    const QualType type = field->getType().getCanonicalType();
    sema_.isCompleteType(field->getLocation(), type);
    if (field->isBitField()) {
        return fail(field, "a bit-field cannot be " +
                               std::string(direction == Direction::input ? "an input" : "an output") + " of a " +
                               stageName(stage_) + " function");
    }
    if (standardClassName(type) == "patch_control_point") return readControlPoints(field, offset, scalars);
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (record != nullptr && standardClassName(type).empty() && rowOf(field) == nullptr) {
        readMembers(record, offset, direction, scalars);
    } else {
        add(field, type, offset, direction, /*isMember=*/true, scalars);
    }
}

// The control points follow one another in the class, which has room for all that a patch may have.
void StageReader::readControlPoints(const FieldDecl* field, std::uint64_t offset, std::vector<StageScalar>& scalars) {
    const QualType point = templateArgumentsOf(field->getType())[0].getAsType().getCanonicalType();
    sema_.isCompleteType(field->getLocation(), point);
    const CXXRecordDecl* record = point->getAsCXXRecordDecl();
    if (patchControlPoints == 0) return fail(function_, "a function with control points needs the 'patch' attribute");
    if (record == nullptr || record->getDefinition() == nullptr)
        return fail(field, "control points must be structs, got " + nameOf(point));
    points_ = patchControlPoints;
    pointStride_ = static_cast<std::uint64_t>(sema_.Context.getTypeSizeInChars(point).getQuantity());
    readMembers(record->getDefinition(), offset, Direction::input, scalars);
    points_ = 0;
}

bool StageReader::describe(const NamedDecl* declaration, QualType type, Direction direction, bool isMember,
                           protocol::StageValue& facts) {
    const Row* row = rowOf(declaration);
    const bool isInput = direction == Direction::input;
    const std::string stage = stageName(stage_);
    if (row == nullptr) {
        // A returned scalar or vector means the first that a stage gives.
        const bool isWhole = !isInput && !isMember;
        if (isWhole && stage_ == protocol::FunctionKind::vertex && fits(type, Types::float4, sema_.Context)) {
            facts.kind = Value::position;
            return true;
        }
        if (!isInput && stage_ == protocol::FunctionKind::fragment && fits(type, Types::color, sema_.Context)) {
            // The members of a struct are the colours in order.
            facts.kind = Value::color;
            facts.index = nextColor_++;
            if (facts.index < mostColors) return true;
        }
        const bool isLinked = isInput ? stage_ == protocol::FunctionKind::fragment && isLinked_
                                      : stage_ == protocol::FunctionKind::vertex && isMember;
        if (isLinked && !isInput && standardClassName(type) == "interpolant") {
            fail(declaration, "an interpolant must be an input of a fragment function");
            return false;
        }
        if (isLinked) {
            facts.kind = Value::varying;
            facts.link = facts.name;
            return true;
        }
        if (isWhole) {
            fail(declaration, stage + " function cannot return " + nameOf(type));
        } else {
            fail(declaration, "member '" + facts.name + "' of a " + stage + " function's " +
                                  (!isInput ? "output needs an attribute, such as 'color(0)'"
                                   : stage_ == protocol::FunctionKind::fragment
                                       ? "input needs an attribute, or the parameter 'stage_in'"
                                       : "input needs the 'attribute(n)' attribute"));
        }
        return false;
    }
    if (((isInput ? row->inputOf : row->outputOf) & bitOf(stage_)) == 0) {
        fail(declaration, std::string("'") + row->attribute + "' attribute cannot be used for an " +
                              (isInput ? "input" : "output") + " of a " + stage + " function");
        return false;
    }
    if (!fits(type, row->types, sema_.Context)) {
        fail(declaration,
             "invalid type " + nameOf(type) + " for attribute '" + row->attribute + "': expected " + row->expected);
        return false;
    }
    if (row->value == Value::positionInPatch && patchType != 0) {
        const bool isTriangle = patchType == 1;
        if (!fits(type, isTriangle ? Types::float3 : Types::float2, sema_.Context)) {
            fail(declaration,
                 "invalid type " + nameOf(type) + " for attribute '" + row->attribute + "': expected " +
                     (isTriangle ? "'float3' in a patch of kind 'triangle'" : "'float2' in a patch of kind 'quad'"));
            return false;
        }
    }
    if (row->value == Value::attribute && stage_ == protocol::FunctionKind::fragment) {
        facts.kind = Value::varying;
        facts.link = facts.name;
        return true;
    }
    if (standardClassName(type) == "interpolant" && (!isInput || row->value != Value::varying)) {
        fail(declaration, std::string("an interpolant must be an input of a fragment function, without the '") +
                              row->attribute + "' attribute");
        return false;
    }
    facts.kind = row->value;
    facts.index = static_cast<std::uint32_t>(indexOf(declaration, row->attribute).value_or(0));
    if (facts.kind == Value::color) facts.indexValue = indexValueOf(declaration, row->attribute);
    if (facts.kind == Value::varying) facts.link = "user(" + textOf(declaration, "user").value_or("").str() + ")";
    const std::uint32_t limit = facts.kind == Value::color ? mostColors : mostAttributes;
    if (facts.index >= limit) {
        fail(declaration, std::string("'") + row->attribute + "' attribute parameter is out of bounds: must be " +
                              "between 0 and " + std::to_string(limit - 1));
        return false;
    }
    return true;
}

void StageReader::readModifiers(const NamedDecl* declaration, QualType type, protocol::StageValue& facts) {
    const std::optional<Scalar> scalar = scalarOf(elementsOf(type).first);
    const bool isNumber = scalar && columnTypeOf(*scalar) == protocol::ColumnType::float32;
    if (const auto written = interpolationOf(declaration)) {
        facts.interpolation = *written;
        checkInterpolation(declaration, isNumber, facts);
    } else if (facts.kind == Value::varying && !isNumber) {
        facts.interpolation = protocol::Interpolation::flat;
    }
    if (facts.kind == Value::depth) {
        const llvm::StringRef word = textOf(declaration, "depth").value_or("any");
        if (word == "less") {
            facts.depth = protocol::DepthQualifier::less;
        } else if (word == "greater") {
            facts.depth = protocol::DepthQualifier::greater;
        } else if (word != "any") {
            fail(declaration, "'depth' attribute takes 'any', 'less' or 'greater', got '" + word.str() + "'");
        }
    }
    if (standardClassName(type) == "interpolant") readInterpolant(declaration, type, facts);
    if (hasAttribute(declaration, "post_depth_coverage")) {
        if (facts.kind != Value::sampleMask)
            return fail(declaration, "'post_depth_coverage' attribute needs the 'sample_mask' attribute beside it");
        if (!hasAttribute(function_, "early_fragment_tests"))
            return fail(declaration,
                        "'post_depth_coverage' attribute needs a fragment function with the 'early_fragment_tests' "
                        "attribute");
    }
    facts.isInvariant = hasAttribute(declaration, "invariant");
    facts.sourceIndex = static_cast<std::uint32_t>(indexOf(declaration, "index").value_or(0));
    if (hasAttribute(declaration, "raster_order_group")) {
        facts.hasRasterOrderGroup = true;
        facts.rasterOrderGroup = static_cast<std::uint32_t>(indexOf(declaration, "raster_order_group").value_or(0));
        facts.rasterOrderGroupValue = indexValueOf(declaration, "raster_order_group");
    }
    if (auto condition = conditionOf(declaration)) {
        facts.condition = std::move(condition->name);
        facts.conditionValue = std::move(condition->value);
    }
}

void StageReader::checkInterpolation(const NamedDecl* declaration, bool isNumber, const protocol::StageValue& facts) {
    using Kind = protocol::Interpolation;
    const Kind kind = facts.interpolation;
    if (facts.kind == Value::position && kind != Kind::centerNoPerspective) {
        fail(declaration, "'position' can only be interpolated as 'center_no_perspective'");
    } else if (facts.kind == Value::barycentricCoord && kind != Kind::centerPerspective &&
               kind != Kind::centerNoPerspective) {
        fail(declaration,
             "'barycentric_coord' can only be interpolated as 'center_perspective' or 'center_no_perspective'");
    } else if (facts.kind == Value::varying && !isNumber && kind != Kind::flat) {
        fail(declaration, "integers cannot be interpolated: '" + facts.name + "' must be 'flat'");
    }
}

// interpolant<T, interpolation::perspective>
void StageReader::readInterpolant(const NamedDecl* declaration, QualType type, protocol::StageValue& facts) {
    if (interpolationOf(declaration)) {
        return fail(declaration,
                    "an interpolant has no interpolation attribute: its type says 'perspective' or "
                    "'no_perspective'");
    }
    constexpr std::uint64_t perspective = 0;
    facts.isInterpolant = true;
    facts.interpolation = numberOf(templateArgumentsOf(type)[1]) == perspective
                              ? protocol::Interpolation::centerPerspective
                              : protocol::Interpolation::centerNoPerspective;
}

void StageReader::add(const NamedDecl* declaration, QualType type, std::uint64_t offset, Direction direction,
                      bool isMember, std::vector<StageScalar>& scalars) {
    StageValue value;
    value.type = type.getUnqualifiedType();
    value.declaration = declaration;
    if (!isa<FunctionDecl>(declaration)) value.facts.name = declaration->getNameAsString();
    if (!describe(declaration, type, direction, isMember, value.facts)) return;
    std::vector<StageScalar> parts;
    const bool isVector = isVectorOrScalar(value.facts.kind, value.type);
    if (!flatten(type, offset, parts) || parts.empty() || !isVector) {
        return fail(declaration, "type " + nameOf(type) + " cannot be " +
                                     (direction == Direction::input ? "an input" : "an output") + " of a " +
                                     stageName(stage_) + " function" +
                                     (isVector ? "" : "; use vectors and scalars, and put them together there"));
    }
    readModifiers(declaration, type, value.facts);
    std::uint32_t& columns = direction == Direction::input ? inputColumns_ : outputColumns_;
    value.facts.columnType = columnTypeOf(parts.front().type);
    value.facts.column = columns;
    const std::uint32_t points = points_ != 0 ? points_ : 1;
    value.facts.isControlPoint = points_ != 0;
    for (std::uint32_t point = 0; point < points; ++point) {
        for (StageScalar part : parts) {
            part.offset += point * pointStride_;
            part.column = columns++;
            scalars.push_back(part);
        }
    }
    value.facts.columnCount = columns - value.facts.column;
    (direction == Direction::input ? inputs : outputs).push_back(std::move(value));
}

bool StageReader::flatten(QualType type, std::uint64_t offset, std::vector<StageScalar>& scalars) const {
    const ASTContext& context = sema_.Context;
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto scalar = scalarOf(type)) {
        scalars.push_back({offset, *scalar, 0});
        return true;
    }
    QualType element;
    std::uint64_t count = 0;
    const llvm::StringRef name = standardClassName(type);
    const auto parts = templateArgumentsOf(type);
    if (const auto* array = context.getAsConstantArrayType(type)) {
        element = array->getElementType();
        count = array->getSize().getZExtValue();
    } else if (name == "interpolant") {  // its members, see metal_interpolate
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        const ASTRecordLayout& layout = context.getASTRecordLayout(record);
        for (const FieldDecl* field : record->fields()) {
            if (!flatten(field->getType(), offset + layout.getFieldOffset(field->getFieldIndex()) / 8, scalars))
                return false;
        }
        return true;
    } else if (name == "vec" || name == "packed_vec" || name == "array") {
        element = parts[0].getAsType();
        count = numberOf(parts[1]);
    } else if (name == "matrix") {  // of columns, each as large as its vector
        const std::uint64_t columns = numberOf(parts[1]);
        const std::uint64_t stride = context.getTypeSizeInChars(type).getQuantity() / columns;
        const std::uint64_t size = context.getTypeSizeInChars(parts[0].getAsType()).getQuantity();
        for (std::uint64_t i = 0; i < columns * numberOf(parts[2]); ++i) {
            const std::uint64_t column = i / numberOf(parts[2]), row = i % numberOf(parts[2]);
            if (!flatten(parts[0].getAsType(), offset + column * stride + row * size, scalars)) return false;
        }
        return true;
    } else {
        return false;
    }
    const std::uint64_t stride = context.getTypeSizeInChars(element).getQuantity();
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!flatten(element, offset + i * stride, scalars)) return false;
    }
    return true;
}

}  // namespace metal_compiler

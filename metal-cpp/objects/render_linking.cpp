// SPDX-License-Identifier: MIT

#include "render_linking.hpp"

#include <algorithm>

#include "join.hpp"
#include "stage_input.hpp"
#include "vertex_descriptor.hpp"

namespace metal_objects {

namespace {

using metal_executor::render::RenderPipeline;
using metal_executor::render::StageColumnType;
using metal_executor::render::StageColumnValue;
using metal_executor::render::StageFunction;
using metal_executor::render::StageKind;
using metal_executor::render::VertexStep;
using Kind = protocol::StageValueKind;

static_assert(static_cast<int>(StageKind::stencil) == static_cast<int>(Kind::stencil) &&
              static_cast<int>(StageKind::color) == static_cast<int>(Kind::color) &&
              static_cast<int>(StageKind::varying) == static_cast<int>(Kind::varying));
static_assert(static_cast<int>(metal_executor::render::Interpolation::flat) ==
              static_cast<int>(protocol::Interpolation::flat));
static_assert(static_cast<int>(StageColumnType::uint32) == static_cast<int>(protocol::ColumnType::uint32));
static_assert(static_cast<int>(metal_executor::render::DepthQualifier::less) ==
              static_cast<int>(protocol::DepthQualifier::less));

std::string typeName(const FunctionObject* function, const protocol::StageValue& value) {
    return value.type != protocol::noType ? function->library->reply->types.at(value.type).name : "?";
}

/// Whether types of two libraries are one and the same scalar, vector, matrix or array.
bool isSameType(const protocol::LibraryReply& left, std::uint32_t leftType, const protocol::LibraryReply& right,
                std::uint32_t rightType) {
    if (leftType == protocol::noType || rightType == protocol::noType) return leftType == rightType;
    const protocol::Type &one = left.types.at(leftType), &other = right.types.at(rightType);
    if (one.dataType != other.dataType || one.arrayLength != other.arrayLength) return false;
    if (one.dataType != static_cast<std::uint32_t>(MTL::DataTypeArray)) return true;
    return isSameType(left, one.element, right, other.element);
}

bool isSameType(const FunctionObject* vertex, const protocol::StageValue& output, const FunctionObject* fragment,
                const protocol::StageValue& input) {
    if (input.isInterpolant) {
        const bool isPerspective = input.interpolation == protocol::Interpolation::centerPerspective;
        return input.columnCount == 3 * output.columnCount + (isPerspective ? 3 : 0) &&
               output.columnType == protocol::ColumnType::float32;
    }
    return isSameType(*vertex->library->reply, output.type, *fragment->library->reply, input.type);
}

StageColumnValue columnValue(const FunctionObject* function, const protocol::StageValue& value) {
    StageColumnValue made;
    made.kind = function->isPresent(value) ? static_cast<StageKind>(value.kind) : StageKind::unused;
    made.type = static_cast<StageColumnType>(value.columnType);
    made.interpolation = static_cast<metal_executor::render::Interpolation>(value.interpolation);
    made.depth = static_cast<metal_executor::render::DepthQualifier>(value.depth);
    made.isInterpolant = value.isInterpolant;
    made.index = value.index;
    made.sourceIndex = value.sourceIndex;
    made.column = value.column;
    made.columnCount = value.columnCount;
    return made;
}

void fillFunction(const FunctionObject* function, StageFunction& stage) {
    const auto fill = [&](const std::vector<protocol::StageValue>& values, std::vector<StageColumnValue>& columns,
                          std::uint32_t& count) {
        for (const protocol::StageValue& value : values) {
            columns.push_back(columnValue(function, value));
            count = std::max(count, value.column + value.columnCount);
        }
    };
    fill(function->facts().inputs, stage.inputs, stage.inputColumns);
    fill(function->facts().outputs, stage.outputs, stage.outputColumns);
    stage.earlyFragmentTests = function->facts().earlyFragmentTests;
}

const protocol::StageValue* findOutput(const FunctionObject* function, Kind kind, const std::string& link) {
    for (const protocol::StageValue& value : function->facts().outputs) {
        if (value.kind == kind && value.link == link && function->isPresent(value)) return &value;
    }
    return nullptr;
}

/// Of the formats of vertices: as MTL::AttributeFormat has them.
std::string fillPart(const FunctionObject* function, VertexDescriptorObject& descriptor, VertexInput::Part& part) {
    const VertexAttributeValues& attribute = descriptor.values.attributes->at(part.facts->index, "attributes")->values;
    if (attribute.format == MTL::VertexFormatInvalid) return "is missing in the vertexDescriptor";
    if (std::string mistake = attributeFormatMistake(function, *part.facts, attribute.format, "MTLVertexFormat");
        !mistake.empty()) {
        return mistake;
    }
    if (attribute.bufferIndex >= VertexLayoutArrayObject::count)
        return join("is in buffer ", attribute.bufferIndex, ", must be < ", VertexLayoutArrayObject::count);
    const VertexLayoutValues& layout = descriptor.values.layouts->at(attribute.bufferIndex, "layouts")->values;
    const auto wrong = [&](const auto&... parts) {
        return join("is in buffer ", attribute.bufferIndex, ", ", parts...);
    };
    switch (layout.stepFunction) {
        case MTL::VertexStepFunctionConstant:
            if (layout.stepRate != 0)
                return wrong("whose stepRate is ", layout.stepRate, ", must be 0 with VertexStepFunctionConstant");
            break;
        case MTL::VertexStepFunctionPerVertex:
            if (layout.stepRate != 1)
                return wrong("whose stepRate is ", layout.stepRate, ", must be 1 with VertexStepFunctionPerVertex");
            break;
        case MTL::VertexStepFunctionPerInstance:
            if (layout.stepRate == 0 || layout.stepRate > UINT32_MAX)
                return wrong("whose stepRate is ", layout.stepRate, ", must be 1 to ", UINT32_MAX);
            break;
        default:
            return wrong("whose stepFunction is ", layout.stepFunction,
                         ", must be Constant, PerVertex or PerInstance: this device draws no patches");
    }
    part.isStrideDynamic = layout.stride == MTL::BufferLayoutStrideDynamic;
    const std::uint64_t bytes = metal_executor::attributeFormatFacts(attribute.format).bytes;
    const bool isConstant = layout.stepFunction == MTL::VertexStepFunctionConstant;
    if (!isConstant && !part.isStrideDynamic &&
        (attribute.offset > layout.stride || bytes > layout.stride - attribute.offset)) {
        return join("has offset(", attribute.offset, ") + size(", bytes, "), must be <= the stride(", layout.stride,
                    ") of buffer ", attribute.bufferIndex);
    }
    part.fetch.attribute.format = static_cast<std::uint32_t>(attribute.format);
    part.fetch.attribute.stride = isConstant || part.isStrideDynamic ? 0 : layout.stride;
    part.fetch.attribute.column = part.facts->column;
    part.fetch.attribute.columnCount = part.facts->columnCount;
    part.fetch.step = static_cast<VertexStep>(layout.stepFunction);
    part.fetch.rate = static_cast<std::uint32_t>(layout.stepRate);
    part.buffer = attribute.bufferIndex;
    part.offset = attribute.offset;
    return {};
}

}  // namespace

std::string makeVertexInput(const FunctionObject* function, const MTL::VertexDescriptor* descriptor,
                            VertexInput& input) {
    for (const protocol::StageValue& value : function->facts().inputs) {
        if (value.kind != Kind::attribute || !function->isPresent(value)) continue;
        VertexInput::Part part{};
        part.facts = &value;
        const std::string mistake = descriptor == nullptr
                                        ? "needs a vertexDescriptor"
                                        : fillPart(function, *as<VertexDescriptorObject>(descriptor), part);
        if (!mistake.empty()) {
            return join("vertex function '", function->name(), "': attribute ", value.name, " [[attribute(",
                        value.index, ")]] ", mistake);
        }
        input.parts.push_back(part);
    }
    return {};
}

std::string linkStages(const FunctionObject* vertex, const FunctionObject* fragment, RenderPipeline& pipeline) {
    fillFunction(vertex, pipeline.vertex);
    if (pipeline.isRasterizationEnabled && findOutput(vertex, Kind::position, {}) == nullptr) {
        return join("vertex function '", vertex->name(),
                    "' has no [[position]] output, which it must have while rasterizationEnabled is true");
    }
    if (fragment == nullptr) return {};
    fillFunction(fragment, pipeline.fragment);
    const auto& inputs = fragment->facts().inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const protocol::StageValue& input = inputs[i];
        if (input.kind != Kind::varying || !fragment->isPresent(input)) continue;
        const protocol::StageValue* output = findOutput(vertex, Kind::varying, input.link);
        if (output == nullptr) {
            return join("fragment function '", fragment->name(), "' takes ", typeName(fragment, input), " ", input.link,
                        ", which vertex function '", vertex->name(), "' does not give");
        }
        if (!isSameType(vertex, *output, fragment, input)) {
            return join("fragment function '", fragment->name(), "' takes ", input.link, " as ",
                        typeName(fragment, input), ", but vertex function '", vertex->name(), "' gives it as ",
                        typeName(vertex, *output));
        }
        pipeline.fragment.inputs[i].source = output->column;
    }
    return {};
}

}  // namespace metal_objects

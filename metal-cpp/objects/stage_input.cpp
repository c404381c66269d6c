// SPDX-License-Identifier: MIT

#include "stage_input.hpp"

#include <optional>

#include "error.hpp"
#include "join.hpp"

namespace metal_objects {

namespace {

using metal_executor::AttributeKind;
using metal_executor::AttributeStep;

std::optional<AttributeStep> stepOf(MTL::StepFunction function) {
    switch (function) {
        case MTL::StepFunctionConstant:
            return AttributeStep::constant;
        case MTL::StepFunctionThreadPositionInGridX:
            return AttributeStep::x;
        case MTL::StepFunctionThreadPositionInGridY:
            return AttributeStep::y;
        case MTL::StepFunctionThreadPositionInGridXIndexed:
            return AttributeStep::indexedX;
        case MTL::StepFunctionThreadPositionInGridYIndexed:
            return AttributeStep::indexedY;
        default:
            return std::nullopt;
    }
}

const char* kindName(AttributeKind kind) {
    switch (kind) {
        case AttributeKind::signedInteger:
            return "signed integers";
        case AttributeKind::unsignedInteger:
            return "unsigned integers";
        default:
            return "floating-point numbers";
    }
}

AttributeKind kindOf(protocol::ColumnType type) {
    switch (type) {
        case protocol::ColumnType::int32:
            return AttributeKind::signedInteger;
        case protocol::ColumnType::uint32:
            return AttributeKind::unsignedInteger;
        default:
            return AttributeKind::real;
    }
}

/// Why the descriptor does not fit the attribute, empty if it does; then `part` is complete.
std::string fillPart(const FunctionObject* function, StageInputDescriptorObject& descriptor, StageInput::Part& part) {
    const protocol::StageValue& facts = *part.facts;
    const AttributeValues& attribute = descriptor.attributes->at(facts.index, "attributes")->values;
    const metal_executor::AttributeFormatFacts format = metal_executor::attributeFormatFacts(attribute.format);
    if (attribute.format == MTL::AttributeFormatInvalid) return "is missing in the stageInputDescriptor";
    if (std::string mistake = attributeFormatMistake(function, facts, attribute.format, "MTLAttributeFormat");
        !mistake.empty()) {
        return mistake;
    }
    if (attribute.bufferIndex >= BufferLayoutArrayObject::count) {
        return join("is in buffer ", attribute.bufferIndex, ", must be < ", BufferLayoutArrayObject::count);
    }
    const BufferLayoutValues& layout = descriptor.layouts->at(attribute.bufferIndex, "layouts")->values;
    const auto step = stepOf(layout.stepFunction);
    if (!step) {
        return join("is in buffer ", attribute.bufferIndex, ", whose MTLStepFunction is ", layout.stepFunction,
                    ": that of a compute pipeline must be Constant or ThreadPositionInGrid...");
    }
    if (*step != AttributeStep::constant) {
        if (layout.stepRate == 0)
            return join("is in buffer ", attribute.bufferIndex, ", whose stepRate is 0, must be > 0");
        if (attribute.offset + format.bytes > layout.stride) {
            return join("has offset(", attribute.offset, ") + size(", format.bytes, "), must be <= the stride(",
                        layout.stride, ") of buffer ", attribute.bufferIndex);
        }
    }
    part.attribute.format = static_cast<std::uint32_t>(attribute.format);
    part.attribute.stride = *step == AttributeStep::constant ? 0 : layout.stride;
    part.attribute.column = facts.column;
    part.attribute.columnCount = facts.columnCount;
    part.step = *step;
    part.rate = static_cast<std::uint32_t>(std::min<NS::UInteger>(layout.stepRate, UINT32_MAX));
    part.buffer = attribute.bufferIndex;
    part.offset = attribute.offset;
    return {};
}

}  // namespace

std::string attributeFormatMistake(const FunctionObject* function, const protocol::StageValue& attribute,
                                   NS::UInteger format, const char* formatName) {
    const AttributeKind kind = metal_executor::attributeFormatFacts(static_cast<std::uint32_t>(format)).kind;
    if (format > UINT32_MAX || kind == AttributeKind::invalid) return join("has no ", formatName, " ", format);
    if (kind == kindOf(attribute.columnType)) return {};
    return join("is ", function->library->reply->types.at(attribute.type).name, ", which ", formatName, " ", format,
                " does not give: that has ", kindName(kind));
}

void StageInputDescriptorObject::clear() {
    attributes = NS::TransferPtr(new AttributeArrayObject);
    layouts = NS::TransferPtr(new BufferLayoutArrayObject);
    indexType = MTL::IndexTypeUInt16;
    indexBufferIndex = 0;
}

NS::Object* StageInputDescriptorObject::duplicate() const {
    auto* copy = new StageInputDescriptorObject;
    copy->attributes->copyFrom(*attributes.get());
    copy->layouts->copyFrom(*layouts.get());
    copy->indexType = indexType;
    copy->indexBufferIndex = indexBufferIndex;
    return copy;
}

std::string makeStageInput(const FunctionObject* function, const MTL::StageInputOutputDescriptor* descriptor,
                           StageInput& input) {
    auto* given = as<StageInputDescriptorObject>(descriptor);
    for (const protocol::StageValue& value : function->facts().inputs) {
        input.columnCount = std::max(input.columnCount, value.column + value.columnCount);
        if (value.kind != protocol::StageValueKind::attribute || !function->isPresent(value)) continue;
        StageInput::Part part{};
        part.facts = &value;
        const std::string mistake =
            given == nullptr ? "needs a stageInputDescriptor" : fillPart(function, *given, part);
        if (!mistake.empty()) {
            return join("kernel '", function->name(), "': attribute ", value.name, " [[attribute(", value.index, ")]] ",
                        mistake);
        }
        input.isIndexed |= part.step == AttributeStep::indexedX || part.step == AttributeStep::indexedY;
        input.parts.push_back(part);
    }
    if (!input.isIndexed) return {};
    input.indexBuffer = given->indexBufferIndex;
    input.indexSize = given->indexType == MTL::IndexTypeUInt32 ? 4 : 2;
    if (input.indexBuffer < BufferLayoutArrayObject::count) return {};
    return join("kernel '", function->name(), "': the stageInputDescriptor's indexBufferIndex is ", input.indexBuffer,
                ", must be < ", BufferLayoutArrayObject::count);
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::AttributeArrayObject;
using metal_objects::AttributeDescriptorObject;
using metal_objects::BufferLayoutArrayObject;
using metal_objects::BufferLayoutDescriptorObject;
using metal_objects::StageInputDescriptorObject;

namespace MTL {

namespace {

metal_objects::BufferLayoutValues& values(const BufferLayoutDescriptor* descriptor) {
    return as<BufferLayoutDescriptorObject>(descriptor)->values;
}
metal_objects::AttributeValues& values(const AttributeDescriptor* descriptor) {
    return as<AttributeDescriptorObject>(descriptor)->values;
}

}  // namespace

BufferLayoutDescriptor* BufferLayoutDescriptor::alloc() {
    return new BufferLayoutDescriptorObject;
}
BufferLayoutDescriptor* BufferLayoutDescriptor::init() {
    return this;
}
StepFunction BufferLayoutDescriptor::stepFunction() const {
    return values(this).stepFunction;
}
void BufferLayoutDescriptor::setStepFunction(StepFunction stepFunction) {
    values(this).stepFunction = stepFunction;
}
NS::UInteger BufferLayoutDescriptor::stepRate() const {
    return values(this).stepRate;
}
void BufferLayoutDescriptor::setStepRate(NS::UInteger stepRate) {
    values(this).stepRate = stepRate;
}
NS::UInteger BufferLayoutDescriptor::stride() const {
    return values(this).stride;
}
void BufferLayoutDescriptor::setStride(NS::UInteger stride) {
    values(this).stride = stride;
}

BufferLayoutDescriptorArray* BufferLayoutDescriptorArray::alloc() {
    return new BufferLayoutArrayObject;
}
BufferLayoutDescriptorArray* BufferLayoutDescriptorArray::init() {
    return this;
}
BufferLayoutDescriptor* BufferLayoutDescriptorArray::object(NS::UInteger index) {
    return as<BufferLayoutArrayObject>(this)->at(index, "layouts");
}
void BufferLayoutDescriptorArray::setObject(const BufferLayoutDescriptor* bufferDesc, NS::UInteger index) {
    as<BufferLayoutArrayObject>(this)->set(as<BufferLayoutDescriptorObject>(bufferDesc), index, "layouts");
}

AttributeDescriptor* AttributeDescriptor::alloc() {
    return new AttributeDescriptorObject;
}
AttributeDescriptor* AttributeDescriptor::init() {
    return this;
}
NS::UInteger AttributeDescriptor::bufferIndex() const {
    return values(this).bufferIndex;
}
void AttributeDescriptor::setBufferIndex(NS::UInteger bufferIndex) {
    values(this).bufferIndex = bufferIndex;
}
AttributeFormat AttributeDescriptor::format() const {
    return values(this).format;
}
void AttributeDescriptor::setFormat(AttributeFormat format) {
    values(this).format = format;
}
NS::UInteger AttributeDescriptor::offset() const {
    return values(this).offset;
}
void AttributeDescriptor::setOffset(NS::UInteger offset) {
    values(this).offset = offset;
}

AttributeDescriptorArray* AttributeDescriptorArray::alloc() {
    return new AttributeArrayObject;
}
AttributeDescriptorArray* AttributeDescriptorArray::init() {
    return this;
}
AttributeDescriptor* AttributeDescriptorArray::object(NS::UInteger index) {
    return as<AttributeArrayObject>(this)->at(index, "attributes");
}
void AttributeDescriptorArray::setObject(const AttributeDescriptor* attributeDesc, NS::UInteger index) {
    as<AttributeArrayObject>(this)->set(as<AttributeDescriptorObject>(attributeDesc), index, "attributes");
}

StageInputOutputDescriptor* StageInputOutputDescriptor::alloc() {
    return new StageInputDescriptorObject;
}
StageInputOutputDescriptor* StageInputOutputDescriptor::init() {
    return this;
}
StageInputOutputDescriptor* StageInputOutputDescriptor::stageInputOutputDescriptor() {
    return alloc()->init()->autorelease();
}
void StageInputOutputDescriptor::reset() {
    as<StageInputDescriptorObject>(this)->clear();
}
AttributeDescriptorArray* StageInputOutputDescriptor::attributes() const {
    return as<StageInputDescriptorObject>(this)->attributes.get();
}
BufferLayoutDescriptorArray* StageInputOutputDescriptor::layouts() const {
    return as<StageInputDescriptorObject>(this)->layouts.get();
}
IndexType StageInputOutputDescriptor::indexType() const {
    return as<StageInputDescriptorObject>(this)->indexType;
}
void StageInputOutputDescriptor::setIndexType(IndexType indexType) {
    as<StageInputDescriptorObject>(this)->indexType = indexType;
}
NS::UInteger StageInputOutputDescriptor::indexBufferIndex() const {
    return as<StageInputDescriptorObject>(this)->indexBufferIndex;
}
void StageInputOutputDescriptor::setIndexBufferIndex(NS::UInteger indexBufferIndex) {
    as<StageInputDescriptorObject>(this)->indexBufferIndex = indexBufferIndex;
}

}  // namespace MTL

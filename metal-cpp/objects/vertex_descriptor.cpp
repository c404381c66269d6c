// SPDX-License-Identifier: MIT

#include "vertex_descriptor.hpp"

using namespace metal_objects;

namespace MTL {

namespace {

VertexLayoutValues& values(const VertexBufferLayoutDescriptor* descriptor) {
    return as<VertexLayoutObject>(descriptor)->values;
}
VertexAttributeValues& values(const VertexAttributeDescriptor* descriptor) {
    return as<VertexAttributeObject>(descriptor)->values;
}
VertexDescriptorValues& values(const VertexDescriptor* descriptor) {
    return as<VertexDescriptorObject>(descriptor)->values;
}

}  // namespace

// ---- VertexBufferLayoutDescriptor ----

VertexBufferLayoutDescriptor* VertexBufferLayoutDescriptor::alloc() {
    return new VertexLayoutObject;
}
VertexBufferLayoutDescriptor* VertexBufferLayoutDescriptor::init() {
    return this;
}

VertexStepFunction VertexBufferLayoutDescriptor::stepFunction() const {
    return values(this).stepFunction;
}
void VertexBufferLayoutDescriptor::setStepFunction(VertexStepFunction stepFunction) {
    values(this).stepFunction = stepFunction;
}

NS::UInteger VertexBufferLayoutDescriptor::stepRate() const {
    return values(this).stepRate;
}
void VertexBufferLayoutDescriptor::setStepRate(NS::UInteger stepRate) {
    values(this).stepRate = stepRate;
}

NS::UInteger VertexBufferLayoutDescriptor::stride() const {
    return values(this).stride;
}
void VertexBufferLayoutDescriptor::setStride(NS::UInteger stride) {
    values(this).stride = stride;
}

VertexBufferLayoutDescriptorArray* VertexBufferLayoutDescriptorArray::alloc() {
    return new VertexLayoutArrayObject;
}
VertexBufferLayoutDescriptorArray* VertexBufferLayoutDescriptorArray::init() {
    return this;
}
VertexBufferLayoutDescriptor* VertexBufferLayoutDescriptorArray::object(NS::UInteger index) {
    return as<VertexLayoutArrayObject>(this)->at(index, "layouts");
}
void VertexBufferLayoutDescriptorArray::setObject(const VertexBufferLayoutDescriptor* bufferDesc, NS::UInteger index) {
    as<VertexLayoutArrayObject>(this)->set(as<VertexLayoutObject>(bufferDesc), index, "layouts");
}

// ---- VertexAttributeDescriptor ----

VertexAttributeDescriptor* VertexAttributeDescriptor::alloc() {
    return new VertexAttributeObject;
}
VertexAttributeDescriptor* VertexAttributeDescriptor::init() {
    return this;
}

NS::UInteger VertexAttributeDescriptor::bufferIndex() const {
    return values(this).bufferIndex;
}
void VertexAttributeDescriptor::setBufferIndex(NS::UInteger bufferIndex) {
    values(this).bufferIndex = bufferIndex;
}

VertexFormat VertexAttributeDescriptor::format() const {
    return values(this).format;
}
void VertexAttributeDescriptor::setFormat(VertexFormat format) {
    values(this).format = format;
}

NS::UInteger VertexAttributeDescriptor::offset() const {
    return values(this).offset;
}
void VertexAttributeDescriptor::setOffset(NS::UInteger offset) {
    values(this).offset = offset;
}

VertexAttributeDescriptorArray* VertexAttributeDescriptorArray::alloc() {
    return new VertexAttributeArrayObject;
}
VertexAttributeDescriptorArray* VertexAttributeDescriptorArray::init() {
    return this;
}
VertexAttributeDescriptor* VertexAttributeDescriptorArray::object(NS::UInteger index) {
    return as<VertexAttributeArrayObject>(this)->at(index, "attributes");
}
void VertexAttributeDescriptorArray::setObject(const VertexAttributeDescriptor* attributeDesc, NS::UInteger index) {
    as<VertexAttributeArrayObject>(this)->set(as<VertexAttributeObject>(attributeDesc), index, "attributes");
}

// ---- VertexDescriptor ----

VertexDescriptor* VertexDescriptor::alloc() {
    return new VertexDescriptorObject;
}
VertexDescriptor* VertexDescriptor::init() {
    return this;
}
VertexDescriptor* VertexDescriptor::vertexDescriptor() {
    return alloc()->init()->autorelease();
}

VertexAttributeDescriptorArray* VertexDescriptor::attributes() const {
    return values(this).attributes.get();
}

VertexBufferLayoutDescriptorArray* VertexDescriptor::layouts() const {
    return values(this).layouts.get();
}

void VertexDescriptor::reset() {
    values(this) = {};
}

}  // namespace MTL

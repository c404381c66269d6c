// SPDX-License-Identifier: MIT

#include "depth_stencil.hpp"

#include "known_by_id.hpp"

namespace metal_objects {

namespace {

using Known = KnownByID<DepthStencilObject>;

metal_executor::render::StencilFace faceOf(const StencilValues& values) {
    metal_executor::render::StencilFace face;
    face.compare = static_cast<std::uint8_t>(values.compare);
    face.stencilFails = static_cast<std::uint8_t>(values.stencilFailure);
    face.depthFails = static_cast<std::uint8_t>(values.depthFailure);
    face.passes = static_cast<std::uint8_t>(values.depthStencilPass);
    face.readMask = static_cast<std::uint8_t>(values.readMask);
    face.writeMask = static_cast<std::uint8_t>(values.writeMask);
    return face;
}

metal_executor::render::DepthStencilState stateOf(const DepthStencilValues& values) {
    metal_executor::render::DepthStencilState state;
    state.depthCompare = static_cast<std::uint8_t>(values.depthCompare);
    state.writesDepth = values.writesDepth;
    state.front = faceOf(values.front->values);
    state.back = faceOf(values.back->values);
    return state;
}

std::string faceMistake(const char* name, const StencilValues& values) {
    if (values.compare > MTL::CompareFunctionAlways)
        return join(name, ".stencilCompareFunction is ", values.compare, ", must be <= ", MTL::CompareFunctionAlways);
    for (const auto& [what, operation] : {std::pair{"stencilFailureOperation", values.stencilFailure},
                                          std::pair{"depthFailureOperation", values.depthFailure},
                                          std::pair{"depthStencilPassOperation", values.depthStencilPass}}) {
        if (operation <= MTL::StencilOperationDecrementWrap) continue;
        return join(name, ".", what, " is ", operation, ", must be <= ", MTL::StencilOperationDecrementWrap);
    }
    return {};
}

std::string mistakeOf(const DepthStencilValues& values) {
    if (values.depthCompare > MTL::CompareFunctionAlways)
        return join("depthCompareFunction is ", values.depthCompare, ", must be <= ", MTL::CompareFunctionAlways);
    std::string mistake = faceMistake("frontFaceStencil", values.front->values);
    return mistake.empty() ? faceMistake("backFaceStencil", values.back->values) : mistake;
}

}  // namespace

DepthStencilObject::DepthStencilObject(const MTL::Device* device, const DepthStencilValues& values)
    : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
      label(values.label),
      state(stateOf(values)),
      resourceID(Known::add(this)) {}

DepthStencilObject::~DepthStencilObject() {
    Known::remove(resourceID);
}

NS::SharedPtr<DepthStencilObject> DepthStencilObject::find(std::uint64_t resourceID) {
    return Known::find(resourceID);
}

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

namespace {

StencilValues& values(const StencilDescriptor* descriptor) {
    return as<StencilDescriptorObject>(descriptor)->values;
}
DepthStencilValues& values(const DepthStencilDescriptor* descriptor) {
    return as<DepthStencilDescriptorObject>(descriptor)->values;
}

}  // namespace

// ---- StencilDescriptor ----

StencilDescriptor* StencilDescriptor::alloc() {
    return new StencilDescriptorObject;
}
StencilDescriptor* StencilDescriptor::init() {
    return this;
}

CompareFunction StencilDescriptor::stencilCompareFunction() const {
    return values(this).compare;
}
void StencilDescriptor::setStencilCompareFunction(CompareFunction stencilCompareFunction) {
    values(this).compare = stencilCompareFunction;
}

StencilOperation StencilDescriptor::stencilFailureOperation() const {
    return values(this).stencilFailure;
}
void StencilDescriptor::setStencilFailureOperation(StencilOperation stencilFailureOperation) {
    values(this).stencilFailure = stencilFailureOperation;
}

StencilOperation StencilDescriptor::depthFailureOperation() const {
    return values(this).depthFailure;
}
void StencilDescriptor::setDepthFailureOperation(StencilOperation depthFailureOperation) {
    values(this).depthFailure = depthFailureOperation;
}

StencilOperation StencilDescriptor::depthStencilPassOperation() const {
    return values(this).depthStencilPass;
}
void StencilDescriptor::setDepthStencilPassOperation(StencilOperation depthStencilPassOperation) {
    values(this).depthStencilPass = depthStencilPassOperation;
}

std::uint32_t StencilDescriptor::readMask() const {
    return values(this).readMask;
}
void StencilDescriptor::setReadMask(std::uint32_t readMask) {
    values(this).readMask = readMask;
}

std::uint32_t StencilDescriptor::writeMask() const {
    return values(this).writeMask;
}
void StencilDescriptor::setWriteMask(std::uint32_t writeMask) {
    values(this).writeMask = writeMask;
}

// ---- DepthStencilDescriptor ----

DepthStencilDescriptor* DepthStencilDescriptor::alloc() {
    return new DepthStencilDescriptorObject;
}
DepthStencilDescriptor* DepthStencilDescriptor::init() {
    return this;
}

CompareFunction DepthStencilDescriptor::depthCompareFunction() const {
    return values(this).depthCompare;
}
void DepthStencilDescriptor::setDepthCompareFunction(CompareFunction depthCompareFunction) {
    values(this).depthCompare = depthCompareFunction;
}

bool DepthStencilDescriptor::isDepthWriteEnabled() const {
    return values(this).writesDepth;
}
void DepthStencilDescriptor::setDepthWriteEnabled(bool depthWriteEnabled) {
    values(this).writesDepth = depthWriteEnabled;
}

StencilDescriptor* DepthStencilDescriptor::frontFaceStencil() const {
    return values(this).front.get();
}
void DepthStencilDescriptor::setFrontFaceStencil(const StencilDescriptor* frontFaceStencil) {
    values(this).front.replace(as<StencilDescriptorObject>(frontFaceStencil));
}

StencilDescriptor* DepthStencilDescriptor::backFaceStencil() const {
    return values(this).back.get();
}
void DepthStencilDescriptor::setBackFaceStencil(const StencilDescriptor* backFaceStencil) {
    values(this).back.replace(as<StencilDescriptorObject>(backFaceStencil));
}

NS::String* DepthStencilDescriptor::label() const {
    return values(this).label.get();
}
void DepthStencilDescriptor::setLabel(const NS::String* label) {
    values(this).label = NS::RetainPtr(const_cast<NS::String*>(label));
}

// ---- DepthStencilState ----

DepthStencilState* Device::newDepthStencilState(const DepthStencilDescriptor* descriptor) {
    std::string mistake = descriptor == nullptr ? "descriptor must not be nil" : mistakeOf(values(descriptor));
    if (mistake.empty()) return new DepthStencilObject(this, values(descriptor));
    reportMistake("newDepthStencilState: " + mistake);
    return nullptr;
}
Device* DepthStencilState::device() const {
    return as<DepthStencilObject>(this)->device.get();
}
ResourceID DepthStencilState::gpuResourceID() const {
    return {as<DepthStencilObject>(this)->resourceID};
}
NS::String* DepthStencilState::label() const {
    return as<DepthStencilObject>(this)->label.get();
}

}  // namespace MTL

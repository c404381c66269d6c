// SPDX-License-Identifier: MIT

#include "parallel_render_encoder.hpp"

#include "capture_session.hpp"
#include "debug_pass.hpp"
#include "error.hpp"
#include "join.hpp"
#include "passes.hpp"

namespace metal_objects {

RenderEncoderObject* ParallelRenderEncoderObject::makeEncoder() {
    std::lock_guard lock(mutex_);
    if (!mayEncode("renderCommandEncoder")) return nullptr;
    encoders_.push_back(NS::TransferPtr(new RenderEncoderObject(commandBuffer.get(), pass_, true)));
    return encoders_.back().get();
}

bool ParallelRenderEncoderObject::finish() {
    std::lock_guard lock(mutex_);
    for (const auto& encoder : encoders_) {
        if (!encoder->isOpen()) continue;
        commandBuffer->noteMistake(
            "endEncoding: a render command encoder of the parallel encoder has not ended encoding");
        encoder->end();
    }
    encoders_.clear();
    if (std::string mistake = pass_->end(); !mistake.empty()) commandBuffer->noteMistake(std::move(mistake));
    return true;
}

namespace {

/// The pass, begun; null, having noted the mistake, when that cannot be.
std::shared_ptr<PassInProgress> beginPass(CommandBufferObject* commandBuffer, const char* call,
                                          const MTL::RenderPassDescriptor* descriptor) {
    if (!commandBuffer->mayEncode(call)) return nullptr;
    auto pass = std::make_shared<PassInProgress>(commandBuffer);
    const std::string mistake = descriptor == nullptr ? "renderPassDescriptor must not be nil"
                                                      : pass->begin(as<RenderPassDescriptorObject>(descriptor)->values);
    if (mistake.empty()) {
        if (auto* record = commandBuffer->record()) record->beginEncoder("render");
        return pass;
    }
    const std::string why = join(call, ": ", mistake);
    reportMistake(why);
    commandBuffer->noteMistake(why);
    return nullptr;
}

void takePassSamples(EncoderPart* encoder, PassInProgress& pass) {
    for (NS::UInteger i = 0; i < PassSampleArrayObject::count; ++i) {
        const PassSampleObject* attachment = pass.targets.values().samples->find(i);
        if (attachment == nullptr || !attachment->values.sampleBuffer) continue;
        const PassSampleValues& values = attachment->values;
        const MTL::CounterSampleBuffer* buffer = values.sampleBuffer.get();
        const auto* samples = as<CounterBufferObject>(buffer);
        takeSample(encoder, buffer, "startOfVertexSampleIndex", values.startOfVertex, SampleTime::now);
        if (mayTakeSample(encoder, buffer, "endOfVertexSampleIndex", values.endOfVertex))
            pass.verticesEnd.push_back(sampling(samples, values.endOfVertex));
        if (mayTakeSample(encoder, buffer, "startOfFragmentSampleIndex", values.startOfFragment))
            pass.fragmentsBegin.push_back(sampling(samples, values.startOfFragment));
        takeSample(encoder, buffer, "endOfFragmentSampleIndex", values.endOfFragment, SampleTime::encoderEnd);
    }
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::CommandBufferObject;
using metal_objects::ParallelRenderEncoderObject;

namespace MTL {

RenderCommandEncoder* CommandBuffer::renderCommandEncoder(const RenderPassDescriptor* renderPassDescriptor) {
    auto* commandBuffer = as<CommandBufferObject>(this);
    auto pass = metal_objects::beginPass(commandBuffer, "renderCommandEncoder", renderPassDescriptor);
    if (pass == nullptr) return nullptr;
    auto* encoder = new metal_objects::RenderEncoderObject(commandBuffer, pass, false);
    metal_objects::watchPass(commandBuffer, encoder, pass->targets);
    metal_objects::takePassSamples(encoder, *pass);
    return encoder->autorelease();
}

ParallelRenderCommandEncoder* CommandBuffer::parallelRenderCommandEncoder(
    const RenderPassDescriptor* renderPassDescriptor) {
    auto* commandBuffer = as<CommandBufferObject>(this);
    auto pass = metal_objects::beginPass(commandBuffer, "parallelRenderCommandEncoder", renderPassDescriptor);
    if (pass == nullptr) return nullptr;
    auto* encoder = new ParallelRenderEncoderObject(commandBuffer, pass);
    metal_objects::watchPass(commandBuffer, encoder, pass->targets);
    metal_objects::takePassSamples(encoder, *pass);
    return encoder->autorelease();
}

namespace {

ParallelRenderEncoderObject* self(const ParallelRenderCommandEncoder* encoder) {
    return as<ParallelRenderEncoderObject>(encoder);
}

void noteStore(const ParallelRenderCommandEncoder* encoder, const char* call, const std::string& mistake) {
    if (!mistake.empty()) self(encoder)->noteMistake(std::string(call) + ": " + mistake);
}

std::string optionsMistake(StoreActionOptions options) {
    return options <= StoreActionOptionCustomSamplePositions ? std::string() : "unknown storeActionOptions";
}

}  // namespace

RenderCommandEncoder* ParallelRenderCommandEncoder::renderCommandEncoder() {
    return self(this)->makeEncoder();
}

void ParallelRenderCommandEncoder::setColorStoreAction(StoreAction storeAction, NS::UInteger colorAttachmentIndex) {
    if (!self(this)->mayEncode("setColorStoreAction")) return;
    noteStore(this, "setColorStoreAction", self(this)->targets().setColorStore(storeAction, colorAttachmentIndex));
}
void ParallelRenderCommandEncoder::setDepthStoreAction(StoreAction storeAction) {
    if (!self(this)->mayEncode("setDepthStoreAction")) return;
    noteStore(this, "setDepthStoreAction", self(this)->targets().setDepthStore(storeAction));
}
void ParallelRenderCommandEncoder::setStencilStoreAction(StoreAction storeAction) {
    if (!self(this)->mayEncode("setStencilStoreAction")) return;
    noteStore(this, "setStencilStoreAction", self(this)->targets().setStencilStore(storeAction));
}

// As of the encoders that draw.
void ParallelRenderCommandEncoder::setColorStoreActionOptions(StoreActionOptions storeActionOptions, NS::UInteger) {
    if (self(this)->mayEncode("setColorStoreActionOptions"))
        noteStore(this, "setColorStoreActionOptions", optionsMistake(storeActionOptions));
}
void ParallelRenderCommandEncoder::setDepthStoreActionOptions(StoreActionOptions storeActionOptions) {
    if (self(this)->mayEncode("setDepthStoreActionOptions"))
        noteStore(this, "setDepthStoreActionOptions", optionsMistake(storeActionOptions));
}
void ParallelRenderCommandEncoder::setStencilStoreActionOptions(StoreActionOptions storeActionOptions) {
    if (self(this)->mayEncode("setStencilStoreActionOptions"))
        noteStore(this, "setStencilStoreActionOptions", optionsMistake(storeActionOptions));
}

}  // namespace MTL

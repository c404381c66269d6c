// SPDX-License-Identifier: MIT
//
// What the public class hands to the encoder's object.

#include "buffer.hpp"
#include "function_tables.hpp"
#include "render_encoder.hpp"
#include "sampler.hpp"
#include "texture.hpp"

using metal_objects::ArgumentTable;
using metal_objects::as;
using metal_objects::BufferObject;
using metal_objects::FunctionTableObject;
using metal_objects::RenderEncoderObject;
using metal_objects::SamplerObject;
using metal_objects::TextureObject;

namespace MTL {

namespace {

RenderEncoderObject* self(const RenderCommandEncoder* encoder) {
    return as<RenderEncoderObject>(encoder);
}
ArgumentTable& vertex(const RenderCommandEncoder* encoder) {
    return self(encoder)->vertexTable;
}
ArgumentTable& fragment(const RenderCommandEncoder* encoder) {
    return self(encoder)->fragmentTable;
}

void setSampler(ArgumentTable& table, const SamplerState* sampler, float least, float most, NS::UInteger index) {
    const float clamps[] = {least, most};
    table.setSampler(as<SamplerObject>(sampler), index, clamps);
}

/// False, having said so, where an array that has elements is null.
bool isThere(const RenderCommandEncoder* encoder, const char* call, const void* array, NS::UInteger count) {
    if (array != nullptr || count == 0) return true;
    self(encoder)->noteMistake(std::string(call) + ": the array must not be null");
    return false;
}

}  // namespace

// ---- What vertex functions take ----

void RenderCommandEncoder::setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    vertex(this).setBuffer(as<BufferObject>(buffer), offset, index);
}
void RenderCommandEncoder::setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger stride,
                                           NS::UInteger index) {
    vertex(this).setBuffer(as<BufferObject>(buffer), offset, index, stride);
}
void RenderCommandEncoder::setVertexBufferOffset(NS::UInteger offset, NS::UInteger index) {
    vertex(this).setBufferOffset(offset, index);
}
void RenderCommandEncoder::setVertexBufferOffset(NS::UInteger offset, NS::UInteger stride, NS::UInteger index) {
    vertex(this).setBufferOffset(offset, index, stride);
}

void RenderCommandEncoder::setVertexBuffers(const Buffer* const buffers[], const NS::UInteger offsets[],
                                            NS::Range range) {
    if (!isThere(this, "setVertexBuffers", buffers, range.length)) return;
    if (!isThere(this, "setVertexBuffers", offsets, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i) setVertexBuffer(buffers[i], offsets[i], range.location + i);
}

void RenderCommandEncoder::setVertexBuffers(const Buffer* const buffers[], const NS::UInteger* offsets,
                                            const NS::UInteger* strides, NS::Range range) {
    for (const void* array :
         {static_cast<const void*>(buffers), static_cast<const void*>(offsets), static_cast<const void*>(strides)}) {
        if (!isThere(this, "setVertexBuffers", array, range.length)) return;
    }
    for (NS::UInteger i = 0; i < range.length; ++i)
        setVertexBuffer(buffers[i], offsets[i], strides[i], range.location + i);
}

void RenderCommandEncoder::setVertexBytes(const void* bytes, NS::UInteger length, NS::UInteger index) {
    vertex(this).setBytes(bytes, length, index);
}
void RenderCommandEncoder::setVertexBytes(const void* bytes, NS::UInteger length, NS::UInteger stride,
                                          NS::UInteger index) {
    vertex(this).setBytes(bytes, length, index, stride);
}
void RenderCommandEncoder::setVertexTexture(const Texture* texture, NS::UInteger index) {
    vertex(this).setTexture(as<TextureObject>(texture), index);
}
void RenderCommandEncoder::setVertexTextures(const Texture* const textures[], NS::Range range) {
    if (!isThere(this, "setVertexTextures", textures, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i) setVertexTexture(textures[i], range.location + i);
}
void RenderCommandEncoder::setVertexSamplerState(const SamplerState* sampler, NS::UInteger index) {
    vertex(this).setSampler(as<SamplerObject>(sampler), index, nullptr);
}
void RenderCommandEncoder::setVertexSamplerState(const SamplerState* sampler, float lodMinClamp, float lodMaxClamp,
                                                 NS::UInteger index) {
    setSampler(vertex(this), sampler, lodMinClamp, lodMaxClamp, index);
}
void RenderCommandEncoder::setVertexSamplerStates(const SamplerState* const samplers[], NS::Range range) {
    if (!isThere(this, "setVertexSamplerStates", samplers, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i) setVertexSamplerState(samplers[i], range.location + i);
}
void RenderCommandEncoder::setVertexSamplerStates(const SamplerState* const samplers[], const float lodMinClamps[],
                                                  const float lodMaxClamps[], NS::Range range) {
    for (const void* array : {static_cast<const void*>(samplers), static_cast<const void*>(lodMinClamps),
                              static_cast<const void*>(lodMaxClamps)}) {
        if (!isThere(this, "setVertexSamplerStates", array, range.length)) return;
    }
    for (NS::UInteger i = 0; i < range.length; ++i)
        setVertexSamplerState(samplers[i], lodMinClamps[i], lodMaxClamps[i], range.location + i);
}
void RenderCommandEncoder::setVertexVisibleFunctionTable(const VisibleFunctionTable* functionTable,
                                                         NS::UInteger bufferIndex) {
    vertex(this).setFunctionTable(as<FunctionTableObject>(functionTable), bufferIndex);
}
void RenderCommandEncoder::setVertexVisibleFunctionTables(const VisibleFunctionTable* const functionTables[],
                                                          NS::Range range) {
    if (!isThere(this, "setVertexVisibleFunctionTables", functionTables, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i)
        setVertexVisibleFunctionTable(functionTables[i], range.location + i);
}

// ---- What fragment functions take ----

void RenderCommandEncoder::setFragmentBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    fragment(this).setBuffer(as<BufferObject>(buffer), offset, index);
}
void RenderCommandEncoder::setFragmentBufferOffset(NS::UInteger offset, NS::UInteger index) {
    fragment(this).setBufferOffset(offset, index);
}
void RenderCommandEncoder::setFragmentBuffers(const Buffer* const buffers[], const NS::UInteger offsets[],
                                              NS::Range range) {
    if (!isThere(this, "setFragmentBuffers", buffers, range.length)) return;
    if (!isThere(this, "setFragmentBuffers", offsets, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i) setFragmentBuffer(buffers[i], offsets[i], range.location + i);
}
void RenderCommandEncoder::setFragmentBytes(const void* bytes, NS::UInteger length, NS::UInteger index) {
    fragment(this).setBytes(bytes, length, index);
}
void RenderCommandEncoder::setFragmentTexture(const Texture* texture, NS::UInteger index) {
    fragment(this).setTexture(as<TextureObject>(texture), index);
}
void RenderCommandEncoder::setFragmentTextures(const Texture* const textures[], NS::Range range) {
    if (!isThere(this, "setFragmentTextures", textures, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i) setFragmentTexture(textures[i], range.location + i);
}
void RenderCommandEncoder::setFragmentSamplerState(const SamplerState* sampler, NS::UInteger index) {
    fragment(this).setSampler(as<SamplerObject>(sampler), index, nullptr);
}
void RenderCommandEncoder::setFragmentSamplerState(const SamplerState* sampler, float lodMinClamp, float lodMaxClamp,
                                                   NS::UInteger index) {
    setSampler(fragment(this), sampler, lodMinClamp, lodMaxClamp, index);
}
void RenderCommandEncoder::setFragmentSamplerStates(const SamplerState* const samplers[], NS::Range range) {
    if (!isThere(this, "setFragmentSamplerStates", samplers, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i) setFragmentSamplerState(samplers[i], range.location + i);
}
void RenderCommandEncoder::setFragmentSamplerStates(const SamplerState* const samplers[], const float lodMinClamps[],
                                                    const float lodMaxClamps[], NS::Range range) {
    for (const void* array : {static_cast<const void*>(samplers), static_cast<const void*>(lodMinClamps),
                              static_cast<const void*>(lodMaxClamps)}) {
        if (!isThere(this, "setFragmentSamplerStates", array, range.length)) return;
    }
    for (NS::UInteger i = 0; i < range.length; ++i)
        setFragmentSamplerState(samplers[i], lodMinClamps[i], lodMaxClamps[i], range.location + i);
}
void RenderCommandEncoder::setFragmentVisibleFunctionTable(const VisibleFunctionTable* functionTable,
                                                           NS::UInteger bufferIndex) {
    fragment(this).setFunctionTable(as<FunctionTableObject>(functionTable), bufferIndex);
}
void RenderCommandEncoder::setFragmentVisibleFunctionTables(const VisibleFunctionTable* const functionTables[],
                                                            NS::Range range) {
    if (!isThere(this, "setFragmentVisibleFunctionTables", functionTables, range.length)) return;
    for (NS::UInteger i = 0; i < range.length; ++i)
        setFragmentVisibleFunctionTable(functionTables[i], range.location + i);
}

}  // namespace MTL

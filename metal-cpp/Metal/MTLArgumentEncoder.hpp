// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class Buffer;
class ComputePipelineState;
class Device;
class IndirectCommandBuffer;
class RenderPipelineState;
class SamplerState;
class Texture;
class VisibleFunctionTable;

/// Writes the members of an argument buffer by their `[[id(n)]]`. A program may as well write gpuAddress() and
/// gpuResourceID() at the members' offsets.
class ArgumentEncoder : public NS::Referencing<ArgumentEncoder> {
public:
    NS::UInteger alignment() const;

    /// Where a member that is no resource lies; null before setArgumentBuffer().
    void* constantData(NS::UInteger index);

    Device* device() const;
    NS::UInteger encodedLength() const;
    NS::String* label() const;

    /// Caller owns the result (+1). Of the struct that the pointer with this id points at; null when there is none.
    ArgumentEncoder* newArgumentEncoder(NS::UInteger index);

    void setArgumentBuffer(const Buffer* argumentBuffer, NS::UInteger offset);

    /// The struct at `arrayElement` of an array that starts at `startOffset`.
    void setArgumentBuffer(const Buffer* argumentBuffer, NS::UInteger startOffset, NS::UInteger arrayElement);

    void setBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);
    void setBuffers(const Buffer* const buffers[], const NS::UInteger offsets[], NS::Range range);

    /// Of pipelines with supportIndirectCommandBuffers().
    void setComputePipelineState(const ComputePipelineState* pipeline, NS::UInteger index);
    void setComputePipelineStates(const ComputePipelineState* const pipelines[], NS::Range range);

    void setIndirectCommandBuffer(const IndirectCommandBuffer* indirectCommandBuffer, NS::UInteger index);
    void setIndirectCommandBuffers(const IndirectCommandBuffer* const buffers[], NS::Range range);
    void setLabel(const NS::String* label);
    void setRenderPipelineState(const RenderPipelineState* pipeline, NS::UInteger index);
    void setRenderPipelineStates(const RenderPipelineState* const pipelines[], NS::Range range);
    void setSamplerState(const SamplerState* sampler, NS::UInteger index);
    void setSamplerStates(const SamplerState* const samplers[], NS::Range range);
    void setTexture(const Texture* texture, NS::UInteger index);
    void setTextures(const Texture* const textures[], NS::Range range);
    void setVisibleFunctionTable(const VisibleFunctionTable* visibleFunctionTable, NS::UInteger index);
    void setVisibleFunctionTables(const VisibleFunctionTable* const visibleFunctionTables[], NS::Range range);
};

}  // namespace MTL

// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class CounterSampleBuffer;
class Fence;
class IndirectCommandBuffer;
class Resource;
class Texture;

using BlitOption = NS::UInteger;
enum : BlitOption {
    BlitOptionNone = 0,
    BlitOptionDepthFromDepthStencil = 1,
    BlitOptionStencilFromDepthStencil = 1 << 1,
    BlitOptionRowLinearPVRTC = 1 << 2,
};

/// Copies between resources.
class BlitCommandEncoder : public NS::Referencing<BlitCommandEncoder, CommandEncoder> {
public:
    void copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset, NS::UInteger sourceBytesPerRow,
                        NS::UInteger sourceBytesPerImage, Size sourceSize, const Texture* destinationTexture,
                        NS::UInteger destinationSlice, NS::UInteger destinationLevel, Origin destinationOrigin);
    void copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset, NS::UInteger sourceBytesPerRow,
                        NS::UInteger sourceBytesPerImage, Size sourceSize, const Texture* destinationTexture,
                        NS::UInteger destinationSlice, NS::UInteger destinationLevel, Origin destinationOrigin,
                        BlitOption options);
    void copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset, const Buffer* destinationBuffer,
                        NS::UInteger destinationOffset, NS::UInteger size);
    void copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice, NS::UInteger sourceLevel,
                         Origin sourceOrigin, Size sourceSize, const Texture* destinationTexture,
                         NS::UInteger destinationSlice, NS::UInteger destinationLevel, Origin destinationOrigin);
    void copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice, NS::UInteger sourceLevel,
                         Origin sourceOrigin, Size sourceSize, const Buffer* destinationBuffer,
                         NS::UInteger destinationOffset, NS::UInteger destinationBytesPerRow,
                         NS::UInteger destinationBytesPerImage);
    void copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice, NS::UInteger sourceLevel,
                         Origin sourceOrigin, Size sourceSize, const Buffer* destinationBuffer,
                         NS::UInteger destinationOffset, NS::UInteger destinationBytesPerRow,
                         NS::UInteger destinationBytesPerImage, BlitOption options);
    void copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice, NS::UInteger sourceLevel,
                         const Texture* destinationTexture, NS::UInteger destinationSlice,
                         NS::UInteger destinationLevel, NS::UInteger sliceCount, NS::UInteger levelCount);
    void copyFromTexture(const Texture* sourceTexture, const Texture* destinationTexture);

    /// Between buffers whose descriptors are the same.
    void copyIndirectCommandBuffer(const IndirectCommandBuffer* source, NS::Range sourceRange,
                                   const IndirectCommandBuffer* destination, NS::UInteger destinationIndex);

    void fillBuffer(const Buffer* buffer, NS::Range range, std::uint8_t value);
    void generateMipmaps(const Texture* texture);
    void optimizeContentsForCPUAccess(const Texture* texture);
    void optimizeContentsForCPUAccess(const Texture* texture, NS::UInteger slice, NS::UInteger level);
    void optimizeContentsForGPUAccess(const Texture* texture);
    void optimizeContentsForGPUAccess(const Texture* texture, NS::UInteger slice, NS::UInteger level);

    void optimizeIndirectCommandBuffer(const IndirectCommandBuffer* indirectCommandBuffer, NS::Range range);

    /// Empties commands.
    void resetCommandsInBuffer(const IndirectCommandBuffer* buffer, NS::Range range);

    /// Copies samples into the buffer, 8 bytes each, at an offset that is a multiple of 8.
    void resolveCounters(const CounterSampleBuffer* sampleBuffer, NS::Range range, const Buffer* destinationBuffer,
                         NS::UInteger destinationOffset);

    /// Takes a sample when the commands before have ended.
    void sampleCountersInBuffer(const CounterSampleBuffer* sampleBuffer, NS::UInteger sampleIndex, bool barrier);

    /// Managed storage: what kernels wrote reaches contents().
    void synchronizeResource(const Resource* resource);

    void synchronizeTexture(const Texture* texture, NS::UInteger slice, NS::UInteger level);
    void updateFence(const Fence* fence);
    void waitForFence(const Fence* fence);
};

}  // namespace MTL

// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLGPUAddress.hpp"
#include "MTLResource.hpp"

namespace MTL {

class Device;
class Texture;
class TextureDescriptor;

/// Bytes that kernels and the processor share.
class Buffer : public NS::Referencing<Buffer, Resource> {
public:
    /// The bytes; null for private storage. Of managed storage this is the processor's copy.
    void* contents();

    /// Managed storage: what was written through contents() in `range` reaches kernels. Without it they do not see it.
    void didModifyRange(NS::Range range);

    GPUAddress gpuAddress() const;
    NS::UInteger length() const;

    /// A texture of one level that shares this buffer's bytes. Caller owns the result (+1). Null when offset, row
    /// length, type or storage does not allow it.
    Texture* newTexture(const TextureDescriptor* descriptor, NS::UInteger offset, NS::UInteger bytesPerRow);
};

}  // namespace MTL

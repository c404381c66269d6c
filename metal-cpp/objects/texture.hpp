// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "../executor/kernel_abi.h"
#include "drawable_work.hpp"
#include "pixel_formats.hpp"
#include "resource.hpp"

namespace metal_objects {

/// Where texels are, or come from: rows of images.
struct Texels {
    std::uint8_t* data = nullptr;
    NS::UInteger bytesPerRow = 0;
    NS::UInteger bytesPerImage = 0;
};

class TextureObject final : public Implements<MTL::Texture>, public ResourcePart {
public:
    ~TextureObject() override;

    /// Null when there is not enough memory. The values have been checked.
    static TextureObject* make(const MTL::Device* device, const TextureValues& values);

    /// The same on memory that has enough bytes for it: bytesOf().
    static TextureObject* makeOn(const MTL::Device* device, const TextureValues& values,
                                 std::shared_ptr<metal_executor::Memory> memory);

    /// What all levels and slices take.
    static NS::UInteger bytesOf(const MTL::Device* device, const TextureValues& values);

    /// One level on a buffer's bytes.
    static TextureObject* makeLinear(const MTL::Buffer* buffer, const TextureValues& values, NS::UInteger offset,
                                     NS::UInteger bytesPerRow);

    /// Some levels and slices of `parent`, whose memory it shares. The values have been checked.
    static TextureObject* makeView(const TextureObject* parent, const TextureValues& values, NS::UInteger level,
                                   NS::UInteger slice);

    const TextureValues values;
    const PixelFormat format;
    metal_texture handle{};  // what kernels see
    NS::SharedPtr<MTL::Buffer> buffer;
    NS::UInteger bufferOffset = 0;
    NS::UInteger bufferBytesPerRow = 0;
    NS::SharedPtr<MTL::Texture> parent;  // of a view, with where in it the view begins
    NS::UInteger parentLevel = 0;
    NS::UInteger parentSlice = 0;
    std::shared_ptr<DrawableWork> drawableWork;  // null: not a drawable's, nor a view of one's

    /// Whether it shows other components than its texels have: then nothing can be written.
    bool isSwizzled() const { return (handle.pixel_format & ~metal_texels::formatBits) != 0; }

    NS::UInteger sliceCount() const;
    MTL::Size levelSize(NS::UInteger level) const;
    NS::UInteger allocatedSize() const override { return buffer || parent ? 0 : ResourcePart::allocatedSize(); }

    /// The texels from `origin` on; a 3D texture's images are its depth. `forHost`: in what the processor sees.
    Texels texels(NS::UInteger level, NS::UInteger slice, MTL::Origin origin, bool forHost = false) const;

    /// Empty when the region is in the texture, else what Metal's validation would say.
    std::string regionMistake(MTL::Origin origin, MTL::Size size, NS::UInteger level, NS::UInteger slice) const;

    /// The same for rows of `size` in memory.
    std::string rowsMistake(MTL::Size size, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage) const;

private:
    TextureObject(const MTL::Device* device, const TextureValues& values);
    NS::UInteger layOut();
    void place(std::uint8_t* base);
};

}  // namespace metal_objects

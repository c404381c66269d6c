// SPDX-License-Identifier: MIT

#include "mipmaps.hpp"

#include <algorithm>

namespace metal_objects {

namespace {

/// The mean of the up to 2 x 2 x 2 texels of `level - 1` under one texel of `level`.
void mean(const TextureObject& texture, NS::UInteger level, NS::UInteger slice, MTL::Origin at, float rgba[4]) {
    const MTL::Size above = texture.levelSize(level - 1);
    const auto end = [](NS::UInteger begin, NS::UInteger size) { return std::min(begin + 2, size); };
    const MTL::Origin begin(std::min(2 * at.x, above.width - 1), std::min(2 * at.y, above.height - 1),
                            std::min(2 * at.z, above.depth - 1));
    int count = 0;
    std::fill_n(rgba, 4, 0.0f);
    for (NS::UInteger z = begin.z; z < end(begin.z, above.depth); ++z) {
        for (NS::UInteger y = begin.y; y < end(begin.y, above.height); ++y) {
            for (NS::UInteger x = begin.x; x < end(begin.x, above.width); ++x, ++count) {
                float texel[4];
                texture.format.read(texture.texels(level - 1, slice, MTL::Origin(x, y, z)).data, texel);
                for (int c = 0; c < 4; ++c) rgba[c] += texel[c];
            }
        }
    }
    for (int c = 0; c < 4; ++c) rgba[c] /= static_cast<float>(count);
}

}  // namespace

void makeLevels(const TextureObject& texture) {
    for (NS::UInteger level = 1; level < texture.values.mipmapLevelCount; ++level) {
        const MTL::Size size = texture.levelSize(level);
        for (NS::UInteger slice = 0; slice < texture.sliceCount(); ++slice) {
            for (NS::UInteger z = 0; z < size.depth; ++z) {
                for (NS::UInteger y = 0; y < size.height; ++y) {
                    for (NS::UInteger x = 0; x < size.width; ++x) {
                        float rgba[4];
                        const MTL::Origin at(x, y, z);
                        mean(texture, level, slice, at, rgba);
                        texture.format.write(texture.texels(level, slice, at).data, rgba);
                    }
                }
            }
        }
    }
}

}  // namespace metal_objects

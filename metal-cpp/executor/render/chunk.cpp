// SPDX-License-Identifier: MIT

#include "chunk.hpp"

#include <algorithm>
#include <cstring>

namespace metal_executor::render {

void Chunk::reserve(std::uint32_t count) {
    // Not a power of two: columns would meet in the same lines of a cache.
    const std::uint32_t wanted = (count + 15) / 16 * 16 + 16;
    if (wanted <= stride) return;
    const std::size_t size = std::size_t{wanted} * columnCount;
    if (values.size() < size) values.resize(size);
    for (std::uint32_t number = columnCount; number-- > 0 && vertexCount != 0;) {
        std::memmove(values.data() + std::size_t{number} * wanted, values.data() + std::size_t{number} * stride,
                     vertexCount * sizeof(std::uint32_t));
    }
    stride = wanted;
}

std::uint32_t Chunk::addVertex() {
    if (vertexCount == stride) reserve(stride + stride / 2);
    return vertexCount++;
}

}  // namespace metal_executor::render

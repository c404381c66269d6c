// SPDX-License-Identifier: MIT

#include "tile_texels.hpp"

#include <algorithm>
#include <cstring>

#include "../texel_formats.hpp"

namespace metal_executor::render {
namespace {

// Quad rows that are converted at a time are about so many elements.
constexpr std::size_t slabElements = 1024;
static_assert(slabElements >= 2 * maxTileSize);  // a row of quads

std::uint8_t* rowOf(const TargetImage& image, const TileArea& area, unsigned sample, std::uint32_t y,
                    std::size_t texelBytes) {
    return image.data + area.layer * image.bytesPerLayer + sample * image.bytesPerSample +
           std::uint64_t{area.y + y} * image.bytesPerRow + area.x * texelBytes;
}

// Calls `body(texel, element)` for each texel of a row of the tile: its number in the row and its element.
template <class Body>
METAL_INLINED void forRow(const TileArea& area, std::uint32_t y, Body body) {
    const std::size_t first = std::size_t{4} * area.quadsPerRow * (y / 2) + 2 * (y & 1);
    for (std::uint32_t pair = 0; pair < area.width / 2; ++pair) {
        body(2 * pair, first + 4 * pair);
        body(2 * pair + 1, first + 4 * pair + 1);
    }
    if (area.width & 1) body(area.width - 1, first + 2 * std::size_t{area.width - 1});
}

// Texels of one field in `bytes` bytes, `stride` from one to the next.
template <std::size_t bytes, std::size_t stride>
void putRow(const TileArea& area, std::uint32_t y, const std::uint32_t* words, std::uint8_t* row) {
    forRow(area, y, [&](std::uint32_t texel, std::size_t element) {
        std::memcpy(row + texel * stride, words + element, bytes);  // the low bytes: processors here are little-endian
    });
}
template <std::size_t bytes, std::size_t stride>
void takeRow(const TileArea& area, std::uint32_t y, const std::uint8_t* row, Word* words) {
    forRow(area, y, [&](std::uint32_t texel, std::size_t element) {
        std::uint32_t word = 0;
        std::memcpy(&word, row + texel * stride, bytes);
        words[element] = word;
    });
}

template <std::size_t count>
void putWords(const TileArea& area, std::uint32_t y, const std::uint32_t* const* words, std::uint8_t* row) {
    forRow(area, y, [&](std::uint32_t texel, std::size_t element) {
        for (std::size_t word = 0; word < count; ++word)
            std::memcpy(row + 4 * (count * texel + word), words[word] + element, 4);
    });
}
template <std::size_t count>
void takeWords(const TileArea& area, std::uint32_t y, const std::uint8_t* row, std::uint32_t* const* words) {
    forRow(area, y, [&](std::uint32_t texel, std::size_t element) {
        for (std::size_t word = 0; word < count; ++word)
            std::memcpy(words[word] + element, row + 4 * (count * texel + word), 4);
    });
}

void putTexels(unsigned texelBytes, const TileArea& area, std::uint32_t y, const std::uint32_t* const* words,
               std::uint8_t* row) {
    switch (texelBytes) {
        case 1:
            return putRow<1, 1>(area, y, words[0], row);
        case 2:
            return putRow<2, 2>(area, y, words[0], row);
        case 4:
            return putRow<4, 4>(area, y, words[0], row);
        case 8:
            return putWords<2>(area, y, words, row);
        default:
            return putWords<4>(area, y, words, row);
    }
}

void takeTexels(unsigned texelBytes, const TileArea& area, std::uint32_t y, const std::uint8_t* row,
                std::uint32_t* const* words) {
    switch (texelBytes) {
        case 1:
            return takeRow<1, 1>(area, y, row, words[0]);
        case 2:
            return takeRow<2, 2>(area, y, row, words[0]);
        case 4:
            return takeRow<4, 4>(area, y, row, words[0]);
        case 8:
            return takeWords<2>(area, y, row, words);
        default:
            return takeWords<4>(area, y, row, words);
    }
}

// Some rows of quads, as an area of their own.
struct Slab {
    TileArea area;
    std::size_t first;  // element of the tile
};

template <class Body>
void forSlabs(const TileArea& area, Body body) {
    const std::size_t perRow = std::size_t{4} * area.quadsPerRow;
    const auto rows = static_cast<std::uint32_t>(std::max<std::size_t>(1, slabElements / perRow));
    for (std::uint32_t row = 0; row < area.quadRows; row += rows) {
        Slab slab{area, perRow * row};
        slab.area.quadRows = std::min(rows, area.quadRows - row);
        slab.area.y += 2 * row;
        slab.area.height = std::min(2 * slab.area.quadRows, area.height - 2 * row);
        body(slab);
    }
}

struct alignas(64) Words {
    std::uint32_t of[4][slabElements];
    std::uint32_t* columns[4] = {of[0], of[1], of[2], of[3]};
};

}  // namespace

void loadColors(const TargetImage& image, const TexelColumns& format, const TileArea& area, unsigned sample,
                float* const* columns) {
    Words words;
    const bool isCut = (area.width | area.height) & 1;
    forSlabs(area, [&](const Slab& slab) {
        const std::size_t count = slab.area.elements();
        if (isCut)  // pixels outside of the target are converted too
            for (unsigned word = 0; word < format.wordCount(); ++word) std::fill_n(words.of[word], count, 0u);
        for (std::uint32_t y = 0; y < slab.area.height; ++y)
            takeTexels(format.texelBytes(), slab.area, y, rowOf(image, slab.area, sample, y, format.texelBytes()),
                       words.columns);
        float* to[4] = {};
        for (unsigned component = 0; component < format.components(); ++component)
            to[component] = columns[component] + slab.first;
        format.unpack(words.columns, to, count);
    });
}

void storeColors(const TargetImage& image, const TexelColumns& format, const TileArea& area, unsigned sample,
                 const float* const* columns) {
    Words words;
    forSlabs(area, [&](const Slab& slab) {
        const float* from[4] = {};
        for (unsigned component = 0; component < format.components(); ++component)
            from[component] = columns[component] + slab.first;
        format.pack(from, words.columns, slab.area.elements());
        for (std::uint32_t y = 0; y < slab.area.height; ++y)
            putTexels(format.texelBytes(), slab.area, y, words.columns,
                      rowOf(image, slab.area, sample, y, format.texelBytes()));
    });
}

void fillColors(const TargetImage& image, const TexelColumns& format, const TileArea& area, unsigned sample,
                const float* const* columns) {
    std::uint32_t words[4] = {};
    std::uint32_t* places[4] = {&words[0], &words[1], &words[2], &words[3]};
    format.pack(columns, places, 1);
    const std::size_t texelBytes = format.texelBytes(), rowBytes = area.width * texelBytes;
    for (std::uint32_t y = 0; y < area.height; ++y) {
        std::uint8_t* row = rowOf(image, area, sample, y, texelBytes);
        if (y > 0) {
            std::memcpy(row, rowOf(image, area, sample, 0, texelBytes), rowBytes);
        } else {
            for (std::uint32_t x = 0; x < area.width; ++x) std::memcpy(row + x * texelBytes, words, texelBytes);
        }
    }
}

void loadDepths(const TargetImage& image, const DepthUnits& units, const TileArea& area, unsigned sample,
                float* depths) {
    auto* words = reinterpret_cast<Word*>(depths);
    std::fill_n(depths, area.elements(), 0.0f);
    const auto take = [&](std::size_t texelBytes, auto row) {
        for (std::uint32_t y = 0; y < area.height; ++y) row(area, y, rowOf(image, area, sample, y, texelBytes), words);
    };
    switch (image.format) {
        case metal_texels::Depth16Unorm:
            take(2, takeRow<2, 2>);
            break;
        case metal_texels::Depth24Unorm_Stencil8:
            take(4, takeRow<3, 4>);
            break;
        case metal_texels::Depth32Float_Stencil8:
            take(8, takeRow<4, 8>);
            break;
        default:
            take(4, takeRow<4, 4>);
    }
    if (units.areFloat()) return;
    for (std::size_t index = 0; index < area.elements(); ++index)
        depths[index] = static_cast<float>(__builtin_bit_cast(std::int32_t, depths[index]));
}

void storeDepths(const TargetImage& image, const DepthUnits& units, const TileArea& area, unsigned sample,
                 const float* depths) {
    alignas(64) std::uint32_t words[slabElements];
    forSlabs(area, [&](const Slab& slab) {
        for (std::size_t index = 0; index < slab.area.elements(); ++index) {
            const float depth = depths[slab.first + index];
            words[index] = units.areFloat() ? bitsOf(depth) : static_cast<std::uint32_t>(depth);
        }
        const auto put = [&](std::size_t texelBytes, auto row) {
            for (std::uint32_t y = 0; y < slab.area.height; ++y)
                row(slab.area, y, words, rowOf(image, slab.area, sample, y, texelBytes));
        };
        switch (image.format) {
            case metal_texels::Depth16Unorm:
                return put(2, putRow<2, 2>);
            case metal_texels::Depth24Unorm_Stencil8:
                return put(4, putRow<3, 4>);
            case metal_texels::Depth32Float_Stencil8:
                return put(8, putRow<4, 8>);
            default:
                return put(4, putRow<4, 4>);
        }
    });
}

namespace {

// Bytes of a texel that holds a stencil, and which of them it is.
struct StencilPlace {
    std::size_t texelBytes, offset;
};
StencilPlace stencilPlace(std::uint32_t format) {
    switch (format) {
        case metal_texels::Depth24Unorm_Stencil8:
        case metal_texels::X24_Stencil8:
            return {4, 3};
        case metal_texels::Depth32Float_Stencil8:
        case metal_texels::X32_Stencil8:
            return {8, 4};
        default:
            return {1, 0};
    }
}

}  // namespace

void loadStencils(const TargetImage& image, const TileArea& area, unsigned sample, std::uint32_t* stencils) {
    const StencilPlace place = stencilPlace(image.format);
    std::fill_n(stencils, area.elements(), 0u);
    for (std::uint32_t y = 0; y < area.height; ++y) {
        const std::uint8_t* row = rowOf(image, area, sample, y, place.texelBytes) + place.offset;
        forRow(area, y,
               [&](std::uint32_t texel, std::size_t element) { stencils[element] = row[texel * place.texelBytes]; });
    }
}

void storeStencils(const TargetImage& image, const TileArea& area, unsigned sample, const std::uint32_t* stencils) {
    const StencilPlace place = stencilPlace(image.format);
    for (std::uint32_t y = 0; y < area.height; ++y) {
        std::uint8_t* row = rowOf(image, area, sample, y, place.texelBytes) + place.offset;
        forRow(area, y, [&](std::uint32_t texel, std::size_t element) {
            row[texel * place.texelBytes] = static_cast<std::uint8_t>(stencils[element]);
        });
    }
}

}  // namespace metal_executor::render

// SPDX-License-Identifier: MIT

#include "attributes.hpp"

#include <algorithm>

#include "texel_formats.hpp"

namespace metal_executor {
namespace {

using namespace metal_texels;

// MTL::AttributeFormat; those between these follow in order.
enum Format : std::uint32_t {
    uchar2 = 1,
    char2 = 4,
    uchar2Normalized = 7,
    char2Normalized = 10,
    ushort2 = 13,
    short2 = 16,
    ushort2Normalized = 19,
    short2Normalized = 22,
    half2 = 25,
    float1 = 28,
    int1 = 32,
    uint1 = 36,
    int1010102Normalized = 40,
    uint1010102Normalized = 41,
    uchar4NormalizedBgra = 42,
    uchar1 = 45,
    char1 = 46,
    uchar1Normalized = 47,
    char1Normalized = 48,
    ushort1 = 49,
    short1 = 50,
    ushort1Normalized = 51,
    short1Normalized = 52,
    half1 = 53,
    floatRG11B10 = 54,
    floatRGB9E5 = 55,
};

constexpr Layout ofWord(Kind kind, std::uint8_t alphaBits) {
    return {kind, 4, 4, {10, 10, 10, alphaBits}, true};
}

Layout layoutOfAttribute(std::uint32_t format) {
    struct Run {
        std::uint32_t first, length;
        Kind kind;
        std::uint8_t bits, components;  // of the first; one more for each that follows
    };
    static constexpr Run runs[] = {
        {uchar2, 3, Kind::uint, 8, 2},
        {char2, 3, Kind::sint, 8, 2},
        {uchar2Normalized, 3, Kind::unorm, 8, 2},
        {char2Normalized, 3, Kind::snorm, 8, 2},
        {ushort2, 3, Kind::uint, 16, 2},
        {short2, 3, Kind::sint, 16, 2},
        {ushort2Normalized, 3, Kind::unorm, 16, 2},
        {short2Normalized, 3, Kind::snorm, 16, 2},
        {half2, 3, Kind::floating, 16, 2},
        {float1, 4, Kind::floating, 32, 1},
        {int1, 4, Kind::sint, 32, 1},
        {uint1, 4, Kind::uint, 32, 1},
        {uchar1, 1, Kind::uint, 8, 1},
        {char1, 1, Kind::sint, 8, 1},
        {uchar1Normalized, 1, Kind::unorm, 8, 1},
        {char1Normalized, 1, Kind::snorm, 8, 1},
        {ushort1, 1, Kind::uint, 16, 1},
        {short1, 1, Kind::sint, 16, 1},
        {ushort1Normalized, 1, Kind::unorm, 16, 1},
        {short1Normalized, 1, Kind::snorm, 16, 1},
        {half1, 1, Kind::floating, 16, 1},
    };
    for (const Run& run : runs) {
        if (format < run.first || format - run.first >= run.length) continue;
        return plain(run.kind, static_cast<std::uint8_t>(run.components + format - run.first), run.bits);
    }
    switch (format) {
        case int1010102Normalized:
            return ofWord(Kind::snorm, 2);
        case uint1010102Normalized:
            return ofWord(Kind::unorm, 2);
        case uchar4NormalizedBgra:
            return layoutOf(BGRA8Unorm);
        case floatRG11B10:
            return layoutOf(RG11B10Float);
        case floatRGB9E5:
            return layoutOf(RGB9E5Float);
        default:
            return {};
    }
}

/// The bits of the four components: of floats, or of integers of 32 bits.
void load(const Layout& layout, const std::uint8_t* element, std::uint32_t (&bits)[4]) {
    const bool isInteger = layout.isInteger();
    bits[0] = bits[1] = bits[2] = 0;
    bits[3] = isInteger ? 1 : bitsOf(1.0f);
    if (layout.kind == sharedExponent) {
        float rgba[4] = {0, 0, 0, 1};
        loadShared(static_cast<std::uint32_t>(loadFields(element, 4)), rgba);
        for (int i = 0; i < 3; ++i) bits[i] = bitsOf(rgba[i]);
        return;
    }
    std::uint32_t raw[4];
    loadRaw(layout, element, raw);
    for (int i = 0; i < layout.components; ++i) {
        std::uint32_t& to = bits[layout.order[i]];
        if (layout.kind == sint) {
            to = static_cast<std::uint32_t>(signExtended(raw[i], layout.bits[i]));
        } else {
            to = isInteger ? raw[i] : bitsOf(realOf(layout, i, raw[i]));
        }
    }
}

/// Numbers of 32 bits, which are stored as they are read.
bool isOfWords(const Layout& layout) {
    return !layout.packed && layout.bits[0] == 32 && layout.kind != sharedExponent;
}

/// The same as load() for elements of words: column after column.
void loadWords(const Attribute& attribute, const Layout& layout, const std::uint64_t* elements, std::size_t count,
               std::uint64_t fits, std::uint32_t* const* to, std::uint32_t components) {
    const std::uint32_t one = layout.isInteger() ? 1 : bitsOf(1.0f);
    for (std::uint32_t component = 0; component < components; ++component) {
        std::uint32_t* column = to[component];
        if (component >= layout.components) {
            for (std::size_t i = 0; i < count; ++i) column[i] = component == 3 && elements[i] < fits ? one : 0;
            continue;
        }
        const std::uint8_t* from = attribute.data + 4 * component;
        for (std::size_t i = 0; i < count; ++i)
            column[i] = elements[i] < fits ? loadAs<std::uint32_t>(from + elements[i] * attribute.stride) : 0;
    }
}

std::uint64_t indexAt(const StageIn& in, std::uint64_t place) {
    if (place >= in.indexBytes / in.indexSize) return noElement;
    const std::uint8_t* at = in.indices + place * in.indexSize;
    return in.indexSize == 2 ? loadAs<std::uint16_t>(at) : loadAs<std::uint32_t>(at);
}

/// The element that the thread at column x of row y takes.
std::uint64_t elementOf(const StageIn& in, const StageIn::Input& input, std::uint64_t x, std::uint64_t y) {
    switch (input.step) {
        case AttributeStep::constant:
            return 0;
        case AttributeStep::x:
            return x / input.rate;
        case AttributeStep::y:
            return y / input.rate;
        case AttributeStep::indexedX:
            return indexAt(in, x / input.rate);
        case AttributeStep::indexedY:
            return indexAt(in, y / input.rate);
    }
    return noElement;
}

}  // namespace

AttributeFormatFacts attributeFormatFacts(std::uint32_t format) {
    const Layout layout = layoutOfAttribute(format);
    AttributeFormatFacts facts;
    facts.bytes = layout.bytes;
    facts.components = format == floatRGB9E5 || format == floatRG11B10 ? 3 : layout.components;
    if (layout.kind == Kind::none) return facts;
    facts.kind = layout.kind == sint         ? AttributeKind::signedInteger
                 : layout.kind == Kind::uint ? AttributeKind::unsignedInteger
                                             : AttributeKind::real;
    return facts;
}

void fetchAttribute(const Attribute& attribute, const std::uint64_t* elements, std::size_t count, void* const* columns,
                    std::size_t first) {
    const Layout layout = layoutOfAttribute(attribute.format);
    const std::uint64_t fits = attribute.bytes < layout.bytes ? 0
                               : attribute.stride == 0        ? UINT64_MAX
                                                              : (attribute.bytes - layout.bytes) / attribute.stride + 1;
    const std::uint32_t components = std::min<std::uint32_t>(attribute.columnCount, 4);
    std::uint32_t* to[4] = {};
    for (std::uint32_t i = 0; i < components; ++i)
        to[i] = static_cast<std::uint32_t*>(columns[attribute.column + i]) + first;
    if (isOfWords(layout)) return loadWords(attribute, layout, elements, count, fits, to, components);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t bits[4] = {0, 0, 0, 0};
        if (elements[i] < fits) load(layout, attribute.data + elements[i] * attribute.stride, bits);
        for (std::uint32_t component = 0; component < components; ++component) to[component][i] = bits[component];
    }
}

std::unique_ptr<StageColumns> StageColumns::make(const StageIn& in, metal_launch& launch,
                                                 const std::atomic<bool>& stopRequested, std::string& whyNot) {
    if (in.hasRegion) {
        for (int axis = 0; axis < 3; ++axis) {
            launch.grid_origin[axis] = in.indirectRegion ? in.indirectRegion[axis] : in.origin[axis];
            launch.grid_size[axis] = in.indirectRegion ? in.indirectRegion[3 + axis] : in.size[axis];
        }
    }
    std::unique_ptr<StageColumns> made(new StageColumns);
    std::uint64_t threads = 0;
    const std::uint32_t* grid = launch.threads_per_grid;
    if (__builtin_mul_overflow(std::uint64_t{grid[0]} * grid[1], grid[2], &threads)) threads = UINT64_MAX;
    if (!made->allocate(in, threads, whyNot)) return nullptr;
    for (const StageIn::Input& input : in.inputs) made->fill(input, in, launch, stopRequested);
    made->stage_.inputs = made->columns_.data();
    launch.stage = &made->stage_;
    return made;
}

bool StageColumns::allocate(const StageIn& in, std::uint64_t threads, std::string& whyNot) {
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(threads, in.columnCount * sizeof(std::uint32_t), &bytes)) bytes = UINT64_MAX;
    memory_ = Memory::allocate(bytes, &whyNot);
    if (memory_ == nullptr) return false;
    auto* first = static_cast<std::uint32_t*>(memory_->address());
    for (std::uint32_t column = 0; column < in.columnCount; ++column) columns_.push_back(first + column * threads);
    return true;
}

void StageColumns::fill(const StageIn::Input& input, const StageIn& in, const metal_launch& launch,
                        const std::atomic<bool>& stopRequested) {
    constexpr std::size_t atATime = 1024;
    std::uint64_t elements[atATime];
    const std::uint32_t *grid = launch.threads_per_grid, *origin = launch.grid_origin, *size = launch.grid_size;
    for (std::uint64_t row = 0; row < std::uint64_t{grid[1]} * grid[2]; ++row) {
        const std::uint64_t y = row % grid[1], z = row / grid[1];
        const std::uint64_t fed = y < size[1] && z < size[2] ? size[0] : 0;
        for (std::uint64_t first = 0; first < grid[0]; first += atATime) {
            if (stopRequested.load(std::memory_order_relaxed)) return;
            const std::size_t count = std::min<std::uint64_t>(atATime, grid[0] - first);
            for (std::size_t i = 0; i < count; ++i) {
                elements[i] = first + i < fed ? elementOf(in, input, origin[0] + first + i, origin[1] + y) : noElement;
            }
            fetchAttribute(input.attribute, elements, count, columns_.data(), row * grid[0] + first);
        }
    }
}

}  // namespace metal_executor

// SPDX-License-Identifier: MIT

#include "texel_columns.hpp"

#include <algorithm>

#include "texel_codecs.hpp"

namespace metal_executor::render {
namespace {

using metal_texels::Kind;

enum class Step : std::uint8_t { encode, decode, quantise };

struct Tables {
    SrgbBuckets srgb;
    ExtendedSrgbTable extendedSrgb;
};
const Tables& tables() {
    static const Tables all;
    return all;
}

struct Component {
    Kind kind = metal_texels::none;
    int bits = 0;
    int skip = 0;
};

template <class Codec>
METAL_INLINED void run(Step step, const Codec codec, const Word* from, Word* to, std::size_t count) {
    switch (step) {
        case Step::encode:
#pragma GCC ivdep
            for (std::size_t index = 0; index < count; ++index) to[index] = codec.encode(ofBits(from[index]));
            break;
        case Step::decode:
#pragma GCC ivdep
            for (std::size_t index = 0; index < count; ++index) to[index] = bitsOf(codec.decode(from[index]));
            break;
        case Step::quantise:
#pragma GCC ivdep
            for (std::size_t index = 0; index < count; ++index)
                to[index] = bitsOf(codec.decode(codec.encode(ofBits(from[index]))));
            break;
    }
}

// One component, from numbers to fields or back.
METAL_VECTORISED
void convert(Step step, Component component, const Tables& tables, const Word* from, Word* to, std::size_t count) {
    const int bits = component.bits;
    switch (component.kind) {
        case metal_texels::unorm:
            if (bits == 8) return run(step, Unorm8Codec{}, from, to, count);
            return run(step, UnormCodec{static_cast<float>((1 << bits) - 1)}, from, to, count);
        case metal_texels::srgb:
            return run(step, SrgbCodec{tables.srgb}, from, to, count);
        case metal_texels::snorm:
            return run(step, SnormCodec{bits}, from, to, count);
        case metal_texels::floating:
            if (bits == 16) return run(step, HalfCodec{}, from, to, count);
            return run(step, FloatCodec{}, from, to, count);
        case metal_texels::smallFloat:
            return run(step, SmallFloatCodec{bits - 5}, from, to, count);
        case metal_texels::extended:
            return run(step, ExtendedCodec{component.skip}, from, to, count);
        case metal_texels::extendedSrgb:
            return run(step, ExtendedSrgbCodec{tables.extendedSrgb, component.skip}, from, to, count);
        case metal_texels::uint:
            return run(step, UnsignedCodec{metal_texels::onesOf(bits)}, from, to, count);
        case metal_texels::sint:
            return run(step, SignedCodec{bits}, from, to, count);
        default:
            return;
    }
}

METAL_VECTORISED
void mergeField(const Word* fields, int shift, bool isFirst, Word* words, std::size_t count) {
    if (isFirst) {
#pragma GCC ivdep
        for (std::size_t index = 0; index < count; ++index) words[index] = fields[index] << shift;
    } else {
#pragma GCC ivdep
        for (std::size_t index = 0; index < count; ++index) words[index] |= fields[index] << shift;
    }
}

METAL_VECTORISED
void takeField(const Word* words, int shift, std::uint32_t mask, Word* fields, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) fields[index] = words[index] >> shift & mask;
}

Component componentOf(const metal_texels::Layout& layout, unsigned index) {
    Component component{layout.kind, layout.bits[index], layout.skip};
    if (layout.order[index] == 3 && layout.kind == metal_texels::srgb) component.kind = metal_texels::unorm;
    if (layout.order[index] == 3 && layout.kind == metal_texels::extendedSrgb) component.kind = metal_texels::extended;
    return component;
}

constexpr std::size_t slab = 256;  // elements that fields are made of at a time: they stay in the nearest cache

}  // namespace

TexelColumns::TexelColumns(std::uint32_t format) : format_(format), layout_(metal_texels::layoutOf(format)) {
    unsigned bit = layout_.offset * 8u;
    for (unsigned index = 0; index < layout_.components; ++index) {
        columnOf_[layout_.order[index]] = static_cast<std::int8_t>(index);
        bitOf_[index] = static_cast<std::uint8_t>(bit);
        bit += layout_.bits[index];
    }
    isExact_ = layout_.bits[0] == 32;
}

bool TexelColumns::isUnsignedNormalized() const {
    return layout_.kind == metal_texels::unorm || layout_.kind == metal_texels::srgb;
}

void TexelColumns::quantise(const float* const* from, float* const* to, std::size_t count) const {
    if (isJoint()) {
        for (std::size_t index = 0; index < count; ++index) {
            const float before[3] = {from[0][index], from[1][index], from[2][index]};
            float after[3];
            metal_texels::loadShared(metal_texels::storeShared(before), after);
            for (unsigned component = 0; component < 3; ++component) to[component][index] = after[component];
        }
        return;
    }
    for (unsigned index = 0; index < components(); ++index)
        convert(Step::quantise, componentOf(layout_, index), tables(), reinterpret_cast<const Word*>(from[index]),
                reinterpret_cast<Word*>(to[index]), count);
}

void TexelColumns::pack(const float* const* columns, std::uint32_t* const* words, std::size_t count) const {
    if (isJoint()) {
        for (std::size_t index = 0; index < count; ++index) {
            const float rgb[3] = {columns[0][index], columns[1][index], columns[2][index]};
            words[0][index] = metal_texels::storeShared(rgb);
        }
        return;
    }
    alignas(64) std::uint32_t fields[slab];
    for (std::size_t first = 0; first < count; first += slab) {
        const std::size_t part = std::min(slab, count - first);
        bool isBegun[4] = {};
        for (unsigned index = 0; index < components(); ++index) {
            convert(Step::encode, componentOf(layout_, index), tables(),
                    reinterpret_cast<const Word*>(columns[index] + first), fields, part);
            const unsigned word = bitOf_[index] / 32;
            mergeField(fields, bitOf_[index] % 32, !isBegun[word], words[word] + first, part);
            isBegun[word] = true;
        }
    }
}

void TexelColumns::unpack(const std::uint32_t* const* words, float* const* columns, std::size_t count) const {
    if (isJoint()) {
        for (std::size_t index = 0; index < count; ++index) {
            float rgb[3];
            metal_texels::loadShared(words[0][index], rgb);
            for (unsigned component = 0; component < 3; ++component) columns[component][index] = rgb[component];
        }
        return;
    }
    alignas(64) std::uint32_t fields[slab];
    for (std::size_t first = 0; first < count; first += slab) {
        const std::size_t part = std::min(slab, count - first);
        for (unsigned index = 0; index < components(); ++index) {
            takeField(words[bitOf_[index] / 32] + first, bitOf_[index] % 32, metal_texels::onesOf(layout_.bits[index]),
                      fields, part);
            convert(Step::decode, componentOf(layout_, index), tables(), fields,
                    reinterpret_cast<Word*>(columns[index] + first), part);
        }
    }
}

}  // namespace metal_executor::render

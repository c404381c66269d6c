// SPDX-License-Identifier: MIT
//
// Texels as columns of numbers, one column for each component: conversions of many at once.

#pragma once

#include <cstddef>
#include <cstdint>

#include "../texel_formats.hpp"

namespace metal_executor::render {

class TexelColumns {
public:
    TexelColumns() = default;
    explicit TexelColumns(std::uint32_t format);

    /// Components that the format has, in memory's order, and which of red, green, blue, alpha each is.
    unsigned components() const { return layout_.components; }
    unsigned channel(unsigned component) const { return layout_.order[component]; }
    bool has(unsigned channel) const { return columnOf_[channel] >= 0; }
    /// Which column holds a channel that the format has.
    unsigned columnOf(unsigned channel) const { return static_cast<unsigned>(columnOf_[channel]); }

    bool isInteger() const { return layout_.isInteger(); }
    bool isSigned() const { return layout_.kind == metal_texels::sint; }
    /// Blending's limits: 0 to 1, -1 to 1, none.
    bool isUnsignedNormalized() const;
    bool isSignedNormalized() const { return layout_.kind == metal_texels::snorm; }
    /// Whether components can only be stored all together, since they share an exponent.
    bool isJoint() const { return layout_.kind == metal_texels::sharedExponent; }
    unsigned texelBytes() const { return layout_.bytes; }
    unsigned wordCount() const { return (layout_.bytes + 3u) / 4u; }

    /// Whether any number is stored as it is.
    bool isExact() const { return isExact_; }
    /// What numbers have become once they are stored: `to` may be `from`. One column for each component.
    void quantise(const float* const* from, float* const* to, std::size_t count) const;

    /// Texels as words: the first 32 bits of each in words[0], ...; texels of 8 or 16 bits are the low bits of one
    /// word.
    void pack(const float* const* columns, std::uint32_t* const* words, std::size_t count) const;
    void unpack(const std::uint32_t* const* words, float* const* columns, std::size_t count) const;

private:
    std::uint32_t format_ = 0;
    metal_texels::Layout layout_;
    std::int8_t columnOf_[4] = {-1, -1, -1, -1};
    std::uint8_t bitOf_[4] = {};  // where in the texel each component begins
    bool isExact_ = true;
};

}  // namespace metal_executor::render

// SPDX-License-Identifier: MIT
//
// A point, line or triangle in window coordinates: fixed-point numbers with 8 bits behind the point, y downwards. From
// here on all decisions about coverage are made with integers, so they are exact.

#pragma once

#include <algorithm>
#include <cstdint>

namespace metal_executor::render {

inline constexpr int subpixelBits = 8;
inline constexpr std::int32_t subpixels = 1 << subpixelBits;
/// Window coordinates are clipped to this distance from the origin, in pixels: edge functions then fit into 64 bits.
inline constexpr double guardBand = 32768;

/// Half open.
struct PixelRect {
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    bool isEmpty() const { return x0 >= x1 || y0 >= y1; }
    bool contains(const PixelRect& other) const {
        return other.x0 >= x0 && other.y0 >= y0 && other.x1 <= x1 && other.y1 <= y1;
    }
};

inline PixelRect intersect(const PixelRect& a, const PixelRect& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

enum class Shape : std::uint8_t {
    triangle,
    line,
    point,  // x[1]: its size, y[1]: unused
};

struct Primitive {
    // Of a triangle in the order that makes its area positive (clockwise on the screen).
    std::int32_t x[3], y[3];
    float z[3];  // in the viewport's depth range
    float inverseW[3];
    std::uint32_t vertex[3];  // in the chunk's columns
    std::uint32_t provoking;  // whose flat values count
    std::uint32_t id;         // [[primitive_id]]
    float depthBias;
    std::uint16_t layer;
    std::uint8_t viewport;
    Shape shape;
    bool isBack;
    bool isSwapped;  // the last two vertices changed places
    bool isClipped;  // vertices may be new: their barycentric coordinates are in the chunk's last three columns
};

}  // namespace metal_executor::render

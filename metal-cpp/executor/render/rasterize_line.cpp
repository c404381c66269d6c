// SPDX-License-Identifier: MIT
//
// Lines one pixel wide. With one sample a pixel is covered when the line leaves its diamond (the points nearer than
// half a pixel to its middle, counted along both axes), so that lines that follow one another cover their common pixel
// once. With several samples a line is a rectangle.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "rasterize.hpp"

namespace metal_executor::render {
namespace {

constexpr std::int32_t half = subpixels / 2;

/// A number v + d e + s e^2, e being smaller than any number that matters: ends of lines are thought to lie a little
/// off from where they are, so that none lies on the border of a diamond. See `exits`.
struct Nudged {
    std::int64_t value = 0;
    std::int64_t first = 0, second = 0;

    int sign() const {
        for (const std::int64_t part : {value, first, second}) {
            if (part != 0) return part > 0 ? 1 : -1;
        }
        return 0;
    }
    Nudged operator-() const { return {-value, -first, -second}; }
    friend Nudged operator+(const Nudged& a, const Nudged& b) {
        return {a.value + b.value, a.first + b.first, a.second + b.second};
    }
    friend Nudged operator-(const Nudged& a, const Nudged& b) { return a + -b; }
};

Nudged absolute(const Nudged& number) {
    return number.sign() < 0 ? -number : number;
}

/// A line as seen along the axis on which it is longer: `u` there, `v` across.
struct Steps {
    std::int32_t u0, v0, u1, v1;
    bool isSteep;  // u is y

    // All of the line is moved by (-e, -e^2) in x and y.
    Nudged nudgedU(std::int64_t u) const { return isSteep ? Nudged{u, 0, -1} : Nudged{u, -1, 0}; }
    Nudged nudgedV(std::int64_t v) const { return isSteep ? Nudged{v, -1, 0} : Nudged{v, 0, -1}; }

    bool isInDiamond(std::int32_t u, std::int32_t v, std::int32_t pixelU, std::int32_t pixelV) const {
        const Nudged du = absolute(nudgedU(std::int64_t{u} - (std::int64_t{pixelU} * subpixels + half)));
        const Nudged dv = absolute(nudgedV(std::int64_t{v} - (std::int64_t{pixelV} * subpixels + half)));
        return (du + dv - Nudged{half, 0, 0}).sign() < 0;
    }

    /// The pixel across whose middle the line goes at the middle of column `pixelU`; the line goes upwards in u.
    std::int32_t pixelAt(std::int32_t pixelU) const {
        const std::int64_t du = std::int64_t{u1} - u0, dv = std::int64_t{v1} - v0;
        const std::int64_t middle = std::int64_t{pixelU} * subpixels + half;
        // v = v0 + dv (middle - u0) / du, in units of a subpixel divided by du.
        const std::int64_t numerator = std::int64_t{v0} * du + dv * (middle - u0);
        const std::int64_t unit = du * subpixels;
        std::int64_t pixel = numerator / unit - (numerator % unit < 0 ? 1 : 0);
        if (numerator % unit == 0) {
            // On a border: the move decides. v changes by move(v) - dv / du move(u).
            const std::int64_t byU = dv;  // -(-1) dv
            const Nudged change = isSteep ? Nudged{0, -du, byU} : Nudged{0, byU, -du};
            if (change.sign() < 0) --pixel;
        }
        return static_cast<std::int32_t>(pixel);
    }

    /// Whether the line leaves the diamond of a pixel that pixelAt() gave. `isForward`: it was not turned round.
    bool exits(std::int32_t pixelU, std::int32_t pixelV, bool isForward) const {
        const bool startsIn = isInDiamond(u0, v0, pixelU, pixelV), endsIn = isInDiamond(u1, v1, pixelU, pixelV);
        if (isForward ? endsIn : startsIn) return false;
        if (startsIn || endsIn) return true;
        const std::int64_t middle = std::int64_t{pixelU} * subpixels + half;
        return nudgedU(u0 - middle).sign() < 0 && nudgedU(u1 - middle).sign() > 0;
    }
};

void thinLine(const Primitive& line, const PixelRect& pixels, QuadTaker& taker) {
    const std::int64_t dx = std::int64_t{line.x[1]} - line.x[0], dy = std::int64_t{line.y[1]} - line.y[0];
    Steps steps{line.x[0], line.y[0], line.x[1], line.y[1], std::abs(dy) > std::abs(dx)};
    if (steps.isSteep) steps = {line.y[0], line.x[0], line.y[1], line.x[1], true};
    const bool isForward = steps.u0 < steps.u1;
    if (!isForward) {
        std::swap(steps.u0, steps.u1);
        std::swap(steps.v0, steps.v1);
    }
    const std::int32_t least = steps.isSteep ? pixels.y0 : pixels.x0, most = steps.isSteep ? pixels.y1 : pixels.x1;
    const std::int32_t begin = std::max((steps.u0 >> subpixelBits) - 1, least);
    const std::int32_t end = std::min((steps.u1 >> subpixelBits) + 2, most);
    for (std::int32_t u = begin; u < end; ++u) {
        const std::int32_t v = steps.pixelAt(u);
        const std::int32_t x = steps.isSteep ? v : u, y = steps.isSteep ? u : v;
        if (x < pixels.x0 || x >= pixels.x1 || y < pixels.y0 || y >= pixels.y1) continue;
        if (!steps.exits(u, v, isForward)) continue;
        std::uint32_t coverage[4] = {0, 0, 0, 0};
        coverage[(x & 1) + 2 * (y & 1)] = 1;
        taker.take(x & ~1, y & ~1, coverage);
    }
}

void wideLine(const Primitive& line, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker) {
    const double dx = line.x[1] - line.x[0], dy = line.y[1] - line.y[0];
    const double scale = half / std::hypot(dx, dy);
    const auto acrossX = static_cast<std::int32_t>(std::lrint(-dy * scale));
    const auto acrossY = static_cast<std::int32_t>(std::lrint(dx * scale));
    // Clockwise on the screen: along the left side, then back along the right.
    const std::int32_t x[4] = {line.x[0] - acrossX, line.x[1] - acrossX, line.x[1] + acrossX, line.x[0] + acrossX};
    const std::int32_t y[4] = {line.y[0] - acrossY, line.y[1] - acrossY, line.y[1] + acrossY, line.y[0] + acrossY};
    rasterizePolygon(x, y, 4, pixels, samples, taker);
}

}  // namespace

void rasterizeLine(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker) {
    if (samples.count == 1) {
        thinLine(primitive, pixels, taker);
    } else {
        wideLine(primitive, pixels, samples, taker);
    }
}

}  // namespace metal_executor::render

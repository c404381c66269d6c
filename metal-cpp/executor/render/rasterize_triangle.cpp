// SPDX-License-Identifier: MIT
//
// Triangles by blocks of 8x8 pixels: a block is outside of an edge, inside of all, or its quads are looked at one by
// one.

#include <algorithm>
#include <cstdint>

#include "rasterize.hpp"

namespace metal_executor::render {
namespace {

constexpr std::int32_t blockSize = 8, smallSize = 12;
constexpr unsigned mostEdges = 4;

struct alignas(16) Four {
    std::int32_t i[4];
};

// A quad's four pixels in one register, and the same bits as two numbers.
using Lanes = std::int32_t __attribute__((vector_size(16)));
using Pairs = std::int64_t __attribute__((vector_size(16)));

/// Which of a quad's pixels a rectangle holds: a bit for each.
std::uint32_t pixelsInside(std::int32_t x, std::int32_t y, const PixelRect& rect) {
    const std::uint32_t columns =
        (x >= rect.x0 && x < rect.x1 ? 5u : 0u) | (x + 1 >= rect.x0 && x + 1 < rect.x1 ? 10u : 0u);
    const std::uint32_t rows =
        (y >= rect.y0 && y < rect.y1 ? 3u : 0u) | (y + 1 >= rect.y0 && y + 1 < rect.y1 ? 12u : 0u);
    return columns & rows;
}

/// Edges for one sample of every pixel.
struct SampleEdges {
    Edge edges[mostEdges];
    // What is added from the quad's first pixel to its others.
    Four steps[mostEdges];
};

/// Edges as a block sees them: in 32 bits. A block that an edge crosses has values that fit; others are only known to
/// be large.
std::int32_t shortened(std::int64_t value) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    return static_cast<std::int32_t>(std::clamp(value, -most, most));
}

class Polygon {
public:
    Polygon(const std::int32_t* x, const std::int32_t* y, unsigned corners, const SampleGrid& samples)
        : edgeCount_(corners), sampleCount_(samples.count), all_(samples.all()) {
        for (unsigned s = 0; s < sampleCount_; ++s) {
            for (unsigned i = 0; i < corners; ++i) {
                const unsigned next = i + 1 == corners ? 0 : i + 1;
                const Edge edge = Edge::between(x[i], y[i], x[next], y[next], samples.x[s], samples.y[s]);
                samples_[s].edges[i] = edge;
                samples_[s].steps[i] = {{0, edge.a, edge.b, edge.a + edge.b}};
            }
        }
    }

    void block(const PixelRect& block, const PixelRect& pixels, QuadTaker& taker) const {
        bool isFull = pixels.contains(block);
        bool isSeen = false;
        for (unsigned s = 0; s < sampleCount_; ++s) {
            bool isOutside = false, isInside = true;
            for (unsigned i = 0; i < edgeCount_; ++i) {
                const Edge& edge = samples_[s].edges[i];
                isOutside |= edge.most(block) < 0;
                isInside &= edge.least(block) >= 0;
            }
            isSeen |= !isOutside;
            isFull &= isInside;
        }
        if (!isSeen) return;
        if (isFull) return taker.takeBlock(block, all_);
        quads(block, pixels, taker);
    }

    /// The quads of a block one by one; its sides need not be even.
    void quads(const PixelRect& block, const PixelRect& pixels, QuadTaker& taker) const {
        if (sampleCount_ == 1 && edgeCount_ == 3) return plainQuads(block, pixels, taker);
        const PixelRect seen = intersect(block, pixels);
        const std::int32_t x0 = seen.x0 & ~1, y0 = seen.y0 & ~1;
        const bool isCut = !pixels.contains({x0, y0, (seen.x1 + 1) & ~1, (seen.y1 + 1) & ~1});
        std::int32_t starts[8][mostEdges];
        for (unsigned s = 0; s < sampleCount_; ++s) {
            for (unsigned i = 0; i < edgeCount_; ++i) starts[s][i] = shortened(samples_[s].edges[i].at(x0, y0));
        }
        for (std::int32_t y = y0; y < seen.y1; y += 2) {
            for (std::int32_t x = x0; x < seen.x1; x += 2) {
                std::uint32_t coverage[4] = {0, 0, 0, 0};
                for (unsigned s = 0; s < sampleCount_; ++s) {
                    Four outside = {{0, 0, 0, 0}};
                    for (unsigned i = 0; i < edgeCount_; ++i) {
                        const Edge& edge = samples_[s].edges[i];
                        const std::int32_t here = starts[s][i] + edge.a * (x - x0) + edge.b * (y - y0);
                        const Four& steps = samples_[s].steps[i];
                        for (int k = 0; k < 4; ++k) outside.i[k] |= here + steps.i[k];
                    }
                    for (int k = 0; k < 4; ++k) coverage[k] |= static_cast<std::uint32_t>(outside.i[k] >= 0) << s;
                }
                if (isCut) {
                    const std::uint32_t inside = pixelsInside(x, y, pixels);
                    for (unsigned k = 0; k < 4; ++k) coverage[k] = inside >> k & 1 ? coverage[k] : 0;
                }
                if ((coverage[0] | coverage[1] | coverage[2] | coverage[3]) != 0) taker.take(x, y, coverage);
            }
        }
    }

private:
    /// The same for a triangle with one sample in each pixel, which most are: four pixels at a time.
    void plainQuads(const PixelRect& block, const PixelRect& pixels, QuadTaker& taker) const {
        const PixelRect seen = intersect(block, pixels);
        const std::int32_t x0 = seen.x0 & ~1, y0 = seen.y0 & ~1;
        const bool isCut = !pixels.contains({x0, y0, (seen.x1 + 1) & ~1, (seen.y1 + 1) & ~1});
        const SampleEdges& sample = samples_[0];
        Lanes row[3], right[3], down[3];
        for (unsigned i = 0; i < 3; ++i) {
            const Edge& edge = sample.edges[i];
            __builtin_memcpy(&row[i], &sample.steps[i], sizeof row[i]);
            row[i] += shortened(edge.at(x0, y0));
            right[i] = Lanes{} + 2 * edge.a;
            down[i] = Lanes{} + 2 * edge.b;
        }
        for (std::int32_t y = y0; y < seen.y1; y += 2) {
            Lanes here[3] = {row[0], row[1], row[2]};
            for (std::int32_t x = x0; x < seen.x1; x += 2) {
                const Lanes covered = ((here[0] | here[1] | here[2]) >= 0) & 1;
                Pairs pairs;
                __builtin_memcpy(&pairs, &covered, sizeof pairs);
                if ((pairs[0] | pairs[1]) != 0) takeLanes(covered, x, y, isCut, pixels, taker);
                for (unsigned i = 0; i < 3; ++i) here[i] += right[i];
            }
            for (unsigned i = 0; i < 3; ++i) row[i] += down[i];
        }
    }

    static void takeLanes(const Lanes& covered, std::int32_t x, std::int32_t y, bool isCut, const PixelRect& pixels,
                          QuadTaker& taker) {
        alignas(16) std::uint32_t coverage[4];
        __builtin_memcpy(coverage, &covered, sizeof coverage);
        if (isCut) {
            const std::uint32_t inside = pixelsInside(x, y, pixels);
            for (unsigned k = 0; k < 4; ++k) coverage[k] = inside >> k & 1 ? coverage[k] : 0;
            if ((coverage[0] | coverage[1] | coverage[2] | coverage[3]) == 0) return;
        }
        taker.take(x, y, coverage);
    }

    const unsigned edgeCount_, sampleCount_;
    const std::uint32_t all_;
    SampleEdges samples_[8];
};

PixelRect boundsOf(const std::int32_t* x, const std::int32_t* y, unsigned corners) {
    const auto [x0, x1] = std::minmax_element(x, x + corners);
    const auto [y0, y1] = std::minmax_element(y, y + corners);
    return {*x0 >> subpixelBits, *y0 >> subpixelBits, (*x1 >> subpixelBits) + 1, (*y1 >> subpixelBits) + 1};
}

}  // namespace

void rasterizePolygon(const std::int32_t* x, const std::int32_t* y, unsigned corners, const PixelRect& pixels,
                      const SampleGrid& samples, QuadTaker& taker) {
    const PixelRect bounds = intersect(boundsOf(x, y, corners), pixels);
    if (bounds.isEmpty()) return;
    const Polygon polygon(x, y, corners, samples);
    // Looking at a few blocks as wholes costs more than looking at their quads.
    if (bounds.x1 - bounds.x0 <= smallSize && bounds.y1 - bounds.y0 <= smallSize)
        return polygon.quads(bounds, pixels, taker);
    for (std::int32_t by = bounds.y0 & -blockSize; by < bounds.y1; by += blockSize) {
        for (std::int32_t bx = bounds.x0 & -blockSize; bx < bounds.x1; bx += blockSize) {
            polygon.block({bx, by, bx + blockSize, by + blockSize}, bounds, taker);
        }
    }
}

void rasterizeTriangle(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples,
                       QuadTaker& taker) {
    rasterizePolygon(primitive.x, primitive.y, 3, pixels, samples, taker);
}

void rasterize(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker) {
    switch (primitive.shape) {
        case Shape::triangle:
            return rasterizeTriangle(primitive, pixels, samples, taker);
        case Shape::line:
            return rasterizeLine(primitive, pixels, samples, taker);
        case Shape::point:
            return rasterizePoint(primitive, pixels, samples, taker);
    }
}

}  // namespace metal_executor::render

// SPDX-License-Identifier: MIT

#include "setup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "depth_bias.hpp"

namespace metal_executor::render {
namespace {

constexpr float mostPointSize = 511;

std::int32_t fixedPoint(double pixels) {
    return static_cast<std::int32_t>(std::lrint(pixels * subpixels));
}

/// Whether the corners go clockwise on the screen: 1, -1 if not, 0 if they are in a line. Of corners that need not be
/// in front of the eye.
int turnOf(const Chunk& chunk, const ViewportFacts& viewport, const std::uint32_t (&corners)[3]) {
    const std::uint32_t position = chunk.plan->facts->position;
    double x[3], y[3], w[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = chunk.reals(position)[corners[i]];
        y[i] = chunk.reals(position + 1)[corners[i]];
        w[i] = chunk.reals(position + 3)[corners[i]];
    }
    const double determinant =
        x[0] * (y[1] * w[2] - y[2] * w[1]) - y[0] * (x[1] * w[2] - x[2] * w[1]) + w[0] * (x[1] * y[2] - x[2] * y[1]);
    const double turn = determinant * viewport.xScale * viewport.yScale;
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

/// The pixels that may have a covered sample.
PixelRect boundsOf(const Primitive& primitive, const SampleGrid& samples) {
    std::int32_t x0 = primitive.x[0], x1 = x0, y0 = primitive.y[0], y1 = y0;
    const int corners = primitive.shape == Shape::triangle ? 3 : primitive.shape == Shape::line ? 2 : 1;
    for (int i = 1; i < corners; ++i) {
        x0 = std::min(x0, primitive.x[i]);
        x1 = std::max(x1, primitive.x[i]);
        y0 = std::min(y0, primitive.y[i]);
        y1 = std::max(y1, primitive.y[i]);
    }
    if (primitive.shape == Shape::triangle && samples.count == 1) {
        const std::int32_t x = samples.x[0], y = samples.y[0];
        return {(x0 - x + subpixels - 1) >> subpixelBits, (y0 - y + subpixels - 1) >> subpixelBits,
                ((x1 - x) >> subpixelBits) + 1, ((y1 - y) >> subpixelBits) + 1};
    }
    std::int32_t margin = 0;
    if (primitive.shape == Shape::line) margin = subpixels;
    if (primitive.shape == Shape::point) margin = primitive.x[1] / 2 + 1;
    return {(x0 - margin) >> subpixelBits, (y0 - margin) >> subpixelBits, ((x1 + margin) >> subpixelBits) + 1,
            ((y1 + margin) >> subpixelBits) + 1};
}

}  // namespace

PixelRect TileGrid::rect(std::uint32_t tile) const {
    const std::uint32_t inLayer = tile % (columns * rows);
    const std::uint32_t x = inLayer % columns * size, y = inLayer / columns * size;
    return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
            static_cast<std::int32_t>(std::min(x + size, width)),
            static_cast<std::int32_t>(std::min(y + size, height))};
}

void PrimitiveSetup::run(Chunk& chunk, const Assembly& assembly, const TileGrid& grid, const SampleGrid& samples) {
    chunk_ = &chunk;
    grid_ = &grid;
    samples_ = &samples;
    chunk.primitives.clear();
    touches_.clear();
    codes_.clear();
    const PipelineFacts& facts = *chunk.plan->facts;
    if (facts.position == PipelineFacts::none) return sortByTile();
    if (facts.viewport == PipelineFacts::none) {
        const std::uint32_t count = chunk.vertexCount;
        const ViewportFacts& viewport = chunk.plan->viewports.front();
        codes_.resize(count);
        vertices_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) codes_[i] = codeOf(chunk, viewport, i);
        Primitive any{};
        for (std::uint32_t i = 0; i < count; ++i) {
            if ((codes_[i] & (mustClip | notANumber)) == 0) vertices_[i] = window(i, any);
        }
    }
    const unsigned corners = chunk.plan->verticesPerPrimitive();
    for (const AssembledPrimitive& primitive : assembly.primitives) {
        if (corners == 3) {
            addTriangle(primitive);
        } else if (corners == 2) {
            addLine(primitive.vertex[0], primitive.vertex[1], begin(primitive));
        } else {
            addPoint(primitive);
        }
    }
    sortByTile();
}

Primitive PrimitiveSetup::begin(const AssembledPrimitive& from) {
    const PipelineFacts& facts = *chunk_->plan->facts;
    Primitive primitive{};
    primitive.provoking = from.vertex[0];
    primitive.id = from.id;
    if (facts.layer != PipelineFacts::none) {
        const std::uint32_t layer = chunk_->column(facts.layer)[from.vertex[0]];
        primitive.layer = static_cast<std::uint16_t>(layer < grid_->layers ? layer : 0);
    }
    if (facts.viewport != PipelineFacts::none) {
        const std::uint32_t viewport = chunk_->column(facts.viewport)[from.vertex[0]];
        primitive.viewport = static_cast<std::uint8_t>(viewport < chunk_->plan->viewports.size() ? viewport : 0);
    }
    return primitive;
}

std::uint32_t PrimitiveSetup::code(std::uint32_t vertex, const Primitive& like) const {
    return vertex < codes_.size() ? codes_[vertex] : codeOf(*chunk_, viewportOf(like), vertex);
}

PrimitiveSetup::WindowVertex PrimitiveSetup::window(std::uint32_t vertex, const Primitive& like) const {
    const std::uint32_t position = chunk_->plan->facts->position;
    const ViewportFacts& viewport = viewportOf(like);
    const double inverseW = 1.0 / chunk_->reals(position + 3)[vertex];
    WindowVertex made;
    // Clipping at the guard band rounds: clamped so that nothing lies a hair outside of it.
    constexpr double most = guardBand;
    made.x = fixedPoint(
        std::clamp(chunk_->reals(position)[vertex] * inverseW * viewport.xScale + viewport.xOffset, -most, most));
    made.y = fixedPoint(
        std::clamp(chunk_->reals(position + 1)[vertex] * inverseW * viewport.yScale + viewport.yOffset, -most, most));
    made.z = static_cast<float>(chunk_->reals(position + 2)[vertex] * inverseW * viewport.zScale + viewport.zOffset);
    made.inverseW = static_cast<float>(inverseW);
    return made;
}

// ---- Points and lines ----

void PrimitiveSetup::addPoint(const AssembledPrimitive& from) {
    Primitive point = begin(from);
    const std::uint32_t vertex = from.vertex[0];
    if (code(vertex, point) != 0) return;
    float size = 1;
    if (chunk_->plan->facts->pointSize != PipelineFacts::none) {
        size = chunk_->reals(chunk_->plan->facts->pointSize)[vertex];
        size = size >= 1 ? std::min(size, mostPointSize) : 1;
    }
    const WindowVertex at = window(vertex, point);
    point.shape = Shape::point;
    for (int i = 0; i < 3; ++i) {
        point.x[i] = at.x;
        point.y[i] = at.y;
        point.z[i] = at.z;
        point.inverseW[i] = at.inverseW;
        point.vertex[i] = vertex;
    }
    point.x[1] = fixedPoint(size);
    point.depthBias = biasOf(point, 0);
    add(point);
}

void PrimitiveSetup::addLine(std::uint32_t first, std::uint32_t second, const Primitive& like) {
    const std::uint32_t codes[2] = {code(first, like), code(second, like)};
    if (((codes[0] | codes[1]) & notANumber) != 0 || (codes[0] & codes[1]) != 0) return;
    std::uint32_t ends[2] = {first, second};
    const std::uint32_t all = (codes[0] | codes[1]) & mustClip;
    if (all != 0 && !clipLine(*chunk_, viewportOf(like), all, ends)) return;
    Primitive line = like;
    line.shape = Shape::line;
    for (int i = 0; i < 3; ++i) {
        const std::uint32_t vertex = ends[i == 1 ? 1 : 0];
        const WindowVertex at = window(vertex, line);
        line.x[i] = at.x;
        line.y[i] = at.y;
        line.z[i] = at.z;
        line.inverseW[i] = at.inverseW;
        line.vertex[i] = vertex;
    }
    if (line.x[0] == line.x[1] && line.y[0] == line.y[1]) return;
    line.depthBias = biasOf(line, 0);
    add(line);
}

// ---- Triangles ----

void PrimitiveSetup::addTriangle(const AssembledPrimitive& from) {
    Primitive triangle = begin(from);
    const auto& corners = from.vertex;
    const std::uint32_t codes[3] = {code(corners[0], triangle), code(corners[1], triangle), code(corners[2], triangle)};
    const std::uint32_t any = codes[0] | codes[1] | codes[2];
    if ((any & notANumber) != 0 || (codes[0] & codes[1] & codes[2]) != 0) return;
    triangle.shape = Shape::triangle;
    if (chunk_->plan->draw->raster.fill == FillMode::lines) return addOutline(from, triangle);
    if ((any & mustClip) != 0) return addClipped(from, any & mustClip, triangle);
    addCorners(corners, triangle);
}

bool PrimitiveSetup::isCulled(bool isClockwise, Primitive& like) const {
    const RasterState& raster = chunk_->plan->draw->raster;
    like.isBack = isClockwise != (raster.frontWinding == Winding::clockwise);
    return raster.cull == (like.isBack ? Cull::back : Cull::front);
}

// Which side of a clipped triangle is seen, its whole says: its parts may be so small that rounding turns them round.
void PrimitiveSetup::addClipped(const AssembledPrimitive& from, std::uint32_t codes, Primitive& like) {
    const int turn = turnOf(*chunk_, viewportOf(like), from.vertex);
    if (turn == 0 || isCulled(turn > 0, like)) return;
    ClippedPolygon polygon;
    clipTriangle(*chunk_, viewportOf(like), codes, from.vertex, polygon);
    for (unsigned i = 2; i < polygon.count; ++i) {
        Primitive part = like;
        part.isClipped = true;
        part.isSwapped = turn < 0;  // what addCorners() must find; else the part is left out
        const std::uint32_t corners[3] = {polygon.vertex[0], polygon.vertex[i - 1], polygon.vertex[i]};
        addCorners(corners, part);
    }
}

void PrimitiveSetup::addOutline(const AssembledPrimitive& from, Primitive& like) {
    const int turn = turnOf(*chunk_, viewportOf(like), from.vertex);
    if (turn == 0 || isCulled(turn > 0, like)) return;
    for (int i = 0; i < 3; ++i) addLine(from.vertex[i], from.vertex[i == 2 ? 0 : i + 1], like);
}

void PrimitiveSetup::addCorners(const std::uint32_t (&corners)[3], Primitive& like) {
    std::int64_t area = 0;
    for (int i = 0; i < 3; ++i) {
        const bool isKnown = corners[i] < codes_.size() && (codes_[corners[i]] & mustClip) == 0;
        const WindowVertex at = isKnown ? vertices_[corners[i]] : window(corners[i], like);
        like.x[i] = at.x;
        like.y[i] = at.y;
        like.z[i] = at.z;
        like.inverseW[i] = at.inverseW;
        like.vertex[i] = corners[i];
    }
    area = doubleArea(like.x, like.y);
    if (area == 0) return;
    if (like.isClipped) {
        if (like.isSwapped != (area < 0)) return;
    } else {
        if (isCulled(area > 0, like)) return;
        like.isSwapped = area < 0;
    }
    if (like.isSwapped) {
        std::swap(like.x[1], like.x[2]);
        std::swap(like.y[1], like.y[2]);
        std::swap(like.z[1], like.z[2]);
        std::swap(like.inverseW[1], like.inverseW[2]);
        std::swap(like.vertex[1], like.vertex[2]);
    }
    const RasterState& raster = chunk_->plan->draw->raster;
    if (raster.depthBias != 0 || raster.depthSlopeScale != 0)
        like.depthBias = biasOf(like, slopeOf(like, std::abs(area)));
    add(like);
}

float PrimitiveSetup::slopeOf(const Primitive& primitive, std::int64_t area) const {
    return depthSlope(primitive, area);
}

float PrimitiveSetup::biasOf(const Primitive& primitive, float slope) const {
    return depthBias(chunk_->plan->draw->raster, grid_->depthFormat, primitive, slope);
}

// ---- Tiles ----

bool PrimitiveSetup::touches(const Primitive& primitive, const PixelRect& pixels) const {
    for (int i = 0; i < 3; ++i) {
        const int next = i == 2 ? 0 : i + 1;
        bool isInside = false;
        for (unsigned sample = 0; sample < samples_->count && !isInside; ++sample) {
            isInside = Edge::between(primitive.x[i], primitive.y[i], primitive.x[next], primitive.y[next],
                                     samples_->x[sample], samples_->y[sample])
                           .most(pixels) >= 0;
        }
        if (!isInside) return false;
    }
    return true;
}

void PrimitiveSetup::add(const Primitive& primitive) {
    const PixelRect bounds = intersect(boundsOf(primitive, *samples_), viewportOf(primitive).pixels);
    if (bounds.isEmpty()) return;
    const auto number = static_cast<std::uint32_t>(chunk_->primitives.size());
    const std::int32_t size = static_cast<std::int32_t>(grid_->size);
    const std::int32_t x0 = bounds.x0 / size, x1 = (bounds.x1 - 1) / size;
    const std::int32_t y0 = bounds.y0 / size, y1 = (bounds.y1 - 1) / size;
    const std::uint32_t base = primitive.layer * grid_->columns * grid_->rows;
    const bool isSelective = primitive.shape == Shape::triangle && (x1 > x0 || y1 > y0);
    bool isSeen = false;
    for (std::int32_t y = y0; y <= y1; ++y) {
        for (std::int32_t x = x0; x <= x1; ++x) {
            const PixelRect tile{x * size, y * size, (x + 1) * size, (y + 1) * size};
            if (isSelective && !touches(primitive, intersect(tile, bounds))) continue;
            touches_.push_back(
                {base + static_cast<std::uint32_t>(y) * grid_->columns + static_cast<std::uint32_t>(x), number});
            isSeen = true;
        }
    }
    if (isSeen) chunk_->primitives.push_back(primitive);
}

// Counting sort: touches of one tile stay in the order of the primitives.
void PrimitiveSetup::sortByTile() {
    chunk_->slices.clear();
    chunk_->tilePrimitives.resize(touches_.size());
    if (touches_.empty()) return;
    std::uint32_t least = UINT32_MAX, most = 0;
    for (const Touch& touch : touches_) {
        least = std::min(least, touch.tile);
        most = std::max(most, touch.tile);
    }
    counts_.assign(most - least + 1, 0);
    for (const Touch& touch : touches_) ++counts_[touch.tile - least];
    std::uint32_t first = 0;
    for (std::uint32_t tile = least; tile <= most; ++tile) {
        const std::uint32_t count = counts_[tile - least];
        if (count != 0) chunk_->slices.push_back({tile, first, count});
        counts_[tile - least] = first;
        first += count;
    }
    for (const Touch& touch : touches_) chunk_->tilePrimitives[counts_[touch.tile - least]++] = touch.primitive;
}

}  // namespace metal_executor::render

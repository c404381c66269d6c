// SPDX-License-Identifier: MIT

#include "clipping.hpp"

#include <cmath>
#include <utility>

namespace metal_executor::render {
namespace {

constexpr unsigned planeCount = 15;
// What is nearer to the eye's plane than this has no place in a window.
constexpr float leastW = 1e-20f;

struct Position {
    double x, y, z, w;
};

Position positionOf(const Chunk& chunk, std::uint32_t vertex) {
    const std::uint32_t column = chunk.plan->facts->position;
    return {chunk.reals(column)[vertex], chunk.reals(column + 1)[vertex], chunk.reals(column + 2)[vertex],
            chunk.reals(column + 3)[vertex]};
}

/// How far inside of a plane a vertex is; negative outside.
double distance(const Chunk& chunk, const ViewportFacts& viewport, std::uint32_t vertex, unsigned plane) {
    if (plane >= 7) return chunk.reals(chunk.plan->facts->clipDistance + plane - 7)[vertex];
    const Position p = positionOf(chunk, vertex);
    switch (plane) {
        case 0:
            return p.w - leastW;
        case 1:
            return p.z;
        case 2:
            return p.w - p.z;
        case 3:
            return p.x - viewport.guardX[0] * p.w;
        case 4:
            return viewport.guardX[1] * p.w - p.x;
        case 5:
            return p.y - viewport.guardY[0] * p.w;
        default:
            return viewport.guardY[1] * p.w - p.y;
    }
}

/// How far along an edge the distance from a plane is 0: an infinite one leaves all of the edge on its side.
double partOf(double insideDistance, double outsideDistance) {
    if (std::isinf(insideDistance)) return std::isinf(outsideDistance) ? 0.5 : 1;
    return insideDistance / (insideDistance - outsideDistance);
}

/// A value between two, of which some may be infinite.
float between(float from, float to, float part) {
    if (part <= 0) return from;
    return part >= 1 ? to : from * (1 - part) + to * part;
}

/// The vertex on the edge from `inside` to `outside` where their distances from the plane say. Whichever triangle an
/// edge is of, it is cut in this direction, so that neighbours get the same vertex.
std::uint32_t cut(Chunk& chunk, std::uint32_t inside, std::uint32_t outside, double insideDistance,
                  double outsideDistance) {
    const std::uint32_t made = chunk.addVertex();
    const PipelineFacts& facts = *chunk.plan->facts;
    const double t = partOf(insideDistance, outsideDistance);
    const float part = static_cast<float>(t);
    const auto blend = [&](std::uint32_t column, float by) {
        float* values = chunk.reals(column);
        values[made] = values[inside] + (values[outside] - values[inside]) * by;
    };
    // Linear on the screen: as far along as the new vertex is there.
    const double insideW = chunk.reals(facts.position + 3)[inside], outsideW = chunk.reals(facts.position + 3)[outside];
    const double madeW = insideW + (outsideW - insideW) * t;
    const float windowPart = outsideW > 0 && madeW > 0 ? static_cast<float>(t * outsideW / madeW) : part;
    for (std::uint32_t column = 0; column < facts.clipping.size(); ++column) {
        if (!facts.isRead[column]) continue;
        if (facts.clipping[column] == ColumnClipping::copied) {
            chunk.column(column)[made] = chunk.column(column)[inside];
        } else {
            blend(column, facts.clipping[column] == ColumnClipping::inWindow ? windowPart : part);
        }
    }
    for (std::uint32_t i = 0; i < 4; ++i) blend(facts.position + i, part);
    for (std::uint32_t i = 0; i < facts.clipDistanceCount; ++i) {
        float* distances = chunk.reals(facts.clipDistance + i);
        distances[made] = between(distances[inside], distances[outside], part);
    }
    if (facts.wantsBarycentrics) {
        const std::uint32_t first = chunk.columnCount - 3;
        for (std::uint32_t i = 0; i < 3; ++i) blend(first + i, part);
    }
    return made;
}

/// Copies of the corners with barycentric coordinates of this triangle: its corners may be others' as well.
void giveBarycentrics(Chunk& chunk, ClippedPolygon& polygon) {
    const std::uint32_t first = chunk.columnCount - 3;
    for (unsigned corner = 0; corner < polygon.count; ++corner) {
        const std::uint32_t from = polygon.vertex[corner], made = chunk.addVertex();
        for (std::uint32_t column = 0; column < first; ++column)
            chunk.column(column)[made] = chunk.column(column)[from];
        for (std::uint32_t i = 0; i < 3; ++i) chunk.reals(first + i)[made] = i == corner ? 1.0f : 0.0f;
        polygon.vertex[corner] = made;
    }
}

}  // namespace

std::uint32_t codeOf(const Chunk& chunk, const ViewportFacts& viewport, std::uint32_t vertex) {
    const PipelineFacts& facts = *chunk.plan->facts;
    const float x = chunk.reals(facts.position)[vertex], y = chunk.reals(facts.position + 1)[vertex];
    const float z = chunk.reals(facts.position + 2)[vertex], w = chunk.reals(facts.position + 3)[vertex];
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z) || !std::isfinite(w)) return notANumber;
    std::uint32_t code = w < leastW ? outsideW : 0;
    if (chunk.plan->draw->raster.depthClip == DepthClip::clip)
        code |= (z < 0 ? outsideNear : 0) | (z > w ? outsideFar : 0);
    code |= (x < viewport.guardX[0] * w ? outsideGuard : 0) | (x > viewport.guardX[1] * w ? outsideGuard << 1 : 0);
    code |= (y < viewport.guardY[0] * w ? outsideGuard << 2 : 0) | (y > viewport.guardY[1] * w ? outsideGuard << 3 : 0);
    code |= (x < -w ? outsideView : 0) | (x > w ? outsideView << 1 : 0);
    code |= (y < -w ? outsideView << 2 : 0) | (y > w ? outsideView << 3 : 0);
    for (std::uint32_t i = 0; i < facts.clipDistanceCount; ++i) {
        // What is no number is outside.
        if (!(chunk.reals(facts.clipDistance + i)[vertex] >= 0)) code |= outsideUser << i;
    }
    return code;
}

void clipTriangle(Chunk& chunk, const ViewportFacts& viewport, std::uint32_t codes, const std::uint32_t (&corners)[3],
                  ClippedPolygon& polygon) {
    polygon.count = 3;
    for (unsigned i = 0; i < 3; ++i) polygon.vertex[i] = corners[i];
    if (chunk.plan->facts->wantsBarycentrics) giveBarycentrics(chunk, polygon);
    for (unsigned plane = 0; plane < planeCount; ++plane) {
        if ((codes >> plane & 1) == 0) continue;
        ClippedPolygon next;
        for (unsigned i = 0; i < polygon.count && next.count + 2 <= ClippedPolygon::most; ++i) {
            const std::uint32_t here = polygon.vertex[i], there = polygon.vertex[i + 1 < polygon.count ? i + 1 : 0];
            const double d = distance(chunk, viewport, here, plane), e = distance(chunk, viewport, there, plane);
            if (d >= 0) next.vertex[next.count++] = here;
            if (d >= 0 && e < 0) next.vertex[next.count++] = cut(chunk, here, there, d, e);
            if (d < 0 && e >= 0) next.vertex[next.count++] = cut(chunk, there, here, e, d);
        }
        polygon = next;
        if (polygon.count < 3) {
            polygon.count = 0;
            return;
        }
    }
}

bool clipLine(Chunk& chunk, const ViewportFacts& viewport, std::uint32_t codes, std::uint32_t (&ends)[2]) {
    for (unsigned plane = 0; plane < planeCount; ++plane) {
        if ((codes >> plane & 1) == 0) continue;
        const double d = distance(chunk, viewport, ends[0], plane), e = distance(chunk, viewport, ends[1], plane);
        if ((d < 0 && e < 0) || std::isnan(d) || std::isnan(e)) return false;
        if (e < 0) ends[1] = cut(chunk, ends[0], ends[1], d, e);
        if (d < 0) ends[0] = cut(chunk, ends[1], ends[0], e, d);
    }
    return true;
}

}  // namespace metal_executor::render

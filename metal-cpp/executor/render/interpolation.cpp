// SPDX-License-Identifier: MIT

#include "interpolation.hpp"

#include <algorithm>
#include <bit>

namespace metal_executor::render {
namespace {

/// The places of a quad's pixels, from the primitive's first vertex on.
struct QuadPlace {
    double x, y;
};

QuadPlace placeOf(const QuadBatch& batch, std::uint32_t quad, std::int32_t originX, std::int32_t originY,
                  const Primitive& primitive) {
    return {double(((originX + batch.x[quad]) << subpixelBits) - primitive.x[0]),
            double(((originY + batch.y[quad]) << subpixelBits) - primitive.y[0])};
}

/// From the quad's first pixel to pixel k.
constexpr double stepX[4] = {0, subpixels, 0, subpixels}, stepY[4] = {0, 0, subpixels, subpixels};

struct Corners {
    float value, first, second;  // at the first vertex, and from there to the others

    Corners(float v0, float v1, float v2) : value(v0), first(v1 - v0), second(v2 - v0) {}
    float at(float b1, float b2) const { return value + b1 * first + b2 * second; }
};

Corners cornersOf(const Run& run, std::uint32_t column) {
    const float* values = run.chunk->reals(column);
    const Primitive& p = *run.primitive;
    return {values[p.vertex[0]], values[p.vertex[1]], values[p.vertex[2]]};
}

template <class Function>
void forRows(const Run& run, const Function& function) {
    for (std::uint32_t i = 4 * run.first; i < 4 * (run.first + run.count); ++i) function(i);
}

/// Weights on the screen.
void findLinear(const QuadBatch& batch, const Run& run, std::int32_t originX, std::int32_t originY,
                const Places& places, Weights& linear) {
    const WeightPlanes planes(*run.primitive);
    for (std::uint32_t quad = run.first; quad < run.first + run.count; ++quad) {
        const QuadPlace place = placeOf(batch, quad, originX, originY, *run.primitive);
        double x[4], y[4];
        for (unsigned k = 0; k < 4; ++k) {
            std::int32_t sampleX = places.x, sampleY = places.y;
            if (places.coverage) {
                const std::uint32_t sample = places.of(4 * quad + k);
                sampleX = sample < places.samples->count ? places.samples->x[sample] : subpixels / 2;
                sampleY = sample < places.samples->count ? places.samples->y[sample] : subpixels / 2;
            }
            x[k] = place.x + stepX[k] + sampleX;
            y[k] = place.y + stepY[k] + sampleY;
        }
        for (unsigned k = 0; k < 4; ++k) {
            linear.first[4 * quad + k] = static_cast<float>(x[k] * planes.alongX[0] + y[k] * planes.alongY[0]);
            linear.second[4 * quad + k] = static_cast<float>(x[k] * planes.alongX[1] + y[k] * planes.alongY[1]);
        }
    }
}

}  // namespace

std::uint32_t Places::of(std::uint32_t invocation) const {
    const std::uint32_t covered = coverage[invocation];
    return covered == samples->all() || covered == 0 ? samples->count
                                                     : static_cast<std::uint32_t>(std::countr_zero(covered));
}

WeightPlanes::WeightPlanes(const Primitive& p) {
    const double x1 = p.x[1] - p.x[0], y1 = p.y[1] - p.y[0];
    if (p.shape == Shape::triangle) {
        const double x2 = p.x[2] - p.x[0], y2 = p.y[2] - p.y[0], scale = 1 / (x1 * y2 - x2 * y1);
        alongX[0] = y2 * scale;
        alongY[0] = -x2 * scale;
        alongX[1] = -y1 * scale;
        alongY[1] = x1 * scale;
    } else if (p.shape == Shape::line) {
        const double scale = 1 / (x1 * x1 + y1 * y1);
        alongX[0] = x1 * scale;
        alongY[0] = y1 * scale;
    }
}

void findWeights(const QuadBatch& batch, const std::vector<Run>& runs, std::int32_t originX, std::int32_t originY,
                 const Places& places, Weights* linear, Weights* perspective, float* inverseW) {
    for (const Run& run : runs) {
        findLinear(batch, run, originX, originY, places, *linear);
        const Primitive& p = *run.primitive;
        const Corners w(p.inverseW[0], p.inverseW[1], p.inverseW[2]);
        if (inverseW) forRows(run, [&](std::uint32_t i) { inverseW[i] = w.at(linear->first[i], linear->second[i]); });
        if (!perspective) continue;
        forRows(run, [&](std::uint32_t i) {
            const float scale = 1 / w.at(linear->first[i], linear->second[i]);
            perspective->first[i] = linear->first[i] * p.inverseW[1] * scale;
            perspective->second[i] = linear->second[i] * p.inverseW[2] * scale;
        });
    }
}

void findDepths(const QuadBatch& batch, const std::vector<Run>& runs, std::int32_t originX, std::int32_t originY,
                std::int32_t sampleX, std::int32_t sampleY, float* depths) {
    for (const Run& run : runs) {
        const Primitive& p = *run.primitive;
        const WeightPlanes planes(p);
        const double z1 = double{p.z[1]} - p.z[0], z2 = double{p.z[2]} - p.z[0];
        // A point has one vertex three times; a line's third is its first.
        const double alongX = planes.alongX[0] * z1 + planes.alongX[1] * z2;
        const double alongY = planes.alongY[0] * z1 + planes.alongY[1] * z2;
        const double start = double{p.z[0]} + sampleX * alongX + sampleY * alongY;
        const ViewportFacts& viewport = run.chunk->plan->viewports[p.viewport];
        for (std::uint32_t quad = run.first; quad < run.first + run.count; ++quad) {
            const QuadPlace place = placeOf(batch, quad, originX, originY, p);
            for (unsigned k = 0; k < 4; ++k) {
                const double depth = start + (place.x + stepX[k]) * alongX + (place.y + stepY[k]) * alongY;
                depths[4 * quad + k] =
                    std::clamp(static_cast<float>(depth) + p.depthBias, viewport.least, viewport.most);
            }
        }
    }
}

void interpolate(const std::vector<Run>& runs, const Weights& weights, std::uint32_t column, float* to) {
    for (const Run& run : runs) {
        const Corners corners = cornersOf(run, column);
        forRows(run, [&](std::uint32_t i) { to[i] = corners.at(weights.first[i], weights.second[i]); });
    }
}

void takeFlat(const std::vector<Run>& runs, std::uint32_t column, std::uint32_t* to) {
    for (const Run& run : runs)
        std::fill_n(to + 4 * run.first, 4 * run.count, run.chunk->column(column)[run.primitive->provoking]);
}

void findBarycentrics(const std::vector<Run>& runs, const Weights& weights, unsigned component, float* to) {
    for (const Run& run : runs) {
        const Primitive& p = *run.primitive;
        const unsigned corner = component == 0 || !p.isSwapped ? component : 3 - component;
        const Corners corners = p.isClipped ? cornersOf(run, run.chunk->columnCount - 3 + component)
                                            : Corners(corner == 0, corner == 1, corner == 2);
        forRows(run, [&](std::uint32_t i) { to[i] = corners.at(weights.first[i], weights.second[i]); });
    }
}

void fillInterpolant(const QuadBatch& batch, const std::vector<Run>& runs, std::int32_t originX, std::int32_t originY,
                     const StageColumnValue& value, float* const* columns) {
    const std::uint32_t components = value.sourceCount();
    const bool isPerspective = hasPerspective(value.interpolation);
    for (const Run& run : runs) {
        const Primitive& p = *run.primitive;
        const WeightPlanes planes(p);
        for (std::uint32_t component = 0; component < components + (isPerspective ? 1 : 0); ++component) {
            double at[3];
            for (int i = 0; i < 3; ++i) {
                at[i] = component == components ? 1 : run.chunk->reals(value.source + component)[p.vertex[i]];
                if (isPerspective) at[i] *= p.inverseW[i];
            }
            const double alongX = planes.alongX[0] * (at[1] - at[0]) + planes.alongX[1] * (at[2] - at[0]);
            const double alongY = planes.alongY[0] * (at[1] - at[0]) + planes.alongY[1] * (at[2] - at[0]);
            // 1 / w and its differences follow one another; those of the components lie apart.
            const std::uint32_t first = component == components ? 3 * components : component;
            const std::uint32_t apart = component == components ? 1 : components;
            for (std::uint32_t quad = run.first; quad < run.first + run.count; ++quad) {
                const QuadPlace place = placeOf(batch, quad, originX, originY, p);
                for (unsigned k = 0; k < 4; ++k) {
                    const double x = place.x + stepX[k] + subpixels / 2, y = place.y + stepY[k] + subpixels / 2;
                    columns[first][4 * quad + k] = static_cast<float>(at[0] + x * alongX + y * alongY);
                    columns[first + apart][4 * quad + k] = static_cast<float>(alongX * subpixels);
                    columns[first + 2 * apart][4 * quad + k] = static_cast<float>(alongY * subpixels);
                }
            }
        }
    }
}

}  // namespace metal_executor::render

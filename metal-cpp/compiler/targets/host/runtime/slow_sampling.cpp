// SPDX-License-Identifier: MIT
//
// Sampling whatever is not inlined: cubes with their seams, comparing, gathering, bicubic filters, anisotropy. Compiled
// to machine code, once, and called by one lane after the other.

#include "texels.hpp"

namespace {

#define PLACE handle, kind, sampler, x, y, z, array, offset_x, offset_y, offset_z
#define SLOPES x_dx, y_dx, z_dx, x_dy, y_dy, z_dy

// ---- Cubes ----

/// A direction as a face and coordinates on it, -1 to 1.
template <class Real>
struct OnFace {
    uint32_t face;
    Real s, t;
};

/// What of the direction is the major axis, across and down on each face; the sign says which way.
struct Axes {
    int major, across, down;
    int acrossSign, downSign;
};
constexpr Axes faces[6] = {
    {0, 2, 1, -1, -1}, {0, 2, 1, 1, -1}, {1, 0, 2, 1, 1}, {1, 0, 2, 1, -1}, {2, 0, 1, 1, -1}, {2, 0, 1, -1, -1},
};

template <class Real>
Real magnitude(Real value) {
    return value < 0 ? -value : value;
}

/// Of equal magnitudes z counts before y, and y before x.
template <class Real>
OnFace<Real> onFace(const Real direction[3]) {
    const Real x = magnitude(direction[0]), y = magnitude(direction[1]), z = magnitude(direction[2]);
    const int major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    const uint32_t face = (uint32_t)(2 * major + (direction[major] < 0));
    const Axes& axes = faces[face];
    const Real length = magnitude(direction[major]);
    return {face, (Real)axes.acrossSign * direction[axes.across] / length,
            (Real)axes.downSign * direction[axes.down] / length};
}

/// A texel past the edge of a face, as one of the face beyond.
struct FaceTexel {
    uint32_t face;
    int x, y;
};
FaceTexel beyond(uint32_t face, int x, int y, int size) {
    const Axes& axes = faces[face];
    double direction[3];
    direction[axes.major] = face % 2 == 0 ? 1 : -1;
    direction[axes.across] = axes.acrossSign * ((2.0 * x + 1) / size - 1);
    direction[axes.down] = axes.downSign * ((2.0 * y + 1) / size - 1);
    const OnFace<double> at = onFace(direction);
    const auto texel = [size](double coordinate) {
        const int index = (int)((coordinate + 1) * 0.5 * size);
        return index < 0 ? 0 : index >= size ? size - 1 : index;
    };
    return {at.face, texel(at.s), texel(at.t)};
}

// ---- One sampling operation ----

enum Compare { never, less, equal, lessEqual, greater, notEqual, greaterEqual, always };

bool passes(uint32_t function, float reference, float depth) {
    switch (function) {
        case less:
            return reference < depth;
        case equal:
            return reference == depth;
        case lessEqual:
            return reference <= depth;
        case greater:
            return reference > depth;
        case notEqual:
            return reference != depth;
        case greaterEqual:
            return reference >= depth;
        case always:
            return true;
        default:
            return false;
    }
}

float4 loadTexel(Texture texture, const uint8_t* at, float4) {
    return __metal_slow_load_f32(at, texture->pixel_format);
}
uint4 loadTexel(Texture texture, const uint8_t* at, uint4) {
    return __metal_slow_load_u32(at, texture->pixel_format);
}

class Sampling {
public:
    Sampling(SAMPLING_PLACE)
        : texture_(open(handle)),
          sampler_(withoutBicubic(sampler)),
          isBicubicMag_(field(sampler, metal_sampler_bicubic_mag_shift, 1) != 0),
          isBicubicMin_(field(sampler, metal_sampler_reduction_shift, 2) == metal_sampler_bicubic_min_reduction),
          isCube_(kind == kindCube || kind == kindCubeArray),
          dimensions_(isOneDimensional(kind) ? 1
                      : kind == kind3D       ? 3
                                             : 2),
          slice_(sliceOf(texture_, kind, array)),
          at_{x, y, z},
          offset_{offset_x, offset_y, offset_z} {
        if (!isCube_) return;
        const OnFace<float> found = onFace(at_);
        slice_ = slice_ * 6 + found.face;
        at_[0] = (found.s + 1) * 0.5f;
        at_[1] = (found.t + 1) * 0.5f;
    }

    void compareWith(float reference) {
        compares_ = true;
        const bool isUnit = (texture_->pixel_format & metal_texels::formatBits) == metal_texels::R16Unorm;
        reference_ = isUnit ? metal_texels::within(reference, 0, 1) : reference;
    }
    void moveTo(float x, float y) { at_[0] = x, at_[1] = y; }

    float4 sample(float lod, float least) const {
        const float at = clampedLod(sampler_, lod, least);
        const Levels levels = levelsOf(texture_, sampler_, at);
        const bool isBicubic = levels.smooth && (at > 0 ? isBicubicMin_ : isBicubicMag_) && !compares_;
        const auto sampled = [&](uint32_t mip) { return isBicubic ? cubic(mip) : sampleLevel(mip, levels.smooth); };
        const float4 value = sampled(levels.mip);
        return levels.share > 0 ? mix(sampler_, value, sampled(levels.mip + 1), levels.share) : value;
    }

    uint4 sampleInteger(float lod, float least) const {
        const bool hasLevels = field(sampler_, metal_sampler_mip_filter_shift, 2) != 0;
        const uint32_t mip = hasLevels ? levelOf(texture_, clampedLod(sampler_, lod, least) + 0.5f) : 0;
        int first[3];
        float share[3];
        place(mip, 0, first, share);
        return texel<uint4>(mip, first[0], first[1], first[2]);
    }

    /// Of the texels that a linear filter would mix, counter-clockwise from the lower left.
    template <class Vector>
    Vector gather(int component) const {
        int first[3];
        float share[3];
        place(0, 0.5f, first, share);
        const auto pick = [&](int x, int y) { return texel<Vector>(0, first[0] + x, first[1] + y, 0)[component]; };
        return Vector{pick(0, 1), pick(1, 1), pick(1, 0), pick(0, 0)};
    }

    /// The gradient in texels; a cube's on the face that the coordinate lies on.
    Slopes slopes(SAMPLING_SLOPES, const float direction[3]) const {
        const float dx[3] = {x_dx, y_dx, z_dx}, dy[3] = {x_dy, y_dy, z_dy};
        if (!isCube_) return slopesOf(texture_, sampler_, dimensions_, dx, dy);
        const Axes& axes = faces[slice_ % 6];
        const float half = (float)texture_->levels[0].width * 0.5f, length = magnitude(direction[axes.major]);
        const float sign = direction[axes.major] < 0 ? -1 : 1;
        // The quotient rule, for across / major.
        const auto slope = [&](const float change[3], int axis) {
            return half * (change[axis] * length - direction[axis] * change[axes.major] * sign) / (length * length);
        };
        return {{slope(dx, axes.across), slope(dx, axes.down), 0}, {slope(dy, axes.across), slope(dy, axes.down), 0}};
    }

private:
    static uint64_t withoutBicubic(uint64_t sampler) {
        const bool isMin = field(sampler, metal_sampler_reduction_shift, 2) == metal_sampler_bicubic_min_reduction;
        return isMin ? sampler & ~((uint64_t)3 << metal_sampler_reduction_shift) : sampler;
    }

    /// The first texel to mix in each dimension, and the share of the next.
    void place(uint32_t mip, float shift, int first[3], float share[3]) const {
        Level level = &texture_->levels[mip];
        const uint32_t sizes[3] = {level->width, level->height, level->depth};
        const bool inTexels = field(sampler_, metal_sampler_pixel_coords_shift, 1);
        first[0] = first[1] = first[2] = 0;
        share[0] = share[1] = share[2] = 0;
        for (int index = 0; index < dimensions_; ++index) {
            const uint32_t mode = isCube_ ? (uint32_t)clampToEdge : addressMode(sampler_, index);
            const float at = texelCoordinate(at_[index], sizes[index], mode, inTexels && !isCube_) - shift;
            const float whole = floorOf(at);
            first[index] = (int)whole + offset_[index];
            share[index] = at - whole;
            if (!isCube_) continue;
            // Directions lie on their face; rounding, and what is no direction, may not leave it by more than a texel.
            const int last = (int)sizes[index] - 1, low = shift > 0 ? -1 : 0;
            first[index] = first[index] < low ? low : first[index] > last ? last : first[index];
        }
    }

    float4 sampleLevel(uint32_t mip, bool smooth) const {
        int first[3];
        float share[3];
        place(mip, smooth ? 0.5f : 0.0f, first, share);
        if (!smooth) return texel<float4>(mip, first[0], first[1], first[2]);
        return planes(mip, first, share);
    }
    float4 line(uint32_t mip, const int first[3], const float share[3], int row, int plane) const {
        return mix(sampler_, texel<float4>(mip, first[0], first[1] + row, first[2] + plane),
                   texel<float4>(mip, first[0] + 1, first[1] + row, first[2] + plane), share[0]);
    }
    float4 rows(uint32_t mip, const int first[3], const float share[3], int plane) const {
        const float4 upper = line(mip, first, share, 0, plane);
        return dimensions_ < 2 ? upper : mix(sampler_, upper, line(mip, first, share, 1, plane), share[1]);
    }
    float4 planes(uint32_t mip, const int first[3], const float share[3]) const {
        const float4 front = rows(mip, first, share, 0);
        return dimensions_ < 3 ? front : mix(sampler_, front, rows(mip, first, share, 1), share[2]);
    }

    /// Of four texels in each dimension, by Catmull and Rom's weights: at a texel's centre it alone counts.
    float4 cubic(uint32_t mip) const {
        int first[3];
        float share[3], weights[3][4];
        place(mip, 0.5f, first, share);
        for (int index = 0; index < dimensions_; ++index) {
            const float t = share[index];
            weights[index][0] = ((-0.5f * t + 1) * t - 0.5f) * t;
            weights[index][1] = (1.5f * t - 2.5f) * t * t + 1;
            weights[index][2] = ((-1.5f * t + 2) * t + 0.5f) * t;
            weights[index][3] = (0.5f * t - 0.5f) * t * t;
        }
        const int rows = dimensions_ > 1 ? 4 : 1, planes = dimensions_ > 2 ? 4 : 1;
        float4 sum = {0, 0, 0, 0};
        for (int plane = 0; plane < planes; ++plane) {
            for (int row = 0; row < rows; ++row) {
                const float across = (rows > 1 ? weights[1][row] : 1) * (planes > 1 ? weights[2][plane] : 1);
                for (int column = 0; column < 4; ++column)
                    sum += texel<float4>(mip, first[0] + column - 1, first[1] + row - (rows > 1),
                                         first[2] + plane - (planes > 1)) *
                           (weights[0][column] * across);
            }
        }
        return sum;
    }

    float4 judged(float4 texel) const {
        if (!compares_) return texel;
        const uint32_t function = field(sampler_, metal_sampler_compare_shift, 3);
        const float result = passes(function, reference_, texel.x) ? 1 : 0;
        return float4{result, result, result, result};
    }
    uint4 judged(uint4 texel) const { return texel; }

    template <class Vector>
    Vector at(Level level, uint32_t image, int x, int y) const {
        const uint8_t* row = rowAddress(level, image, (uint32_t)y);
        return judged(loadTexel(texture_, row + (uint64_t)x * texture_->bytes_per_pixel, Vector{}));
    }

    template <class Vector>
    Vector texel(uint32_t mip, int x, int y, int z) const {
        Level level = &texture_->levels[mip];
        if (isCube_) return cubeTexel<Vector>(level, x, y);
        int to[3] = {x, y, z};
        const int sizes[3] = {(int)level->width, (int)level->height, (int)level->depth};
        bool isOutside = false, isColored = false;
        for (int index = 0; index < dimensions_; ++index) {
            const uint32_t mode = addressMode(sampler_, index);
            to[index] = wrap(to[index], sizes[index], mode);
            isOutside |= to[index] < 0;
            isColored |= mode == clampToBorder;
        }
        if (isOutside) return judged(border<Vector>(texture_, sampler_, isColored));
        return at<Vector>(level, dimensions_ == 3 ? (uint32_t)to[2] : slice_, to[0], dimensions_ > 1 ? to[1] : 0);
    }

    template <class Vector>
    Vector cubeTexel(Level level, int x, int y) const {
        const int size = (int)level->width;
        const bool pastX = x < 0 || x >= size, pastY = y < 0 || y >= size;
        if (!pastX && !pastY) return at<Vector>(level, slice_, x, y);
        if (pastX && pastY) return corner(level, x, y, Vector{});
        const FaceTexel there = beyond(slice_ % 6, x, y, size);
        return at<Vector>(level, slice_ - slice_ % 6 + there.face, there.x, there.y);
    }

    /// Three faces meet there: the mean of their texels.
    float4 corner(Level level, int x, int y, float4) const {
        const int size = (int)level->width, insideX = x < 0 ? 0 : size - 1, insideY = y < 0 ? 0 : size - 1;
        return (at<float4>(level, slice_, insideX, insideY) + cubeTexel<float4>(level, x, insideY) +
                cubeTexel<float4>(level, insideX, y)) /
               3.0f;
    }
    uint4 corner(Level level, int x, int y, uint4) const {
        const int size = (int)level->width;
        return at<uint4>(level, slice_, x < 0 ? 0 : size - 1, y < 0 ? 0 : size - 1);
    }

    const Texture texture_;
    const uint64_t sampler_;
    const bool isBicubicMag_, isBicubicMin_;
    const bool isCube_;
    const int dimensions_;
    uint32_t slice_;  // a cube's with the face
    float at_[3];
    const int offset_[3];
    bool compares_ = false;
    float reference_ = 0;
};

float root(float square) {
    if (!(square > 0)) return 0;
    float guess = __builtin_bit_cast(float, (__builtin_bit_cast(uint32_t, square) >> 1) + 0x1fc00000u);
    for (int step = 0; step < 4; ++step) guess = 0.5f * (guess + square / guess);
    return guess;
}

/// Samples along the longer of the two axes of the pixel's footprint, so many that each covers about a square.
float4 sampleAlong(Sampling sampling, SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least) {
    const float direction[3] = {x, y, z};
    const Slopes slopes = sampling.slopes(SLOPES, direction);
    const float dx = root(squaredLength(slopes.dx)), dy = root(squaredLength(slopes.dy));
    const float longer = dx > dy ? dx : dy, shorter = dx > dy ? dy : dx;
    const float most = (float)field(sampler, metal_sampler_anisotropy_shift, 4) + 1;
    const bool isTame = longer > 0 && longer < 1e9f;
    float ratio = isTame ? (shorter > longer / most ? longer / shorter : most) : 1;
    int count = (int)ratio;
    count += (float)count < ratio;
    if (count <= 1) return sampling.sample(lodOf(slopes) + bias, least);
    const float lod = logarithm(longer / (float)count) + bias;
    const float stepX = dx > dy ? x_dx : x_dy, stepY = dx > dy ? y_dx : y_dy;
    float4 sum = {0, 0, 0, 0};
    for (int index = 0; index < count; ++index) {
        const float along = ((float)index + 0.5f) / (float)count - 0.5f;
        sampling.moveTo(x + stepX * along, y + stepY * along);
        sum += sampling.sample(lod, least);
    }
    (void)handle, (void)kind, (void)array, (void)offset_x, (void)offset_y, (void)offset_z;
    return sum / (float)count;
}

}  // namespace

float4 __metal_slow_sample_f32(SAMPLING_PLACE, float lod, float least) {
    return Sampling(PLACE).sample(lod, least);
}
uint4 __metal_slow_sample_u32(SAMPLING_PLACE, float lod, float least) {
    return Sampling(PLACE).sampleInteger(lod, least);
}

float4 __metal_slow_sample_gradient_f32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least) {
    const Sampling sampling(PLACE);
    const bool isFlat = kind == kind2D || kind == kind2DArray;
    if (isFlat && field(sampler, metal_sampler_anisotropy_shift, 4) != 0)
        return sampleAlong(sampling, PLACE, SLOPES, bias, least);
    return sampling.sample(__metal_slow_lod(PLACE, SLOPES) + bias, least);
}
uint4 __metal_slow_sample_gradient_u32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least) {
    return Sampling(PLACE).sampleInteger(__metal_slow_lod(PLACE, SLOPES) + bias, least);
}

float4 __metal_slow_gather_f32(SAMPLING_PLACE, int component) {
    return Sampling(PLACE).gather<float4>(component & 3);
}
uint4 __metal_slow_gather_u32(SAMPLING_PLACE, int component) {
    return Sampling(PLACE).gather<uint4>(component & 3);
}

float __metal_slow_compare(SAMPLING_PLACE, float reference, float lod, float least) {
    Sampling sampling(PLACE);
    sampling.compareWith(reference);
    return sampling.sample(lod, least).x;
}
float __metal_slow_compare_gradient(SAMPLING_PLACE, float reference, SAMPLING_SLOPES, float bias, float least) {
    return __metal_slow_compare(PLACE, reference, __metal_slow_lod(PLACE, SLOPES) + bias, least);
}
float4 __metal_slow_gather_compare(SAMPLING_PLACE, float reference) {
    Sampling sampling(PLACE);
    sampling.compareWith(reference);
    return sampling.gather<float4>(0);
}

float __metal_slow_lod(SAMPLING_PLACE, SAMPLING_SLOPES) {
    const float direction[3] = {x, y, z};
    return lodOf(Sampling(PLACE).slopes(SLOPES, direction));
}

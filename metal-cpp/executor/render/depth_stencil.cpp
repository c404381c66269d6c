// SPDX-License-Identifier: MIT

#include "depth_stencil.hpp"

#include <algorithm>
#include <cstring>

#include "../texel_formats.hpp"
#include "coverage.hpp"

namespace metal_executor::render {
namespace {

constexpr std::uint8_t always = 7, keep = 0;

// MTL::CompareFunction has a bit for less, for equal and for greater.
struct Compare {
    std::uint32_t less, equal, greater;
    explicit Compare(std::uint8_t function)
        : less(0u - (function & 1u)), equal(0u - (function >> 1 & 1u)), greater(0u - (function >> 2 & 1u)) {}
    template <class Number>
    METAL_INLINED std::uint32_t operator()(Number fresh, Number stored) const {
        const std::uint32_t isLess = fresh < stored ? ~0u : 0u, isEqual = fresh == stored ? ~0u : 0u;
        return (isLess & less) | (isEqual & equal) | (~(isLess | isEqual) & greater);
    }
};

METAL_INLINED std::uint32_t maskOf(std::uint32_t coverage, unsigned sample) {
    return 0u - (coverage >> sample & 1u);
}

// Without stencil: everything in one go.
METAL_VECTORISED
std::uint64_t compareDepths(Compare compare, const float* fresh, const Word* stored, unsigned sample,
                            std::uint32_t* coverage, Word* passed, std::size_t count) {
    std::uint32_t left = 0;
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        const std::uint32_t pass = maskOf(coverage[index], sample) & compare(fresh[index], ofBits(stored[index]));
        passed[index] = pass;
        coverage[index] &= pass | ~(1u << sample);
        left -= pass;
    }
    return left;
}

METAL_VECTORISED
std::uint64_t keepPassed(const Word* passed, unsigned sample, std::uint32_t* coverage, std::size_t count) {
    std::uint32_t left = 0;
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        coverage[index] &= passed[index] | ~(1u << sample);
        left -= passed[index];
    }
    return left;
}

METAL_VECTORISED
void compareActive(Compare compare, const float* fresh, const Word* stored, Word* passed, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) passed[index] = compare(fresh[index], ofBits(stored[index]));
}

METAL_VECTORISED
void compareStencils(Compare compare, std::uint32_t readMask, const Word* references, const Word* stored,
                     const Word* active, Word* passed, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index)
        passed[index] = active[index] & compare(references[index] & readMask, stored[index] & readMask);
}

METAL_VECTORISED
void writeDepths(const float* depths, const Word* passed, const std::uint32_t* places, TilePlaces::Run run,
                 Word* column) {
    scatter(reinterpret_cast<const Word*>(depths), passed, places, run, column);
}

METAL_VECTORISED
void writeStencils(const Word* stencils, const Word* active, const std::uint32_t* places, TilePlaces::Run run,
                   Word* column) {
    scatter(stencils, active, places, run, column);
}

METAL_INLINED std::uint32_t afterOperation(std::uint8_t operation, std::uint32_t stored, std::uint32_t reference) {
    switch (operation) {  // MTL::StencilOperation
        case 1:
            return 0;
        case 2:
            return reference;
        case 3:
            return stored < 255 ? stored + 1 : 255;
        case 4:
            return stored > 0 ? stored - 1 : 0;
        case 5:
            return ~stored;
        case 6:
            return stored + 1;
        case 7:
            return stored - 1;
        default:
            return stored;
    }
}

template <std::uint8_t operation>
METAL_INLINED void operate(std::uint32_t writeMask, const Word* references, const Word* first, const Word* second,
                           std::uint32_t flip, Word* stencils, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        const std::uint32_t mask = first[index] & (second[index] ^ flip) & writeMask;
        stencils[index] =
            (stencils[index] & ~mask) | (afterOperation(operation, stencils[index], references[index]) & mask);
    }
}

// Where `first` and `second` (the opposite of it: `flip` all ones) have ones.
METAL_VECTORISED
void updateStencils(std::uint8_t operation, std::uint32_t writeMask, const Word* references, const Word* first,
                    const Word* second, std::uint32_t flip, Word* stencils, std::size_t count) {
    switch (operation) {
        case 1:
            return operate<1>(writeMask, references, first, second, flip, stencils, count);
        case 2:
            return operate<2>(writeMask, references, first, second, flip, stencils, count);
        case 3:
            return operate<3>(writeMask, references, first, second, flip, stencils, count);
        case 4:
            return operate<4>(writeMask, references, first, second, flip, stencils, count);
        case 5:
            return operate<5>(writeMask, references, first, second, flip, stencils, count);
        case 6:
            return operate<6>(writeMask, references, first, second, flip, stencils, count);
        case 7:
            return operate<7>(writeMask, references, first, second, flip, stencils, count);
        default:
            return;
    }
}

bool isTrivial(const StencilFace& face) {
    return face.compare == always && face.stencilFails == keep && face.depthFails == keep && face.passes == keep;
}

bool areSame(const StencilFace& one, const StencilFace& other) {
    return std::memcmp(&one, &other, sizeof one) == 0;  // bytes, without gaps
}

// Invocations of front or back facing quads only.
void takeFace(const Word* active, const std::uint8_t* isBack, bool back, Word* taken, std::uint32_t quads) {
    for (std::uint32_t quad = 0; quad < quads; ++quad) {
        const std::uint32_t mask = (isBack[quad] != 0) == back ? ~0u : 0u;
        for (std::uint32_t index = 4 * quad; index < 4 * quad + 4; ++index) taken[index] = active[index] & mask;
    }
}

void testFace(const StencilFace& face, const TestInputs& inputs, const Word* active, TestScratch& scratch,
              std::size_t count) {
    const Word* references = reinterpret_cast<const Word*>(inputs.reference);
    if (!references) {
        std::fill_n(scratch.references, count, std::uint32_t{face.reference});
        references = scratch.references;
    }
    compareStencils(Compare(face.compare), face.readMask, references, scratch.stencils, active, scratch.stencilPassed,
                    count);
    // What follows changes stencils where only one of the three is right; what was compared is not needed any more.
    if (face.stencilFails != keep)
        updateStencils(face.stencilFails, face.writeMask, references, active, scratch.stencilPassed, ~0u,
                       scratch.stencils, count);
    if (face.depthFails != keep)
        updateStencils(face.depthFails, face.writeMask, references, scratch.stencilPassed, scratch.depthPassed, ~0u,
                       scratch.stencils, count);
    if (face.passes != keep)
        updateStencils(face.passes, face.writeMask, references, scratch.stencilPassed, scratch.depthPassed, 0,
                       scratch.stencils, count);
    for (std::size_t index = 0; index < count; ++index)
        scratch.passed[index] |= scratch.stencilPassed[index] & scratch.depthPassed[index];
}

METAL_VECTORISED
void toUnits(double ones, const float* from, float* to, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        constexpr double anchor = 6755399441055744.0;  // 1.5 * 2^52
        to[index] = static_cast<float>((static_cast<double>(toUnit(from[index])) * ones + anchor) - anchor);
    }
}

}  // namespace

DepthUnits::DepthUnits(std::uint32_t format) {
    if (format == metal_texels::Depth16Unorm) ones_ = 65535;
    if (format == metal_texels::Depth24Unorm_Stencil8) ones_ = 16777215;
}

float DepthUnits::of(double depth) const {
    auto number = static_cast<float>(depth);
    if (!areFloat()) toUnits(ones_, &number, &number, 1);
    return number;
}

void DepthUnits::convert(const float* from, float* to, std::size_t count) const {
    toUnits(ones_, from, to, count);
}

bool passesAll(const DepthStencilState& state) {
    return state.depthCompare == always && !state.writesDepth && isTrivial(state.front) && isTrivial(state.back);
}

std::uint64_t testSample(const TilePlaces& places, const TilePlaces::Run& run, const DepthStencilState& state,
                         const DepthStencilColumns& columns, const TestInputs& inputs, unsigned sample,
                         std::uint32_t* coverage, TestScratch& scratch) {
    const std::size_t count = 4 * std::size_t{run.count};
    auto* depths = reinterpret_cast<Word*>(columns.depth);
    const bool comparesDepth = depths && state.depthCompare != always;
    const bool writesDepth = depths && state.writesDepth;
    const bool hasStencil = columns.stencil && !(isTrivial(state.front) && isTrivial(state.back));

    if (!hasStencil && (comparesDepth || writesDepth)) {
        const Word* stored = comparesDepth ? gather(depths, places.places(), run, scratch.gathered)
                                           : reinterpret_cast<const Word*>(inputs.depth);
        const std::uint64_t left =
            compareDepths(Compare(state.depthCompare), inputs.depth, stored, sample, coverage, scratch.passed, count);
        if (writesDepth && left) writeDepths(inputs.depth, scratch.passed, places.places(), run, depths);
        return left;
    }

    coverageMasks(coverage, sample, scratch.active, count);
    if (!hasStencil) return keepPassed(scratch.active, sample, coverage, count);
    if (comparesDepth) {
        compareActive(Compare(state.depthCompare), inputs.depth, gather(depths, places.places(), run, scratch.gathered),
                      scratch.depthPassed, count);
    } else {
        std::fill_n(scratch.depthPassed, count, ~0u);
    }
    auto* stencils = reinterpret_cast<Word*>(columns.stencil);
    const Word* stored = gather(stencils, places.places(), run, scratch.stencils);
    if (stored != scratch.stencils) std::memcpy(scratch.stencils, stored, 4 * count);
    std::fill_n(scratch.passed, count, 0u);
    if (areSame(state.front, state.back)) {
        testFace(state.front, inputs, scratch.active, scratch, count);
    } else {
        for (const bool back : {false, true}) {
            takeFace(scratch.active, inputs.isBack, back, scratch.faceActive, run.count);
            testFace(back ? state.back : state.front, inputs, scratch.faceActive, scratch, count);
        }
    }
    writeStencils(scratch.stencils, scratch.active, places.places(), run, stencils);
    if (writesDepth) writeDepths(inputs.depth, scratch.passed, places.places(), run, depths);
    return keepPassed(scratch.passed, sample, coverage, count);
}

}  // namespace metal_executor::render

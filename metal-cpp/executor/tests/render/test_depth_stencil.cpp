// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <iterator>

#include "canvas.hpp"

using namespace fixture;

namespace {

using Words = std::vector<std::uint32_t>;

template <class Number>
bool compares(unsigned function, Number fresh, Number stored) {
    switch (function) {
        case 0:
            return false;
        case 1:
            return fresh < stored;
        case 2:
            return fresh == stored;
        case 3:
            return fresh <= stored;
        case 4:
            return fresh > stored;
        case 5:
            return fresh != stored;
        case 6:
            return fresh >= stored;
        default:
            return true;
    }
}

unsigned operated(unsigned operation, unsigned stored, unsigned reference) {
    switch (operation) {
        case 0:
            return stored;
        case 1:
            return 0;
        case 2:
            return reference;
        case 3:
            return std::min(stored + 1, 255u);
        case 4:
            return stored ? stored - 1 : 0;
        case 5:
            return ~stored & 255;
        case 6:
            return (stored + 1) & 255;
        default:
            return (stored - 1) & 255;
    }
}

// What a depth format holds, as a number that compares as depths do.
double loadDepth(std::uint32_t format, const std::uint8_t* texel) {
    std::uint32_t bits = 0;
    switch (format) {
        case metal_texels::Depth16Unorm:
            std::memcpy(&bits, texel, 2);
            return bits;
        case metal_texels::Depth24Unorm_Stencil8:
            std::memcpy(&bits, texel, 3);
            return bits;
        default:
            return double{metal_texels::loadAs<float>(texel)};
    }
}

double storedDepth(std::uint32_t format, float depth) {
    const double within = std::clamp(double{depth}, 0.0, 1.0);
    if (format == metal_texels::Depth16Unorm) return std::nearbyint(within * 65535);
    if (format == metal_texels::Depth24Unorm_Stencil8) return std::nearbyint(within * 16777215);
    return double{depth};
}

void putDepth(std::uint32_t format, double depth, std::uint8_t* texel) {
    const auto bits = static_cast<std::uint32_t>(depth);
    const auto number = static_cast<float>(depth);
    if (format == metal_texels::Depth16Unorm) {
        std::memcpy(texel, &bits, 2);
    } else if (format == metal_texels::Depth24Unorm_Stencil8) {
        std::memcpy(texel, &bits, 3);
    } else {
        std::memcpy(texel, &number, 4);
    }
}

std::uint8_t* stencilIn(std::uint32_t format, std::uint8_t* texel) {
    switch (format) {
        case metal_texels::Depth24Unorm_Stencil8:
        case metal_texels::X24_Stencil8:
            return texel + 3;
        case metal_texels::Depth32Float_Stencil8:
        case metal_texels::X32_Stencil8:
            return texel + 4;
        default:
            return texel;
    }
}

struct Formats {
    std::uint32_t depth, stencil;
};
constexpr Formats combinations[] = {
    {metal_texels::Depth16Unorm, 0},
    {metal_texels::Depth32Float, 0},
    {0, metal_texels::Stencil8},
    {metal_texels::Depth16Unorm, metal_texels::Stencil8},
    {metal_texels::Depth32Float, metal_texels::Stencil8},
    {metal_texels::Depth32Float_Stencil8, metal_texels::Depth32Float_Stencil8},
    {metal_texels::Depth24Unorm_Stencil8, metal_texels::Depth24Unorm_Stencil8},
    {0, metal_texels::X32_Stencil8},
    {0, metal_texels::X24_Stencil8},
};

bool holdsBoth(const Formats& formats) {
    return formats.depth == formats.stencil;
}

void randomise(Random& random, std::uint32_t format, Pixels& pixels) {
    for (std::uint32_t sample = 0; sample < pixels.samples; ++sample)
        for (std::uint32_t y = 0; y < pixels.height; ++y)
            for (std::uint32_t x = 0; x < pixels.width; ++x) {
                std::uint8_t* texel = pixels.at(x, y, sample);
                for (std::uint32_t byte = 0; byte < pixels.texelBytes; ++byte)
                    texel[byte] = static_cast<std::uint8_t>(random.bits());
                // Few different ones, so that equal ones meet.
                const auto depth = static_cast<float>(random.below(9)) / 8;
                if (metal_texels::layoutOf(format).kind != metal_texels::uint)
                    putDepth(format, storedDepth(format, depth), texel);
                if (stencilIn(format, texel) != texel || format == metal_texels::Stencil8)
                    *stencilIn(format, texel) =
                        static_cast<std::uint8_t>(random.oneIn(2) ? random.below(4) * 85 : random.bits());
            }
}

StencilFace randomFace(Random& random) {
    const auto some = [&](std::uint32_t count) { return static_cast<std::uint8_t>(random.below(count)); };
    StencilFace face{some(8), some(8), some(8), some(8), 0xff, 0xff, some(256)};
    if (random.oneIn(2)) face.readMask = some(256);
    if (random.oneIn(2)) face.writeMask = some(256);
    if (random.oneIn(3)) face.reference = static_cast<std::uint8_t>(some(4) * 85);
    return face;
}

// One sample of one fragment. Whether it passes.
bool testOne(const Formats& formats, const DepthStencilState& state, bool isBack, float depth,
             const std::uint32_t* reference, std::uint8_t* depthTexel, std::uint8_t* stencilTexel) {
    const StencilFace& face = isBack ? state.back : state.front;
    const unsigned value = reference ? *reference & 255 : face.reference;
    std::uint8_t* stencil = formats.stencil ? stencilIn(formats.stencil, stencilTexel) : nullptr;
    const auto update = [&](unsigned operation) {
        if (!stencil) return;
        const unsigned fresh = operated(operation, *stencil, value);
        *stencil = static_cast<std::uint8_t>((*stencil & ~face.writeMask) | (fresh & face.writeMask));
    };
    if (stencil && !compares<unsigned>(face.compare, value & face.readMask, *stencil & face.readMask)) {
        update(face.stencilFails);
        return false;
    }
    if (formats.depth) {
        const double fresh = storedDepth(formats.depth, depth);
        if (!compares(state.depthCompare, fresh, loadDepth(formats.depth, depthTexel))) {
            update(face.depthFails);
            return false;
        }
        if (state.writesDepth) putDepth(formats.depth, fresh, depthTexel);
    }
    update(face.passes);
    return true;
}

struct Outcome {
    bool memoryIsRight = true, coverageIsRight = true, countIsRight = true;
};

Outcome run(Random& random, const Formats& formats, const std::vector<DepthStencilState>& states, std::uint32_t width,
            std::uint32_t height, std::uint32_t samples) {
    Pixels depths(formats.depth ? formats.depth : std::uint32_t{metal_texels::Depth16Unorm}, width, height, samples);
    Pixels stencils(formats.stencil ? formats.stencil : std::uint32_t{metal_texels::Stencil8}, width, height, samples);
    randomise(random, depths.format, depths);
    randomise(random, stencils.format, stencils);
    Pixels expectedDepths = depths, expectedStencils = stencils;
    Pixels& stencilMemory = holdsBoth(formats) ? depths : stencils;
    Pixels& expectedStencilMemory = holdsBoth(formats) ? expectedDepths : expectedStencils;

    PassTargets pass;
    pass.width = width;
    pass.height = height;
    pass.sampleCount = samples;
    if (formats.depth) static_cast<Target&>(pass.depth) = {depths.image(), {}, LoadAction::load, true, false};
    if (formats.stencil)
        static_cast<Target&>(pass.stencil) = {stencilMemory.image(), {}, LoadAction::load, true, false};

    Outcome outcome;
    TileTargets tile;
    const auto batch = std::make_unique<QuadBatch>();
    for (std::uint32_t y = 0; y < height; y += pass.tileSize()) {
        for (std::uint32_t x = 0; x < width; x += pass.tileSize()) {
            if (!tile.begin(pass, x, y, 0)) return {false, false, false};
            std::uint64_t visible = 0, expectedVisible = 0;
            for (DepthStencilState state : states) {
                state.visibility = Visibility::counting;
                state.visible = &visible;
                randomBatch(*batch, random, std::min(pass.tileSize(), width - x), std::min(pass.tileSize(), height - y),
                            samples, true);
                std::vector<float> written(maxBatch);
                Words references(maxBatch);
                for (unsigned index = 0; index < maxBatch; ++index) {
                    for (auto& depth : batch->depth)
                        depth[index] =
                            random.oneIn(2) ? static_cast<float>(random.below(9)) / 8 : random.between(-0.1f, 1.1f);
                    written[index] = random.between(0, 1);
                    references[index] = random.bits();
                }
                const float* ownDepth = random.oneIn(4) ? written.data() : nullptr;
                const std::uint32_t* ownReference = random.oneIn(4) ? references.data() : nullptr;
                Words coverage(maxBatch);
                forCovered(*batch, samples,
                           [&](unsigned invocation, std::uint32_t px, std::uint32_t py, unsigned sample) {
                               const float depth = ownDepth ? ownDepth[invocation] : batch->depth[sample][invocation];
                               const bool passes = testOne(formats, state, batch->isBack[invocation / 4], depth,
                                                           ownReference ? ownReference + invocation : nullptr,
                                                           expectedDepths.at(x + px, y + py, sample),
                                                           expectedStencilMemory.at(x + px, y + py, sample));
                               if (passes) coverage[invocation] |= 1u << sample;
                               expectedVisible += passes;
                           });
                const bool any = tile.test(*batch, state, ownDepth, ownReference);
                outcome.coverageIsRight &=
                    std::equal(batch->coverage, batch->coverage + 4 * batch->count, coverage.begin());
                outcome.coverageIsRight &=
                    any == std::ranges::any_of(coverage, [](std::uint32_t word) { return word != 0; });
            }
            tile.end();
            outcome.countIsRight &= visible == expectedVisible;
        }
    }
    outcome.memoryIsRight = depths.bytes == expectedDepths.bytes && stencils.bytes == expectedStencils.bytes;
    return outcome;
}

void expectRight(const Outcome& outcome, const std::string& what) {
    if (!outcome.memoryIsRight) check::failed(what.c_str(), __LINE__, "memory");
    if (!outcome.coverageIsRight) check::failed(what.c_str(), __LINE__, "coverage");
    if (!outcome.countIsRight) check::failed(what.c_str(), __LINE__, "visible samples");
}

std::string nameOf(const Formats& formats) {
    return "formats " + std::to_string(formats.depth) + " and " + std::to_string(formats.stencil);
}

}  // namespace

TEST(every_format_is_tested_one_fragment_after_the_other) {
    Random random(1);
    for (const Formats& formats : combinations) {
        for (int turn = 0; turn < 20; ++turn) {
            std::vector<DepthStencilState> states(3);
            for (DepthStencilState& state : states) {
                state.depthCompare = static_cast<std::uint8_t>(random.below(8));
                state.writesDepth = random.oneIn(2);
                if (!random.oneIn(3)) state.front = randomFace(random);
                state.back = random.oneIn(3) ? state.front : randomFace(random);
            }
            expectRight(run(random, formats, states, 1 + random.below(70), 1 + random.below(20), 1u << random.below(4)),
                        nameOf(formats));
        }
    }
}

TEST(every_depth_function_writes_or_not) {
    Random random(2);
    for (std::uint8_t function = 0; function < 8; ++function) {
        for (const bool writes : {false, true}) {
            DepthStencilState state;
            state.depthCompare = function;
            state.writesDepth = writes;
            for (const Formats& formats : combinations)
                expectRight(run(random, formats, {state, state}, 20, 12, 1), nameOf(formats));
        }
    }
}

TEST(every_stencil_function_and_operation_does_what_it_says) {
    Random random(3);
    for (std::uint8_t function = 0; function < 8; ++function) {
        for (std::uint8_t operation = 0; operation < 8; ++operation) {
            for (int place = 0; place < 3; ++place) {
                DepthStencilState state;
                state.depthCompare = 1;
                StencilFace face = randomFace(random);
                face.compare = function;
                face.stencilFails = place == 0 ? operation : 0;
                face.depthFails = place == 1 ? operation : 0;
                face.passes = place == 2 ? operation : 0;
                (random.oneIn(2) ? state.front : state.back) = face;
                expectRight(run(random, combinations[5], {state, state}, 20, 12, 1),
                            std::to_string(function) + " " + std::to_string(operation));
            }
        }
    }
}

TEST(depths_of_24_bits_differ_in_the_last) {
    // The greatest ones are as near to each other as floats below 1 are.
    Pixels pixels(metal_texels::Depth24Unorm_Stencil8, 2, 2, 1);
    PassTargets pass;
    pass.width = pass.height = 2;
    static_cast<Target&>(pass.depth) = {pixels.image(), {}, LoadAction::clear, true, false};
    const auto batch = std::make_unique<QuadBatch>();
    batch->count = 1;
    batch->x[0] = batch->y[0] = 0;
    batch->isBack[0] = 0;
    const double numbers[] = {16777214, 16777213, 8388608, 1};
    for (int index = 0; index < 4; ++index) {
        batch->coverage[index] = 1;
        batch->depth[0][index] = static_cast<float>(numbers[index] / 16777215);
    }
    DepthStencilState state;
    state.depthCompare = 1;
    state.writesDepth = true;
    TileTargets tile;
    REQUIRE(tile.begin(pass, 0, 0, 0));
    CHECK(tile.test(*batch, state, nullptr, nullptr));
    tile.end();
    for (unsigned index = 0; index < 4; ++index)
        CHECK_EQUAL(loadDepth(pixels.format, pixels.at(index % 2, index / 2, 0)), numbers[index]);
}

TEST(visible_samples_are_counted_where_the_draw_says) {
    PassTargets pass;  // no attachments at all
    pass.width = pass.height = 8;
    pass.sampleCount = 4;
    std::uint64_t counts[3] = {};
    const auto batch = std::make_unique<QuadBatch>();
    TileTargets tile;
    REQUIRE(tile.begin(pass, 0, 0, 0));
    const struct {
        Visibility mode;
        int slot;
        std::uint32_t coverage;
    } draws[] = {{Visibility::counting, 0, 0xf}, {Visibility::boolean, 1, 0x6},  {Visibility::disabled, 2, 0xf},
                 {Visibility::counting, 2, 0},   {Visibility::counting, 0, 0x1}, {Visibility::boolean, 1, 0x0}};
    for (const auto& draw : draws) {
        batch->count = 1;
        batch->x[0] = batch->y[0] = 4;
        std::fill_n(batch->coverage, 4, draw.coverage);
        DepthStencilState state;
        state.visibility = draw.mode;
        state.visible = &counts[draw.slot];
        CHECK_EQUAL(tile.test(*batch, state, nullptr, nullptr), draw.coverage != 0);
        CHECK_EQUAL(batch->coverage[0], draw.coverage);
    }
    tile.end();
    CHECK_EQUAL(counts[0], std::uint64_t{20});
    CHECK_EQUAL(counts[1], std::uint64_t{1});
    CHECK_EQUAL(counts[2], std::uint64_t{0});
}

TEST(what_an_abandoned_tile_has_counted_is_forgotten) {
    PassTargets pass;
    pass.width = pass.height = 8;
    std::uint64_t count = 0;
    const auto batch = std::make_unique<QuadBatch>();
    batch->count = 1;
    batch->x[0] = batch->y[0] = 4;
    std::fill_n(batch->coverage, 4, 1u);
    DepthStencilState state;
    state.visibility = Visibility::counting;
    state.visible = &count;
    TileTargets tile;
    REQUIRE(tile.begin(pass, 0, 0, 0));
    CHECK(tile.test(*batch, state, nullptr, nullptr));
    REQUIRE(tile.begin(pass, 0, 0, 0));
    tile.end();
    CHECK_EQUAL(count, std::uint64_t{0});
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}

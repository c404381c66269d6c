// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>

#include "canvas.hpp"

using namespace fixture;

namespace {

// One channel of a factor, as Metal describes it. `s`, `s1`, `d` and `c` are source, second source, destination and
// constant.
float factorOf(unsigned factor, int channel, const float* s, const float* s1, const float* d, const float* c) {
    switch (factor) {
        case 0:
            return 0;
        case 1:
            return 1;
        case 2:
            return s[channel];
        case 3:
            return 1 - s[channel];
        case 4:
            return s[3];
        case 5:
            return 1 - s[3];
        case 6:
            return d[channel];
        case 7:
            return 1 - d[channel];
        case 8:
            return d[3];
        case 9:
            return 1 - d[3];
        case 10:
            return channel == 3 ? 1 : std::min(s[3], 1 - d[3]);
        case 11:
            return c[channel];
        case 12:
            return 1 - c[channel];
        case 13:
            return c[3];
        case 14:
            return 1 - c[3];
        case 15:
            return s1[channel];
        case 16:
            return 1 - s1[channel];
        case 17:
            return s1[3];
        default:
            return 1 - s1[3];
    }
}

float combined(unsigned operation, float source, float s, float destination, float d) {
    switch (operation) {
        case 0:
            return s + d;
        case 1:
            return s - d;
        case 2:
            return d - s;
        case 3:
            return std::min(source, destination);
        default:
            return std::max(source, destination);
    }
}

bool keeps(const Blending& blending, int channel) {
    return !(blending.writeMask & (8 >> channel));
}

void writeReal(std::uint32_t format, const Blending& blending, const ColorState& state, const float* color,
               const float* second, std::uint8_t* texel) {
    const metal_texels::Kind kind = metal_texels::layoutOf(format).kind;
    const bool isUnsigned = kind == metal_texels::unorm || kind == metal_texels::srgb;
    const bool isClamped = isUnsigned || kind == metal_texels::snorm;
    // BlendFactorZero leaves a plain 0, whatever it is multiplied with.
    const auto product = [](unsigned factor, float number, float by) { return factor == 0 ? 0 : number * by; };
    const auto clamped = [&](const float* from, float* to) {
        for (int channel = 0; channel < 4; ++channel)
            to[channel] = isClamped ? std::clamp(from[channel], isUnsigned ? 0.0f : -1.0f, 1.0f) : from[channel];
    };
    float d[4], s[4], s1[4], c[4], result[4];
    metal_texels::loadReal(format, texel, d);
    clamped(color, s);
    clamped(second, s1);
    clamped(state.constant, c);
    for (int channel = 0; channel < 4; ++channel) {
        const bool isAlpha = channel == 3;
        const unsigned from = isAlpha ? blending.alphaSource : blending.colorSource;
        const unsigned to = isAlpha ? blending.alphaDestination : blending.colorDestination;
        const unsigned operation = isAlpha ? blending.alphaOperation : blending.colorOperation;
        result[channel] =
            !blending.isEnabled
                ? color[channel]
                : combined(operation, s[channel], product(from, s[channel], factorOf(from, channel, s, s1, d, c)),
                           d[channel], product(to, d[channel], factorOf(to, channel, s, s1, d, c)));
        if (keeps(blending, channel)) result[channel] = d[channel];
    }
    metal_texels::storeReal(format, texel, result);
}

void writeInteger(std::uint32_t format, const Blending& blending, const std::uint32_t* color, std::uint8_t* texel) {
    std::uint32_t result[4];
    metal_texels::loadInteger(format, texel, result);
    for (int channel = 0; channel < 4; ++channel)
        if (!keeps(blending, channel)) result[channel] = color[channel];
    metal_texels::storeInteger(format, texel, result);
}

std::uint8_t some(Random& random, std::uint32_t count) {
    return static_cast<std::uint8_t>(random.below(count));
}

Blending randomBlending(Random& random) {
    Blending blending;
    blending.isEnabled = !random.oneIn(4);
    blending.colorSource = some(random, 19);
    blending.colorDestination = some(random, 19);
    blending.colorOperation = some(random, 5);
    blending.alphaSource = some(random, 19);
    blending.alphaDestination = some(random, 19);
    blending.alphaOperation = some(random, 5);
    if (random.oneIn(3)) blending.writeMask = some(random, 16);
    return blending;
}

/// Columns of one attachment's outputs; what is missing is 0, of alpha 1.
struct Colors {
    std::vector<float> first[4], second[4];
    ColorOutput output;

    Colors(Random& random, bool isInteger) {
        const bool lacksSome = random.oneIn(5);
        for (int channel = 0; channel < 4; ++channel) {
            first[channel].resize(maxBatch);
            second[channel].resize(maxBatch);
            for (unsigned index = 0; index < maxBatch; ++index) {
                first[channel][index] =
                    isInteger ? metal_texels::ofBits(random.bits() >> random.below(32)) : random.between(-0.3f, 1.3f);
                second[channel][index] = random.between(-0.3f, 1.3f);
            }
            output.components[channel] = first[channel].data();
            output.second[channel] = second[channel].data();
        }
        const float one = isInteger ? metal_texels::ofBits(1) : 1;
        for (int channel = 1; channel < 4 && lacksSome; ++channel) {
            if (random.oneIn(2)) continue;
            output.components[channel] = nullptr;
            std::ranges::fill(first[channel], channel == 3 ? one : 0);
        }
    }
};

// Draws a few batches into every tile of one or more attachments; returns whether memory holds what it should.
bool isRight(Random& random, const std::vector<std::uint32_t>& formats, const std::vector<Blending>& blendings,
             std::uint32_t width, std::uint32_t height, std::uint32_t samples, bool repeats) {
    std::vector<Pixels> got, expected;
    PassTargets pass;
    pass.width = width;
    pass.height = height;
    pass.sampleCount = samples;
    ColorState state;
    for (float& number : state.constant) number = random.between(-0.3f, 1.3f);
    state.alphaToOne = random.oneIn(4);
    got.reserve(formats.size());
    for (std::size_t index = 0; index < formats.size(); ++index) {
        got.emplace_back(formats[index], width, height, samples);
        got.back().randomise(random);
        expected.push_back(got.back());
        state.colors[index] = blendings[index];
        ColorTarget& target = pass.colors[index];
        target.image = got.back().image();
        target.load = LoadAction::load;
        target.stores = true;
    }
    TileTargets tile;
    const auto batch = std::make_unique<QuadBatch>();
    for (std::uint32_t y = 0; y < height; y += pass.tileSize()) {
        for (std::uint32_t x = 0; x < width; x += pass.tileSize()) {
            if (!tile.begin(pass, x, y, 0)) return false;
            for (int turn = 0; turn < 3; ++turn) {
                randomBatch(*batch, random, std::min(pass.tileSize(), width - x), std::min(pass.tileSize(), height - y),
                            samples, repeats);
                std::vector<Colors> colors;
                ColorOutput outputs[maxColors];
                for (std::size_t index = 0; index < formats.size(); ++index) {
                    colors.emplace_back(random, metal_texels::layoutOf(formats[index]).isInteger());
                    outputs[index] = colors.back().output;
                }
                tile.write(*batch, state, outputs);
                forCovered(*batch, samples,
                           [&](unsigned invocation, std::uint32_t px, std::uint32_t py, std::uint32_t sample) {
                               for (std::size_t index = 0; index < formats.size(); ++index) {
                                   float color[4], second[4];
                                   std::uint32_t integers[4];
                                   for (int channel = 0; channel < 4; ++channel) {
                                       color[channel] = colors[index].first[channel][invocation];
                                       second[channel] = colors[index].second[channel][invocation];
                                       integers[channel] = metal_texels::bitsOf(color[channel]);
                                   }
                                   std::uint8_t* texel = expected[index].at(x + px, y + py, sample);
                                   if (metal_texels::layoutOf(formats[index]).isInteger()) {
                                       writeInteger(formats[index], state.colors[index], integers, texel);
                                   } else {
                                       if (state.alphaToOne) color[3] = 1;
                                       writeReal(formats[index], state.colors[index], state, color, second, texel);
                                   }
                               }
                           });
            }
            tile.end();
        }
    }
    for (std::size_t index = 0; index < formats.size(); ++index)
        if (got[index].bytes != expected[index].bytes) return false;
    return true;
}

std::vector<std::uint32_t> colorFormats() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t format = 1; format <= metal_texels::BGR10_XR_sRGB; ++format) {
        const metal_texels::Kind kind = metal_texels::layoutOf(format).kind;
        const bool isColor = format < metal_texels::GBGR422 || format >= metal_texels::BGRA10_XR;
        // A search by halves, thousands of steps long, is what extended sRGB is compared with elsewhere.
        if (kind != metal_texels::none && isColor && kind != metal_texels::extendedSrgb) all.push_back(format);
    }
    return all;
}

}  // namespace

TEST(every_format_is_blended_as_if_stored_after_every_fragment) {
    Random random(1);
    for (const std::uint32_t format : colorFormats()) {
        for (int turn = 0; turn < 8; ++turn) {
            const std::uint32_t samples = 1u << random.below(4);
            const std::uint32_t width = 1 + random.below(70), height = 1 + random.below(20);
            if (!isRight(random, {format}, {randomBlending(random)}, width, height, samples, true))
                check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
        }
    }
}

TEST(every_pair_of_factors_and_every_operation_is_blended) {
    Random random(2);
    const std::uint32_t formats[] = {metal_texels::RGBA8Unorm, metal_texels::RGBA32Float, metal_texels::RGBA8Snorm};
    for (std::uint8_t source = 0; source < 19; ++source) {
        for (std::uint8_t destination = 0; destination < 19; ++destination) {
            for (std::uint8_t operation = 0; operation < 5; ++operation) {
                const Blending blending{true, source, destination, operation, source, destination, operation};
                if (!isRight(random, {formats[(source + destination + operation) % 3]}, {blending}, 6, 4, 1, false))
                    check::failed(
                        __FILE__, __LINE__,
                        std::to_string(source) + " " + std::to_string(destination) + " " + std::to_string(operation));
            }
        }
    }
}

TEST(eight_attachments_are_written_each_in_its_own_way) {
    Random random(3);
    const std::vector<std::uint32_t> all = colorFormats();
    for (int turn = 0; turn < 12; ++turn) {
        std::vector<std::uint32_t> formats;
        std::vector<Blending> blendings;
        for (unsigned index = 0; index < maxColors; ++index) {
            formats.push_back(all[random.below(static_cast<std::uint32_t>(all.size()))]);
            blendings.push_back(randomBlending(random));
        }
        CHECK(isRight(random, formats, blendings, 35, 18, turn % 2 ? 4 : 1, true));
    }
}

TEST(a_factor_of_zero_leaves_nothing_of_what_is_no_number) {
    Pixels pixels(metal_texels::RGBA32Float, 2, 2, 1);
    const float infinity = HUGE_VALF;
    for (std::uint32_t pixel = 0; pixel < 4; ++pixel) {
        const float texel[4] = {infinity, std::nanf(""), -infinity, infinity};
        std::memcpy(pixels.at(pixel % 2, pixel / 2, 0), texel, 16);
    }
    PassTargets pass;
    pass.width = pass.height = 2;
    static_cast<Target&>(pass.colors[0]) = {pixels.image(), {}, LoadAction::load, true, false};
    ColorState state;
    state.colors[0].isEnabled = true;  // one, zero
    const auto batch = std::make_unique<QuadBatch>();
    batch->count = 1;
    batch->x[0] = batch->y[0] = 0;
    std::fill_n(batch->coverage, 4, 1u);
    const float halves[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    ColorOutput outputs[maxColors];
    for (const void*& component : outputs[0].components) component = halves;
    TileTargets tile;
    CHECK(tile.begin(pass, 0, 0, 0));
    tile.write(*batch, state, outputs);
    tile.end();
    for (std::uint32_t pixel = 0; pixel < 4; ++pixel)
        CHECK(std::memcmp(pixels.at(pixel % 2, pixel / 2, 0), halves, 16) == 0);
}

TEST(what_an_attachment_holds_is_read_as_its_format_has_it) {
    Random random(4);
    for (const std::uint32_t format : colorFormats()) {
        Pixels pixels(format, 21, 9, 2);
        pixels.randomise(random);
        PassTargets pass;
        pass.width = 21;
        pass.height = 9;
        pass.sampleCount = 2;
        static_cast<Target&>(pass.colors[2]) = {pixels.image(), {}, LoadAction::load, true, false};
        TileTargets tile;
        REQUIRE(tile.begin(pass, 0, 0, 0));
        const auto batch = std::make_unique<QuadBatch>();
        randomBatch(*batch, random, 21, 9, 2, false);
        const bool isInteger = metal_texels::layoutOf(format).isInteger();
        const Colors colors(random, isInteger);
        ColorOutput outputs[maxColors];
        outputs[2] = colors.output;
        tile.write(*batch, ColorState{}, outputs);
        std::vector<std::uint32_t> columns[4];
        void* to[4];
        for (int channel = 0; channel < 4; ++channel) {
            columns[channel].resize(maxBatch);
            to[channel] = columns[channel].data();
        }
        tile.read(*batch, 2, 1, to);
        tile.end();  // now memory holds the same
        std::size_t wrong = 0;
        forCovered(*batch, 2, [&](unsigned invocation, std::uint32_t x, std::uint32_t y, std::uint32_t) {
            float real[4];
            std::uint32_t integers[4];
            isInteger ? metal_texels::loadInteger(format, pixels.at(x, y, 1), integers)
                      : metal_texels::loadReal(format, pixels.at(x, y, 1), real);
            for (int channel = 0; channel < 4; ++channel)
                wrong += columns[channel][invocation] !=
                         (isInteger ? integers[channel] : metal_texels::bitsOf(real[channel]));
        });
        if (wrong) check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
    }
}

TEST(alpha_says_how_many_samples_are_covered) {
    const auto batch = std::make_unique<QuadBatch>();
    batch->count = 2;
    const float alphas[] = {0, 0.124f, 0.126f, 0.49f, 0.51f, 0.9f, 1, 7};
    const unsigned ofFour[] = {0, 0, 1, 3, 3, 15, 15, 15}, ofOne[] = {0, 0, 0, 0, 1, 1, 1, 1};
    std::fill_n(batch->coverage, 8, 0xfu);
    alphaToCoverage(*batch, alphas, 4);
    for (int index = 0; index < 8; ++index) CHECK_EQUAL(batch->coverage[index], ofFour[index]);
    std::fill_n(batch->coverage, 8, 1u);
    alphaToCoverage(*batch, alphas, 1);
    for (int index = 0; index < 8; ++index) CHECK_EQUAL(batch->coverage[index], ofOne[index]);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}

// SPDX-License-Identifier: MIT
//
// Loading, clearing, storing and resolving.

#include <algorithm>

#include "canvas.hpp"

using namespace fixture;

namespace {

constexpr std::uint32_t width = 37, height = 21, samples = 4;

// Runs all tiles of a pass; in those that `draws` says a batch without coverage is written, so that they are loaded.
void runPass(const PassTargets& pass, const std::function<bool(std::uint32_t x, std::uint32_t y)>& draws) {
    TileTargets tile;
    const auto batch = std::make_unique<QuadBatch>();
    const std::vector<float> zeros(maxBatch);
    ColorOutput outputs[maxColors];
    for (ColorOutput& output : outputs)
        for (const void*& component : output.components) component = zeros.data();
    DepthStencilState state;
    state.depthCompare = 0;
    state.front.compare = state.back.compare = 0;
    for (std::uint32_t layer = 0; layer < pass.layers; ++layer) {
        for (std::uint32_t y = 0; y < pass.height; y += pass.tileSize()) {
            for (std::uint32_t x = 0; x < pass.width; x += pass.tileSize()) {
                if (!tile.begin(pass, x, y, layer)) return check::failed(__FILE__, __LINE__, "no memory");
                if (draws(x, y)) {
                    batch->count = 1;
                    batch->x[0] = batch->y[0] = 0;
                    std::fill_n(batch->coverage, 4, 0u);
                    std::fill_n(batch->depth[0], maxSamples * maxBatch, 0.0f);
                    tile.test(*batch, state, nullptr, nullptr);
                    tile.write(*batch, ColorState{}, outputs);
                }
                tile.end();
            }
        }
    }
}

bool always(std::uint32_t, std::uint32_t) {
    return true;
}
bool never(std::uint32_t, std::uint32_t) {
    return false;
}

std::vector<std::uint32_t> colorFormats() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t format = 1; format < metal_texels::GBGR422; ++format)
        if (metal_texels::layoutOf(format).bytes) all.push_back(format);
    all.push_back(metal_texels::BGRA10_XR);
    return all;
}

void store(std::uint32_t format, const double* color, std::uint8_t* texel) {
    float real[4];
    std::uint32_t integers[4];
    const metal_texels::Layout layout = metal_texels::layoutOf(format);
    for (int channel = 0; channel < 4; ++channel) {
        real[channel] = static_cast<float>(color[channel]);
        integers[channel] = layout.kind == metal_texels::sint
                                ? static_cast<std::uint32_t>(static_cast<std::int32_t>(color[channel]))
                                : static_cast<std::uint32_t>(std::max(color[channel], 0.0));
    }
    layout.isInteger() ? metal_texels::storeInteger(format, texel, integers)
                       : metal_texels::storeReal(format, texel, real);
}

}  // namespace

TEST(a_clear_fills_all_samples_drawn_to_or_not) {
    Random random(1);
    for (const std::uint32_t format : colorFormats()) {
        const bool isInteger = metal_texels::layoutOf(format).isInteger();
        Pixels got(format, width, height, samples, 2);
        got.randomise(random);
        Pixels expected = got;
        PassTargets pass;
        pass.width = width;
        pass.height = height;
        pass.layers = 2;
        pass.sampleCount = samples;
        const double real[4] = {0.2, 0.7, -0.1, 0.4}, whole[4] = {3, 250, -7, 70000};
        static_cast<Target&>(pass.colors[5]) = {got.image(), {}, LoadAction::clear, true, false};
        std::copy_n(isInteger ? whole : real, 4, pass.colors[5].clear);
        for (std::uint32_t layer = 0; layer < 2; ++layer)
            for (std::uint32_t sample = 0; sample < samples; ++sample)
                for (std::uint32_t y = 0; y < height; ++y)
                    for (std::uint32_t x = 0; x < width; ++x)
                        store(format, pass.colors[5].clear, expected.at(x, y, sample, layer));
        runPass(pass, [](std::uint32_t x, std::uint32_t) { return x > 0; });
        if (got.bytes != expected.bytes) check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
    }
}

TEST(a_pass_leaves_what_it_loads_and_stores_or_does_not_store) {
    Random random(2);
    for (const std::uint32_t format : colorFormats()) {
        Pixels got(format, width, height, 2);
        got.randomise(random);
        const std::vector<std::uint8_t> before = got.bytes;
        PassTargets pass;
        pass.width = width;
        pass.height = height;
        pass.sampleCount = 2;
        for (const bool stores : {true, false}) {
            static_cast<Target&>(pass.colors[0]) = {
                got.image(), {}, stores ? LoadAction::load : LoadAction::clear, stores, false};
            runPass(pass, always);
            if (got.bytes != before) check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
            runPass(pass, never);
            if (got.bytes != before) check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
        }
    }
}

TEST(colours_are_resolved_to_the_mean_and_integers_to_sample_0) {
    Random random(3);
    for (const std::uint32_t format : colorFormats()) {
        for (const std::uint32_t sampleCount : {1u, 2u, 4u, 8u}) {
            for (const bool keepsSamples : {false, true}) {
                const metal_texels::Layout layout = metal_texels::layoutOf(format);
                Pixels from(format, width, height, sampleCount), to(format, width, height, 1);
                from.randomise(random);
                const std::vector<std::uint8_t> before = from.bytes;
                Pixels expected = to;
                for (std::uint32_t y = 0; y < height; ++y) {
                    for (std::uint32_t x = 0; x < width; ++x) {
                        float mean[4] = {};
                        for (std::uint32_t sample = 0; sample < sampleCount; ++sample) {
                            float rgba[4];
                            metal_texels::loadReal(format, from.at(x, y, sample), rgba);
                            for (int channel = 0; channel < 4; ++channel) mean[channel] += rgba[channel];
                        }
                        for (float& number : mean) number /= static_cast<float>(sampleCount);
                        if (layout.isInteger()) {
                            std::memcpy(expected.at(x, y, 0), from.at(x, y, 0), layout.bytes);
                        } else {
                            metal_texels::storeReal(format, expected.at(x, y, 0), mean);
                        }
                    }
                }
                PassTargets pass;
                pass.width = width;
                pass.height = height;
                pass.sampleCount = sampleCount;
                static_cast<Target&>(pass.colors[1]) = {from.image(), to.image(), LoadAction::load, keepsSamples, true};
                runPass(pass, keepsSamples ? always : never);
                if (to.bytes != expected.bytes || from.bytes != before)
                    check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
            }
        }
    }
}

TEST(memory_that_is_not_there_is_rendered_to_and_resolved) {
    Pixels to(metal_texels::RGBA8Unorm, width, height, 1);
    PassTargets pass;
    pass.width = width;
    pass.height = height;
    pass.sampleCount = samples;
    TargetImage memoryless{metal_texels::RGBA8Unorm, nullptr, 0, 0, 0, width, height};
    static_cast<Target&>(pass.colors[0]) = {memoryless, to.image(), LoadAction::clear, true, true};
    pass.colors[0].clear[1] = 1;
    memoryless.format = metal_texels::Depth32Float;
    static_cast<Target&>(pass.depth) = {memoryless, {}, LoadAction::clear, true, false};
    memoryless.format = metal_texels::Stencil8;
    static_cast<Target&>(pass.stencil) = {memoryless, {}, LoadAction::load, true, false};
    runPass(pass, [](std::uint32_t, std::uint32_t y) { return y > 0; });
    const std::uint8_t green[4] = {0, 255, 0, 255};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) CHECK(std::memcmp(to.at(x, y, 0), green, 4) == 0);
}

TEST(depths_and_stencils_are_resolved_as_the_filter_says) {
    Random random(4);
    constexpr std::uint32_t both = metal_texels::Depth32Float_Stencil8;
    for (const ResolveFilter filter : {ResolveFilter::sample0, ResolveFilter::least, ResolveFilter::greatest}) {
        for (const bool follows : {false, true}) {
            for (const bool isTouched : {false, true}) {
                Pixels from(both, width, height, samples), to(both, width, height, 1);
                for (std::uint32_t sample = 0; sample < samples; ++sample)
                    for (std::uint32_t y = 0; y < height; ++y)
                        for (std::uint32_t x = 0; x < width; ++x) {
                            const float depth = static_cast<float>(random.below(6)) / 5;
                            std::memcpy(from.at(x, y, sample), &depth, 4);
                            from.at(x, y, sample)[4] = static_cast<std::uint8_t>(random.bits());
                        }
                Pixels expected = to;
                for (std::uint32_t y = 0; y < height; ++y) {
                    for (std::uint32_t x = 0; x < width; ++x) {
                        std::uint32_t chosen = 0;
                        const auto depth = [&](std::uint32_t s) {
                            return metal_texels::loadAs<float>(from.at(x, y, s));
                        };
                        for (std::uint32_t sample = 1; sample < samples; ++sample) {
                            if (filter == ResolveFilter::least && depth(sample) < depth(chosen)) chosen = sample;
                            if (filter == ResolveFilter::greatest && depth(sample) > depth(chosen)) chosen = sample;
                        }
                        std::memcpy(expected.at(x, y, 0), from.at(x, y, chosen), 4);
                        expected.at(x, y, 0)[4] = from.at(x, y, follows ? chosen : 0)[4];
                    }
                }
                PassTargets pass;
                pass.width = width;
                pass.height = height;
                pass.sampleCount = samples;
                static_cast<Target&>(pass.depth) = {from.image(), to.image(), LoadAction::load, false, true};
                static_cast<Target&>(pass.stencil) = {from.image(), to.image(), LoadAction::load, false, true};
                pass.depth.filter = filter;
                pass.stencil.followsDepth = follows;
                runPass(pass, isTouched ? always : never);
                CHECK(to.bytes == expected.bytes);
            }
        }
    }
}

TEST(clearing_depth_leaves_the_stencil_beside_it) {
    for (const std::uint32_t format : {metal_texels::Depth32Float_Stencil8, metal_texels::Depth24Unorm_Stencil8}) {
        Random random(5);
        Pixels got(format, width, height, 1);
        for (std::uint8_t& byte : got.bytes) byte = static_cast<std::uint8_t>(random.bits());
        const Pixels before = got;
        PassTargets pass;
        pass.width = width;
        pass.height = height;
        static_cast<Target&>(pass.depth) = {got.image(), {}, LoadAction::clear, true, false};
        pass.depth.clear = 0.75;
        static_cast<Target&>(pass.stencil) = {got.image(), {}, LoadAction::load, true, false};
        runPass(pass, never);
        const std::size_t stencil = format == metal_texels::Depth24Unorm_Stencil8 ? 3 : 4;
        Pixels expected = before;
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                const float depth = 0.75f;
                const std::uint32_t counted = 12582911;  // 0.75 * (2^24 - 1), ties to the even one below
                std::memcpy(expected.at(x, y, 0), stencil == 4 ? static_cast<const void*>(&depth) : &counted, stencil);
            }
        CHECK(got.bytes == expected.bytes);
    }
}

TEST(a_texture_s_images_are_found) {
    std::vector<std::uint8_t> bytes(4096);
    metal_texture texture{};
    texture.sample_count = 4;
    texture.level_count = 2;
    texture.levels[1] = {bytes.data(), 100, 20, 5, 3, 1};
    const TargetImage image = targetImage(texture, metal_texels::RGBA8Unorm, 1, 3, 0);
    CHECK(image.data == bytes.data() + 3 * 4 * 100);
    CHECK_EQUAL(image.bytesPerSample, std::uint64_t{100});
    CHECK_EQUAL(image.bytesPerLayer, std::uint64_t{400});
    texture.sample_count = 1;
    CHECK(targetImage(texture, metal_texels::RGBA8Unorm, 1, 0, 2).data == bytes.data() + 200);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}

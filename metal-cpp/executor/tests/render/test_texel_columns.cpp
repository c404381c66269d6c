// SPDX-License-Identifier: MIT

#include "../../render/texel_columns.hpp"

#include <cmath>
#include <iterator>
#include <limits>

#include "canvas.hpp"

using namespace fixture;

static std::vector<std::uint32_t> formats() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t format = 1; format <= metal_texels::BGR10_XR_sRGB; ++format) {
        const metal_texels::Layout layout = metal_texels::layoutOf(format);
        if (layout.bytes && layout.kind != metal_texels::subsampled && format < 250) all.push_back(format);
    }
    for (std::uint32_t format = metal_texels::BGRA10_XR; format <= metal_texels::BGR10_XR_sRGB; ++format)
        all.push_back(format);
    return all;
}

static std::vector<float> numbers(std::uint32_t format, std::size_t count, Random& random) {
    const float special[] = {0.0f,
                             -0.0f,
                             1.0f,
                             -1.0f,
                             0.5f,
                             65504.0f,
                             65519.99f,
                             65520.0f,
                             1e30f,
                             -1e30f,
                             65024.0f,
                             64512.0f,
                             0x1p-14f,
                             0x1.ffcp-15f,
                             0x1p-24f,
                             0x1p-25f,
                             0x1.8p-25f,
                             0x1p-20f,
                             -0x1p-24f,
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(),
                             0.0031308f,
                             0.04045f,
                             1.25f,
                             -0.75f};
    std::vector<float> all(count);
    const bool isInteger = metal_texels::layoutOf(format).isInteger();
    for (std::size_t index = 0; index < count; ++index) {
        if (isInteger) {
            all[index] = metal_texels::ofBits(random.bits() >> random.below(32) ^ (random.oneIn(2) ? ~0u : 0u));
        } else if (index < std::size(special)) {
            all[index] = special[index];
        } else if (random.oneIn(4)) {  // every exponent that halves know, and some more
            const float size = std::ldexp(random.between(1, 2), static_cast<int>(random.below(44)) - 27);
            all[index] = random.oneIn(8) ? -size : size;
        } else {
            all[index] = random.between(-1.2f, 1.3f);
        }
    }
    return all;
}

TEST(texels_are_packed_as_one_after_the_other_is_stored) {
    constexpr std::size_t count = 6000;
    Random random(1);
    for (const std::uint32_t format : formats()) {
        const TexelColumns texels(format);
        std::vector<float> columns[4];
        const float* from[4];
        std::vector<std::uint32_t> words[4];
        std::uint32_t* to[4];
        for (unsigned index = 0; index < 4; ++index) {
            columns[index] = numbers(format, count, random);
            from[index] = columns[index].data();
            words[index].resize(count);
            to[index] = words[index].data();
        }
        texels.pack(from, to, count);
        std::size_t wrong = 0;
        for (std::size_t index = 0; index < count; ++index) {
            float rgba[4] = {0, 0, 0, 1};
            for (unsigned component = 0; component < texels.components(); ++component)
                rgba[texels.channel(component)] = columns[component][index];
            std::uint8_t expected[16], got[16];
            if (texels.isInteger()) {
                std::uint32_t integers[4];
                for (unsigned channel = 0; channel < 4; ++channel)
                    integers[channel] = metal_texels::bitsOf(rgba[channel]);
                metal_texels::storeInteger(format, expected, integers);
            } else {
                metal_texels::storeReal(format, expected, rgba);
            }
            for (unsigned word = 0; word < texels.wordCount(); ++word)
                std::memcpy(got + 4 * word, &words[word][index], 4);
            wrong += std::memcmp(expected, got, texels.texelBytes()) != 0;
        }
        if (wrong) check::failed(__FILE__, __LINE__, "format " + std::to_string(format) + ": " + std::to_string(wrong));
    }
}

TEST(texels_are_unpacked_as_one_after_the_other_is_loaded) {
    constexpr std::size_t count = 70000;  // more than there are halves
    Random random(2);
    for (const std::uint32_t format : formats()) {
        const TexelColumns texels(format);
        std::vector<float> columns[4];
        float* to[4];
        std::vector<std::uint32_t> words[4];
        const std::uint32_t* from[4];
        for (unsigned index = 0; index < 4; ++index) {
            columns[index].resize(count);
            to[index] = columns[index].data();
            words[index].resize(count);
            from[index] = words[index].data();
            for (std::size_t texel = 0; texel < count; ++texel)
                words[index][texel] = texel < 65536 ? static_cast<std::uint32_t>(texel) * 0x10001u : random.bits();
        }
        texels.unpack(from, to, count);
        std::size_t wrong = 0;
        for (std::size_t index = 0; index < count; ++index) {
            std::uint8_t texel[16];
            for (unsigned word = 0; word < 4; ++word) std::memcpy(texel + 4 * word, &words[word][index], 4);
            float rgba[4];
            std::uint32_t integers[4];
            texels.isInteger() ? metal_texels::loadInteger(format, texel, integers)
                               : metal_texels::loadReal(format, texel, rgba);
            for (unsigned component = 0; component < texels.components(); ++component) {
                const unsigned channel = texels.channel(component);
                const std::uint32_t expected =
                    texels.isInteger() ? integers[channel] : metal_texels::bitsOf(rgba[channel]);
                wrong += metal_texels::bitsOf(columns[component][index]) != expected;
            }
        }
        if (wrong) check::failed(__FILE__, __LINE__, "format " + std::to_string(format) + ": " + std::to_string(wrong));
    }
}

TEST(what_is_quantised_is_what_comes_back_from_memory) {
    constexpr std::size_t count = 6000;
    Random random(3);
    for (const std::uint32_t format : formats()) {
        const TexelColumns texels(format);
        std::vector<float> columns[4], stored[4], back[4];
        std::vector<std::uint32_t> words[4];
        const float* from[4];
        float *quantised[4], *loaded[4];
        std::uint32_t* packed[4];
        const std::uint32_t* unpacked[4];
        for (unsigned index = 0; index < 4; ++index) {
            columns[index] = numbers(format, count, random);
            stored[index].resize(count);
            back[index].resize(count);
            words[index].resize(count);
            from[index] = columns[index].data();
            quantised[index] = stored[index].data();
            loaded[index] = back[index].data();
            unpacked[index] = packed[index] = words[index].data();
        }
        texels.pack(from, packed, count);
        texels.unpack(unpacked, loaded, count);
        if (texels.isExact()) {
            for (unsigned index = 0; index < texels.components(); ++index) stored[index] = columns[index];
        } else {
            texels.quantise(from, quantised, count);
        }
        for (unsigned component = 0; component < texels.components(); ++component)
            if (std::memcmp(stored[component].data(), back[component].data(), 4 * count) != 0)
                check::failed(__FILE__, __LINE__, "format " + std::to_string(format));
    }
}

// Buckets of light are so small that no two bytes begin in one: else a byte would be skipped here.
TEST(light_becomes_the_byte_that_a_search_finds) {
    const TexelColumns texels(metal_texels::R8Unorm_sRGB);
    constexpr std::size_t count = 1 << 12;
    std::vector<float> light(count);
    std::vector<std::uint32_t> words(count);
    std::size_t wrong = 0;
    for (std::uint32_t bits = 0x38000000; bits < 0x3f810000; bits += 977 * count) {
        for (std::uint32_t index = 0; index < count; ++index) light[index] = metal_texels::ofBits(bits + 977 * index);
        for (unsigned byte = 0; byte < 256; ++byte) {  // and where each byte begins
            light[2 * byte] = metal_texels::srgbTables.lowest[byte];
            light[2 * byte + 1] = std::nextafter(metal_texels::srgbTables.lowest[byte], 0.0f);
        }
        const float* from[4] = {light.data()};
        std::uint32_t* to[4] = {words.data()};
        texels.pack(from, to, count);
        for (std::size_t index = 0; index < count; ++index)
            wrong += words[index] != metal_texels::srgbByte(light[index]);
    }
    CHECK_EQUAL(wrong, std::size_t{0});
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}

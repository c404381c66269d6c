// SPDX-License-Identifier: MIT
//
// A level is made row by row: what is known of the format is asked once a row and not once a texel.

#include "mipmaps.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace metal_objects {

namespace {

using metal_texels::Layout;

/// Stored bytes of light, found from the byte of the next darker of these steps on.
class SrgbBytes {
public:
    SrgbBytes() {
        for (int i = 0; i <= steps; ++i) {
            first_[i] = static_cast<std::uint8_t>(metal_texels::srgbByte(static_cast<float>(i) / steps));
        }
    }

    std::uint8_t of(float light) const {
        const float clamped = metal_texels::within(light, 0, 1);
        unsigned byte = first_[static_cast<unsigned>(clamped * steps)];
        while (byte < 255 && clamped >= metal_texels::srgbTables.lowest[byte + 1]) ++byte;
        return static_cast<std::uint8_t>(byte);
    }

private:
    static constexpr int steps = 1024;
    std::uint8_t first_[steps + 1];
};

const SrgbBytes& srgbBytes() {
    static const SrgbBytes bytes;
    return bytes;
}

/// What numbers a row's texels become: a format's own components in memory's order where each is bytes of its own,
/// else red, green, blue and alpha.
class Row {
public:
    explicit Row(std::uint32_t format) : format_(format), layout_(metal_texels::layoutAt(format)) {
        const int bits = layout_.bits[0];
        const bool isBytes = !layout_.packed && bits == 8, isWords = !layout_.packed && bits == 16;
        const bool isPlain = layout_.order[0] == 0 || layout_.kind == metal_texels::srgb || isBytes;
        if (!isPlain) return;
        if (layout_.kind == metal_texels::unorm && isBytes) way_ = Way::bytes;
        if (layout_.kind == metal_texels::unorm && isWords) way_ = Way::words;
        if (layout_.kind == metal_texels::srgb) way_ = Way::light;
        if (layout_.kind == metal_texels::floating && isWords) way_ = Way::halves;
        if (layout_.kind == metal_texels::floating && bits == 32 && !layout_.packed && layout_.offset == 0 &&
            layout_.bytes == 4 * layout_.components) {
            way_ = Way::floats;
        }
    }

    std::size_t components() const { return way_ == Way::any ? 4 : layout_.components; }

    void read(const std::uint8_t* from, std::size_t texels, float* to) const {
        const std::size_t count = texels * components();
        switch (way_) {
            case Way::bytes:
                for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]) / 255.0f;
                return;
            case Way::words:
                for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(word(from, i)) / 65535.0f;
                return;
            case Way::light:
                for (std::size_t i = 0; i < count; ++i) {
                    to[i] = isAlpha(i) ? static_cast<float>(from[i]) / 255.0f : metal_texels::srgbTables.light[from[i]];
                }
                return;
            case Way::halves:
                for (std::size_t i = 0; i < count; ++i) to[i] = metal_texels::ofHalf(word(from, i));
                return;
            case Way::floats:
                std::memcpy(to, from, count * sizeof(float));
                return;
            case Way::any:
                for (std::size_t i = 0; i < texels; ++i) {
                    metal_texels::loadReal(format_, from + i * layout_.bytes, to + 4 * i);
                }
        }
    }

    void write(const float* from, std::size_t texels, std::uint8_t* to) const {
        const std::size_t count = texels * components();
        switch (way_) {
            case Way::bytes:
                for (std::size_t i = 0; i < count; ++i) to[i] = byte(from[i]);
                return;
            case Way::words:
                for (std::size_t i = 0; i < count; ++i) {
                    put(to, i, metal_texels::nearest(metal_texels::within(from[i], 0, 1) * 65535.0f));
                }
                return;
            case Way::light: {
                const SrgbBytes& srgb = srgbBytes();
                for (std::size_t i = 0; i < count; ++i) to[i] = isAlpha(i) ? byte(from[i]) : srgb.of(from[i]);
                return;
            }
            case Way::halves:
                for (std::size_t i = 0; i < count; ++i) put(to, i, metal_texels::toHalf(from[i]));
                return;
            case Way::floats:
                std::memcpy(to, from, count * sizeof(float));
                return;
            case Way::any:
                for (std::size_t i = 0; i < texels; ++i) {
                    metal_texels::storeReal(format_, to + i * layout_.bytes, from + 4 * i);
                }
        }
    }

private:
    enum class Way { any, bytes, words, light, halves, floats };

    bool isAlpha(std::size_t index) const { return layout_.components == 4 && index % 4 == 3; }

    static std::uint16_t word(const std::uint8_t* from, std::size_t index) {
        std::uint16_t value;
        std::memcpy(&value, from + 2 * index, sizeof value);
        return value;
    }
    template <class Number>
    static void put(std::uint8_t* to, std::size_t index, Number number) {
        const auto value = static_cast<std::uint16_t>(number);
        std::memcpy(to + 2 * index, &value, sizeof value);
    }
    static std::uint8_t byte(float value) {
        return static_cast<std::uint8_t>(metal_texels::nearest(metal_texels::within(value, 0, 1) * 255.0f));
    }

    const std::uint32_t format_;
    const Layout& layout_;
    Way way_ = Way::any;
};

/// Where texels of a level are, along one axis, in the level above: one, or two next to each other.
struct Span {
    Span(NS::UInteger at, NS::UInteger size)
        : begin(std::min(2 * at, size - 1)), end(std::min<NS::UInteger>(begin + 2, size)) {}
    NS::UInteger begin, end;
};

/// Makes one slice of a level.
class Level {
public:
    Level(const TextureObject& texture, NS::UInteger level)
        : texture_(texture),
          level_(level),
          size_(texture.levelSize(level)),
          above_(texture.levelSize(level - 1)),
          row_(static_cast<std::uint32_t>(texture.values.pixelFormat)),
          source_(above_.width * row_.components()),
          sum_(size_.width * row_.components()) {}

    void make(NS::UInteger slice) {
        for (NS::UInteger z = 0; z < size_.depth; ++z) {
            for (NS::UInteger y = 0; y < size_.height; ++y) makeRow(slice, y, z);
        }
    }

private:
    void makeRow(NS::UInteger slice, NS::UInteger y, NS::UInteger z) {
        const Span rows(y, above_.height), images(z, above_.depth);
        const NS::UInteger columns = std::min<NS::UInteger>(above_.width, 2);
        std::fill(sum_.begin(), sum_.end(), 0.0f);
        for (NS::UInteger image = images.begin; image < images.end; ++image) {
            for (NS::UInteger row = rows.begin; row < rows.end; ++row) {
                row_.read(texture_.texels(level_ - 1, slice, MTL::Origin(0, row, image)).data, above_.width,
                          source_.data());
                addRow(columns);
            }
        }
        const auto count = static_cast<float>((images.end - images.begin) * (rows.end - rows.begin) * columns);
        for (float& value : sum_) value /= count;
        row_.write(sum_.data(), size_.width, texture_.texels(level_, slice, MTL::Origin(0, y, z)).data);
    }

    void addRow(NS::UInteger columns) {
        switch (row_.components()) {
            case 1:
                return addRowOf<1>(columns);
            case 2:
                return addRowOf<2>(columns);
            default:
                return addRowOf<4>(columns);
        }
    }

    template <std::size_t components>
    void addRowOf(NS::UInteger columns) {
        for (std::size_t x = 0; x < size_.width; ++x) {
            float* to = sum_.data() + x * components;
            const float* from = source_.data() + x * columns * components;
            for (std::size_t column = 0; column < columns; ++column) {
                for (std::size_t c = 0; c < components; ++c) to[c] += from[column * components + c];
            }
        }
    }

    const TextureObject& texture_;
    const NS::UInteger level_;
    const MTL::Size size_, above_;
    const Row row_;
    std::vector<float> source_, sum_;
};

}  // namespace

void makeLevels(const TextureObject& texture) {
    for (NS::UInteger level = 1; level < texture.values.mipmapLevelCount; ++level) {
        Level next(texture, level);
        for (NS::UInteger slice = 0; slice < texture.sliceCount(); ++slice) next.make(slice);
    }
}

}  // namespace metal_objects

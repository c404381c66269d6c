// SPDX-License-Identifier: MIT

#include "blend.hpp"

#include <algorithm>

namespace metal_executor::render {
namespace {

constexpr unsigned alphaChannel = 3;

enum Operation : std::uint8_t { add, subtract, reverseSubtract, least, greatest };  // MTL::BlendOperation

enum Factor : std::uint8_t {  // MTL::BlendFactor
    zero = 0,
    one = 1,
    sourceColor = 2,
    oneMinusSourceColor = 3,
    sourceAlpha = 4,
    oneMinusSourceAlpha = 5,
    destinationColor = 6,
    oneMinusDestinationColor = 7,
    destinationAlpha = 8,
    oneMinusDestinationAlpha = 9,
    sourceAlphaSaturated = 10,
    blendColor = 11,
    oneMinusBlendColor = 12,
    blendAlpha = 13,
    oneMinusBlendAlpha = 14,
    source1Color = 15,
    oneMinusSource1Color = 16,
    source1Alpha = 17,
    oneMinusSource1Alpha = 18,
};

bool usesDestination(std::uint8_t factor) {
    return (factor >= destinationColor && factor <= oneMinusDestinationAlpha) || factor == sourceAlphaSaturated;
}

/// A number times a factor, or times one minus it.
struct Term {
    const float* value;
    const float* factor;
    bool isInverse;
};

template <class Combine>
METAL_INLINED void combineColumns(const Term source, const Term destination, float* to, std::size_t count,
                                  Combine combine) {
    // One minus a factor as a sum, for one loop to do both: products by 1 and -1 and sums with -0
    // are exact.
    const float sourceBase = source.isInverse ? 1 : -0.0f, sourceSign = source.isInverse ? -1 : 1;
    const float destinationBase = destination.isInverse ? 1 : -0.0f, destinationSign = destination.isInverse ? -1 : 1;
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        const float sourceFactor = sourceBase + sourceSign * source.factor[index];
        const float destinationFactor = destinationBase + destinationSign * destination.factor[index];
        to[index] = combine(source.value[index] * sourceFactor, destination.value[index] * destinationFactor);
    }
}

METAL_VECTORISED
void combine(std::uint8_t operation, Term source, Term destination, float* to, std::size_t count) {
    switch (operation) {
        case subtract:
            return combineColumns(source, destination, to, count, [](float s, float d) { return s - d; });
        case reverseSubtract:
            return combineColumns(source, destination, to, count, [](float s, float d) { return d - s; });
        case least:
            return combineColumns(source, destination, to, count, [](float s, float d) { return s < d ? s : d; });
        case greatest:
            return combineColumns(source, destination, to, count, [](float s, float d) { return s > d ? s : d; });
        default:
            return combineColumns(source, destination, to, count, [](float s, float d) { return s + d; });
    }
}

METAL_VECTORISED
void clampColumn(const float* from, float low, float* to, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        const float value = from[index] == from[index] ? from[index] : 0;
        to[index] = value > low ? (value < 1 ? value : 1) : low;
    }
}

METAL_VECTORISED
void saturateColumn(const float* source, const float* destination, float* to, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) {
        const float rest = 1 - destination[index];
        to[index] = source[index] < rest ? source[index] : rest;
    }
}

METAL_VECTORISED
void writeColumn(const Word* values, const Word* masks, const std::uint32_t* places, TilePlaces::Run run,
                 Word* column) {
    scatter(values, masks, places, run, column);
}

bool isWritten(const ColorWrite& write, unsigned channel) {
    return write.blending.writeMask & (8u >> channel);
}

/// The four numbers that fragments bring, side by side for one run.
class Operands {
public:
    Operands(const ColorWrite& write, std::uint32_t first, std::size_t count, BlendScratch& scratch)
        : write_(write), first_(first), count_(count), scratch_(scratch) {
        const bool isUnsigned = write.format.isUnsignedNormalized();
        isClamped_ = isUnsigned || write.format.isSignedNormalized();
        low_ = isUnsigned ? 0 : -1;
        for (unsigned channel = 0; channel < 4; ++channel) {
            const auto* output = static_cast<const float*>(write.output.components[channel]);
            const bool isOne = channel == alphaChannel && write.state.alphaToOne;
            source[channel] = limited(isOne ? nullptr : output, channel, scratch.source[channel]);
        }
    }

    /// Of index(1), made when first asked for.
    const float* second(unsigned channel) {
        if (!second_[channel])
            second_[channel] = limited(write_.output.second[channel], channel, scratch_.second[channel]);
        return second_[channel];
    }

    const float* constant(unsigned channel) {
        float value = write_.state.constant[channel];
        if (isClamped_) clampColumn(&value, low_, &value, 1);
        std::fill_n(scratch_.constant[channel], count_, value);
        return scratch_.constant[channel];
    }

    const float* source[4] = {};
    const float* destination[4] = {};

private:
    // What the function does not say is 0, of alpha 1.
    const float* limited(const float* output, unsigned channel, float* room) {
        if (!output) return channel == alphaChannel ? scratch_.ones : scratch_.zeros;
        if (!isClamped_) return output + first_;
        clampColumn(output + first_, low_, room, count_);
        return room;
    }

    const ColorWrite& write_;
    const std::uint32_t first_;
    const std::size_t count_;
    BlendScratch& scratch_;
    bool isClamped_ = false;
    float low_ = 0;
    const float* second_[4] = {};
};

Term termOf(std::uint8_t factor, const float* value, unsigned channel, Operands& operands, BlendScratch& scratch,
            std::size_t count) {
    switch (factor) {
        case zero:  // whatever the value is, infinite or not a number
            return {scratch.zeros, scratch.ones, false};
        case sourceColor:
        case oneMinusSourceColor:
            return {value, operands.source[channel], factor == oneMinusSourceColor};
        case sourceAlpha:
        case oneMinusSourceAlpha:
            return {value, operands.source[alphaChannel], factor == oneMinusSourceAlpha};
        case destinationColor:
        case oneMinusDestinationColor:
            return {value, operands.destination[channel], factor == oneMinusDestinationColor};
        case destinationAlpha:
        case oneMinusDestinationAlpha:
            return {value, operands.destination[alphaChannel], factor == oneMinusDestinationAlpha};
        case sourceAlphaSaturated:
            if (channel == alphaChannel) return {value, scratch.ones, false};
            saturateColumn(operands.source[alphaChannel], operands.destination[alphaChannel], scratch.saturated, count);
            return {value, scratch.saturated, false};
        case blendColor:
        case oneMinusBlendColor:
            return {value, operands.constant(channel), factor == oneMinusBlendColor};
        case blendAlpha:
        case oneMinusBlendAlpha:
            return {value, operands.constant(alphaChannel), factor == oneMinusBlendAlpha};
        case source1Color:
        case oneMinusSource1Color:
            return {value, operands.second(channel), factor == oneMinusSource1Color};
        case source1Alpha:
        case oneMinusSource1Alpha:
            return {value, operands.second(alphaChannel), factor == oneMinusSource1Alpha};
        default:
            return {value, scratch.ones, false};
    }
}

bool needsDestination(const Blending& blending) {
    return blending.colorDestination != zero || blending.alphaDestination != zero || blending.colorOperation >= least ||
           blending.alphaOperation >= least || usesDestination(blending.colorSource) ||
           usesDestination(blending.alphaSource);
}

// Whether components that the mask leaves alone become what memory holds of them, before others move their exponent.
bool changesAllTogether(const ColorWrite& write) {
    constexpr std::uint8_t color = 0xe;
    return write.format.isJoint() && (write.blending.writeMask & color) != color;
}

// What the tile holds of a run's pixels, as their format has it.
void readDestination(const ColorWrite& write, const TilePlaces& places, const TilePlaces::Run& run,
                     float* const* columns, Operands& operands, BlendScratch& scratch) {
    const TexelColumns& format = write.format;
    const float* raw[4] = {};
    float* stored[4] = {};
    for (unsigned component = 0; component < format.components(); ++component) {
        raw[component] =
            reinterpret_cast<const float*>(gather(reinterpret_cast<const Word*>(columns[component]), places.places(),
                                                  run, reinterpret_cast<Word*>(scratch.gathered[component])));
        stored[component] = scratch.stored[component];
    }
    if (!format.isExact()) format.quantise(raw, stored, 4 * std::size_t{run.count});
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (format.has(channel)) {
            const unsigned component = format.columnOf(channel);
            operands.destination[channel] = format.isExact() ? raw[component] : stored[component];
        } else {
            operands.destination[channel] = channel == alphaChannel ? scratch.ones : scratch.zeros;
        }
    }
}

void blendRun(const ColorWrite& write, const TilePlaces& places, const TilePlaces::Run& run, float* const* columns,
              BlendScratch& scratch) {
    const std::size_t count = 4 * std::size_t{run.count};
    const Blending& blending = write.blending;
    const bool changesAll = changesAllTogether(write);
    Operands operands(write, 4 * run.first, count, scratch);
    if (needsDestination(blending) || changesAll) {
        readDestination(write, places, run, columns, operands, scratch);
    } else {
        std::ranges::fill(operands.destination, scratch.zeros);
    }
    for (unsigned component = 0; component < write.format.components(); ++component) {
        const unsigned channel = write.format.channel(component);
        if (!isWritten(write, channel)) {
            if (changesAll) std::copy_n(operands.destination[channel], count, scratch.blended[component]);
            continue;
        }
        const bool isAlpha = channel == alphaChannel;
        const std::uint8_t operation = isAlpha ? blending.alphaOperation : blending.colorOperation;
        std::uint8_t sourceFactor = isAlpha ? blending.alphaSource : blending.colorSource;
        std::uint8_t destinationFactor = isAlpha ? blending.alphaDestination : blending.colorDestination;
        if (operation >= least) sourceFactor = destinationFactor = one;  // least and greatest know no factors
        const float* source = operands.source[channel];
        const float* destination = operands.destination[channel];
        combine(operation, termOf(sourceFactor, source, channel, operands, scratch, count),
                termOf(destinationFactor, destination, channel, operands, scratch, count), scratch.blended[component],
                count);
    }
    // Only now, since factors may have read all that was there.
    for (unsigned component = 0; component < write.format.components(); ++component) {
        if (!isWritten(write, write.format.channel(component)) && !changesAll) continue;
        writeColumn(reinterpret_cast<const Word*>(scratch.blended[component]), scratch.masks + 4 * run.first,
                    places.places(), run, reinterpret_cast<Word*>(columns[component]));
    }
}

void copyColors(const ColorWrite& write, const TilePlaces& places, std::uint32_t quads, float* const* columns,
                BlendScratch& scratch) {
    // Runs do not matter: the last of several fragments of a pixel is written last.
    const TilePlaces::Run all{0, quads, places.runs().front().isContiguous};
    const auto* one = write.format.isInteger() ? reinterpret_cast<const Word*>(scratch.integerOnes)
                                               : reinterpret_cast<const Word*>(scratch.ones);
    for (unsigned component = 0; component < write.format.components(); ++component) {
        const unsigned channel = write.format.channel(component);
        if (!isWritten(write, channel)) continue;
        const auto* values = static_cast<const Word*>(write.output.components[channel]);
        if (channel == alphaChannel && (!values || (write.state.alphaToOne && !write.format.isInteger()))) values = one;
        if (!values) values = reinterpret_cast<const Word*>(scratch.zeros);
        writeColumn(values, scratch.masks, places.places(), all, reinterpret_cast<Word*>(columns[component]));
    }
}

}  // namespace

BlendScratch::BlendScratch() {
    std::ranges::fill(zeros, 0.0f);
    std::ranges::fill(ones, 1.0f);
    std::ranges::fill(integerOnes, 1u);
}

void writeColors(const ColorWrite& write, const TilePlaces& places, std::uint32_t quads, float* const* columns,
                 BlendScratch& scratch) {
    const bool blends = write.blending.isEnabled && !write.format.isInteger();
    if (!blends && !changesAllTogether(write)) return copyColors(write, places, quads, columns, scratch);
    Blending blending = write.blending;
    if (!blends) {
        blending = {};  // one times the source and nothing else
        blending.writeMask = write.blending.writeMask;
    }
    const ColorWrite blended{write.format, blending, write.state, write.output};
    for (const TilePlaces::Run& run : places.runs()) blendRun(blended, places, run, columns, scratch);
}

}  // namespace metal_executor::render

// SPDX-License-Identifier: MIT

#include "coverage.hpp"

#include "targets.hpp"
#include "vectorised.hpp"

namespace metal_executor::render {
namespace {

METAL_VECTORISED
void keepByAlpha(std::uint32_t* coverage, const float* alpha, unsigned samples, std::size_t count) {
    // Half of a sample counts as one: with a single sample, fragments of alpha 0.5 and more are drawn.
    const auto scale = static_cast<float>(samples);
    for (std::size_t index = 0; index < count; ++index) {
        const auto kept = static_cast<std::uint32_t>(static_cast<int>(toUnit(alpha[index]) * scale + 0.5f));
        coverage[index] &= (1u << kept) - 1;
    }
}

METAL_VECTORISED
std::uint32_t joined(const std::uint32_t* coverage, std::size_t count) {
    std::uint32_t any = 0;
    for (std::size_t index = 0; index < count; ++index) any |= coverage[index];
    return any;
}

METAL_VECTORISED
void findMasks(const std::uint32_t* coverage, unsigned sample, std::uint32_t* masks, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) masks[index] = 0u - (coverage[index] >> sample & 1u);
}

}  // namespace

void coverageMasks(const std::uint32_t* coverage, unsigned sample, std::uint32_t* masks, std::size_t count) {
    findMasks(coverage, sample, masks, count);
}

std::uint32_t samplesCovered(const std::uint32_t* coverage, std::size_t count) {
    return joined(coverage, count);
}

void alphaToCoverage(QuadBatch& batch, const float* alpha, unsigned sampleCount) {
    if (alpha) keepByAlpha(batch.coverage, alpha, sampleCount, 4 * std::size_t{batch.count});
}

}  // namespace metal_executor::render

// SPDX-License-Identifier: MIT
//
// The same numbers in every run.

#pragma once

#include <cstdint>

namespace fixture {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}

    std::uint32_t bits() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>(state_ >> 33) ^ static_cast<std::uint32_t>(state_ >> 17 << 31);
    }
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(std::uint64_t{bits()} * end >> 32); }
    bool oneIn(std::uint32_t count) { return below(count) == 0; }
    float between(float low, float high) { return low + (high - low) * static_cast<float>(below(1 << 24)) * 0x1p-24f; }

private:
    std::uint64_t state_;
};

}  // namespace fixture

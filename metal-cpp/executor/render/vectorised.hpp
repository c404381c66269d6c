// SPDX-License-Identifier: MIT
//
// Loops over columns are written plainly, for the compiler to make vector code of. Functions marked METAL_VECTORISED
// are compiled several times, for what processors of this kind may have, and the right one is chosen when the program
// begins; what they call must be inlined into them, hence METAL_INLINED.

#pragma once

#include <cstdint>

// Sanitizers' run-time libraries are not there yet when the choice is made.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define METAL_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define METAL_VECTORISED
#endif
#define METAL_INLINED [[gnu::always_inline]] inline

namespace metal_executor::render {

/// A column's element seen as its bits, whatever its type.
using Word [[gnu::may_alias]] = std::uint32_t;
/// The four elements of a quad.
using QuadWords [[gnu::may_alias, gnu::vector_size(16), gnu::aligned(4)]] = std::uint32_t;

METAL_INLINED std::uint32_t bitsOf(float value) {
    return __builtin_bit_cast(std::uint32_t, value);
}
METAL_INLINED float ofBits(std::uint32_t bits) {
    return __builtin_bit_cast(float, bits);
}

/// To the nearest integer, ties to the even one, of less than 2^22.
METAL_INLINED float nearest(float value) {
    constexpr float anchor = 12582912.0f;  // 1.5 * 2^23: a float of this size has no fraction
    return (value + anchor) - anchor;
}

/// From 0 to 1; not a number: 0.
METAL_INLINED float toUnit(float value) {
    return value > 0 ? (value < 1 ? value : 1) : 0;
}

}  // namespace metal_executor::render

// SPDX-License-Identifier: MIT
// The tasks of elementwise.metal as loops, to time a C++ compiler on them.
#include <cstddef>

extern "C" {

void copy(const float* __restrict from, float* __restrict to, std::size_t count) {
    for (std::size_t i = 0; i < count; i++) to[i] = from[i];
}

void saxpy(const float* __restrict x, float* __restrict y, float a, std::size_t count) {
    for (std::size_t i = 0; i < count; i++) y[i] = a * x[i] + y[i];
}

void saxpy4(const float* __restrict x, float* __restrict y, float a, std::size_t count) {
    for (std::size_t i = 0; i < 4 * count; i++) y[i] = a * x[i] + y[i];
}
}

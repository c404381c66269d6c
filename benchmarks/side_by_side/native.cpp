// SPDX-License-Identifier: MIT
// What the machine itself can do, for the benchmarks: memory's copying rate, the rate of multiply-adds, and a
// Mandelbrot set written with vectors by hand. Compiled by native.py with -O3 -march=native.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace {

// As wide as the machine's own registers: GCC's and Clang's vector types, which compile for every processor.
#if defined(__AVX512F__)
constexpr int width = 16;
#elif defined(__AVX__)
constexpr int width = 8;
#else
constexpr int width = 4;
#endif
using Floats = float __attribute__((vector_size(4 * width)));
using Ints = std::int32_t __attribute__((vector_size(4 * width)));
constexpr int together = 4;  // vectors that go round at once, as a round's operations wait for each other

// Whether a lane is not zero: by the processor's own test, as lane by lane would take longer than a round.
bool any(Ints lanes) {
#if defined(__AVX512F__)
    const auto bits = reinterpret_cast<__m512i>(lanes);
    return _mm512_test_epi32_mask(bits, bits) != 0;
#elif defined(__AVX__)
    return _mm256_movemask_ps(reinterpret_cast<__m256>(lanes)) != 0;
#else
    std::int32_t bits = 0;
    for (int i = 0; i < width; i++) bits |= lanes[i];
    return bits != 0;
#endif
}

template <typename Work>
void share(int threads, Work work) {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; i++) others.emplace_back([=] { work(i); });
    work(0);
}

}  // namespace

extern "C" {

void copy(char* to, const char* from, std::size_t bytes, int threads) {
    const std::size_t part = (bytes / threads + 63) / 64 * 64;
    share(threads, [=](int i) {
        const std::size_t begin = part * i < bytes ? part * i : bytes;
        const std::size_t end = begin + part < bytes ? begin + part : bytes;
        std::memcpy(to + begin, from + begin, end - begin);
    });
}

// Runs `rounds` rounds of 16 independent multiply-adds on each thread and returns how many operations that is (a
// multiply-add is two); `sink` keeps the compiler from leaving them out.
double multiply_adds(long rounds, int threads, float* sink) {
    share(threads, [=](int i) {
        Floats sums[16];
#pragma GCC unroll 16
        for (int k = 0; k < 16; k++) sums[k] = Floats{} + static_cast<float>(k + i);
        const Floats factor = Floats{} + 0.999F, addend = Floats{} + 0.001F;
        for (long r = 0; r < rounds; r++) {
            // Unrolled, else GCC keeps the sums in memory and the rate is that of reading and writing them.
#pragma GCC unroll 16
            for (int k = 0; k < 16; k++) {
                sums[k] = sums[k] * factor + addend;
                asm volatile("" : "+v"(sums[k]));
            }
        }
        float all = 0;
#pragma GCC unroll 16
        for (int k = 0; k < 16; k++) all += sums[k][0];
        sink[i] = all;
    });
    return 2.0 * 16 * width * static_cast<double>(rounds) * threads;
}

void mandelbrot(std::uint32_t* out, int columns, int rows, int limit, int threads) {
    share(threads, [=](int thread) {
        Floats lanes{};
        for (int i = 0; i < width; i++) lanes[i] = static_cast<float>(i);
        for (int y = thread; y < rows; y += threads) {  // rows in turn: the slow ones lie together
            const float cy = static_cast<float>(y) / static_cast<float>(rows) * 2 - 1;
            for (int x = 0; x < columns; x += width * together) {
                Floats cx[together], a[together]{}, b[together]{};
                Ints count[together]{};
                for (int k = 0; k < together; k++) {
                    cx[k] = (lanes + static_cast<float>(x + k * width)) / static_cast<float>(columns) * 3 - 2;
                }
                for (int n = 0; n < limit; n++) {
                    Ints inside{};
#pragma GCC unroll 4
                    for (int k = 0; k < together; k++) {
                        const Floats aa = a[k] * a[k], bb = b[k] * b[k];
                        const Ints here = aa + bb < 4;
                        b[k] = 2 * a[k] * b[k] + cy;
                        a[k] = aa - bb + cx[k];
                        count[k] -= here;  // lanes that left are not counted: what grows past 2 never returns
                        inside |= here;
                    }
                    if (!any(inside)) break;
                }
                for (int i = 0; i < width * together && x + i < columns; i++) {
                    out[y * columns + x + i] = count[i / width][i % width];
                }
            }
        }
    });
}
}

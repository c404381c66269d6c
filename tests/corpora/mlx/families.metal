// SPDX-License-Identifier: MIT
//
// Kernels of the families that MLX keeps outside its headers, written for these tests upon its utils.h: the smallest or
// largest element's place, rotary positions, random bits, norms.

#include <metal_stdlib>
#include <metal_simdgroup>

#include "mlx/backend/metal/kernels/utils.h"

template <typename T>
struct Best {
    uint index;
    T value;
};

template <typename T, bool largest>
struct Choose {
    static constexpr constant T start = largest ? Limits<T>::min : Limits<T>::max;
    // The first of equals, as NumPy has it.
    Best<T> operator()(Best<T> a, Best<T> b) const thread {
        bool better = largest ? b.value > a.value : b.value < a.value;
        return better || (b.value == a.value && b.index < a.index) ? b : a;
    }
};

template <typename T, bool largest, int per_thread = 4>
[[kernel]] void arg_reduce(const device T* in [[buffer(0)]], device uint* out [[buffer(1)]],
                           const constant int& size [[buffer(2)]], uint row [[threadgroup_position_in_grid]],
                           uint lid [[thread_position_in_threadgroup]], uint threads [[threads_per_threadgroup]],
                           uint lane [[thread_index_in_simdgroup]], uint group [[simdgroup_index_in_threadgroup]],
                           uint groups [[simdgroups_per_threadgroup]]) {
    Choose<T, largest> choose;
    threadgroup Best<T> of_groups[32];
    Best<T> best{UINT_MAX, choose.start};
    in += size_t(row) * size;
    for (uint first = lid * per_thread; first < uint(size); first += threads * per_thread) {
        for (uint i = first; i < min(first + per_thread, uint(size)); ++i) best = choose(best, Best<T>{i, in[i]});
    }
    for (ushort step = 16; step > 0; step /= 2)
        best = choose(best, Best<T>{simd_shuffle_down(best.index, step), simd_shuffle_down(best.value, step)});
    if (lane == 0) of_groups[group] = best;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lid != 0) return;
    for (uint i = 1; i < groups; ++i) best = choose(best, of_groups[i]);
    out[row] = best.index;
}

template <typename T, bool neighbours, bool forward>
[[kernel]] void rope(const device T* in, device T* out, constant const float& scale, constant const float& log2_base,
                     constant const int& offset, uint3 at [[thread_position_in_grid]],
                     uint3 grid [[threads_per_grid]]) {
    float frequency = metal::exp2(-float(at.x) / grid.x * log2_base);
    float angle = scale * (offset + int(at.y)) * frequency;
    float cosine, sine = metal::precise::sincos(angle, cosine);
    if (!forward) sine = -sine;
    size_t row = (size_t(at.z) * grid.y + at.y) * grid.x * 2;
    size_t one = row + (neighbours ? 2 * at.x : at.x), other = neighbours ? one + 1 : one + grid.x;
    float x = in[one], y = in[other];
    out[one] = static_cast<T>(x * cosine - y * sine);
    out[other] = static_cast<T>(x * sine + y * cosine);
}

// Threefry, 2 words of 32 bits, 20 rounds.
uint2 threefry(uint2 key, uint2 counter) {
    constexpr uint rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    uint3 keys(key, key.x ^ key.y ^ 0x1BD11BDA);
    counter += keys.xy;
    for (uint i = 0; i < 5; ++i) {
        for (uint turn : rotations[i % 2]) {
            counter.x += counter.y;
            counter.y = metal::rotate(counter.y, turn) ^ counter.x;
        }
        counter += uint2(keys[(i + 1) % 3], keys[(i + 2) % 3] + i + 1);
    }
    return counter;
}

[[kernel]] void random_bits(constant const uint2& key, device uint* out, constant const uint& count,
                            uint i [[thread_position_in_grid]]) {
    uint2 bits = threefry(key, uint2(i, i + count / 2));
    out[i] = bits.x;
    out[i + count / 2] = bits.y;
}

template <typename T, bool with_mean>
[[kernel]] void norm(const device T* in, const device T* weight, device T* out, constant const float& eps,
                     constant const uint& size, uint row [[threadgroup_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]], uint threads [[threads_per_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]], uint group [[simdgroup_index_in_threadgroup]]) {
    threadgroup float2 sums[32];
    in += size_t(row) * size;
    out += size_t(row) * size;
    float2 sum = 0;
    for (uint i = lid; i < size; i += threads) sum += float2(in[i], float(in[i]) * in[i]);
    sum = simd_sum(sum);
    if (group == 0) sums[lane] = 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0) sums[group] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = simd_sum(sums[lane]) / size;
    float mean = with_mean ? sum.x : 0;
    float inverse = metal::precise::rsqrt(sum.y - mean * mean + eps);
    for (uint i = lid; i < size; i += threads) out[i] = weight[i] * static_cast<T>((in[i] - mean) * inverse);
}

#define instantiate_families(T)                                                 \
    instantiate_kernel("argmax_" #T, arg_reduce, T, true)                       \
    instantiate_kernel("argmin_" #T, arg_reduce, T, false)
#define instantiate_float_families(T)                                           \
    instantiate_families(T)                                                     \
    instantiate_kernel("rope_" #T, rope, T, false, true)                        \
    instantiate_kernel("rope_neighbours_" #T, rope, T, true, true)              \
    instantiate_kernel("rope_back_" #T, rope, T, false, false)                  \
    instantiate_kernel("rms_norm_" #T, norm, T, false)                          \
    instantiate_kernel("layer_norm_" #T, norm, T, true)

instantiate_float_families(float)
instantiate_float_families(half)
instantiate_float_families(bfloat16_t)
instantiate_families(int8_t)
instantiate_families(uint32_t)
instantiate_families(int64_t)

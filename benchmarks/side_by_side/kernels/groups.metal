// SPDX-License-Identifier: MIT
// Kernels whose threads work together: barriers, SIMD-groups, atomics.
#include <metal_stdlib>
using namespace metal;

kernel void tree_sum(device const float* x, device float* sums, uint i [[thread_position_in_grid]],
                     uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]])
{
    threadgroup float s[256];
    s[t] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] += s[t + n];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (t == 0) sums[g] = s[0];
}

kernel void simd_sums(device const float* x, device float* sums, uint i [[thread_position_in_grid]],
                      uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
                      uint simd [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]])
{
    threadgroup float partial[8];
    const float sum = simd_sum(x[i]);
    if (lane == 0) partial[simd] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd == 0) {
        const float all = simd_sum(lane < 8 ? partial[lane] : 0.0f);
        if (lane == 0) sums[g] = all;
    }
}

// Prefix sums inside blocks of 256 (Hillis and Steele).
kernel void block_scan(device const int* x, device int* out, uint i [[thread_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]])
{
    threadgroup int s[2][256];
    s[0][t] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint from = 0;
    for (uint n = 1; n < 256; n *= 2) {
        s[1 - from][t] = t >= n ? s[from][t] + s[from][t - n] : s[from][t];
        from = 1 - from;
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    out[i] = s[from][t];
}

// 256 bins in threadgroup memory, added to the whole's at the end; a thread counts 64 values.
kernel void histogram(device const uchar* values, device atomic_uint* bins, uint t [[thread_index_in_threadgroup]],
                      uint g [[threadgroup_position_in_grid]])
{
    threadgroup atomic_uint mine[256];
    atomic_store_explicit(&mine[t], 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 64; k++)
        atomic_fetch_add_explicit(&mine[values[g * 16384 + k * 256 + t]], 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&bins[t], atomic_load_explicit(&mine[t], memory_order_relaxed), memory_order_relaxed);
}

// One exchange of a bitonic sort over the whole array.
kernel void bitonic_step(device uint* x, constant uint& block, constant uint& distance,
                         uint i [[thread_position_in_grid]])
{
    const uint low = (i / distance) * 2 * distance + i % distance, high = low + distance;
    const uint a = x[low], b = x[high];
    const bool up = (low & block) == 0;
    x[low] = up ? min(a, b) : max(a, b);
    x[high] = up ? max(a, b) : min(a, b);
}

// A threadgroup of 256 a row.
kernel void softmax(device const float* x, device float* out, constant uint& columns,
                    uint t [[thread_index_in_threadgroup]], uint row [[threadgroup_position_in_grid]])
{
    threadgroup float s[256];
    device const float* line = x + row * columns;
    float most = -INFINITY;
    for (uint k = t; k < columns; k += 256) most = max(most, line[k]);
    s[t] = most;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] = max(s[t], s[t + n]);
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    most = s[0];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float sum = 0;
    for (uint k = t; k < columns; k += 256) sum += exp(line[k] - most);
    s[t] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] += s[t + n];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    const float scale = 1.0f / s[0];
    for (uint k = t; k < columns; k += 256) out[row * columns + k] = exp(line[k] - most) * scale;
}

kernel void product_naive(device const float* a, device const float* b, device float* c, constant uint& n,
                          uint2 gid [[thread_position_in_grid]])
{
    float sum = 0;
    for (uint k = 0; k < n; k++) sum += a[gid.y * n + k] * b[k * n + gid.x];
    c[gid.y * n + gid.x] = sum;
}

kernel void product_tiled(device const float* a, device const float* b, device float* c, constant uint& n,
                          uint2 gid [[thread_position_in_grid]], uint2 t [[thread_position_in_threadgroup]])
{
    threadgroup float x[16][16], y[16][16];
    float sum = 0;
    for (uint tile = 0; tile < n; tile += 16) {
        x[t.y][t.x] = a[gid.y * n + tile + t.x];
        y[t.y][t.x] = b[(tile + t.y) * n + gid.x];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < 16; k++) sum += x[t.y][k] * y[k][t.x];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    c[gid.y * n + gid.x] = sum;
}

// Four SIMD-groups for 64 x 64 elements, each with 4 x 4 matrices of 8 x 8.
template <typename T>
kernel void product_simdgroup(device const T* a, device const T* b, device float* c, constant uint& n,
                              uint2 group [[threadgroup_position_in_grid]],
                              uint simd [[simdgroup_index_in_threadgroup]],
                              uint index [[thread_index_in_threadgroup]])
{
    threadgroup T as[64 * 32], bs[32 * 64];
    simdgroup_matrix<T, 8, 8> x[4], y[4];
    simdgroup_float8x8 sum[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] = make_filled_simdgroup_matrix<float, 8>(0);
    const uint row = simd / 2 * 32, column = simd % 2 * 32;
    for (uint k0 = 0; k0 < n; k0 += 32) {
        for (uint i = index; i < 2048; i += 128) {
            as[i] = a[(group.y * 64 + i / 32) * n + k0 + i % 32];
            bs[i] = b[(k0 + i / 64) * n + group.x * 64 + i % 64];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < 32; k += 8) {
            for (int i = 0; i < 4; ++i) simdgroup_load(x[i], as + (row + 8 * i) * 32 + k, 32);
            for (int j = 0; j < 4; ++j) simdgroup_load(y[j], bs + k * 64 + column + 8 * j, 64);
            simdgroup_barrier(mem_flags::mem_none);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) simdgroup_multiply_accumulate(sum[i][j], x[i], y[j], sum[i][j]);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    c += (group.y * 64 + row) * n + group.x * 64 + column;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) simdgroup_store(sum[i][j], c + 8 * i * n + 8 * j, n);
}
template [[host_name("product_simdgroup")]] kernel void product_simdgroup<float>(
    device const float*, device const float*, device float*, constant uint&, uint2, uint, uint);
template [[host_name("product_simdgroup_half")]] kernel void product_simdgroup<half>(
    device const half*, device const half*, device float*, constant uint&, uint2, uint, uint);

// Accelerations of bodies (x, y, z, mass), 256 at a time through threadgroup memory.
kernel void nbody(device const float4* bodies, device float4* pull, constant uint& count,
                  uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup float4 tile[256];
    const float3 here = bodies[i].xyz;
    float3 sum = 0;
    for (uint first = 0; first < count; first += 256) {
        tile[t] = bodies[first + t];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < 256; k++) {
            const float3 d = tile[k].xyz - here;
            const float inverse = rsqrt(dot(d, d) + 1e-3f);
            sum += d * (tile[k].w * inverse * inverse * inverse);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    pull[i] = float4(sum, 0);
}

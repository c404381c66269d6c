# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Kernels in the manner of public code: number theory, quantised products, trees with a stack, tables, templates."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

SOURCE = """
#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;

// Numbers of 256 bits, low half of the product.
struct u256 { ulong limb[4]; };
static ulong adc(ulong a, ulong b, thread ulong& carry) {
    ulong s = a + b; ulong c = s < a; ulong t = s + carry; carry = c | (t < s); return t;
}
kernel void multiply(device const u256* a, device const u256* b, device u256* out, uint id [[thread_position_in_grid]]) {
    u256 r = {{0, 0, 0, 0}};
    for (int i = 0; i < 4; ++i) {
        ulong carry = 0;
        for (int j = 0; i + j < 4; ++j) {
            ulong c = 0, d = 0;
            ulong t = adc(r.limb[i + j], a[id].limb[i] * b[id].limb[j], c); t = adc(t, carry, d);
            r.limb[i + j] = t; carry = mulhi(a[id].limb[i], b[id].limb[j]) + c + d;
        }
    }
    out[id] = r;
}

// A matrix of blocks of 4 bits by a vector, one SIMD-group for each row.
#define QK 32
typedef struct { half d; uint8_t qs[QK / 2]; } block;
static_assert(sizeof(block) == sizeof(half) + QK / 2, "wrong size");
kernel void quantized(device const void* blocks [[buffer(0)]], device const float* x [[buffer(1)]], device float* y [[buffer(2)]],
                      constant int64_t& nb [[buffer(3)]], uint row [[threadgroup_position_in_grid]], ushort lane [[thread_index_in_simdgroup]]) {
    device const block* b = (device const block*)blocks + row * nb;
    float sum = 0;
    for (int64_t i = lane; i < nb; i += 32) {
        device const uint16_t* q = (device const uint16_t*)&b[i] + 1;
        float part = 0;
        for (short k = 0; k < 8; ++k) {
            const uint16_t v = q[k];
            part += ((v & 0xF) - 8.f) * x[i * QK + 2 * k] + (((v >> 4) & 0xF) - 8.f) * x[i * QK + 2 * k + 16]
                  + (((v >> 8) & 0xF) - 8.f) * x[i * QK + 2 * k + 1] + ((v >> 12) - 8.f) * x[i * QK + 2 * k + 17];
        }
        sum += float(b[i].d) * part;
    }
    sum = simd_sum(sum);
    if (lane == 0) y[row] = sum;
}

// Boxes in a tree, walked with a stack of the thread's own.
struct Node { packed_float3 low; int left; packed_float3 high; int right; };
static bool meets(float3 origin, float3 inverse, float3 low, float3 high) {
    float3 a = (low - origin) * inverse, b = (high - origin) * inverse, near = min(a, b), far = max(a, b);
    return min3(far.x, far.y, far.z) >= max(max3(near.x, near.y, near.z), 0.f);
}
kernel void traverse(device const Node* nodes, device const float* rays, device int* hits, uint i [[thread_position_in_grid]]) {
    float3 origin = float3(rays[6 * i], rays[6 * i + 1], rays[6 * i + 2]);
    float3 inverse = 1.0f / float3(rays[6 * i + 3], rays[6 * i + 4], rays[6 * i + 5]);
    int stack[32], top = 0, count = 0;
    stack[top++] = 0;
    while (top > 0) {
        const Node node = nodes[stack[--top]];
        if (!meets(origin, inverse, node.low, node.high)) continue;
        if (node.left < 0) { ++count; continue; }
        stack[top++] = node.left; stack[top++] = node.right;
    }
    hits[i] = count;
}

// Lines of equal height: tables, a counter that hands out places.
constant int edges[16][4] = { {-1,-1,-1,-1},{0,3,-1,-1},{0,1,-1,-1},{1,3,-1,-1},{1,2,-1,-1},{0,1,2,3},{0,2,-1,-1},{2,3,-1,-1},
    {2,3,-1,-1},{0,2,-1,-1},{0,3,1,2},{1,2,-1,-1},{1,3,-1,-1},{0,1,-1,-1},{0,3,-1,-1},{-1,-1,-1,-1} };
constant float2 corners[4] = { float2(0,0), float2(1,0), float2(1,1), float2(0,1) };
kernel void contour(device const float* field, constant uint2& size, constant float& height, device float4* out,
                    device atomic_uint& count, uint2 p [[thread_position_in_grid]]) {
    float v[4]; uchar code = 0;
    for (int k = 0; k < 4; ++k) { uint2 c = p + uint2(corners[k]); v[k] = field[c.y * size.x + c.x]; if (v[k] > height) code |= 1 << k; }
    for (int e = 0; e < 4; e += 2) {
        if (edges[code][e] < 0) break;
        float2 q[2];
        for (int s = 0; s < 2; ++s) {
            int a = edges[code][e + s], b = (a + 1) & 3;
            q[s] = float2(p) + mix(corners[a], corners[b], (height - v[a]) / (v[b] - v[a]));
        }
        out[atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed)] = float4(q[0], q[1]);
    }
}

// Matrices as templates, folds, loops that templates unroll.
template <typename T, uint R, uint C> struct Mat { T m[R][C];
    template <uint K> Mat<T, R, K> operator*(thread const Mat<T, C, K>& o) const thread {
        Mat<T, R, K> r;
        for (uint i = 0; i < R; ++i) for (uint j = 0; j < K; ++j) { T s = 0; for (uint k = 0; k < C; ++k) s = fma(m[i][k], o.m[k][j], s); r.m[i][j] = s; }
        return r;
    }
    Mat<T, C, R> t() const thread { Mat<T, C, R> r; for (uint i = 0; i < R; ++i) for (uint j = 0; j < C; ++j) r.m[j][i] = m[i][j]; return r; }
};
template <typename F, typename... Args> auto sum_of(F f, Args... args) { return (f(args) + ...); }
struct square { template <typename T> T operator()(T x) const { return x * x; } };
template <uint N> struct times { template <typename F> static void run(F f) { times<N - 1>::run(f); f(N - 1); } };
template <> struct times<0> { template <typename F> static void run(F) {} };
kernel void templates(device const float* a, device float* out, uint i [[thread_position_in_grid]]) {
    Mat<float, 3, 3> x; for (uint k = 0; k < 9; ++k) x.m[k / 3][k % 3] = a[i * 9 + k];
    Mat<float, 3, 3> y = x * x.t();
    float weighted = 0, trace = 0; thread float* w = &weighted;
    times<3>::run([w, &y, &trace](uint k) { *w += y.m[k][k] * (k + 1); trace += y.m[k][k]; });
    out[i] = trace + sum_of(square{}, 1.0f, 2.0f, weighted * 0.001f);
}
"""


@pytest.fixture(scope="module")
def library():
    return mtlpy_nb.Device(cache_path=False).library(SOURCE)


def test_numbers_of_256_bits(library):
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2**64, (2, 20, 4), dtype=np.uint64)
    a[0], b[0] = 2**64 - 1, 2**64 - 1
    out = np.zeros_like(a)
    kernel = library["multiply"]
    dtype = kernel.arguments["a"].dtype
    kernel(*(x.view(dtype).reshape(-1) for x in (a, b, out)), grid=20)

    def number(limbs):
        return sum(int(limb) << 64 * k for k, limb in enumerate(limbs))

    assert [number(x) for x in out] == [number(x) * number(y) % 2**256 for x, y in zip(a, b, strict=True)]


def test_blocks_of_four_bits_by_a_vector(library):
    rng = np.random.default_rng(2)
    blocks = np.zeros((5, 40), np.dtype([("d", np.float16), ("q", np.uint8, 16)]))
    blocks["d"], blocks["q"] = rng.random((5, 40)), rng.integers(0, 256, (5, 40, 16))
    x, y = rng.normal(size=40 * 32).astype(np.float32), np.zeros(5, np.float32)
    library["quantized"](blocks.view(np.uint8), x, y, 40, grid=5 * 32, threadgroup=32)
    weights = np.concatenate([blocks["q"] & 15, blocks["q"] >> 4], 2).astype(float) - 8
    np.testing.assert_allclose(
        y, (weights * blocks["d"][..., None] * x.reshape(40, 32)).sum((1, 2)), rtol=1e-3, atol=1e-2
    )


def test_a_tree_walked_with_a_stack(library):
    rng = np.random.default_rng(3)
    centres = (
        rng.integers(-20, 20, (64, 3)) / 4
    )  # with rays in steps of 1/8, so that no box is touched within a rounding
    low, high = centres - 0.3, centres + 0.3
    nodes: list = []

    def build(ids):
        place = len(nodes)
        nodes.append(None)
        bounds = low[ids].min(0), high[ids].max(0)
        if len(ids) == 1:
            nodes[place] = (bounds[0], -1, bounds[1], -1)
        else:
            ids = ids[np.argsort(centres[ids, np.argmax(bounds[1] - bounds[0])])]
            children = build(ids[: len(ids) // 2]), build(ids[len(ids) // 2 :])
            nodes[place] = (bounds[0], children[0], bounds[1], children[1])
        return place

    build(np.arange(64))
    kernel = library["traverse"]
    tree = np.array(nodes, np.dtype([("low", "f4", 3), ("left", "i4"), ("high", "f4", 3), ("right", "i4")]))
    rays = rng.normal(size=(200, 6)).astype(np.float32)
    hits = np.zeros(200, np.int32)
    kernel(tree, rays, hits, grid=200)
    a, b = ((edge - rays[:, None, :3].astype(float)) / rays[:, None, 3:] for edge in (low, high))
    near, far = np.minimum(a, b).max(-1), np.maximum(a, b).min(-1)
    close = abs(far - np.maximum(near, 0)) < 1e-4  # rounding decides
    sure = (far >= np.maximum(near, 0)) & ~close
    assert (hits >= sure.sum(1)).all()
    assert (hits <= (sure | close).sum(1)).all()


def test_lines_of_equal_height(library):
    y, x = np.mgrid[:20, :20]
    field = np.hypot(x - 9.3, y - 9.7).astype(np.float32)
    out, count = np.zeros((400, 4), np.float32), np.zeros(1, np.uint32)
    library["contour"](field, np.array([20, 20], np.uint32), 6.2, out, count, grid=(19, 19))
    ends = out[: count[0]].reshape(-1, 2)
    assert 40 < count[0] < 60
    np.testing.assert_allclose(np.hypot(ends[:, 0] - 9.3, ends[:, 1] - 9.7), 6.2, atol=0.05)
    # The circle is closed: each end is that of two lines.
    assert (np.unique(ends.round(3), axis=0, return_counts=True)[1] == 2).all()


def test_matrices_and_folds_of_templates(library):
    a, out = np.random.default_rng(4).normal(size=(40, 9)).astype(np.float32), np.zeros(40, np.float32)
    library["templates"](a, out, grid=40)
    x = a.reshape(40, 3, 3).astype(float)
    diagonal = (x * x).sum(2)
    np.testing.assert_allclose(out, diagonal.sum(1) + 5 + (diagonal @ [1, 2, 3] * 0.001) ** 2, rtol=1e-5)

# SPDX-License-Identifier: MIT
"""Matrices that a SIMD-group holds, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from .group_functions import FRACTION, Kind

mtlpy_nb = pytest.importorskip("mtlpy_nb")

PRELUDE = "#include <metal_stdlib>\nusing namespace metal;\n"
LANE = np.arange(32)
QUAD = LANE // 4
ROW, COLUMN = (QUAD & 4) + LANE // 2 % 4, (QUAD & 2) * 2 + LANE % 2 * 2


def stored(kind, values):
    """float32 as the array that a kernel takes as `kind`; the kernel's parameters are cast where NumPy has no such."""
    return Kind(kind).store(np.asarray(values, np.float32))


@pytest.mark.parametrize("kind", FRACTION)
@pytest.mark.parametrize("space", ["device", "threadgroup"])
@pytest.mark.parametrize("transpose", ["false", "true", "per_row % 2 == 0"])
def test_load_and_store(kind, space, transpose, shared_device, rng):
    """With rows apart, an origin, and transposed both ways, alone and together."""
    element = Kind(kind).stored
    text = f"""{PRELUDE}
kernel void copy(device {element}* a, device {element}* out, constant uint& per_row, device {element}* own,
                 uint lane [[thread_index_in_threadgroup]]) {{
    threadgroup {kind} shared[320], back[320];
    device {kind}* from = (device {kind}*)a;
    device {kind}* to = (device {kind}*)out;
    for (uint i = lane; i < 320; i += 32) {{ shared[i] = from[i]; back[i] = 0; }}
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_matrix<{kind}, 8, 8> m;
    const ulong2 place = ulong2(3, 2);
    simdgroup_load(m, {"from" if space == "device" else "shared"}, per_row, place, {transpose});
    own[2 * lane] = as_type<{element}>({kind}(m.thread_elements()[0]));
    own[2 * lane + 1] = as_type<{element}>({kind}(m.thread_elements().y));
    simdgroup_store(m, {"to" if space == "device" else "back"}, per_row + 1, ulong2(1, 4), {transpose});
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if ({str(space != "device").lower()}) for (uint i = lane; i < 320; i += 32) to[i] = back[i];
}}"""
    kernel = shared_device.library(text)["copy"]
    for per_row in (11, 24):
        swaps = {"false": False, "true": True}.get(transpose, per_row % 2 == 0)
        a = stored(kind, rng.normal(size=320))
        out, own = np.zeros_like(a), np.zeros(64, a.dtype)
        kernel(a, out, np.uint32(per_row), own, grid=32, threadgroup=32)
        rows = np.lib.stride_tricks.as_strided(a[2 * per_row + 3 :], (8, 8), (per_row * a.itemsize, a.itemsize))
        matrix = rows.T if swaps else rows
        np.testing.assert_array_equal(own.reshape(32, 2), np.stack([matrix[ROW, COLUMN], matrix[ROW, COLUMN + 1]], 1))
        expected = np.zeros_like(a)
        for r in range(8):
            start = (4 + r) * (per_row + 1) + 1
            expected[start : start + 8] = (matrix.T if swaps else matrix)[r]
        np.testing.assert_array_equal(out, expected)


def test_default_layout_is_eight_elements_a_row(shared_device, rng):
    kernel = shared_device.library(
        PRELUDE + "kernel void k(device const float* a, device float* out) {\n"
        "  simdgroup_float8x8 m; simdgroup_load(m, a); simdgroup_store(m, out); }"
    )["k"]
    a = rng.normal(size=64).astype(np.float32)
    out = np.zeros_like(a)
    kernel(a, out, grid=32, threadgroup=32)
    np.testing.assert_array_equal(out, a)


@pytest.mark.parametrize("kind", FRACTION)
def test_constructors(kind, shared_device):
    name = f"simdgroup_{kind}8x8"
    kernel = shared_device.library(
        f"{PRELUDE}kernel void k(device {Kind(kind).stored}* out, constant float& v) {{\n"
        f"  {name} d = {name}({kind}(v)), f = make_filled_simdgroup_matrix<{kind}, 8>({kind}(v));\n"
        f"  simdgroup_matrix<{kind}, 8, 8> z(0), g = make_filled_simdgroup_matrix<{kind}, 8, 8>(2);\n"
        f"  device {kind}* p = (device {kind}*)out;\n"
        "  simdgroup_store(d, p); simdgroup_store(f, p + 64); simdgroup_store(z, p + 128);\n"
        "  simdgroup_store(g, p + 192); }"
    )["k"]
    out = np.zeros((4, 8, 8), Kind(kind).dtype)
    kernel(out.ravel(), np.float32(1.5), grid=32, threadgroup=32)
    expected = [np.eye(8) * 1.5, np.full((8, 8), 1.5), np.zeros((8, 8)), np.full((8, 8), 2)]
    np.testing.assert_array_equal(Kind(kind).compute(out), expected)


TYPES = [
    ("float", "float", "float", "float"), ("half", "half", "half", "half"), ("bfloat", "bfloat", "bfloat", "bfloat"),
    ("float", "half", "half", "float"), ("float", "bfloat", "bfloat", "float"), ("float", "float", "half", "float"),
    ("half", "half", "half", "float"), ("bfloat", "float", "bfloat", "half"),
]  # fmt: skip


@pytest.mark.parametrize(("d", "a", "b", "c"), TYPES)
def test_multiply_and_accumulate(d, a, b, c, shared_device, rng):
    """In float, summed over k upwards, and rounded once."""
    parameters = ", ".join(f"device {Kind(k).stored}* {n}" for k, n in ((d, "d"), (a, "a"), (b, "b"), (c, "c")))
    kernel = shared_device.library(
        f"{PRELUDE}kernel void k({parameters}) {{\n"
        f"  simdgroup_{d}8x8 x, y; simdgroup_{a}8x8 p; simdgroup_{b}8x8 q; simdgroup_{c}8x8 r;\n"
        f"  simdgroup_load(p, (device {a}*)a); simdgroup_load(q, (device {b}*)b); simdgroup_load(r, (device {c}*)c);\n"
        "  simdgroup_multiply_accumulate(x, p, q, r); simdgroup_multiply(y, p, q);\n"
        f"  simdgroup_store(x, (device {d}*)d); simdgroup_store(y, (device {d}*)d + 64); }}"
    )["k"]
    inputs = [stored(kind, rng.normal(size=(8, 8))) for kind in (a, b, c)]
    out = np.zeros((2, 8, 8), Kind(d).dtype)
    kernel(out.ravel(), *(array.ravel() for array in inputs), grid=32, threadgroup=32)
    left, right, plus = (Kind(k).compute(x).astype(np.float64) for k, x in zip((a, b, c), inputs, strict=True))
    expected = np.stack([left @ right + plus, left @ right])
    tolerance = {"float": 1e-5, "half": 2e-3, "bfloat": 1.6e-2}[d]
    np.testing.assert_allclose(Kind(d).compute(out), expected, rtol=tolerance, atol=tolerance)


def test_product_operator_and_thread_elements(shared_device, rng):
    """Elements that threads set themselves are those of the layout; d may be an operand, too."""
    kernel = shared_device.library(
        PRELUDE + "kernel void k(device const float* a, device float* out, uint lane [[thread_index_in_simdgroup]]) {\n"
        "  const uint q = lane / 4, row = (q & 4) + lane / 2 % 4, column = (q & 2) * 2 + lane % 2 * 2;\n"
        "  simdgroup_float8x8 m, n;\n"
        "  a += row * 8 + column;\n"
        "  reinterpret_cast<thread float2&>(m.thread_elements()) = float2(a[0], a[1]);\n"
        "  n = m * m; simdgroup_multiply_accumulate(m, m, n, m);\n"
        "  thread auto& e = m.thread_elements(); e *= 2; e[1] += 1;\n"
        "  simdgroup_store(m, out); }"
    )["k"]
    a = rng.normal(size=(8, 8)).astype(np.float32)
    out = np.zeros_like(a)
    kernel(a.ravel(), out.ravel(), grid=32, threadgroup=32)
    expected = 2 * (a @ (a @ a) + a)
    expected[:, 1::2] += 1
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4)


TILED = """
kernel void matmul(device const T* a, device const T* b, device float* c, constant uint3& size,
                   uint2 group [[threadgroup_position_in_grid]], uint simd [[simdgroup_index_in_threadgroup]],
                   uint index [[thread_index_in_threadgroup]]) {
    threadgroup T as[32 * 16], bs[16 * 32];
    simdgroup_matrix<T, 8, 8> x[2], y[2];
    simdgroup_float8x8 sum[2][2];
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) sum[i][j] = make_filled_simdgroup_matrix<float, 8>(0);
    const uint row = simd / 2 * 16, column = simd % 2 * 16;
    for (uint k0 = 0; k0 < size.z; k0 += 16) {
        for (uint i = index; i < 512; i += 128) {
            as[i] = a[(group.y * 32 + i / 16) * size.z + k0 + i % 16];
            bs[i] = b[(k0 + i / 32) * size.x + group.x * 32 + i % 32];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < 16; k += 8) {
            for (int i = 0; i < 2; ++i) simdgroup_load(x[i], as + (row + 8 * i) * 16 + k, 16);
            for (int j = 0; j < 2; ++j) simdgroup_load(y[j], bs + k * 32 + column + 8 * j, 32);
            simdgroup_barrier(mem_flags::mem_none);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) simdgroup_multiply_accumulate(sum[i][j], x[i], y[j], sum[i][j]);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    c += (group.y * 32 + row) * size.x + group.x * 32 + column;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) simdgroup_store(sum[i][j], c + 8 * i * size.x + 8 * j, size.x);
}
"""


@pytest.mark.parametrize("kind", ["float", "half"])
def test_tiled_matrix_product(kind, shared_device, rng):
    """Four SIMD-groups, tiles in threadgroup memory, loops that are and are not unrolled."""
    kernel = shared_device.library(f"{PRELUDE}typedef {kind} T;\n{TILED}")["matmul"]
    rows, columns, inner = 64, 96, 80
    a, b = stored(kind, rng.normal(size=(rows, inner))), stored(kind, rng.normal(size=(inner, columns)))
    c = np.zeros((rows, columns), np.float32)
    size = (columns, rows, inner)
    kernel(a.ravel(), b.ravel(), c.ravel(), size, grid=(columns // 32 * 128, rows // 32), threadgroup=(128, 1))
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("simdgroup_matrix<int, 8, 8> m;", "simdgroup_matrix is of half, bfloat or float"),
        ("simdgroup_matrix<float, 4, 4> m;", "simdgroup_matrix has 8 columns and 8 rows"),
        ("simdgroup_float8x8 m; simdgroup_load(m, (device half*)out);", "no matching function"),
    ],
)
def test_what_metal_refuses(declaration, message, compiles):
    with pytest.raises(mtlpy_nb.CompileError, match=message):
        compiles(f"kernel void k(device float* out) {{ {declaration} }}")


def test_rows_are_as_many_as_columns_unless_said(compiles):
    kernel = compiles("""
        kernel void run(device float* out) {
            static_assert(is_same_v<simdgroup_matrix<float, 8>, simdgroup_float8x8>);
            simdgroup_matrix<float, 8> m = {};
            simdgroup_store(m, out);
        }
    """)["run"]
    out = np.ones((8, 8), np.float32)
    kernel(out.reshape(-1), grid=32, threadgroup=32)
    assert not out.any()

# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (statements are kept dense)
"""array, array_ref, lambdas, constant expressions and what stands around loops."""

from __future__ import annotations

import numpy as np
import pytest

STATEMENTS = {
    "an array by its elements": (
        "array<int, 4> v = {1, 2, 3, 4}; v[2] += a; r = v[0] + v[2] * 10 + v.size() * 1000;",
        lambda a: 1 + (3 + a) * 10 + 4000,
    ),
    "a loop over an array": (
        "array<int, 3> v = {1, 2, 3}; for (int e : v) r += e * a; for (thread int& e : v) e += a; r += v.back();",
        lambda a: 6 * a + 3 + a,
    ),
    "front, back, data": (
        "array<int, 3> v = {a, 5, 7}; r = v.front() * 100 + v.back() * 10 + v.data()[1] + (v.empty() ? 1 : 0);",
        lambda a: a * 100 + 75,
    ),
    "an array's type from its elements": (
        'array v = {a, a + 1}; static_assert(v.size() == 2, "two"); r = v[0] * v[1];',
        lambda a: a * (a + 1),
    ),
    "arrays as values": (
        "array<int, 2> v = {a, 2}, w = v; w[0] = 9; r = v[0] * 10 + w[0] + (v == w) * 100 + (v != w) * 1000;",
        lambda a: a * 10 + 9 + np.where(a == 9, 100, 1000),
    ),
    "an array of arrays": (
        "array<array<int, 2>, 2> v = {{{{1, 2}}, {{3, a}}}}; r = v[1][1] + v[0][1];",
        lambda a: a + 2,
    ),
    "fill": ("array<int, 5> v; v.fill(a); r = v[4] + v[0];", lambda a: 2 * a),
    "a constant array": (
        'constexpr array<int, 3> v = {1, 2, 4}; static_assert(v[2] == 4, "four"); r = v[a % 3];',
        lambda a: np.choose(a % 3, [1, 2, 4]),
    ),
    "program scope": ("r = table[a % 4] + squares[a % 3];", lambda a: np.choose(a % 4, [9, 8, 7, 6]) + (a % 3) ** 2),
    "array_ref of an array": ("array<int, 3> v = {a, 5, 7}; r = sum(v);", lambda a: a + 12),
    "array_ref of a C array": ("int v[2] = {a, 5}; r = sum(v) + make_array_ref(v).size();", lambda a: a + 7),
    "a lambda": ("auto f = [](int x) { return x * 3; }; r = f(a);", lambda a: a * 3),
    "a lambda that captures": (
        "int k = 4; auto f = [&](int x) { k += x; return k; }; r = f(a) + k; auto g = [=] { return k; }; r += g();",
        lambda a: 3 * (a + 4),
    ),
    "a lambda as an argument": ("r = twice([&](int x) { return x + a; }, 5);", lambda a: 5 + 2 * a),
    "a generic lambda": (
        "auto f = [](auto x, auto y) { return x + y; }; r = f(a, 2) + int(f(1.5f, 2.5f));",
        lambda a: a + 6,
    ),
    "if constexpr": ("r = pick<int>(a) + pick<float>(a);", lambda a: a * 2 + 1),
    "a fold": ("r = total(a, 1, 2, 3);", lambda a: a + 6),
    "structured bindings": ("pair_of p = {a, 3}; auto [x, y] = p; r = x * y;", lambda a: a * 3),
    "unrolled loops": (
        '_Pragma("unroll") for (int i = 0; i < 4; ++i) r += a;\n#pragma unroll(2)\nfor (int i = 0; i < 4; ++i) r += 1;\n'
        "#pragma clang loop unroll(full)\nfor (int i = 0; i < 3; ++i) r += i;\n#pragma nounroll\nfor (int i = 0; i < a % 5; ++i) r += 1;",
        lambda a: 4 * a + 4 + 3 + a % 5,
    ),
    "attributes of statements": (
        "[[maybe_unused]] int u = 1; switch (a % 2) { case 0: r = 1; [[fallthrough]]; default: r += 2; } if (a > 3) [[likely]] { r += 10; } else [[unlikely]] r += 20;",
        lambda a: np.where(a % 2 == 0, 3, 2) + np.where(a > 3, 10, 20),
    ),
    "an initialiser in a condition": (
        "if (int t = a % 3; t > 1) r = t; else r = -t;",
        lambda a: np.where(a % 3 > 1, a % 3, -(a % 3)),
    ),
}

DECLARATIONS = """
constant array<int, 4> table = {9, 8, 7, 6};
constant constexpr int squares[] = {0, 1, 4};
struct pair_of { int first, second; };
int sum(array_ref<int> v) { int s = 0; for (size_t i = 0; i < v.size(); ++i) s += v[i]; return s; }
template <typename F> int twice(F f, int x) { return f(f(x)); }
template <typename T> int pick(int a) { if constexpr (is_same_v<T, int>) return a * 2; else return 1; }
template <typename... T> int total(T... values) { return (values + ...); }
"""


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(compiles, name: str) -> None:
    body, meaning = STATEMENTS[name]
    library = compiles(
        f"{DECLARATIONS}kernel void run(device const int* in, device int* out, uint i [[thread_position_in_grid]]) {{\n"
        f"int a = in[i]; int r = 0;\n{body}\nout[i] = r;\n}}\n"
    )
    values = np.arange(1, 21, dtype=np.int32)
    out = np.zeros_like(values)
    library["run"](values, out, grid=values.size)
    np.testing.assert_array_equal(out, np.broadcast_to(meaning(values), values.shape))


def test_arrays_in_device_and_threadgroup_memory(compiles) -> None:
    library = compiles(
        "struct S { array<float, 3> v; };\n"
        "kernel void run(device S* s [[buffer(0)]], constant array<float, 2>& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n"
        "    threadgroup array<float, 8> shared;\n    shared[i % 8] = s[i].v[0];\n    threadgroup_barrier(mem_flags::mem_threadgroup);\n"
        "    device array<float, 3>& v = s[i].v;\n    v[1] = shared[(i + 1) % 8] + c[1];\n    v.back() = v.size() + shared.front();\n"
        "    for (device float& e : s[i].v) e *= 2;\n}\n"
    )
    s = np.zeros(8, [("v", "f4", 3)])
    s["v"][:, 0] = np.arange(8)
    library["run"](s, np.float32([5, 100]), grid=8, threadgroup=8)
    i = np.arange(8)
    np.testing.assert_array_equal(s["v"], 2 * np.stack([i, (i + 1) % 8 + 100, i * 0 + 3], 1))


def test_an_array_ref_of_textures(compiles, shared_device) -> None:
    library = compiles(
        "float first(array_ref<texture2d<float>> textures, int i) { return textures[i].read(uint2(0)).x; }\n"
        "kernel void run(array<texture2d<float>, 3> textures [[texture(0)]], device float* out, uint i [[thread_position_in_grid]]) {\n"
        "    out[i] = first(textures, i) + textures.size();\n}\n"
    )
    textures = [shared_device.texture(np.full((1, 1), n, np.float32)) for n in (1, 2, 3)]
    out = np.zeros(3, np.float32)
    library["run"](textures, out, grid=3)
    np.testing.assert_array_equal(out, [4, 5, 6])

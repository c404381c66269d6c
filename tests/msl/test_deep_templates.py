# SPDX-License-Identifier: MIT
"""What large template libraries write and small kernels don't."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb


def run(compiles, text, out, *arguments, grid=1, threadgroup=None):
    compiles(text)["run"](*arguments, out, grid=grid, threadgroup=threadgroup)
    return out


def test_array_parameters_take_their_address_space_along(compiles):
    text = """
    template <typename T> T last(constant const T values[2], const constant vec<T, 2> pairs[]) {
        return values[1] + pairs[1].y;
    }
    float corner(device float table[2][3]) { return table[1][2]; }
    void fill(threadgroup float row[4], uint i) { row[i] = 10 * i; }
    kernel void run(constant float* values [[buffer(0)]], constant float2 pairs[2] [[buffer(1)]],
                    device float* table [[buffer(2)]], device float* out [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
        threadgroup float row[4];
        fill(row, i);
        out[i] = last<float>(values, pairs) + corner((device float(*)[3])table) + row[i];
    }
    """
    values = np.array([1, 2], np.float32)
    pairs = np.array([[3, 4], [5, 6]], np.float32)
    table = np.arange(6, dtype=np.float32) * 100
    out = run(compiles, text, np.zeros(4, np.float32), values, pairs, table, grid=4)
    np.testing.assert_array_equal(out, 2 + 6 + 500 + 10 * np.arange(4))


def test_string_literals_are_constant(compiles):
    text = """
    struct Name {
        constant char* text;
        constexpr Name(constant char* t) constant : text(t) {}
    };
    constant Name name("abcd");
    constant char letters[] = "xyz";
    static_assert(sizeof("four") == 5, "a literal is an array");
    int length(constant char* text) { int n = 0; while (text[n]) ++n; return n; }
    kernel void run(device int* out) {
        constant char* local = out[0] ? "long text" : "sh" "ort";
        out[0] = length(local);
        out[1] = length("seven c");
        out[2] = letters[2];
        out[3] = name.text[1];
    }
    """
    np.testing.assert_array_equal(run(compiles, text, np.zeros(4, np.int32)), [5, 7, ord("z"), ord("b")])


def test_explicit_conversions_between_half_and_bfloat(compiles):
    text = """
    template <typename U, typename T> U convert(T x) { return static_cast<U>(x); }
    template <typename U, typename T> U construct(T x) { return U(x); }
    struct Eighth { ushort bits; operator half() thread { return half(bits) / 8; } };
    kernel void run(device half* h, device bfloat* b, device float* out) {
        Eighth e{3};
        out[0] = static_cast<bfloat>(h[0]);
        out[1] = bfloat(h[0] + h[1]);
        out[2] = (bfloat)h[1];
        out[3] = half(b[0]);
        out[4] = -(half)b[1] * 2;
        out[5] = convert<bfloat>(h[2]) + convert<half>(b[0]) + convert<int>(b[1]) + convert<bfloat>(7);
        out[6] = construct<half>(b[0]) + construct<bfloat>(h[0]) + construct<float>(h[0]);
        out[7] = static_cast<bfloat>(e.operator half());
        out[8] = static_cast<bfloat>(16777217.0f) - 16777216.0f;
    }
    """
    halves = np.array([1.00390625, 2.5, 1000], np.float16)  # the first lies between two bfloats
    bfloats = (np.array([3.0, -5.5], np.float32).view(np.uint32) >> 16).astype(np.uint16)
    out = np.zeros(9, np.float32)
    compiles(text)["run"](halves, bfloats, out, grid=1)
    np.testing.assert_allclose(out, [1, 3.5, 2.5, 3, 11, 1000 + 3 - 5 + 7, 3 + 1 + halves[0], 0.375, 0], atol=0)


def test_a_threadgroup_class_starts_undefined_without_running_its_constructor(compiles):
    text = """
    struct Pair {
        int a, b;
        constexpr Pair() thread : a(0), b(0) {}
        constexpr Pair() threadgroup : a(0), b(0) {}
    };
    kernel void run(device int* out, uint i [[thread_position_in_threadgroup]]) {
        threadgroup Pair pairs[64];
        pairs[i].a = i;
        pairs[i].b = 2 * i;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        out[i] = pairs[63 - i].a + pairs[63 - i].b;
    }
    """
    out = run(compiles, text, np.zeros(64, np.int32), grid=64, threadgroup=64)
    np.testing.assert_array_equal(out, 3 * np.arange(63, -1, -1))


def test_threadgroup_variables_take_no_values(compiles):
    with pytest.raises(mtlpy_nb.CompileError, match="threadgroup address space cannot have an initializer"):
        compiles("struct P { int a = 1; };\nkernel void run(device int* o) { threadgroup P p; o[0] = p.a; }")


def test_a_function_may_call_itself_last(compiles):
    text = """
    struct Walk {
        int at = 0, steps = 0;
        void go(int n, constant int* sizes) thread {
            ++steps;
            at += n % sizes[0];
            int rest = n / sizes[0];
            if (rest > 0) { go(rest, sizes); }
        }
    };
    int gcd(int a, int b) { if (b != 0) return gcd(b, a % b); return a; }
    kernel void run(constant int* sizes, device int* out, uint i [[thread_position_in_grid]]) {
        Walk walk;
        walk.go(i, sizes);
        out[i] = walk.at * 1000 + walk.steps * 100 + gcd(i, 12);
    }
    """
    out = run(compiles, text, np.zeros(100, np.int32), np.array([7], np.int32), grid=100)
    digits = [np.base_repr(i, 7) for i in range(100)]
    wanted = [sum(map(int, d)) * 1000 + len(d) * 100 + np.gcd(i, 12) for i, d in enumerate(digits)]
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("body", ["return n * f(n - 1);", "int r = f(n - 1); return r;", "f(n - 1); return 1;"])
def test_other_recursion_is_an_error(compiles, body):
    with pytest.raises(mtlpy_nb.CompileError, match="recursion is not supported in Metal: 'f' can reach itself"):
        compiles(
            f"int f(int n) {{ if (n == 0) return 1; {body} }}\nkernel void run(device int* o) {{ o[0] = f(o[0]); }}"
        )


def test_apples_own_names_of_simdgroup_functions(compiles):
    text = """
    kernel void run(device float* out, uint i [[thread_position_in_grid]]) {
        float x = i;
        out[i] = __metal_simd_sum(x) + 1000 * __metal_simd_shuffle_xor(x, ushort(1)) +
                 __metal_simd_shuffle_and_fill_up(x, -1.0f, ushort(2), __metal_get_simdgroup_size(ushort())) / 4 +
                 __metal_simd_xor(x) + __metal_get_thread_index_in_simdgroup(ushort()) / 64.0f;
    }
    """
    i = np.arange(32)
    bits = np.bitwise_xor.reduce(i.astype(np.float32).view(np.uint32)).view(np.float32)
    up = np.where(i < 2, -1, i - 2)
    np.testing.assert_allclose(
        run(compiles, text, np.zeros(32, np.float32), grid=32), i.sum() + 1000 * (i ^ 1) + up / 4 + bits + i / 64
    )


def test_traits_of_traits(compiles):
    text = """
    #pragma METAL internals : enable
    template <typename T>
    constexpr constant bool is_word = _disjunction<is_same<T, int>, is_same<T, uint>>::value;
    #pragma METAL internals : disable
    static_assert(is_word<uint> && !is_word<float>);
    static_assert(conjunction_v<is_integral<int>, negation<is_same<int, uint>>> && !disjunction_v<> && conjunction_v<>);
    kernel void run(device int* out) {}
    """
    compiles(text)


def test_matrices_and_sums_need_no_header_of_their_own(compiles):
    compiles(
        "kernel void run(device float* o) { simdgroup_float8x8 m(2); simdgroup_store(m, o); o[0] = quad_sum(o[0]); }"
    )

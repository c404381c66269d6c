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
        out[5] = float(convert<bfloat>(h[2])) + convert<half>(b[0]) + convert<int>(b[1]) + convert<bfloat>(7);
        out[6] = float(construct<half>(b[0])) + construct<bfloat>(h[0]) + construct<float>(h[0]);
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


def test_methods_for_constant_local_objects(compiles):
    text = """
    template <typename T> struct Loader {
        T values[2];
        int where() const thread { return 1; }
        int where() const device { return 2; }
        int where() const constant { return 3; }
        int where() const threadgroup noexcept { return 4; }
        int change() thread { values[0] += 1; return values[0]; }
        constexpr operator T() const thread noexcept { return values[1]; }
        void swap() thread { exchange(values[0], values[1]); }
        static void exchange(thread T& a, thread T& b) { T old = a; a = b; b = old; }
        template <typename U> static U same(thread U& a) { U copy = a; return copy; }
        T first() const thread { return values[0]; }
        T all() thread { return same(values[0]) + this->first(); }
    };
    kernel void run(device Loader<int>* d, constant Loader<int>& c, device int* out) {
        Loader<int> local{{10, 20}};
        const Loader<int> fixed{{1, 2}};
        threadgroup Loader<int> shared;
        out[0] = local.where() + 10 * d->where() + 100 * c.where() + 1000 * shared.where() + 10000 * fixed.where();
        out[1] = local.change();
        out[2] = local;
        local.swap();
        out[3] = local.first() + fixed.first();
        out[4] = local.all();
    }
    """
    loader = np.zeros(1, [("values", np.int32, 2)])
    out = run(compiles, text, np.zeros(5, np.int32), loader, loader)
    np.testing.assert_array_equal(out, [14321, 11, 20, 21, 40])


@pytest.mark.parametrize("call", ["s->get()", "(*s).get()", "s[0](1)", "other->get()"])
def test_methods_of_local_objects_are_not_for_others(compiles, call):
    text = """
    struct S { int get() thread { return 1; } int operator()(int x) const thread { return x; } };
    struct Other { int get() const thread { return 1; } int get() const constant { return 1; } };
    """
    wanted = "cannot initialize object parameter of type 'thread S'" if "other" not in call else "no matching member"
    with pytest.raises(mtlpy_nb.CompileError, match=wanted):
        compiles(f"{text} kernel void run(device S* s, device Other* other, device int* o) {{ o[0] = {call}; }}")


def test_function_constants_may_be_constexpr(compiles):
    text = """
    static constant constexpr const int steps [[function_constant(3)]];
    template <typename T> struct Walk { T go(T x) thread { for (int i = 0; i < steps; ++i) x += i; return x; } };
    kernel void run(device int* out) { out[0] = Walk<int>().go(100); }
    """
    kernel = compiles(text)["run"].specialize(steps=5)
    out = np.zeros(1, np.int32)
    kernel(out, grid=1)
    assert out[0] == 110


def test_functions_are_template_arguments(compiles):
    text = """
    template <typename T> using Step = void (*)(thread T*, thread T*);
    template <typename T> void twice(thread T* a, thread T* b) { *b = 2 * *a; }
    template <typename T, int N, Step<T> step> T repeat(T x) {
        for (int i = 0; i < N; ++i) { T y; step(&x, &y); x = y; }
        return x;
    }
    kernel void run(device float* out) { out[0] = repeat<float, 3, twice<float>>(1.5f); }
    """
    assert run(compiles, text, np.zeros(1, np.float32))[0] == 12


def test_a_reference_to_a_pointer_is_to_a_local_one(compiles):
    text = """
    void skip(const device int*& a, constant int* const& by) { a += by[0]; }
    kernel void run(const device int* a, constant int* by, device int* out) { skip(a, by); out[0] = a[0]; }
    """
    assert run(compiles, text, np.zeros(1, np.int32), np.array([5, 6, 7], np.int32), np.array([2], np.int32))[0] == 7


def test_uniform_values(compiles):
    text = """
    kernel void run(constant int& n, device int* out, uint i [[thread_position_in_grid]]) {
        constexpr const uniform<int> step = make_uniform(4);
        const uniform<int> size = make_uniform(n);
        const uniform<int> rounds = size / step, rest = size - rounds * step;
        static_assert(is_uniform_v<decltype(rounds)> && !is_uniform_v<int>);
        int sum = i;
        for (int k = 0; k < rounds; ++k) sum += step;
        out[i] = rest != 0 ? sum * 10 + rest : -sum;
    }
    """
    compiled = compiles(text)["run"]
    out = np.zeros(3, np.int32)
    compiled(11, out, grid=3)
    np.testing.assert_array_equal(out, [83, 93, 103])
    compiled(8, out, grid=3)
    np.testing.assert_array_equal(out, [-8, -9, -10])

# SPDX-License-Identifier: MIT
"""What public Metal code relies on and no chapter of the specification tells."""

import numpy as np
import pytest

import mtlpy_nb


def test_a_templates_type_parameter_is_a_variable_elsewhere(evaluate):
    # The standard headers have templates of T, U, V, A ... as well.
    a = np.arange(-3, 5, dtype=np.float32)
    body = """
        float T = a, U = a + 1; int V = int(a);
        #define SQUARE(x) ((x) * (x))
        r = SQUARE(T) - SQUARE(T - U) + (T) - 2 + (U) * (T) + float(int(U) - V);"""
    np.testing.assert_array_equal(evaluate("float", body, ("float", a)), a * a - 1 + a - 2 + (a + 1) * a + 1)


def test_a_type_parameter_is_a_type_in_its_whole_template(compiles):
    a = np.array([1.5, -2.25], np.float32)
    out = np.zeros(2, np.float32)
    compiles(
        """
        template <typename T> struct Box {
            T value;
            Box(bfloat x) : value{T(0)} { value = (T)x; }
            template <typename S> S get() { return (S)(value) + (S)1; }
        };
        float T(float x) { return (x) - 1; }
        kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]]) {
            float (T) = a[i];
            out[i] = float(Box<half>(bfloat(a[i])).get<bfloat>()) + (T) - ::T(0);
        }"""
    )["f"](a, out, grid=2)
    np.testing.assert_array_equal(out, a + 1 + a + 1)


def test_coherent_memory(compiles):
    a, b, c, d = (np.zeros((4, 4), np.uint32) for _ in range(4))
    compiles(
        """
        template <typename P> void put(P p, uint i) { p[i] += 2; }
        kernel void f(volatile device coherent(device) uint* a, coherent device uint* b,
                      coherent(device) device uint& c, device coherent uint4* d, uint i [[thread_position_in_grid]]) {
            uint coherent = i;
            a[coherent] = (coherent) + 1; put(b, i); if (i == 3) c = 3; d[i] += i;
        }"""
    )["f"](a.reshape(-1), b.reshape(-1), c.reshape(-1)[:1], d, grid=4)
    assert a[0].tolist() == [1, 2, 3, 4]
    assert b[0].tolist() == [2, 2, 2, 2]
    assert c[0, 0] == 3
    np.testing.assert_array_equal(d, np.arange(4)[:, None].repeat(4, 1))


def test_enumerations_shared_with_objective_c(compiles):
    out = np.zeros(3, np.int32)
    compiles(
        """
        #define NS_ENUM(_type, _name) enum _name : _type _name; enum _name : _type
        #define NSInteger metal::int32_t
        typedef NS_ENUM(NSInteger, Index) { IndexFirst = 2, IndexSecond };
        kernel void f(device int* out [[buffer(IndexSecond - 3)]], uint i [[thread_position_in_grid]]) {
            Index which = IndexSecond;
            out[i] = which + sizeof(Index);
        }"""
    )["f"](out, grid=3)
    assert out.tolist() == [7, 7, 7]


def test_references_and_pointers_to_arrays(compiles):
    out = np.zeros(4, np.float32)
    compiles(
        """
        void twice(thread float (&x)[2]) { for (thread float& v : x) v *= 2; }
        template <uint N> float sum(threadgroup const float (&x)[N]) { return x[0] + x[1] + x[N - 1]; }
        float second(thread float (*rows)[2]) { return rows[1][0]; }
        kernel void f(device float* out, uint i [[thread_position_in_grid]]) {
            threadgroup float shared[3];
            for (int k = 0; k < 3; ++k) shared[k] = k + 1;
            float pair[2] = {1, 3}, rows[2][2] = {{0, 1}, {5, 6}};
            twice(pair);
            out[i] = pair[1] + sum(shared) + second(rows);
        }"""
    )["f"](out, grid=1)
    assert out[0] == 17


def test_copies_between_spaces_may_be_defaulted(compiles):
    out = np.zeros(4, np.float32)
    compiles(
        """
        template <typename T> struct Pair {
            T first, second;
            Pair() thread = default;
            Pair(const thread Pair& other) thread = default;
            thread Pair& operator=(const thread Pair& other) thread = default;
            Pair(const threadgroup Pair& other) thread = default;
            thread Pair& operator=(const device Pair& other) thread = default;
            threadgroup Pair& operator=(const thread Pair& other) threadgroup = default;
            threadgroup Pair& operator=(const device Pair& other) threadgroup = default;
            T sum() const threadgroup { return first + second; }
        };
        kernel void f(device Pair<float>* out) {
            threadgroup Pair<float> shared;
            Pair<float> own; own.first = 1; own.second = 2;
            shared = own;
            Pair<float> other(shared);
            other = own;
            out[0] = other; out[1] = shared; out[1].second += shared.sum();
        }"""
    )["f"](out.view(np.uint8), grid=1)
    assert out.tolist() == [1, 2, 1, 5]


def test_assertions_are_checked_but_not_evaluated(compiles):
    out = np.zeros(1, np.uint32)
    compiles("kernel void f(device uint* out) { uint n = 1; assert(n++ == 7); out[0] = n; }")["f"](out, grid=1)
    assert out[0] == 1
    with pytest.raises(mtlpy_nb.CompileError, match="use of undeclared identifier 'missing'"):
        compiles("kernel void f(device uint* out) { assert(missing > 1); }")


def test_limits_of_a_programs_own_type(compiles):
    out = np.zeros(2, np.float32)
    compiles(
        """
        template <typename T> struct indexed { uint i; T value; };
        namespace metal {
        template <typename T> struct _numeric_limits_impl<indexed<T>> {
            static constexpr indexed<T> lowest() { return {7, numeric_limits<T>::lowest()}; }
        };
        }
        static_assert(__is_valid_simdgroup_type<half4>::value && !__is_valid_simdgroup_type<indexed<float>>::value);
        kernel void f(device float* out) {
            auto low = numeric_limits<indexed<int>>::lowest();
            out[0] = low.i; out[1] = low.value;
        }"""
    )["f"](out, grid=1)
    assert out.tolist() == [7, -(2**31)]


def test_headers_bring_what_they_are_about(shared_device):
    shared_device.library(
        """
        #include <metal_texture>
        #include <metal_matrix>
        using namespace metal;
        kernel void f(device float3* x, constant float3x3& m) {
            x[0] = m * normalize(x[0]) * mix(dot(x[1], x[2]), 1, 0.5); }
        """
    )


def test_assignments_for_each_space_beside_the_defaulted_ones(compiles):
    """A class that also takes something else, in each space: which one is meant, whatever space the source is in."""
    library = compiles("""
        struct Cell {
            float first, second;
            Cell() thread = default;
            Cell() threadgroup = default;
            Cell(const thread float2& v) thread : first(v.x), second(v.y) {}
            Cell(const thread Cell& c) thread = default;
            Cell(const device Cell& c) thread = default;
            thread Cell& operator=(const thread float2& v) thread { first = v.x; second = v.y; return *this; }
            thread Cell& operator=(const thread Cell& c) thread = default;
            thread Cell& operator=(const device Cell& c) thread = default;
            thread Cell& operator=(const threadgroup Cell& c) thread = default;
            threadgroup Cell& operator=(const thread float2& v) threadgroup {
                first = v.x;
                second = v.y + 1;
                return *this;
            }
            threadgroup Cell& operator=(const thread Cell& c) threadgroup = default;
            threadgroup Cell& operator=(const device Cell& c) threadgroup = default;
            threadgroup Cell& operator=(const threadgroup Cell& c) threadgroup = default;
            device Cell& operator=(const thread float2& v) device { first = v.x + 1; second = v.y; return *this; }
            device Cell& operator=(const thread Cell& c) device = default;
            device Cell& operator=(const threadgroup Cell& c) device = default;
            operator float2() const thread { return float2(first, second); }
        };
        struct Pair { Cell a, b; };
        kernel void run(device Cell* cells) {
            threadgroup Cell shared[3];
            threadgroup Pair pairs[2];
            Cell own = Cell(float2(1, 2));
            shared[0] = Cell(float2(3, 4));   // from a value
            shared[1] = own;                  // from a variable
            shared[2] = float2(5, 6);         // by the other one
            cells[1] = shared[0];
            cells[2] = shared[1];
            cells[3] = shared[2];
            cells[4] = float2(7, 8);
            shared[0] = cells[0];
            own = shared[0];
            cells[5] = own;
            pairs[0].a = own;
            pairs[0].b = shared[2];
            pairs[1] = pairs[0];
            cells[6] = pairs[1].b;
        }
    """)
    cells = np.zeros((7, 2), np.float32)
    cells[0] = 9, 10
    library["run"](cells.view(library["run"].arguments["cells"].element.dtype).reshape(-1), grid=1)
    assert cells.tolist() == [[9, 10], [3, 4], [1, 2], [5, 7], [8, 8], [9, 10], [5, 7]]

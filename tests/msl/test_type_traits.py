# SPDX-License-Identifier: MIT
"""Type traits, utilities and numeric limits, asked while compiling."""

from __future__ import annotations

import numpy as np
import pytest

ASSERTIONS = {
    "decay": "is_same_v<decay_t<const device float&>, float> && is_same_v<decay_t<float[3]>, thread float*>",
    "common_type": "is_same_v<common_type_t<int, float>, float> && is_same_v<common_type_t<uchar, short, half>, half>",
    "invoke_result": "is_same_v<invoke_result_t<F, int>, float> && is_same_v<result_of_t<F(int)>, float>",
    "is_invocable": "is_invocable_v<F, int> && !is_invocable_v<F, F>",
    "conjunction": "conjunction_v<true_type, is_same<int, int>> && !conjunction_v<true_type, false_type>",
    "disjunction": "!disjunction_v<false_type> && disjunction_v<false_type, true_type> && negation_v<false_type>",
    "rank": "rank_v<int[2][3]> == 2 && extent_v<int[2][3]> == 2 && extent_v<int[2][3], 1> == 3",
    "alignment_of": "alignment_of_v<float3> == 16 && alignment_of<packed_float3>::value == 4",
    "is_scalar": "is_scalar_v<bfloat> && is_scalar_v<thread int*> && !is_scalar_v<float2>",
    "is_floating_point": "is_floating_point_v<half> && is_floating_point<bfloat>::value && !is_floating_point_v<int>",
    "is_integral": "is_integral_v<uchar> && is_integral_v<bool> && !is_integral_v<half> && !is_integral_v<int2>",
    "is_signed": "is_signed_v<char> && is_signed_v<half> && !is_signed_v<uint> && is_unsigned_v<size_t>",
    "is_arithmetic": "is_arithmetic_v<half> && !is_arithmetic_v<half2>",
    "is_pointer": "is_pointer_v<device float*> && !is_pointer_v<float> && is_function_v<void(int)>",
    "is_trivially_copyable": "is_trivially_copyable_v<float4x4> && is_trivially_copyable_v<pair<int, half3>>",
    "is_class": "is_class_v<F> && !is_class_v<int> && is_enum_v<E> && is_union_v<U>",
    "is_convertible": "is_convertible_v<int, float> && !is_convertible_v<F, int> && is_base_of_v<F, G>",
    "is_constructible": "is_constructible_v<float4, float2, float2> && is_default_constructible_v<half>",
    "is_vector": "is_vector_v<half3> && !is_vector_v<half>",
    "make_signed": "is_same_v<make_signed_t<uint>, int> && is_same_v<make_unsigned_t<long>, ulong>",
    "remove": "is_same_v<remove_cv_t<const volatile int>, int> && is_same_v<remove_reference_t<thread int&>, int>",
    "remove_addrspace": "is_same_v<remove_addrspace_t<device half>, half>",
    "remove_pointer": "is_same_v<remove_const_t<const uint>, uint> && is_same_v<remove_extent_t<int[2]>, int>",
    "underlying_type": "is_same_v<underlying_type_t<E>, uchar>",
    "conditional": "is_same_v<conditional_t<true, int, half>, int> && is_same_v<enable_if_t<true, half>, half>",
    "type_identity": "is_same_v<type_identity_t<int>, int> && is_void_v<void>",
    "integral_constant": "integral_constant<int, 3>::value == 3 && bool_constant<true>() && true_type::value",
    "pair": "make_pair(1, 2.0f).second == 2.0f && make_pair(1, 2) < make_pair(1, 3) && pair<int, int>{1, 2}.first == 1",
    "integer_sequence": "is_same_v<index_sequence_for<int, int>, index_sequence<0, 1>>",
    "make_scalar": "is_same_v<make_scalar_t<half4>, half> && vec_elements_v<half4> == 4",
}


@pytest.mark.parametrize("name", ASSERTIONS)
def test_trait(compiles, name):
    compiles(
        "struct F { float operator()(int) const; }; struct G : F {}; enum class E : uchar { e }; union U { int i; };"
        f"static_assert({ASSERTIONS[name]});"
    )


def test_utilities_of_objects(compiles):
    library = compiles("""
        kernel void run(device float* a) {
            auto p = make_pair(a[0], a[1]);
            float old = exchange(p.first, 3.0f);
            swap(p.first, p.second);
            thread float* q = addressof(old);
            a[2] = p.first; a[3] = p.second; a[4] = *q; a[5] = forward<float>(move(old)) + as_const(old);
        }
    """)
    a = np.array([5, 7, 0, 0, 0, 0], np.float32)
    library["run"](a, grid=1)
    assert a.tolist() == [5, 7, 7, 3, 5, 10]


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("char", "i1"),
        ("uchar", "u1"),
        ("short", "i2"),
        ("ushort", "u2"),
        ("int", "i4"),
        ("uint", "u4"),
        ("long", "i8"),
        ("ulong", "u8"),
    ],
)
def test_limits_of_integers(compiles, kind, dtype):
    info = np.iinfo(dtype)
    low = f"({info.min + 1} - 1)" if info.min else "0"
    suffix = {"long": "l", "ulong": "ul"}.get(kind, "")
    compiles(f"""
        using L = numeric_limits<{kind}>;
        static_assert(L::max() == {info.max}{suffix} && L::min() == {low} && L::lowest() == L::min());
        static_assert(L::is_specialized && L::is_integer && L::is_exact && L::is_signed == {str(info.min < 0).lower()});
        static_assert(L::digits == {info.bits - (info.min < 0)} && L::radix == 2);
        static_assert(L::epsilon() == 0 && !L::has_infinity);
        static_assert(is_same_v<decltype(L::max()), {kind}> && numeric_limits<const {kind}>::max() == L::max());
    """)


@pytest.mark.parametrize(("kind", "dtype", "prefix"), [("float", "f4", "FLT"), ("half", "f2", "HALF")])
def test_limits_of_floats_and_their_macros(compiles, kind, dtype, prefix):
    info = np.finfo(dtype)
    compiles(f"""
        using L = numeric_limits<{kind}>;
        static_assert(L::max() == {prefix}_MAX && float(L::max()) == {float(info.max).hex()}f);
        static_assert(L::lowest() == -L::max());
        static_assert(L::min() == {prefix}_MIN && float(L::min()) == {float(info.tiny).hex()}f);
        static_assert(L::epsilon() == {prefix}_EPSILON && float(L::epsilon()) == {float(info.eps).hex()}f);
        static_assert(float(L::denorm_min()) == {float(info.smallest_subnormal).hex()}f);
        static_assert(L::digits == {prefix}_MANT_DIG && L::digits == {info.nmant + 1} && L::digits10 == {prefix}_DIG);
        static_assert(L::max_exponent == {prefix}_MAX_EXP && L::max_exponent == {info.maxexp});
        static_assert(L::min_exponent == {prefix}_MIN_EXP && L::min_exponent == {info.minexp + 1});
        static_assert(L::max_exponent10 == {prefix}_MAX_10_EXP && L::min_exponent10 == {prefix}_MIN_10_EXP);
        static_assert(float(L::infinity()) == INFINITY && L::quiet_NaN() != L::quiet_NaN());
        static_assert(L::round_style == round_to_nearest);
    """)

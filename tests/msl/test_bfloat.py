# SPDX-License-Identifier: MIT
"""bfloat: literals, conversions, arithmetic that rounds after each operation, and functions, which compute in float."""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(16)


def to_float(bits):
    """The numbers that bfloats' bits stand for."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bits(values):
    """The bits of floats rounded to bfloat, halves to even; NaN stays one."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)


def numbers(count=4096):
    """Bits of bfloats: random ones of all exponents of normal numbers, and corners."""
    values = np.exp2(RNG.uniform(-30, 30, count)) * RNG.choice([-1, 1], count)
    values[: count // 4] = RNG.uniform(-2, 2, count // 4)
    corners = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 3.3895e38, -3.3895e38, 1.18e-38]
    values[: len(corners)] = corners
    return RNG.permutation(to_bits(values.astype(np.float32)))


@pytest.fixture(scope="module")
def over_bits(compiles):
    """Run an expression of bfloats a, b, c, given and returned as bits; of the type named, `r` is stored as such."""

    def run(expression, *inputs, result="bfloat", math="safe"):
        letters = "abc"[: len(inputs)]
        parameters = "".join(f"device const ushort* p{x}, " for x in letters)
        loads = " ".join(f"bfloat {x} = as_type<bfloat>(p{x}[i]);" for x in letters)
        out = "as_type<ushort>(r)" if result == "bfloat" else "r"
        kind = "ushort" if result == "bfloat" else result
        library = compiles(
            f"kernel void run({parameters}device {kind}* out, uint i [[thread_position_in_grid]]) "
            f"{{ {loads} {result} r = {result}({expression}); out[i] = {out}; }}",
            math,
        )
        dtype = {"ushort": np.uint16, "float": np.float32, "int": np.int32}[kind]
        out = np.zeros(len(inputs[0]), dtype)
        library["run"](*inputs, out, grid=len(out))
        return out

    return run


def assert_same(got, want):
    """Equal as numbers: all NaN are one, results too small for normal numbers are zero."""
    got, want = to_float(got), to_float(want)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    small = (np.abs(want) < np.finfo(np.float32).tiny * 1.01) & (np.abs(got) < np.finfo(np.float32).tiny * 1.01)
    known = ~np.isnan(want) & ~small
    np.testing.assert_array_equal(got[known], want[known])


def test_literals_have_the_type_bfloat_and_round(compiles):
    compiles("""
        constexpr constant bfloat k = -1.5BF;
        static_assert(is_same_v<decltype(1.5bf), bfloat> && is_same_v<decltype(1e-3bf), bfloat>);
        static_assert(is_same_v<decltype(0x1.8p3BF), bfloat> && is_same_v<decltype(.5bf), bfloat>);
        static_assert(0xbf == 191 && sizeof(0.1bf) == 2 && float(k) == -1.5f && float(0.1bf) == 0.10009765625f);
        static_assert(is_same_v<decltype(1.5h), half> && is_same_v<decltype(1.e3H), half> && float(.5h * 3.0H) == 1.5f);
    """)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
def test_each_operation_rounds_to_bfloat(over_bits, operator):
    a, b, c = numbers(), numbers(), numbers()
    x, y, z = map(to_float, (a, b, c))
    with np.errstate(all="ignore"):
        once = {"+": x + y, "-": x - y, "*": x * y, "/": x / y}[operator]
        want = to_bits(to_float(to_bits(once)) + z)
    assert_same(over_bits(f"bfloat(a {operator} b) + c", a, b, c), want)
    assert_same(over_bits(f"a {operator} b", a, b), to_bits(once))


def test_conversions_from_float_round_to_even(compiles):
    floats = np.concatenate([RNG.uniform(-4, 4, 4000), [1 + 2.0**-8, 1 + 3 * 2.0**-8, 3.4028e38, np.inf, np.nan]])
    floats = floats.astype(np.float32)
    out = np.zeros(len(floats), np.uint16)
    compiles(
        "kernel void run(device const float* a, device ushort* out, uint i [[thread_position_in_grid]]) "
        "{ out[i] = as_type<ushort>(bfloat(a[i])); }"
    )["run"](floats, out, grid=len(out))
    assert_same(out, to_bits(floats))


@pytest.mark.parametrize(
    ("call", "reference"),
    [
        ("exp(a)", np.exp),
        ("sqrt(fabs(a))", lambda x: np.sqrt(np.abs(x))),
        ("sin(a)", np.sin),
        ("floor(a)", np.floor),
        ("rint(a)", np.rint),
        ("tanh(a)", np.tanh),
        ("saturate(a)", lambda x: np.clip(x, 0, 1)),
        ("precise::log(fabs(a))", lambda x: np.log(np.abs(x))),
    ],
)
def test_functions_of_bfloat_give_the_float(compiles, over_bits, call, reference):
    a = to_bits(RNG.uniform(-20, 20, 4096).astype(np.float32))
    with np.errstate(all="ignore"):
        want = reference(to_float(a).astype(np.float64))
    np.testing.assert_allclose(over_bits(call, a, result="float"), want, rtol=3e-6, atol=3e-7)
    compiles(f"constexpr constant bfloat a = 1.0bf; static_assert(is_same_v<decltype({call}), float>);")


@pytest.mark.parametrize(
    ("call", "reference"),
    [
        ("max(a, b)", np.fmax),
        ("min(a, b)", np.fmin),
        ("fma(a, b, a)", lambda x, y: (x.astype(np.float64) * y + x).astype(np.float32)),
        ("fmod(a, b)", np.fmod),
        ("select(a, b, a < b)", lambda x, y: np.where(x < y, y, x)),
        ("clamp(a, -1.0bf, 1.0bf)", lambda x, y: np.clip(x, -1, 1)),
        ("copysign(a, b)", np.copysign),
        ("max(a, 2.0f)", lambda x, y: np.fmax(x, 2)),
    ],
)
def test_functions_of_several_bfloats(over_bits, call, reference):
    a, b = (to_bits(RNG.uniform(-20, 20, 4096).astype(np.float32)) for _ in range(2))
    want = reference(to_float(a), to_float(b))
    np.testing.assert_allclose(over_bits(call, a, b, result="float"), want, rtol=1e-6, atol=1e-6)


def test_questions_look_at_the_bits(over_bits):
    a = numbers()
    x = to_float(a)
    for name, want in (
        ("isnan", np.isnan(x)),
        ("isinf", np.isinf(x)),
        ("isfinite", np.isfinite(x)),
        ("signbit", np.signbit(x)),
        ("isnormal", np.isfinite(x) & (np.abs(x) >= np.finfo(np.float32).tiny)),
    ):
        np.testing.assert_array_equal(over_bits(f"{name}(a)", a, result="int", math="relaxed"), want, name)


def test_vectors_of_bfloat_have_the_functions_too(compiles):
    compiles("""
        kernel void run(device bfloat4* v, device packed_bfloat3* p, uint i [[thread_position_in_grid]]) {
            bfloat4 a = v[0], b = v[1];
            v[2] = abs(a) * normalize(b) + max(a, b) * dot(a, b) + select(a, b, isnan(a)) + clamp(a, 0.0bf, 1.0bf);
            v[3] = mix(a, b, 0.5bf) + exp(a) + pow(a, b) + fma(a, b, a) + bfloat(length(b)) - floor(a.wzyx);
            p[i] = bfloat3(p[i] * 2.0bf + p[i + 1]).zyx;
            static_assert(is_same_v<decltype(exp(a)), bfloat4> && is_same_v<decltype(dot(a, b)), bfloat>);
        }
    """)


def test_a_source_may_declare_functions_of_bfloat_in_metal(over_bits, compiles):
    library = compiles("""
        namespace metal {
            METAL_FUNC bfloat exp(bfloat x) { return bfloat(42.0f); }
            METAL_FUNC bfloat max(bfloat x, bfloat y) { return bfloat(7.0f); }
            namespace fast { METAL_FUNC bfloat exp(bfloat x) { return bfloat(43.0f); } }
        }
        kernel void run(device float* out) {
            out[0] = exp(1.0bf); out[1] = metal::max(1.0bf, 2.0bf); out[2] = fast::exp(1.0bf); out[3] = exp(0.0f);
        }
    """)
    out = np.zeros(4, np.float32)
    library["run"](out, grid=1)
    assert out.tolist() == [42, 7, 43, 1]


def test_names_from_inside_apples_headers(compiles):
    library = compiles("""
        kernel void run(device float* x) {
            x[0] = __metal_exp(x[0], __METAL_MAYBE_FAST_MATH__) + __metal_fmax(x[1], x[2], __METAL_PRECISE_MATH__)
                 + __metal_fmedian3(x[0], x[1], x[2], __METAL_FAST_MATH__) + __metal_fma(x[1], x[1], x[2]);
            int e;
            x[1] = __metal_frexp(x[1], &e);
            x[2] = __metal_ldexp(x[1], e, __METAL_FAST_MATH__);
        }
    """)
    x = np.array([1, 3, 5], np.float32)
    library["run"](x, grid=1)
    np.testing.assert_allclose(x, [np.e + 5 + 3 + 14, 0.75, 3], rtol=1e-6)


def test_constants(compiles):
    compiles("""
        static_assert(float(M_PI_BF) == 3.140625f && float(M_E_BF) == 2.71875f && float(MAXBFLOAT) == 0x1.fep127f);
        static_assert(is_same_v<decltype(M_SQRT1_2_BF), bfloat> && float(HUGE_VALBF) == INFINITY);
        static_assert(numeric_limits<bfloat>::digits == 8 && float(numeric_limits<bfloat>::epsilon()) == 0x1p-7f);
    """)


def test_numbers_for_a_vector_of_bfloat_keep_their_values(device):
    library = device.library(
        "kernel void spread(constant bfloat3& v, constant bfloat& s, device float* out)"
        "{ out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = s; }"
    )
    out = np.zeros(4, np.float32)
    library["spread"]((1.0, -2.5, 96.0), 3.0, out, grid=1)
    assert out.tolist() == [1.0, -2.5, 96.0, 3.0]
    bits = [0x3F80, 0xC020, 0x42C0, 0x4040]  # an array of uint16 holds bits, as it does for a pointer
    library["spread"](np.array(bits[:3], np.uint16), np.array(bits[3:], np.uint16), out, grid=1)
    assert out.tolist() == [1.0, -2.5, 96.0, 3.0]

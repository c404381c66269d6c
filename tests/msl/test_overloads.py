# SPDX-License-Identifier: MIT
"""Every function of numbers in the standard library, for every type that the specification names: result types."""

from __future__ import annotations

import pytest

FLOATS = ["float", "half", "bfloat"]
INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong"}
SIZES = ["", "2", "3", "4"]

MATH1 = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "cospi", "exp", "exp2",
    "exp10", "fabs", "abs", "floor", "fract", "log", "log2", "log10", "rint", "round", "rsqrt", "sin",
    "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "trunc", "saturate", "sign",
]  # fmt: skip
MATH2 = [
    "atan2", "copysign", "divide", "fdim", "fmax", "max", "fmin", "min", "fmod", "nextafter", "pow", "powr",
    "step",
]  # fmt: skip
MATH3 = ["fma", "fmax3", "max3", "fmedian3", "median3", "fmin3", "min3", "clamp", "mix", "smoothstep"]
INTEGER1 = ["abs", "clz", "ctz", "popcount", "reverse_bits"]
INTEGER2 = ["addsat", "hadd", "max", "min", "mulhi", "rhadd", "rotate", "subsat"]
INTEGER3 = ["clamp", "madhi", "madsat", "max3", "median3", "min3"]
QUESTIONS1 = ["isfinite", "isinf", "isnan", "isnormal", "signbit"]
QUESTIONS2 = ["isordered", "isunordered"]


def asserted(calls):
    """Source that asserts the type of each call."""
    return "\n".join(f'static_assert(is_same_v<decltype({call}), {kind}>, "");' for call, kind in calls)


def values(kind, count):
    """Arguments of a type."""
    return ", ".join([f"{kind}()"] * count)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("element", FLOATS)
def test_functions_of_floats(compiles, element, size):
    kind = element + size
    # A bfloat is taken as the float that it converts to.
    result = "float" if kind == "bfloat" else kind
    calls = [(f"{name}({values(kind, count)})", result)
             for names, count in ((MATH1, 1), (MATH2, 2), (MATH3, 3)) for name in names]  # fmt: skip
    calls += [(f"{name}({values(kind, 1)})", f"bool{size}") for name in QUESTIONS1]
    calls += [(f"{name}({values(kind, 2)})", f"bool{size}") for name in QUESTIONS2]
    calls += [
        (f"ldexp({kind}(), int{size}())", result),
        (f"ilogb({kind}())", f"int{size}"),
        (f"select({kind}(), {kind}(), bool{size}())", kind),
        (f"sincos({kind}(), declval<thread {result}&>())", result),
        (f"modf({kind}(), declval<thread {result}&>())", result),
        (f"frexp({kind}(), declval<thread int{size}&>())", result),
    ]
    compiles(asserted(calls))


@pytest.mark.parametrize("size", ["2", "3", "4"])
@pytest.mark.parametrize("element", FLOATS)
def test_scalars_stand_for_vectors(compiles, element, size):
    kind, packed = element + size, f"packed_{element}{size}"
    calls = []
    for name in MATH2:
        calls += [(f"{name}({kind}(), {element}())", kind), (f"{name}({element}(), {kind}())", kind)]
        calls += [
            (f"{name}({packed}(), {kind}())", kind),
            (f"{name}({kind}(), 2)", kind),
            (f"{name}(0.5, {kind}())", kind),
        ]
        calls += [(f"{name}({packed}(), {packed}())", kind)]
    for name in MATH3:
        calls += [(f"{name}({kind}(), 0.0, 1.0)", kind), (f"{name}(0, 1, {kind}())", kind)]
        calls += [(f"{name}({kind}(), {packed}(), {element}())", kind), (f"{name}(0.0, {kind}(), {kind}())", kind)]
    calls += [(f"{name}({packed}())", kind) for name in MATH1]
    compiles(asserted(calls))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("element", INTEGERS)
def test_functions_of_integers(compiles, element, size):
    kind = element + size
    calls = [(f"{name}({values(kind, count)})", kind)
             for names, count in ((INTEGER1, 1), (INTEGER2, 2), (INTEGER3, 3)) for name in names]  # fmt: skip
    calls += [
        (f"absdiff({values(kind, 2)})", UNSIGNED.get(element, element) + size),
        (f"extract_bits({kind}(), 1, 2)", kind),
        (f"extract_bits({kind}(), 1u, 2u)", kind),
        (f"insert_bits({kind}(), {kind}(), 1u, 2u)", kind),
        (f"select({kind}(), {kind}(), bool{size}())", kind),
    ]
    if element in ("int", "uint"):
        calls += [(f"mul24({values(kind, 2)})", kind), (f"mad24({values(kind, 3)})", kind)]
    if size:
        packed = f"packed_{kind}"
        for name in INTEGER2:
            calls += [(f"{name}({kind}(), {element}())", kind), (f"{name}({packed}(), {kind}())", kind)]
        for name in INTEGER3:
            calls += [(f"{name}({kind}(), {element}(), 1)", kind), (f"{name}({packed}(), 0, 1)", kind)]
    compiles(asserted(calls))


@pytest.mark.parametrize("size", ["2", "3", "4"])
@pytest.mark.parametrize("element", FLOATS)
def test_geometric_functions(compiles, element, size):
    kind, packed = element + size, f"packed_{element}{size}"
    calls = []
    for a, b in ((kind, kind), (packed, kind), (packed, packed)):
        calls += [(f"{name}({a}(), {b}())", element) for name in ("distance", "distance_squared", "dot")]
        calls += [(f"{name}({a}())", element) for name in ("length", "length_squared")]
        calls += [(f"normalize({a}())", kind), (f"reflect({a}(), {b}())", kind)]
        calls += [(f"refract({a}(), {b}(), {element}())", kind), (f"faceforward({a}(), {b}(), {b}())", kind)]
        if size == "3":
            calls += [(f"cross({a}(), {b}())", kind)]
    compiles(asserted(calls))


@pytest.mark.parametrize("variant", ["precise", "fast"])
@pytest.mark.parametrize("size", SIZES)
def test_variants_of_float(compiles, variant, size):
    kind = f"float{size}"
    calls = [(f"{variant}::{name}({values(kind, count)})", kind)
             for names, count in ((MATH1, 1), (MATH2, 2), (MATH3, 3)) for name in names]  # fmt: skip
    calls += [
        (f"{variant}::sincos({kind}(), declval<thread {kind}&>())", kind),
        (f"{variant}::ldexp({kind}(), int{size}())", kind),
        (f"{variant}::frexp({kind}(), declval<thread int{size}&>())", kind),
    ]
    if size:
        calls += [(f"{variant}::normalize({kind}())", kind), (f"{variant}::length({kind}())", "float")]
        calls += [
            (f"{variant}::distance({kind}(), {kind}())", "float"),
            (f"{variant}::dot({kind}(), {kind}())", "float"),
        ]
    compiles(asserted(calls))


def test_any_all_and_not(compiles):
    calls = [(f"{name}(bool{size}())", "bool") for name in ("any", "all") for size in SIZES]
    calls += [(f"not bool{size}()", f"bool{size}") for size in SIZES]
    calls += [(f"select(bool{size}(), bool{size}(), bool{size}())", f"bool{size}") for size in SIZES]
    compiles(asserted(calls))


@pytest.mark.parametrize("element", ["float", "half"])
def test_functions_of_matrices(compiles, element):
    calls = [(f"transpose({element}{c}x{r}())", f"{element}{r}x{c}") for c in (2, 3, 4) for r in (2, 3, 4)]
    calls += [(f"determinant({element}{n}x{n}())", element) for n in (2, 3, 4)]
    for c in (2, 3, 4):
        for r in (2, 3, 4):
            m = f"{element}{c}x{r}"
            calls += [(f"{m}() * {element}{c}()", f"{element}{r}"), (f"{element}{r}() * {m}()", f"{element}{c}")]
            calls += [(f"{m}() * {element}()", m), (f"{element}() * {m}()", m), (f"{m}() * 2", m), (f"0.5 * {m}()", m)]
            calls += [(f"{m}() + {m}()", m), (f"{m}() - {m}()", m), (f"-{m}()", m), (f"{m}() == {m}()", "bool")]
            calls += [(f"{m}() * {element}{k}x{c}()", f"{element}{k}x{r}") for k in (2, 3, 4)]
            calls += [
                (f"{m}()[0]", f"{element}{r}"),
                (f"{m}()[0][1]", element),
                (f"{m}() * packed_{element}{c}()", f"{element}{r}"),
            ]
    compiles(asserted(calls))


PACKED = [("unorm4x8", "4", "uint"), ("snorm4x8", "4", "uint"), ("unorm2x16", "2", "uint"), ("snorm2x16", "2", "uint"),
          ("unorm10a2", "4", "uint"), ("unorm565", "3", "ushort")]  # fmt: skip


def test_packing(compiles):
    calls = []
    for kind in ("float", "half"):
        for name, size, bits in PACKED:
            calls += [
                (f"pack_{kind}_to_{name}({kind}{size}())", bits),
                (f"unpack_{name}_to_{kind}({bits}())", kind + size),
            ]
        calls += [
            (f"pack_{kind}_to_srgb_unorm4x8({kind}4())", "uint"),
            (f"unpack_unorm4x8_srgb_to_{kind}(0u)", f"{kind}4"),
        ]
    compiles(asserted(calls))


def test_as_type_between_all_types_of_a_size(compiles):
    sizes = {1: ["char", "uchar"], 2: ["short", "ushort", "half", "bfloat", "char2", "uchar2"],
             4: ["int", "uint", "float", "short2", "ushort2", "half2", "bfloat2", "char4", "uchar4", "char3", "uchar3"],
             8: ["long", "ulong", "int2", "uint2", "float2", "short4", "half4", "half3", "ushort3", "packed_float2"],
             12: ["packed_float3", "packed_int3"],
             16: ["int4", "uint4", "float4", "float3", "uint3", "long2", "ulong2"]}  # fmt: skip
    calls = [(f"as_type<{to}>({source}())", to) for kinds in sizes.values() for to in kinds for source in kinds]
    compiles(asserted(calls))


def test_exact_functions_are_constant_expressions(compiles):
    compiles("""
        static_assert(max(1.0f, 2.0f) == 2.0f && min(int3(1, 2, 3), 2).z == 2 && clamp(5, 0, 3) == 3);
        static_assert(abs(-3) == 3 && popcount(255u) == 8 && mix(0.0f, 2.0f, 0.5f) == 1.0f);
        static_assert(dot(float3(1, 2, 3), float3(4, 5, 6)) == 32.0f && as_type<uint>(1.0f) == 0x3f800000);
    """)

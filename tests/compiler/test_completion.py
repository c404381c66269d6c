# SPDX-License-Identifier: MIT
"""What the compiler offers to write at a place, by `metal-compiler --complete`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HEAD = """\
#include <metal_stdlib>
using namespace metal;
struct Params { float gain; uint width; float4 tint; };
float scaled(float x, float by) { return x * by; }
template <typename T> T twice(T x) { return x + x; }
"""
KERNEL = """\
kernel void blur(device float4* image [[buffer(0)]], constant Params& params [[buffer(1)]],
                 texture2d<float, access::read> photo [[texture(0)]],
                 uint index [[thread_position_in_grid]]) {
    float4 v = image[index];
    %s
    image[index] = v;
}
"""


class Offer:
    """What `metal-compiler --complete` prints."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()
        self.signatures = [line.removeprefix("( ") for line in lines if line.startswith("( ")]
        self.comments = [line.removeprefix("// ") for line in lines if line.startswith("// ")]
        pairs = [line.split("\t", 1) for line in lines if not line.startswith(("( ", "// "))]
        self.names = [name for name, _ in pairs]
        self.told = dict(pairs)


@pytest.fixture
def offer(run: Run) -> Callable[[str], Offer]:
    """Complete a source at its `|`."""

    def ask(text: str, *options: str) -> Offer:
        before, after = text.split("|", 1)
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        result = run(before + after, "--complete", f"{line}:{column}", *options)
        assert (result.returncode, result.stderr) == (0, "")
        return Offer(result.stdout)

    return ask


def in_kernel(text: str) -> str:
    return HEAD + KERNEL % text


def test_members_of_a_vector_are_ranked(offer) -> None:
    names = offer(in_kernel("v.|")).names
    assert names[:8] == list("xyzwrgba")
    assert set(names) == {*"xyzwrgba", "xy", "yz", "zw", "xyz", "yzw", "xyzw", "rg", "gb", "ba", "rgb", "gba", "rgba"}


def test_every_swizzle_is_there_when_it_is_begun(offer) -> None:
    found = offer(in_kernel("v.wz|"))
    assert set(found.names) == {"wz" + a + b for a in ["", *"xyzw"] for b in ["", *"xyzw"]} - {"wz"} | {"wz"}
    assert found.names[0] == "wz"


@pytest.mark.parametrize("where", ["image->|", "image[0].|", "(v + v).|", "v = v.x > 0 ? v.|"])
def test_members_of_expressions(offer, where: str) -> None:
    assert offer(in_kernel(where)).names[:4] == list("xyzw")


def test_members_of_a_struct_are_its_own(offer) -> None:
    assert offer(in_kernel("params.|")).told == {"gain": "float gain", "tint": "float4 tint", "width": "uint width"}


def test_members_of_a_texture_are_its_methods(offer) -> None:
    found = offer(in_kernel("photo.|"))
    assert {"read", "get_width", "get_height"} <= set(found.names)
    assert found.told["get_width"].startswith("uint get_width(")


@pytest.mark.parametrize("where", ["v.|", "params.|", "photo.|", "v = |", "|", "v = metal::|"])
def test_no_name_of_the_implementation_is_offered(offer, where: str) -> None:
    found = offer(in_kernel(where))
    assert found.names
    assert [name for name in found.names if name.startswith("_")] == []
    assert [text for text in [*found.told.values(), *found.signatures] if "__" in text or "_Float16" in text] == []


def test_the_program_s_own_names_come_first(offer) -> None:
    names = offer(in_kernel("v = |")).names
    assert names[:5] == ["image", "index", "params", "photo", "v"]
    assert {"Params", "scaled", "twice", "clamp", "sizeof", "M_PI_F"} <= set(names)


def test_declarations_are_told_in_metal_s_words(offer) -> None:
    told = offer(in_kernel("v = |")).told
    assert told["image"] == "device float4 *image"
    assert told["params"] == "constant Params &params"
    assert told["photo"] == "texture2d<float, access::read> photo"
    assert told["twice"] == "T twice(T x)"


def test_overloads_are_one_entry(offer) -> None:
    found = offer(in_kernel("v = cla|"))
    assert found.names == ["clamp"]
    assert found.told["clamp"].startswith("float clamp(float")
    assert "(+" in found.told["clamp"]


def test_words_that_metal_does_not_have_are_not_offered(offer) -> None:
    names = offer(in_kernel("|")).names + offer(HEAD + "|").names
    forbidden = {"new", "delete", "throw", "try", "catch", "goto", "virtual", "double", "dynamic_cast", "typeid", "asm"}
    assert forbidden.isdisjoint(names)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "ker|", ["kernel"]),
        (HEAD + "kernel void f(dev|", ["device"]),
        (in_kernel("threadg|"), ["threadgroup", "threadgroup_barrier"]),
        (in_kernel("ret|"), ["return"]),
        (in_kernel("v.x = access::re|"), ["read", "read_write"]),
        (in_kernel("v = v * par|"), ["params"]),
        (HEAD + "#inc|", ["include"]),
        (HEAD + "#define LIMIT 4\n#ifdef LIM|", ["LIMIT"]),
    ],
)
def test_words(offer, text: str, words: list[str]) -> None:
    assert offer(text).names == words


def test_signatures_of_a_call(offer) -> None:
    assert offer(in_kernel("v.x = scaled(|")).signatures == ["float scaled(>>float x<<, float by)"]
    assert offer(in_kernel("v.x = scaled(1, |)")).signatures == ["float scaled(float x, >>float by<<)"]


@pytest.mark.parametrize(
    ("call", "signatures"),
    [
        ("v = mix(|", ["float mix(>>float x<<, float y, float a)", "T mix(>>T x<<, T y, T a)"]),
        ("v = mix(v, |", ["float4 mix(float4 x, >>float4 y<<, float4 a)"]),
        ("v.x = smoothstep(0.0f, 1.0f, |", ["float smoothstep(float edge0, float edge1, >>float x<<)"]),
        ("v = clamp(v, |", ["float4 clamp(float4 x, >>float4 minval<<, float4 maxval)"]),
        ("v.x = dot(v, |", ["float dot(float4 x, >>float4 y<<)"]),
        ("v.x = simd_sum(|", ["T simd_sum(>>T data<<)"]),
        ("v = photo.read(|", ["float4 read(>>uint2 coord<<, uint lod)"]),
        ("v = float4(|", ["float4(>>float x<<)", "float4(>>vec<U, 4> v<<)", "float4(>>float2 a<<, float2 b)"]),
        ("v.x = twice(|", ["T twice(>>T x<<)"]),
        (
            "device atomic_uint* n; atomic_fetch_add_explicit(|",
            [
                "T atomic_fetch_add_explicit(>>volatile device atomic<T> *object<<, T operand, memory_order order)",
                "T atomic_fetch_add_explicit(>>volatile threadgroup atomic<T> *object<<, T operand, "
                "memory_order order)",
            ],
        ),
    ],
)
def test_signatures_are_metal_s_own(offer, call: str, signatures: list[str]) -> None:
    found = offer(in_kernel(call)).signatures
    assert set(signatures) <= set(found)
    assert [text for text in found if "__" in text or "packed_U" in text] == []


def test_the_signature_of_floats_comes_first(offer) -> None:
    assert offer(in_kernel("v.x = max(|")).signatures[0] == "float max(>>float x<<, float y)"


def test_the_comment_above_a_function_comes_with_its_signature(offer) -> None:
    source = "/// Mean of both.\n/// Exact.\nfloat mean(float a, float b) { return (a + b) / 2; }\n"
    source += "// Of any type.\ntemplate <typename T> T third(T x) { return x / 3; }\nfloat last(float x) { return "
    found = offer(HEAD + source + "mean(|")
    assert found.signatures == ["float mean(>>float a<<, float b)"]
    assert found.comments == ["Mean of both.", "Exact."]
    assert offer(HEAD + source + "third(|").comments == ["Of any type."]
    assert offer(HEAD + source + "sin(|").comments == []


def test_attributes_of_a_kernel_s_parameter(offer) -> None:
    names = offer(HEAD + "kernel void f(device float* x [[|").names
    assert names[:4] == ["buffer", "texture", "sampler", "threadgroup"]
    assert {"position", "kernel", "noreturn", "color"}.isdisjoint(names)
    assert offer(HEAD + "kernel void f(uint i [[thread_position|]]) {}").names == [
        "thread_position_in_grid",
        "thread_position_in_threadgroup",
    ]


def test_attributes_of_members_functions_and_constants(offer) -> None:
    member = offer(HEAD + "struct In { float4 p [[|").names
    assert {"position", "attribute", "user", "id"} <= set(member)
    assert {"kernel", "early_fragment_tests"}.isdisjoint(member)
    assert {"kernel", "host_name"} <= set(offer(HEAD + "[[|").names)
    constant = offer(HEAD + "constant int n [[|").names
    assert {"function_constant", "buffer", "thread_position_in_grid"} <= set(constant)
    assert {"kernel", "color", "id"}.isdisjoint(constant)


def test_included_files(offer, tmp_path) -> None:
    (tmp_path / "shared.h").write_text("")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "inner.h").write_text("")
    assert offer("#include <metal_std|").names == ["metal_stdlib>"]
    assert offer("#include <metal_std|>").names == ["metal_stdlib"]
    assert offer('#include "s|').names == ['shared.h"']
    assert offer('#include "pa|').names == ["parts/"]
    assert offer('#include "parts/|').names == ['inner.h"']
    assert not [name for name in offer("#include <|").names if name.startswith("_")]


def test_names_of_included_files(offer, tmp_path) -> None:
    (tmp_path / "shapes.h").write_text("float circle(float r) { return r; }")
    assert offer('#include "shapes.h"\nkernel void f(device float* a) { a[0] = cir|').names == ["circle"]
    assert offer('#include "missing.h"\nkernel void f(device float* a) { a[0] = *a|').names[0] == "a"


@pytest.mark.parametrize("where", ["// pho|", "/* pho|", 'v.x = "pho|'])
def test_nothing_in_comments_and_texts(offer, where: str) -> None:
    assert offer(in_kernel(where)).names == []


@pytest.mark.parametrize(
    "text",
    [
        "|",
        "}}}} |",
        "#include <metal_stdlib>\n#if 0\nv.|\n#endif\n",
        "template <typename T> T f(T x) { x.|",
        "((((|",
    ],
)
def test_odd_places_do_no_harm(offer, text: str) -> None:
    assert isinstance(offer(text).names, list)


def test_a_place_beyond_the_text_is_its_end(run: Run) -> None:
    result = run("ker", "--complete", "9:99")
    assert result.returncode == 0


@pytest.mark.parametrize("place", ["x", "0:1", "1", "1:x"])
def test_a_place_that_is_none(run: Run, place: str) -> None:
    result = run("", "--complete", place)
    assert result.returncode == 2
    assert result.stderr.startswith("metal-compiler: --complete: ")

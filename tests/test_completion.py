# SPDX-License-Identifier: MIT
"""``mtlpy_nb.complete``: what may be written at a place."""

import time

import pytest

import mtlpy_nb
from mtlpy_nb import completion

SOURCE = """#include <metal_stdlib>
using namespace metal;
kernel void blur(device float4* image [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    image[i].
}
"""


def test_items_say_what_they_are(device):
    found = mtlpy_nb.complete(SOURCE.replace("image[i].", "ima"), 4, 8)
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")
    assert found.items == (mtlpy_nb.Completion("image", "variable", "device float4 *image"),)
    assert found.column == 5


def test_columns_count_letters_and_not_bytes(device):
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")
    found = mtlpy_nb.complete(SOURCE.replace("    image[i].", "/* ü 図 */ image[i]."), 4, 20)
    assert found.column == 20
    assert [item.text for item in found.items][:4] == list("xyzw")


def test_signatures(device):
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")
    source = SOURCE.replace("kernel", "float f(float a, uint b) { return a; }\nkernel").replace("image[i].", "f(1, ")
    found = mtlpy_nb.complete(source, 5, 10)
    (signature,) = found.signatures
    assert (signature.text, found.argument) == ("float f(float a, uint b)", 1)
    assert [signature.text[begin:end] for begin, end in signature.parameters] == ["float a", "uint b"]


def test_included_texts_are_seen(device):
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")
    source = '#include "shapes.h"\n' + SOURCE.replace("image[i].", "cir")
    found = mtlpy_nb.complete(source, 5, 8, includes={"shapes.h": "float circle(float r) { return r; }"})
    assert [item.text for item in found.items] == ["circle"]


def test_macros_of_the_options_are_seen(device):
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")
    found = mtlpy_nb.complete(SOURCE.replace("image[i].", "TILE_"), 4, 10, options={"macros": {"TILE_SIZE": 8}})
    assert [item.text for item in found.items] == ["TILE_SIZE"]


def test_a_place_counts_from_one():
    with pytest.raises(mtlpy_nb.ValidationError, match="line 0, column 3: both count from 1"):
        mtlpy_nb.complete("", 0, 3)


def test_a_source_that_no_compiler_takes_gets_words():
    assert "float4" in [item.text for item in mtlpy_nb.complete("\0 flo", 1, 6).items]


def test_without_a_compiler_the_words_of_the_language_are_offered(monkeypatch):
    monkeypatch.setattr(completion.mtl, "complete", lambda *arguments: None)
    assert [item.text for item in mtlpy_nb.complete("thre", 1, 5).items] == [
        "threadgroup",
        "thread",
        "threadgroup_barrier",
    ]
    attributes = mtlpy_nb.complete("kernel void f(uint i [[thread_pos", 1, 34)
    assert {item.kind for item in attributes.items} == {"attribute"}
    assert attributes.column == 24
    assert mtlpy_nb.complete("v.", 1, 3).items == ()


@pytest.mark.alone
def test_a_warm_answer_takes_less_than_a_tenth_of_a_second(device):
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")
    mtlpy_nb.complete(SOURCE, 4, 14)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        mtlpy_nb.complete(SOURCE, 4, 14)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.1, times

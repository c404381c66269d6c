# SPDX-License-Identifier: MIT
"""``mtlpy_nb.signatures``: how to call what a place is about."""

import pytest

import mtlpy_nb

SOURCE = """#include <metal_stdlib>
using namespace metal;
/// Brightness, weighted as eyes do.
float brightness(float3 color, float gain = 1) { return gain * dot(color, float3(0.2f, 0.7f, 0.1f)); }
kernel void fade(device float4* image [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    HERE;
}
"""


@pytest.fixture
def ask(device):
    """The signatures at the `|` of a statement."""
    if not device.is_software:
        pytest.skip("Apple's compiler has no such question")

    def at(statement, **options):
        source = SOURCE.replace("HERE", statement)
        before = source[: source.index("|")]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return mtlpy_nb.signatures(source.replace("|", "", 1), line, column, **options)

    return at


def texts(found):
    return [item.text for item in found.items]


def marked(found):
    (item,) = found.items
    return item.text[slice(*item.parameters[found.argument])]


def test_among_the_arguments_the_one_at_the_place_is_marked(ask):
    assert marked(ask("image[i].x = brightness(|image[i].xyz, 2)")) == "float3 color"
    assert marked(ask("image[i].x = brightness(image[i].xyz,| 2)")) == "float gain = 1"
    assert marked(ask("image[i].x = brightness(image[i].xyz, 2|)")) == "float gain = 1"
    assert marked(ask("image[i].x = brightness(\n image[i].xyz, 2|)")) == "float gain = 1"


def test_the_innermost_call_is_told(ask):
    assert texts(ask("image[i].x = brightness(float3(sin(|i), 1, 1))"))[0] == "float sin(float x)"
    assert texts(ask("image[i].x = brightness(max(image[i].xyz, 1.0f), |2)")) == [
        "float brightness(float3 color, float gain = 1)"
    ]


@pytest.mark.parametrize("name", ["|brightness(", "bright|ness(", "brightness|(", "brightness| ("])
def test_on_a_called_name_no_argument_is_marked(ask, name):
    found = ask(f"image[i].x = {name}image[i].xyz)")
    assert texts(found) == ["float brightness(float3 color, float gain = 1)"]
    assert found.argument is None


def test_on_a_called_name_among_arguments_it_is_that_function(ask):
    assert texts(ask("image[i].x = max(brightn|ess(image[i].xyz), 1.0f)"))[0].startswith("float brightness(")
    assert texts(ask("image[i].x = max(as_t|ype<float>(i), 1.0f)")) == ["float as_type(U value)"]


def test_a_function_s_name_that_is_not_called_yet_is_told(ask):
    assert texts(ask("image[i].x = brightness|")) == ["float brightness(float3 color, float gain = 1)"]


def test_the_comment_above_comes_too(ask):
    assert ask("image[i].x = brightness(|").items[0].comment == "Brightness, weighted as eyes do."
    assert ask("image[i].x = sin(|").items[0].comment == ""


def test_other_names_are_told_as_they_are_declared(ask):
    assert texts(ask("ima|ge[i].x = 0")) == ["device float4 *image"]
    assert ask("ima|ge[i].x = 0").argument is None


@pytest.mark.parametrize("statement", ["|", "// brightness(|", "for (|;;)", "x|yzzy()", "1 + |"])
def test_nothing_where_nothing_is_called(ask, statement):
    assert ask(statement) == mtlpy_nb.Signatures()


def test_as_text_the_argument_is_underlined(ask):
    assert str(ask("image[i].x = brightness(image[i].xyz, |")).splitlines() == [
        "float brightness(float3 color, float gain = 1)",
        "                               ^^^^^^^^^^^^^^",
        "    Brightness, weighted as eyes do.",
    ]


def test_options_and_included_texts_count(ask):
    macros = {"NAME": "brightness"}
    assert texts(ask("image[i].x = NAME(|", options={"macros": macros})) == [
        "float brightness(float3 color, float gain = 1)"
    ]
    includes = {"more.h": "float more(float α, int β) { return α; }"}
    source = '#include "more.h"\nkernel void f() { more(1, '
    found = mtlpy_nb.signatures(source, 2, len("kernel void f() { more(1, ") + 1, includes=includes)
    assert marked(found) == "int β"


def test_places_beyond_the_source_are_harmless(ask):
    assert mtlpy_nb.signatures("kernel", 9, 9) == mtlpy_nb.Signatures()

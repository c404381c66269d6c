# SPDX-License-Identifier: MIT
"""The compiler's messages, read from its text."""

from hypothesis import given
from hypothesis import strategies as st

from mtlpy_nb.diagnostics import FixIt, parse

APPLE = """program_source:3:18: error: use of undeclared identifier 'colour'; did you mean 'color'?
    float4 out = colour;
                 ^~~~~~
                 color
program_source:2:12: note: 'color' declared here
    float4 color = 1;
           ^
program_source:9:1: warning: unused variable 'x'
1 warning and 1 error generated.
"""
GUTTERS = """program_source:3:18: error: no
    3 |     float4 out = colour;
      |                  ^~~~~~
      |                  color
"""


def test_messages_with_places_carets_fix_its_and_notes():
    error, warning = parse(APPLE, "\n" * 8 + "int x;")
    assert (error.severity, error.line, error.column, error.end_column) == ("error", 3, 18, 24)
    assert error.source_line == "    float4 out = colour;"
    assert error.underline == " " * 17 + "^~~~~~"
    assert error.fix_its == (FixIt(18, "color"),)
    assert [note.message for note in error.notes] == ["'color' declared here"]
    assert warning.severity == "warning"
    assert warning.source_line == "int x;", "taken from the source where the compiler shows none"
    assert str(warning) == "program_source:9:1: warning: unused variable 'x'"


def test_line_number_gutters_are_taken_off():
    (error,) = parse(GUTTERS)
    assert error.source_line == "    float4 out = colour;"
    assert error.fix_its == (FixIt(18, "color"),)


def test_text_without_places_is_one_error():
    (error,) = parse("the compiler ran out of memory")
    assert (error.severity, error.message, error.line) == ("error", "the compiler ran out of memory", 0)
    assert parse("fatal error: too deep")[0].message == "too deep"
    assert parse("") == ()


@given(st.text(), st.text())
def test_no_text_makes_it_fail(text, source):
    parse(text, source)
    parse(f"program_source:1:1: error: {text}", source)

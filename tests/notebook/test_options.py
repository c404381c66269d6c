# SPDX-License-Identifier: MIT
"""The first line of a %%metal cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.error import UsageError

from mtlpy_nb.notebook.magics import MetalMagics
from mtlpy_nb.notebook.options import assignments, split_line

PARSER = MetalMagics.metal_cell.parser


@pytest.mark.parametrize(
    ("line", "words", "expression"),
    [
        ("", [], ""),
        ("invert(photo)", [], "invert(photo)"),
        ("-1", [], "-1"),
        ("- x", [], "- x"),
        ("-x.y", [], "-x.y"),
        ("-o lib f(a,  b)", ["-o", "lib"], "f(a,  b)"),
        ("-D N=4 -DM=2 --math=fast f('-o  x')", ["-D", "N=4", "-DM=2", "--math=fast"], "f('-o  x')"),
        ("--quiet {n: 1}", ["--quiet"], "{n: 1}"),
        ("-I 'a folder/with blanks' f()", ["-I", "a folder/with blanks"], "f()"),
        ("--quiet -- --n", ["--quiet"], "--n"),
        ("--const N=-1 f()", ["--const", "N=-1"], "f()"),
    ],
)
def test_options_end_at_the_first_word_that_is_none(line, words, expression):
    assert split_line(line, PARSER) == (words, expression)


@pytest.mark.parametrize(("line", "word"), [("--quite f()", "--quite"), ("-z", "-z"), ("-o", "-o")])
def test_a_bad_option_is_one_line(line, word):
    with pytest.raises(UsageError, match=word) as caught:
        split_line(line, PARSER)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet=st.characters(blacklist_characters="\n\r", blacklist_categories=["Cs"])))
def test_an_expression_arrives_as_it_was_written(text):
    expression = "(" + text
    assert split_line(f"--quiet -o name {expression}", PARSER)[1] == expression.strip()


def test_values_are_literals_where_they_look_like_one():
    given_items = ["A=1", "B=2.5", "C=true", "D=float4", "E", "F=(1, 2)"]
    expected = {"A": 1, "B": 2.5, "C": True, "D": "float4", "E": 1, "F": (1, 2)}
    assert assignments(given_items, "-D") == expected
    with pytest.raises(UsageError, match="takes NAME=VALUE, got '1=2'"):
        assignments(["1=2"], "--const")

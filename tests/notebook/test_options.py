# SPDX-License-Identifier: MIT
"""The first line of a %%metal cell."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from IPython.core.error import UsageError

from mtlpy_nb.notebook.expression import read_expression
from mtlpy_nb.notebook.magics import MetalMagics
from mtlpy_nb.notebook.options import constants, macros, parse_line, place_in

PARSER = MetalMagics.metal_cell.parser
ANY_TEXT = st.text(alphabet=st.characters(blacklist_characters="\n\r", blacklist_categories=["Cs"]))
WORDS = [action for option in PARSER._actions for action in option.option_strings]
# Lines that look like options: words of the parser, values, quotes, blanks.
LINES = st.lists(
    st.sampled_from(
        [*WORDS, "--show=", "-DA", "-D=", "=", "'", '"', "ir", "fast", "3.1", "N=1", "N=(1,2", "--", "-", "\t"]
    )
    | ANY_TEXT
).map(" ".join)


def parsed(line: str) -> tuple[dict, str]:
    options, expression = parse_line(line, PARSER)
    return {name: value for name, value in vars(options).items() if value}, expression


@pytest.mark.parametrize(
    ("line", "options", "expression"),
    [
        ("", {}, ""),
        ("invert(photo)", {}, "invert(photo)"),
        ("-1", {}, "-1"),
        ("- x", {}, "- x"),
        ("-x.y", {}, "-x.y"),
        ("-o lib f(a,  b)", {"name": "lib"}, "f(a,  b)"),
        ("-D N=4 -DM=2 --math=fast f('-o  x')", {"macros": ["N=4", "M=2"], "math": "fast"}, "f('-o  x')"),
        ("--quiet {n: 1}", {"quiet": True}, "{n: 1}"),
        ("-I 'a folder/with blanks' f()", {"folders": ["a folder/with blanks"]}, "f()"),
        ("-D 'TEXT=\"a b\"'", {"macros": ['TEXT="a b"']}, ""),
        ("--quiet -- --n", {"quiet": True}, "--n"),
        ("--const N=-1 f()", {"constants": ["N=-1"]}, "f()"),
        ("-o -x", {"name": "-x"}, ""),
    ],
)
def test_options_end_at_the_first_word_that_is_none(line, options, expression):
    assert parsed(line) == (options, expression)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--quite f()", "%%metal has no option '--quite'; see %%metal? for those it has"),
        ("-z", "%%metal has no option '-z'; see %%metal? for those it has"),
        ("-o", "%%metal: option -o needs a value"),
        ("--quiet=3", "%%metal: option --quiet takes no value, got '3'"),
        ("--math=silly", "%%metal: option --math takes safe, relaxed or fast, got 'silly'"),
        ("--show all", "%%metal: option --show takes ir, asm, reflection or source, got 'all'"),
        ("-I 'a b", '%%metal: a quote is not closed: "\'a b"'),
        ("-D A='x", '%%metal: a quote is not closed: "\'x"'),
    ],
)
def test_a_bad_option_is_one_line(line, message):
    with pytest.raises(UsageError) as caught:
        parse_line(line, PARSER)
    assert str(caught.value) == message


@given(ANY_TEXT)
def test_an_expression_arrives_as_it_was_written(text):
    expression = "(" + text
    assert parsed(f"--quiet -o name {expression}")[1] == expression.strip()


@given(LINES)
@example('-I "a\\"')
@example("-D A=0" + "9" * 5000)
def test_any_line_is_read_or_refused_in_one_line(line):
    refused = ""
    try:
        options, expression = parse_line(line, PARSER)
        macros(options.macros)
        constants(options.constants)
    except UsageError as error:
        refused, expression = str(error), ""
    assert "\n" not in refused
    assert len(refused) < 300
    assert line.rstrip().endswith(expression)
    assert line.rstrip().endswith(place_in(line, PARSER).word.rstrip())


@given(ANY_TEXT)
@example("f(" * 300)
@example("a\0b")
@example("x" + "[" * 5000)
@example("0" * 5000)
@example("\x0c(")
def test_any_expression_is_compiled_or_refused(text):
    refused = ""
    try:
        read_expression(text)
    except UsageError as error:
        refused = str(error)
    assert not refused or refused.startswith("%%metal takes one Python expression after its options: ")


def test_a_semicolon_hides_the_value():
    assert [read_expression(t).is_silent for t in ("f()", "f();", "f(';')", "f();  # ;", "f() # ;")] == [
        False,
        True,
        False,
        True,
        False,
    ]
    assert read_expression(";") is None


def test_macros_stay_text():
    given_items = ["A=1", "B=2.50", "C=float4(1, 2)", "D", "E=", "F==", 'G="text"']
    expected = {"A": "1", "B": "2.50", "C": "float4(1, 2)", "D": 1, "E": "", "F": "=", "G": '"text"'}
    assert macros(given_items) == expected
    with pytest.raises(UsageError, match=r"^%%metal: -D takes NAME=VALUE, got '1=2'$"):
        macros(["1=2"])


def test_constants_are_numbers_truths_and_tuples():
    assert constants(["A=1", "B=-2.5", "C=true", "D=False", "E=(1, 2.5)"]) == {
        "A": 1,
        "B": -2.5,
        "C": True,
        "D": False,
        "E": (1, 2.5),
    }
    for bad in ("N", "N=", "N=x", "N=()", "N='1'", "N={[]: 1}", "N=" + "(" * 500, "N=[1]", "=1"):
        with pytest.raises(UsageError, match=r"^%%metal: --const"):
            constants([bad])


@pytest.mark.parametrize(
    ("line", "kind", "word", "dest"),
    [
        ("", "expression", "", None),
        ("-", "option", "-", None),
        ("--ma", "option", "--ma", None),
        ("--math", "option", "--math", None),
        ("--math ", "value", "", "math"),
        ("--math=f", "value", "f", "math"),
        ("--quiet", "option", "--quiet", None),
        ("--quiet ", "expression", "", None),
        ("-DFO", "value", "FO", "macros"),
        ("-I 'a b", "value", "'a b", "folders"),
        ("-o lib f(x, y", "expression", "f(x, y", None),
        ("--quiet --sh", "option", "--sh", None),
    ],
)
def test_where_a_cursor_stands(line, kind, word, dest):
    place = place_in(line, PARSER)
    assert (place.kind, place.word, getattr(place.action, "dest", None)) == (kind, word, dest)

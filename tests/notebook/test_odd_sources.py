# SPDX-License-Identifier: MIT
"""Errors in sources that are odd: the caret stands right, nothing floods the page, nothing is taken for HTML."""

from __future__ import annotations

import re

import pytest

from mtlpy_nb.diagnostics import Diagnostic, parse
from mtlpy_nb.notebook.errors import diagnostics_html, diagnostics_text
from mtlpy_nb.notebook.snippets import LONGEST, cut, width

from .conftest import Notebook
from .shown import from_html, plain

KERNEL = "kernel void f(device float* x, uint i [[thread_position_in_grid]])\n{\n"


@pytest.fixture(scope="module")
def cells():
    return Notebook()


def see(cells, body: str, options: str = "") -> str:
    """Run a cell of which the body's first line is line 4."""
    return plain(cells.see(f"%%metal {options}\n{KERNEL}{body}\n}}")).strip()


@pytest.mark.parametrize(
    ("body", "place", "line", "caret"),
    [
        ("\tx[i]\t= colour\t+ 1;", 9, "        x[i]    = colour        + 1;", 18),
        ("    /* größe 日本語 🎉 */ x[i] = colour;", 30, "    /* größe 日本語 🎉 */ x[i] = colour;", 33),
        ("    /* e\u0301e\u0301 */ x[i] = colour;", 23, "    /* e\u0301e\u0301 */ x[i] = colour;", 20),
        (
            "    /* \u202e rtl */ x[i] = colour;",
            24,
            "    /* <U+202E> rtl */ x[i] = colour;",
            30,
        ),
        ("    x[i] = colour;\r", 12, "    x[i] = colour;", 11),
    ],
    ids=["tabs", "wide letters", "accents", "turned direction", "CRLF"],
)
def test_caret_stands_below_the_word(cells, body, place, line, caret):
    shown = see(cells, body).splitlines()
    assert shown[2] == f"line 4, column {place}: error: use of undeclared identifier 'colour'"
    assert shown[3] == f"    4 | {line}"
    assert shown[4].rstrip() == f"      | {' ' * caret}^~~~~~"
    assert width(line[: line.index("colour")]) == caret


def test_identifiers_with_accents_get_their_fix_below(cells):
    assert see(cells, "    float größe = 1; x[i] = grösse;") == (
        "CompileError: 1 error\n\n"
        "line 4, column 29: error: use of undeclared identifier 'grösse'; did you mean 'größe'?\n"
        "    4 |     float größe = 1; x[i] = grösse;\n"
        "      |                             ^~~~~~\n"
        "      |                             größe\n"
        "line 4, column 11: note: 'größe' declared here\n"
        "    4 |     float größe = 1; x[i] = grösse;\n"
        "      |           ^"
    )


def test_macros_show_where_the_text_came_from(cells):
    cell = f"%%metal\n#define SCALE(v) (v * colour)\n{KERNEL}    x[i] = SCALE(x[i]);\n}}"
    assert plain(cells.see(cell)).strip() == (
        "CompileError: 1 error\n\n"
        "line 5, column 12: error: use of undeclared identifier 'colour'\n"
        "    5 |     x[i] = SCALE(x[i]);\n"
        "      |            ^~~~~~~~~~~\n"
        "line 2, column 23: note: expanded from macro 'SCALE'\n"
        "    2 | #define SCALE(v) (v * colour)\n"
        "      |                       ^~~~~~"
    )


def test_error_in_a_header_cell_names_the_header_and_its_own_line(cells):
    cells.run("%%metal --header tools.h\nfloat twice(float v)\n{\n    return v * too;\n}")
    shown = plain(cells.see(f'%%metal\n#include "tools.h"\n{KERNEL}    x[i] = twice(x[i]);\n}}'))
    assert "tools.h, line 4, column 16: error: use of undeclared identifier 'too'" in shown
    assert "    4 |     return v * too;" in shown


def test_error_in_an_included_file_and_in_the_line_after_it(cells, tmp_path):
    (tmp_path / "shapes.h").write_text("float area(float r)\n{\n    return pi * r * r;\n}\n")
    (tmp_path / "empty.h").write_text("\f\n")
    shown = see(cells, "x[i] = area(1);", f"-I {tmp_path}")
    assert "use of undeclared identifier 'area'" in shown
    cell = f'%%metal -I {tmp_path}\n#include "shapes.h"\n#include "empty.h"\n{KERNEL}    x[i] = colour;\n}}'
    shown = plain(cells.see(cell))
    assert "shapes.h, line 3, column 12: error: use of undeclared identifier 'pi'" in shown
    assert "line 6, column 12: error: use of undeclared identifier 'colour'" in shown


def test_missing_header_says_where_one_comes_from(cells):
    cells.run("%%metal --header noise.h\nfloat noise(float v) { return v; }")
    assert plain(cells.see('%%metal\n#include "nose.h"\n')).strip() == (
        "CompileError: 1 error\n\n"
        "line 2, column 10: error: 'nose.h' file not found\n"
        '    2 | #include "nose.h"\n'
        "      |          ^~~~~~~~\n"
        "      = note: did you mean 'noise.h'?"
    )
    assert "= note: a cell that begins with %%metal --header quite_other makes it" in plain(
        cells.see('%%metal\n#include "quite_other"\n')
    )


def test_place_of_several_lines_shows_the_one_with_the_caret(cells):
    shown = see(cells, "    x[i] = float2(1, 2)\n      * float3(1, 2, 3);")
    assert "    5 |       * float3(1, 2, 3);\n      |       ^ ~~~~~~~~~~~~~~~" in shown


def test_hundreds_of_errors(cells):
    shown = see(cells, "".join(f"    x[i] = colour{n};\n" for n in range(300)))
    assert shown.startswith("CompileError: 20 errors, and then the compiler stopped\n\nline 4, column 12: error: ")
    assert shown.endswith("... and 10 more; some may go when the first are mended")
    assert shown.count("error: ") == 10


def test_hundreds_of_warnings_are_shown_cut(cells):
    body = "".join(f"    int unused{n} = i;\n" for n in range(100))
    (bundle,) = cells.outputs(f"%%metal\n{KERNEL}{body}}}")
    assert bundle["text/plain"].count("warning: unused variable") == 10
    assert bundle["text/plain"].endswith("... and 90 more")
    assert plain(from_html(bundle["text/html"])) == bundle["text/plain"]


def test_errors_come_before_warnings_where_not_all_are_shown():
    many = [Diagnostic("warning", f"warning {n}") for n in range(30)]
    shown = diagnostics_text([*many, Diagnostic("error", "the cause")]).splitlines()
    assert shown[0] == "warning: warning 0"
    assert shown[-3:] == ["error: the cause", "", "... and 21 more"]


def test_depth_of_templates(cells):
    cell = (
        "%%metal\ntemplate <int N> struct Deep { static constexpr constant int v = Deep<N - 1>::v + 1; };\n"
        f"{KERNEL}    x[i] = Deep<4>::v;\n}}"
    )
    lines = plain(cells.see(cell)).strip().splitlines()
    assert "exceeded maximum depth" in lines[2]
    assert len(lines) < 20
    assert "line 5, column 21: note: in instantiation of static data member 'Deep<4>::v' requested here" in lines
    assert not any("-ftemplate" in line for line in lines)
    assert any(re.fullmatch(r" +\.\.\. \d+ more notes \.\.\.", line[6:].replace("= note:", "")) for line in lines)


def test_one_line_of_ten_thousand_letters(cells):
    shown = see(cells, "    x[i] = " + "1 + " * 1250 + "oops" + " + 1" * 1250 + ";").splitlines()
    number, line, caret = shown[2], shown[3], shown[4]
    assert number == "line 4, column 5012: error: use of undeclared identifier 'oops'"
    assert line.startswith("    4 | ...")
    assert line.endswith("...")
    assert len(line) <= LONGEST + 12
    assert line[caret.index("^") :].startswith("oops")


@pytest.mark.parametrize("letters", ["a", "日", "e\u0301", "a日"])
@pytest.mark.parametrize("place", [0, 1, 500, 1999])
def test_cut_keeps_the_letter_above_the_caret(letters, place):
    line = (letters * 2000)[:2000]
    target = line[place]
    if width(target) == 0:
        return
    before = width(line[:place])
    part, underline, _ = cut(line, " " * before + "^")
    assert width(part) <= LONGEST + 3
    column, found = 0, ""
    for letter in part:
        if column == underline.index("^") and width(letter):
            found = letter
            break
        column += width(letter)
    assert found == target


def test_nothing_of_the_source_is_html(cells):
    hostile = '<script>alert(1)</script>&amp;"'
    log = f"program_source:1:2: error: no {hostile}\n{hostile}\n ^~~\n"
    html = diagnostics_html(parse(log, hostile))
    assert "<script" not in html
    assert plain(from_html(html)) == diagnostics_text(parse(log, hostile))
    shown = plain(cells.see('%%metal\n#error <b>stop</b> & "go"\n'))
    assert 'error: <b>stop</b> & "go"' in shown


def test_nothing_of_the_source_moves_the_cursor():
    hostile = "a\x1b[2Jb\u202ec\x07\u200bd"
    for text in (
        diagnostics_text([Diagnostic("error", hostile, hostile, 1, 1, hostile, "^")]),
        diagnostics_html([Diagnostic("error", hostile, hostile, 1, 1, hostile, "^")]),
    ):
        assert not set(text) & set("\x1b\u202e\x07\u200b")


def test_very_long_message_is_cut():
    shown = diagnostics_text([Diagnostic("error", "x" * 100_000)])
    assert len(shown) < 1100


def test_warnings_are_shown_once_and_never_raised(cells):
    outputs = cells.outputs(f"%%metal\n{KERNEL}    int unused = 1;\n}}")
    assert len(outputs) == 1
    assert outputs[0]["text/plain"] == (
        "line 4, column 9: warning: unused variable 'unused' [-Wunused-variable]\n"
        "    4 |     int unused = 1;\n"
        "      |         ^~~~~~"
    )
    assert plain(from_html(outputs[0]["text/html"])) == outputs[0]["text/plain"]
    assert cells.outputs("_ = f(np.zeros(4, np.float32), grid=4)") == [], "and not again by the call"

# SPDX-License-Identifier: MIT
"""Tab in Metal cells: in a real shell, and in a real kernel as JupyterLab asks it."""

import pytest
from IPython.core.completer import provisionalcompleter

import mtlpy_nb

pytestmark = pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="Apple's compiler has no such question")

CELL = """%%metal{options}
struct Params {{ float gain; uint width; }};
kernel void blur(device float4* image, constant Params& params, uint index [[thread_position_in_grid]]) {{
    {line}
}}"""


class Tab:
    """Presses Tab at the `|` of a cell."""

    def __init__(self, shell) -> None:
        self.completer = shell.Completer

    def __call__(self, text: str):
        place = text.index("|")
        cell = text[:place] + text[place + 1 :]
        with provisionalcompleter():
            return list(self.completer.completions(cell, place))

    def texts(self, text: str) -> list[str]:
        return [completion.text for completion in self(text)]


@pytest.fixture
def tab(notebook) -> Tab:
    return Tab(notebook.shell)


def in_cell(line: str, options: str = "") -> str:
    return CELL.format(line=line, options=options)


def test_members(tab):
    assert tab.texts(in_cell("image[index].|"))[:8] == list("xyzwrgba")
    assert tab.texts(in_cell("float x = params.|")) == ["gain", "width"]


def test_declarations_stand_beside_names(tab):
    (found,) = tab(in_cell("par|"))
    assert (found.text, found.type) == ("params", "constant Params &params")
    assert tab(in_cell("float x = params.ga|"))[0].type == "float gain"


def test_only_the_word_begun_is_replaced(tab):
    cell = in_cell("image[index] = float4(par|);")
    (found,) = tab(cell)
    assert cell[found.start : found.end] == "par"


def test_attributes(tab):
    texts = tab.texts("%%metal\nkernel void f(uint i [[thread_position|")
    assert texts == ["thread_position_in_grid", "thread_position_in_threadgroup"]


def test_library_without_the_preamble_written(tab):
    assert tab.texts(in_cell("float a = smooth|")) == ["smoothstep"]


def test_python_s_names_do_not_reach_into_a_metal_cell(notebook, tab):
    notebook.run("params_of_python = 1")
    assert tab.texts(in_cell("par|")) == ["params"]


def test_metal_s_names_do_not_reach_into_a_python_cell(notebook, tab):
    notebook.run("thread_count_of_python = 1")
    assert tab.texts("thread_cou|") == ["thread_count_of_python"]


def test_headers_of_other_cells(notebook, tab):
    notebook.run("%%metal --header shapes.h\nfloat circle(float r) { return r; }")
    assert tab.texts('%%metal\n#include "sha|') == ['shapes.h"']
    assert tab.texts('%%metal\n#include "shapes.h"\nkernel void f(device float* a) { a[0] = cir|') == ["circle"]


def test_macros_and_folders_of_the_line(tab, tmp_path):
    (tmp_path / "disk.h").write_text("float disk(float r) { return r; }")
    assert tab.texts(in_cell("int n = TILE_|", " -D TILE_SIZE=8")) == ["TILE_SIZE"]
    text = f'%%metal -I {tmp_path}\n#include "disk.h"\nkernel void f(device float* a) {{ a[0] = dis|'
    assert "disk" in tab.texts(text)


def test_a_line_that_is_not_finished_does_not_matter(tab):
    assert tab.texts(in_cell("par|", " --math")) == ["params"]


def test_options_of_the_cell_magic(tab):
    assert tab.texts("%%metal --ma|") == ["--math"]
    assert {"--device", "--header", "--show", "--quiet"} <= set(tab.texts("%%metal --|"))


def test_the_expression_of_the_line_is_python_s(notebook, tab):
    notebook.run("photograph = 1")
    assert "photograph" in tab.texts("%%metal blur(photogr|")


def test_subcommands_of_the_line_magic(notebook, tab):
    notebook.run("%%metal\nkernel void brighten(device float* a) { a[0] += 1; }")
    assert tab.texts("%metal de|") == ["devices"]
    assert tab.texts("%metal cache cl|") == ["clear"]
    assert tab.texts("%metal info bri|") == ["brighten"]
    assert tab.texts("%metal explain bri|") == ["brighten"]
    assert tab.texts("%metal ex|") == ["explain"]


def test_unloading_takes_it_away(notebook, tab):
    notebook.run("%unload_ext mtlpy_nb")
    assert "params" not in tab.texts(in_cell("par|"))
    notebook.run("%load_ext mtlpy_nb")


@pytest.mark.timeout(120)
def test_a_front_end_s_request(jupyter):
    cell = in_cell("image[index] = par|;")
    reply = jupyter.complete(cell)
    assert (reply["status"], reply["matches"]) == ("ok", ["params"])
    assert cell[reply["cursor_start"] : reply["cursor_end"]] == "par"
    assert reply["metadata"]["_jupyter_types_experimental"][0]["type"] == "constant Params &params"

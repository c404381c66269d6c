# SPDX-License-Identifier: MIT
"""Each magic and option through a real ipykernel, as a front end runs it."""

import pytest

import mtlpy_nb

from .jupyter import Jupyter

pytestmark = pytest.mark.timeout(120)
TWICE = "// Doubles.\nkernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
SCALE = "kernel void scale(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= FACTOR; }"
CONSTANT = "constant int FACTOR [[function_constant(0)]];\n" + SCALE
CALL = "scale(np.ones(1, np.float32))[0]"


def value(jupyter: Jupyter, code: str) -> str:
    (text,) = [content["data"]["text/plain"] for kind, content in jupyter.messages(code) if kind == "execute_result"]
    return text


def test_a_cell_and_its_expression(jupyter):
    assert jupyter.run(f"%%metal\n{TWICE}") == ""
    assert value(jupyter, "twice(np.ones(2, np.float32))") == "array([2., 2.], dtype=float32)"
    assert value(jupyter, f"%%metal twice(np.ones(2, np.float32))\n{TWICE}") == "array([2., 2.], dtype=float32)"
    assert value(jupyter, "_") == "array([2., 2.], dtype=float32)", "it is in Out as well"
    assert jupyter.run(f"%%metal twice(np.ones(2, np.float32));\n{TWICE}") == ""
    assert value(jupyter, f"%%metal {{'braces': 1}}['braces']\n{TWICE}") == "1"
    assert jupyter.run("x = 3\n%metal threads") != "", "line magics stand among Python"


def test_a_picture(jupyter):
    waves = """kernel void waves(device float4* out, uint2 p [[thread_position_in_grid]], uint2 n [[threads_per_grid]])
    { out[p.y * n.x + p.x] = float4(float2(p) / float2(n), 0, 1); }"""
    messages = jupyter.messages(f'%%metal waves(output((8, 8, 4), "float32"))\n{waves}')
    (data,) = [content["data"] for kind, content in messages if kind == "execute_result"]
    assert "image/png" in data


@pytest.mark.parametrize(
    ("options", "source", "result"),
    [
        ("-D FACTOR=5", SCALE, "5"),
        ("-DFACTOR=5 -D UNUSED", SCALE, "5"),
        ("-D 'FACTOR=2 + 3'", SCALE.replace("FACTOR", "(FACTOR)"), "5"),
        ("--const FACTOR=6", CONSTANT, "6"),
        ("--std 3.1", SCALE.replace("FACTOR", "__METAL_VERSION__"), "310"),
        ("--math safe", SCALE.replace("FACTOR", "3"), "3"),
        ("-d 0", SCALE.replace("FACTOR", "4"), "4"),
        ("--device=0 --quiet", SCALE.replace("FACTOR", "4"), "4"),
        ("--no-preamble", SCALE.replace("FACTOR", "metal::max(7, 2)").join(["#include <metal_stdlib>\n", ""]), "7"),
    ],
)
def test_options(jupyter, options, source, result):
    assert value(jupyter, f"%%metal {options} int({CALL})\n{source}") == result


def test_name_of_the_library(jupyter):
    jupyter.run(f"%%metal -o lib\n{TWICE}\nvertex float4 corner(uint i [[vertex_id]]) {{ return float4(i); }}")
    assert value(jupyter, "lib") == "Library(twice, corner)"
    assert value(jupyter, "lib['twice'] is twice, corner, type(corner).__name__") == (
        "(True, <vertex function corner>, 'Function')"
    )


def test_folders(jupyter, tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    for factor in (7, 8):
        (folder / "factor.h").write_text(f"#define FACTOR {factor}\n")
        assert value(jupyter, f"%%metal -I '{folder}' int({CALL})\n#include \"factor.h\"\n{SCALE}") == str(factor)


def test_headers(jupyter):
    jupyter.run("%%metal --header factor.h\n#define FACTOR 2")
    assert value(jupyter, f'%%metal int({CALL})\n#include "factor.h"\n{SCALE}') == "2"
    assert jupyter.run("%%metal --header factor.h\n#define FACTOR 3") == "compiled again: scale\n"
    assert value(jupyter, f"int({CALL})") == "3"


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("source", ["#include <metal_stdlib>", "using namespace metal;", "// Doubles."]),
        ("reflection", ["kernel void twice(", "device float*", "[[buffer(0)]]", "Threads per threadgroup"]),
        pytest.param("ir", ["define"], marks=pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="no IR")),
        pytest.param("asm", ["ret"], marks=pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="no assembly")),
    ],
)
def test_show(jupyter, what, words):
    shown = jupyter.run(f"%%metal --show {what}\n{TWICE}")
    assert [word for word in words if word not in shown] == []
    coloured = [
        content["text"] for kind, content in jupyter.messages(f"%%metal --show {what}\n{TWICE}") if kind == "stream"
    ]
    assert "\x1b[" in "".join(coloured)


def test_warnings(jupyter):
    unused = TWICE.replace("x[i]", "int unused = 1 / 0; x[i]", 1)
    messages = jupyter.messages(f"%%metal\n{unused}")
    (data,) = [content["data"] for kind, content in messages if kind == "display_data"]
    assert "division by zero" in data["text/plain"]
    assert "<pre" in data["text/html"]
    assert messages[-1][1]["status"] == "ok"
    assert jupyter.run(f"%%metal --quiet\n{unused}") == ""
    assert "no function for Python: is `kernel` missing" in jupyter.run(
        "%%metal\nvoid f(device float* x) { x[0] = 1; }"
    )


def test_an_error_is_a_reply_with_the_lines(jupyter):
    reply = jupyter.messages("%%metal\nkernel void f(device float* x) { x[0] = oops; }")[-1][1]
    assert (reply["status"], reply["ename"]) == ("error", "CompileError")
    assert "oops" in "".join(reply["traceback"])
    assert "Cell In" not in "".join(reply["traceback"])


def test_line_magic(jupyter, tmp_path):
    jupyter.run(f"%%metal\n{TWICE}")
    assert "* 0  " in jupyter.run("%metal devices")
    assert mtlpy_nb.list_devices()[0] in jupyter.run("%metal use 0")
    assert "device float*" in jupyter.run("%metal info twice")
    jupyter.run(f"mtlpy_nb._native.set_cache_path({str(tmp_path)!r})")
    jupyter.run(f"%%metal twice(np.ones(1, np.float32))\n{TWICE.replace('2', '2.5')}")
    assert any(path.is_file() for path in tmp_path.rglob("*"))
    assert jupyter.run("%metal cache").endswith(f" MB in {tmp_path}\n")
    assert jupyter.run("%metal cache clear") == f"0.0 MB in {tmp_path}\n"
    assert not any(path.is_file() for path in tmp_path.rglob("*"))
    before = jupyter.run("%metal threads")
    assert jupyter.run("%metal threads 1") == "1 thread\n"
    assert jupyter.run(f"%metal threads {before.split()[0]}") == before
    assert "UsageError: %metal has no 'device'; did you mean 'devices'?" in jupyter.run("%metal device")


def test_help(jupyter):
    for name, words in (("%%metal", ["--no-preamble", "%%metal -o filters"]), ("%metal", ["%metal info blur"])):
        data = jupyter.inspect(f"{name}|")
        assert [word for word in words if word not in data["text/plain"]] == []


def test_a_kernel_that_its_cell_defines_no_more_is_gone(jupyter):
    jupyter.run(f"%%metal\n{TWICE}\n{CONSTANT}", cell="one")
    assert "Warning: scale is gone" in jupyter.run(f"%%metal\n{TWICE}", cell="one")
    assert "NameError" in jupyter.run("scale")
    jupyter.run(f"%%metal\n{CONSTANT}", cell="two")
    assert jupyter.run(f"%%metal\n{TWICE}", cell="one") == ""
    assert "kernel scale" in jupyter.run("scale")


def test_of_two_cells_with_one_name_the_last_counts(jupyter):
    jupyter.run(f"%%metal\n{TWICE}", cell="one")
    jupyter.run(f"%%metal\n{TWICE.replace('2', '3')}", cell="two")
    assert value(jupyter, "twice(np.ones(1, np.float32))[0].item()") == "3.0"
    jupyter.run(f"%%metal\n{TWICE}", cell="one")
    assert value(jupyter, "twice(np.ones(1, np.float32))[0].item()") == "2.0"


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("%%metal --ma|", ["--math"]),
        ("%%metal --math |", ["safe", "relaxed", "fast"]),
        ("%%metal --show=a|", ["--show=asm"]),
        ("%%metal --std 3.|", ["3.0", "3.1", "3.2"]),
        ("%%metal --header |", ["factor.h"]),
        (f"%%metal --const F|\n{CONSTANT}", ["FACTOR="]),
        (f"%%metal -D F|\n#ifdef FAST\n#endif\n#if defined(FULL)\n#endif\n{TWICE}", ["FAST=", "FULL="]),
        ("%%metal -d |", ["0"]),
        (f"%%metal sca|\n{SCALE}", ["scale"]),
        ("%%metal --quiet -o lib numbers.sha|", ["numbers.shape"]),
        ("%%metal twice(numb|", ["numbers"]),
        ("%%metal twice(numbers, thread|", ["threadgroup="]),
        ("%%metal table['ke|", ["key"]),
        ("%metal_time --re|", ["--repeat"]),
        ("x = %metal_time --repeat 3 numb|", ["numbers"]),
        ("%%metal_time --fl|\ntwice(numbers)", ["--flops"]),
        ("%metal us|", ["use"]),
        ("%metal use |", ["0"]),
        ("%metal info twi|", ["twice"]),
        ("%metal cache |", ["clear"]),
        ("%metal threads |", []),
        ("%%metal -o |", []),
        ("%%metal tab|\n", ["table"]),
        ("%%metal\nkernel void f(device float* x) { table|", []),
    ],
)
def test_tab(jupyter, text, matches):
    jupyter.run("%%metal --header factor.h\n#define FACTOR 2")
    jupyter.run(f"%%metal\n{TWICE}")
    jupyter.run("numbers, table = np.ones(3), {'key': 1}")
    reply = jupyter.complete(text)
    place = text.index("|")
    assert reply["cursor_end"] == place
    # From the last blank, bracket or quote of the line on, as a person reads it.
    start = max(text.rfind(mark, 0, place) for mark in " ('") + 1
    lead = text[start : reply["cursor_start"]]
    skipped = max(start - reply["cursor_start"], 0)
    assert [lead + match[skipped:] for match in reply["matches"]] == matches


def test_restart(jupyter):
    jupyter.run(f"%%metal\n{TWICE}")
    jupyter.restart()
    assert "NameError" in jupyter.run("twice")
    assert value(jupyter, f"%%metal twice(np.ones(1, np.float32))[0].item()\n{TWICE}") == "2.0"

# SPDX-License-Identifier: MIT
"""%%metal and %metal in a real shell."""

import types

import numpy as np
import pytest

TWICE = "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
SCALE = """#include "factor.h"
kernel void scale(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= FACTOR; }"""


def test_kernels_become_names(notebook):
    assert notebook.run(f"%%metal\n{TWICE}") is None
    assert notebook.run("twice(np.arange(4, dtype=np.float32))").tolist() == [0, 2, 4, 6]


def test_expression_is_evaluated_with_the_new_kernel(notebook):
    value = notebook.run(f"%%metal twice(np.ones(3, np.float32))\n{TWICE}")
    assert value.tolist() == [2, 2, 2]
    assert notebook.run(f"%%metal -twice(np.ones(3, np.float32))[0]\n{TWICE}") == -2
    assert notebook.run(f"%%metal {{'n': 1}}\n{TWICE}") == {"n": 1}, "braces are Python's, not IPython's"
    assert notebook.run(f"%%metal twice(np.ones(3, np.float32));\n{TWICE}") is None


def test_running_again_replaces(notebook):
    notebook.run(f"%%metal\n{TWICE}")
    notebook.run(f"%%metal\n{TWICE.replace('2', '3')}")
    assert notebook.run("twice(np.ones(2, np.float32))").tolist() == [3, 3]


def test_a_cell_that_fails_leaves_the_kernel(notebook):
    notebook.run(f"%%metal\n{TWICE}")
    assert "undeclared" in notebook.see(f"%%metal\n{TWICE.replace('2', 'two')}")
    assert notebook.run("twice(np.ones(2, np.float32))").tolist() == [2, 2]


def test_options_reach_the_compiler(notebook, tmp_path):
    notebook.run(f"%%metal -D FACTOR=5\n{SCALE.splitlines()[1]}")
    assert notebook.run("scale(np.ones(1, np.float32))")[0] == 5
    (tmp_path / "factor.h").write_text("#define FACTOR 7\n")
    notebook.run(f"%%metal -I '{tmp_path}' --std 3.1 --math safe -o lib\n{SCALE}")
    assert notebook.run("scale(np.ones(1, np.float32))")[0] == 7
    assert notebook.run("lib['scale'](np.ones(1, np.float32))")[0] == 7
    constant = "constant int N [[function_constant(0)]];\n"
    notebook.run(f"%%metal --const N=9\n{constant}{SCALE.splitlines()[1].replace('FACTOR', 'N')}")
    assert notebook.run("scale(np.ones(1, np.float32))")[0] == 9


def test_header_for_later_cells(notebook):
    notebook.run("%%metal --header factor.h\n#define FACTOR 2\n")
    notebook.run(f"%%metal\n{SCALE}")
    assert notebook.run("scale(np.ones(1, np.float32))")[0] == 2
    assert "compiled again: scale" in notebook.see("%%metal --header factor.h\n#define FACTOR 4\n")
    assert notebook.run("scale(np.ones(1, np.float32))")[0] == 4


def test_no_preamble(notebook):
    using = "#include <metal_stdlib>\nkernel void f(device metal::float2* x) { x[0] = metal::float2(1, 2); }"
    notebook.run(f"%%metal --no-preamble\n{using}")
    assert notebook.run("f(np.zeros(2, np.float32), grid=1)").tolist() == [1, 2]


def test_preamble_beside_ones_own(notebook):
    notebook.run(f"%%metal\n#include <metal_stdlib>\nusing namespace metal;\n{TWICE}")
    notebook.run(f"%%metal\n#include <metal_stdlib>\n{TWICE}")


@pytest.mark.parametrize("name", ["min", "json"])
def test_hiding_a_builtin_or_module_warns(notebook, name):
    notebook.run("import json")
    seen = notebook.see(f"%%metal\n{TWICE.replace('twice', name)}")
    assert f"the kernel {name} now hides" in seen
    assert "hides" not in notebook.see(f"%%metal\n{TWICE.replace('twice', name)}"), "once is enough"


def test_show_prints_what_became_of_the_cell(notebook):
    assert "device float* x" in notebook.see(f"%%metal --show reflection\n{TWICE}")
    assert "#include <metal_stdlib>" in notebook.see(f"%%metal --show source\n{TWICE}")
    assert "define" in notebook.see(f"%%metal --show ir\n{TWICE}")
    assert "ret" in notebook.see(f"%%metal --show asm\n{TWICE}")


def test_warnings_are_shown_and_not_raised(notebook):
    unused = TWICE.replace("x[i]", "int unused = 1 / 0; x[i]", 1)
    shown = notebook.outputs(f"%%metal\n{unused}")
    assert any("warning" in data["text/plain"] and "<pre" in data["text/html"] for data in shown)
    assert notebook.outputs(f"%%metal --quiet\n{unused}") == []


def test_help_lists_the_options(notebook):
    text = notebook.shell.find_cell_magic("metal").__doc__
    assert "%%metal [-d N]" in text
    for option in (
        "--device",
        "--name",
        "-D",
        "-I",
        "--std",
        "--math",
        "--const",
        "--show",
        "--no-preamble",
        "--quiet",
        "--header",
    ):
        assert option in text


def test_usage_errors_are_one_line(notebook):
    seen = notebook.see(f"%%metal --frobnicate\n{TWICE}")
    assert "UsageError" in seen
    assert "--frobnicate" in seen
    assert "Traceback" not in seen


def test_line_magic(notebook):
    notebook.run(f"%%metal\n{TWICE}")
    assert "software device" in notebook.see("%metal devices")
    assert "device float* x" in notebook.see("%metal info twice")
    assert "takes the name of a kernel" in notebook.see("%metal info np")
    assert "threads" in notebook.see("%metal threads")
    assert "UsageError" in notebook.see("%metal nonsense")


def test_unload_removes_everything(notebook):
    shell = notebook.shell
    notebook.run(f"%%metal -o lib\n{TWICE}")
    shell.run_line_magic("unload_ext", "mtlpy_nb")
    assert shell.find_cell_magic("metal") is None
    assert shell.find_line_magic("metal") is None
    assert "twice" not in shell.user_ns
    assert "lib" not in shell.user_ns
    assert isinstance(shell.user_ns["np"], types.ModuleType)
    shell.run_line_magic("load_ext", "mtlpy_nb")
    assert shell.find_cell_magic("metal") is not None


def test_unload_leaves_no_hook(notebook):
    shell = notebook.shell

    def hooks() -> list:
        events = [callback for callbacks in shell.events.callbacks.values() for callback in callbacks]
        return [*events, *shell.Completer.custom_matchers, *shell.inspector.mime_hooks.values()]

    def of_ours() -> list:
        return [hook for hook in hooks() if getattr(hook, "__module__", "").startswith("mtlpy_nb")]

    assert len(of_ours()) >= 4
    notebook.run("%reload_ext mtlpy_nb")
    before = len(of_ours())
    notebook.run("%reload_ext mtlpy_nb\n%load_ext mtlpy_nb")
    assert len(of_ours()) == before, "none twice"
    notebook.run("%unload_ext mtlpy_nb")
    assert of_ours() == []
    assert not any(name.startswith("metal") for names in shell.magics_manager.magics.values() for name in names)
    notebook.run("%load_ext mtlpy_nb")


def test_cell_value_is_a_buffer_that_shows_its_picture(notebook):
    waves = """kernel void waves(device float4* out, uint2 p [[thread_position_in_grid]], uint2 n [[threads_per_grid]])
    { out[p.y * n.x + p.x] = float4(float2(p) / float2(n), 0, 1); }"""
    (data,) = notebook.outputs(f'%%metal waves(output((8, 8, 4), "float32"))\n{waves}')
    assert data["text/plain"] == "Buffer(shape=(8, 8, 4), dtype=float32)"
    assert "image/png" in data
    np.testing.assert_array_equal(notebook.run("_").numpy()[3, 2], np.float32([0.25, 0.375, 0, 1]))

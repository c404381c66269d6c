# SPDX-License-Identifier: MIT
"""Slips on the first line of a %%metal cell: one short message, none of this package's own code."""

import pytest

TWICE = "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"


@pytest.mark.parametrize("line", ["twice(", "x = 3", "twice(1); print(2)", "await x", "'open", "twice?", "%timeit 3"])
def test_no_expression(notebook, line):
    shown = notebook.see(f"%%metal {line}\n{TWICE}")
    assert shown.startswith("UsageError: %%metal takes one Python expression")
    assert line in shown
    assert "^" in shown
    assert ".py" not in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    "line", [TWICE, "#include <metal_stdlib>", "#define N 3", "struct A { int x; };", "using T = int;"]
)
def test_code_of_metals_behind_the_magic(notebook, line):
    shown = notebook.see(f"%%metal {line}\n{TWICE}")
    assert shown.startswith(
        "UsageError: %%metal takes one Python expression here; Metal's code begins on the next line"
    )
    assert line in shown


@pytest.mark.parametrize("line", ["# include no header", "#doubles", "constant", "kernel (3)", "kernel is None"])
def test_what_only_looks_like_metals_code(notebook, line):
    assert "begins on the next line" not in notebook.see(f"%%metal {line}\n{TWICE}")


def test_a_comment_is_no_expression(notebook):
    assert notebook.run(f"%%metal # doubles\n{TWICE}") is None


@pytest.mark.parametrize("name", ["class", "3x", "a.b"])
def test_library_name_must_be_one(notebook, name):
    assert "UsageError: %%metal: --name takes a name" in notebook.see(f"%%metal -o {name}\n{TWICE}")


def test_kernel_named_like_a_word_of_python(notebook):
    shown = notebook.see(f"%%metal -o lib\n{TWICE.replace('twice', 'lambda')}")
    assert "lambda is a word of Python's own" in shown
    assert notebook.run("lib['lambda'](np.ones(2, np.float32))").tolist() == [2, 2]


def test_constant_that_no_kernel_has(notebook):
    source = f"constant int N [[function_constant(0)]];\n{TWICE.replace('2', 'N')}"
    assert "no kernel of this cell has a function constant M" in notebook.see(f"%%metal --const M=3\n{source}")
    assert "function constant" not in notebook.see(f"%%metal --const N=3\n{source}")


def test_too_many_threads(notebook):
    assert "UsageError: %metal threads takes" in notebook.see("%metal threads 99999999999999999999")

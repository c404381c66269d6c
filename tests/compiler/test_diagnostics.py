# SPDX-License-Identifier: MIT
# ruff: noqa: E501
"""Sources that are wrong in other ways than Metal's rules: messages of attributes, arguments and Clang's own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import run_command

Run = Callable[..., subprocess.CompletedProcess[str]]

WRONG = {
    "undeclared name": (
        "kernel void f(device float* a) { a[0] = undeclared; }\n",
        """\
program_source:1:41: error: use of undeclared identifier 'undeclared'
kernel void f(device float* a) { a[0] = undeclared; }
                                        ^~~~~~~~~~
""",
    ),
    "wrong type": (
        "kernel void f(device int* a) { half h = a; }\n",
        """\
program_source:1:37: error: cannot initialize a variable of type 'half' with an lvalue of type 'device int *'
kernel void f(device int* a) { half h = a; }
                                    ^   ~
""",
    ),
    "unknown attribute": (
        "kernel void f(device float* a [[bufer(0)]]) {}\n",
        """\
program_source:1:33: error: unknown attribute 'bufer'
kernel void f(device float* a [[bufer(0)]]) {}
                                ^~~~~
program_source:1:33: note: did you mean 'buffer'?
""",
    ),
    "unterminated comment": (
        "/* never ends\n",
        """\
program_source:1:1: error: unterminated /* comment
/* never ends
^
""",
    ),
    "unterminated conditional": (
        "#if 1\nkernel void f() {}\n",
        """\
program_source:1:2: error: unterminated conditional directive
#if 1
 ^
""",
    ),
    "missing semicolon": (
        "kernel void f(device float* a) { a[0] = 1 }\n",
        """\
program_source:1:42: error: expected ';' after expression
kernel void f(device float* a) { a[0] = 1 }
                                         ^
                                         ;
""",
    ),
    "two buffers at one index": (
        "kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(0)]]) {}\n",
        """\
program_source:1:64: error: cannot reserve 'buffer' resource location at index 0
kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(0)]]) {}
                                             ~~~~~~~~~~~~~~~   ^
program_source:1:29: note: 'a' is already at index 0; give each its own, or leave the attributes out
kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(0)]]) {}
              ~~~~~~~~~~~~~~^
""",
    ),
    "buffer index beyond the last": (
        "kernel void f(device float* a [[buffer(31)]]) {}\n",
        """\
program_source:1:33: error: 'buffer' attribute parameter is out of bounds: must be between 0 and 30
kernel void f(device float* a [[buffer(31)]]) {}
              ~~~~~~~~~~~~~~~   ^
""",
    ),
    "negative index": (
        "kernel void f(device float* a [[buffer(-1)]]) {}\n",
        """\
program_source:1:33: error: 'buffer' attribute requires a non-negative integral constant expression, or one of function constants
kernel void f(device float* a [[buffer(-1)]]) {}
                                ^     ~~~~
""",
    ),
    "value as a buffer": (
        "kernel void f(float a [[buffer(0)]]) {}\n",
        """\
program_source:1:21: error: invalid type 'float' for buffer declaration: write 'constant float &'
kernel void f(float a [[buffer(0)]]) {}
              ~~~~~~^
""",
    ),
    "value without an attribute": (
        "kernel void f(int n) {}\n",
        """\
program_source:1:19: error: invalid type 'int' for input declaration in a kernel function
kernel void f(int n) {}
              ~~~~^
program_source:1:19: note: a value from outside is 'constant int &n [[buffer(n)]]'
kernel void f(int n) {}
                  ^
""",
    ),
    "position of a wrong type": (
        "kernel void f(float i [[thread_position_in_grid]]) {}\n",
        """\
program_source:1:21: error: invalid type 'float' for 'thread_position_in_grid': expected 'uint', 'ushort' or a vector \
of two or three of them
kernel void f(float i [[thread_position_in_grid]]) {}
              ~~~~~~^
""",
    ),
    "kernel that returns": (
        "kernel int f(device float* a) { return 1; }\n",
        """\
program_source:1:12: error: kernel must have a void return type; write the result to a buffer
kernel int f(device float* a) { return 1; }
       ~~~ ^
""",
    ),
    "attribute in a wrong place": (
        "[[buffer(0)]] void f();\n",
        """\
program_source:1:3: error: 'buffer' attribute only applies to variables, parameters and members
[[buffer(0)]] void f();
  ^~~~~~~~~
""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_source(run: Run, compiler: str, tmp_path: Path, name: str) -> None:
    source, message = WRONG[name]
    for result in (run(source), run_command(compiler, tmp_path, source)):
        assert result.stderr == message
        assert result.returncode == 1


def test_empty_source_is_a_library_without_functions(run: Run) -> None:
    result = run("", "--show", "reflection")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_names_in_messages_are_metal_s(run: Run) -> None:
    result = run(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "kernel void f(device float4* a, constant uint3& n) { device half2* b = a; float x = n; }\n"
    )
    assert "'device half2 *'" in result.stderr
    assert "'device float4 *'" in result.stderr
    assert "vec<" not in result.stderr
    assert "__global" not in result.stderr


def test_failed_conditions_name_metal_s_types(run: Run) -> None:
    result = run(
        '#include <metal_stdlib>\nusing namespace metal;\nstatic_assert(sizeof(float3) == 12, "not a metal::vec");\n'
    )
    assert "due to requirement 'sizeof(float3) == 12': not a metal::vec" in result.stderr


def test_error_in_a_macro_points_into_it(run: Run) -> None:
    result = run("#define ADD(x) x + missing\nkernel void f(device int* a) { a[0] = ADD(1); }\n")
    assert result.stderr == (
        "program_source:2:39: error: use of undeclared identifier 'missing'\n"
        "kernel void f(device int* a) { a[0] = ADD(1); }\n"
        "                                      ^~~~~~\n"
        "program_source:1:20: note: expanded from macro 'ADD'\n"
        "#define ADD(x) x + missing\n"
        "                   ^~~~~~~\n"
    )


def test_warning_does_not_fail(run: Run) -> None:
    result = run("kernel void f(device int* a) { int unused; a[0] = 1; }\n")
    assert result.returncode == 0
    assert result.stderr == (
        "program_source:1:36: warning: unused variable 'unused' [-Wunused-variable]\n"
        "kernel void f(device int* a) { int unused; a[0] = 1; }\n"
        "                                   ^~~~~~\n"
    )


def test_files_outside_the_named_folders_are_not_read(run: Run) -> None:
    result = run('#include "/etc/passwd"\n')
    assert result.stderr == (
        "program_source:1:10: fatal error: '/etc/passwd' file not found\n"
        '#include "/etc/passwd"\n'
        "         ^~~~~~~~~~~~~\n"
    )
    assert result.returncode == 1


def test_missing_file(compiler: str, tmp_path: Path) -> None:
    result = subprocess.run([compiler, "missing.metal"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (1, "metal-compiler: cannot read 'missing.metal'\n")


def test_unknown_option(compiler: str) -> None:
    result = subprocess.run([compiler, "--frob"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("metal-compiler: unknown option '--frob'\nusage: ")


def test_unknown_kernel_lists_what_there_is(run: Run) -> None:
    result = run("kernel void f() {}\nkernel void g() {}\n", "--kernel", "h", "-o", "h.so")
    assert (result.returncode, result.stderr) == (1, "metal-compiler: no kernel 'h'; the file has: f, g\n")


def test_a_visible_function_has_no_code_of_its_own(run: Run) -> None:
    result = run("[[visible]] float f(float x) { return x; }\n", "--kernel", "f", "-o", "/dev/null")
    assert result.returncode == 1
    assert "'f' is a visible function" in result.stderr

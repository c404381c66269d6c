# SPDX-License-Identifier: MIT
"""Source that does not compile."""

from __future__ import annotations

import random

import pytest

import mtlpy_nb

from . import scripts
from .conftest import HEADER

KERNEL = "kernel void k(device float* out, uint i [[thread_position_in_grid]])"


def error(device, source: str) -> mtlpy_nb.CompileError:
    with pytest.raises(mtlpy_nb.CompileError, match="Shader compilation failed") as caught:
        device.library(source)
    return caught.value


def first_line(device, source: str) -> str:
    """The first line of Metal's own text: place, severity, message."""
    return next(line for line in error(device, source).log.splitlines() if "error:" in line)


BROKEN = {
    "undeclared name": (f"{KERNEL} {{ out[i] = missing; }}", ":3:", "use of undeclared identifier 'missing'"),
    "misspelt name": (f"{KERNEL} {{ int number = 1; out[i] = numbr; }}", ":3:", "did you mean 'number'"),
    "wrong type": (f"{KERNEL} {{ float3 v = out; }}", ":3:", "float"),
    "wrong argument": (f"{KERNEL} {{ out[i] = sin(out); }}", ":3:", "no matching function for call to 'sin'"),
    "missing semicolon": (f"{KERNEL} {{\n out[i] = 1\n}}", ":4:", "expected ';'"),
    "missing address space": ("kernel void k(float* out) { out[0] = 1; }", ":3:", "address space"),
    "pointer of another space": (
        f"static void f(threadgroup float* p) {{ *p = 1; }}\n{KERNEL} {{ f(out); }}",
        ":4:",
        "no matching function for call to 'f'",
    ),
    "unknown attribute": ("kernel void k(device float* o, uint i [[thread_position_in_space]]) {}", ":3:", "attribute"),
    "unterminated comment": (f"{KERNEL} {{ out[i] = 1; }}\n/* goes on", ":4:", "unterminated /* comment"),
    "unterminated string": ('constant char text[] = "abc;', ":3:", ""),
    "missing brace": (f"{KERNEL} {{ out[i] = 1;", "", "expected '}'"),
    "missing header": ('#include "nowhere.h"', ":3:", "'nowhere.h' file not found"),
    "double": (f"{KERNEL} {{ double x = 1; out[i] = x; }}", ":3:", "double"),
    "recursion": (
        f"static int f(int n) {{ return n ? f(n - 1) : 0; }}\n{KERNEL} {{ out[i] = f(int(i)); }}",
        "",
        "recurs",
    ),
    "virtual function": (f"struct A {{ virtual void f() {{}} }};\n{KERNEL} {{ A a; a.f(); }}", ":3:", "virtual"),
    "new": (f"{KERNEL} {{ int* p = new int; out[i] = *p; }}", ":3:", ""),
    "exceptions": (f"{KERNEL} {{ throw 1; }}", ":3:", "exceptions"),
    "mutable global": (f"int counter;\n{KERNEL} {{ out[i] = counter++; }}", ":3:", "address space"),
    "array of variable length": (f"{KERNEL} {{ int n = int(i); float a[n]; out[i] = a[0]; }}", ":3:", "variable"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_source(device, what):
    source, place, words = BROKEN[what]
    line = first_line(device, HEADER + source)
    assert line.startswith("program_source:")
    assert f"program_source{place}" in line
    assert words in line


def test_error_shows_the_line_with_a_caret(device):
    log = error(device, f"{HEADER}{KERNEL} {{\n    out[i] = missing;\n}}\n").log.splitlines()
    at = next(i for i, line in enumerate(log) if "undeclared identifier" in line)
    assert log[at].startswith("program_source:4:14: error: use of undeclared identifier 'missing'")
    assert log[at + 1] == "    out[i] = missing;"
    assert log[at + 2].startswith("             ^")


def test_error_is_structured(device):
    (found,) = error(device, f"{HEADER}{KERNEL} {{ out[i] = missing; }}").diagnostics
    assert (found.line, found.severity) == (3, "error")
    assert "missing" in found.message


def test_empty_source_is_an_empty_library(device):
    library = device.library("")
    assert library.functions == ()
    with pytest.raises(mtlpy_nb.ValidationError, match=r"no function 'k'.*no functions at all"):
        library["k"]


def test_kernel_without_the_word_kernel_is_no_function(device):
    library = device.library(f"{HEADER}void k(device float* out) {{ out[0] = 1; }}")
    with pytest.raises(KeyError, match="is `kernel` missing"):
        library["k"]


@pytest.mark.parametrize(
    "source", [b"kernel void k() {}", None, 5, ["kernel void k() {}"]], ids=["bytes", "None", "int", "list"]
)
def test_source_that_is_no_text(device, source):
    with pytest.raises(TypeError, match=rf"source is the text to compile, got {type(source).__name__}"):
        device.library(source)


def test_source_with_a_zero_byte_and_strange_letters(device):
    with pytest.raises(mtlpy_nb.MetalError, match="NUL character at position 127"):
        device.library(f"{HEADER}{KERNEL} {{ out[i] = \0 1; }} }}")
    error(device, f"{HEADER}{KERNEL} {{ out[i] = π; }}")
    error(device, f"{HEADER}{KERNEL} {{ out[i] = “1”; }}")


def test_lone_surrogates(device):
    with pytest.raises((mtlpy_nb.CompileError, UnicodeEncodeError)):
        device.library(f"{HEADER}{KERNEL} {{ out[i] = '\ud800'; }}")


def test_megabyte_of_garbage(device):
    letters = [chr(c) for c in range(32, 127)] + ["\n"] * 3
    found = error(device, "".join(random.Random(1).choices(letters, k=1 << 20)))
    assert len(str(found)) < 200_000, "a message that nobody can read"


def test_megabyte_of_garbage_in_one_line(device):
    error(device, HEADER + "".join(random.Random(2).choices("(){}[]<>;,+-*&^%ab01 ", k=1 << 20)))


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("opening", "closing"), ["()", "{}", "[]"])
def test_nested_300_000_deep(device, opening, closing):
    inner = opening * 300_000 + "1" + closing * 300_000
    found = error(device, f"{HEADER}{KERNEL} {{ out[i] = {inner}; }}")
    assert len(str(found)) < 200_000


BOMBS = {
    "templates": f"""{HEADER}
template <int depth, int number> struct Bomb {{
    Bomb<depth - 1, 2 * number> left;
    Bomb<depth - 1, 2 * number + 1> right;
}};
template <int number> struct Bomb<0, number> {{ char c[64]; }};
{KERNEL} {{ out[i] = sizeof(Bomb<28, 1>); }}""",
    "macros": HEADER
    + "#define M0 1+\n"
    + "".join(f"#define M{i} {f'M{i - 1} ' * 16}\n" for i in range(1, 9))
    + f"{KERNEL} {{ out[i] = M8 1; }}",
}


@pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="Apple's compiler has limits of its own")
@pytest.mark.timeout(180)
@pytest.mark.parametrize("what", BOMBS)
def test_bomb(what):
    """Ends at the compiler's limit of time or memory, which takes a minute unless the environment says less."""
    ended = scripts.run(
        f"""
        device = mtlpy_nb.Device()
        try:
            device.library({BOMBS[what]!r})
        except mtlpy_nb.CompileError as error:
            print("CompileError", len(str(error)) < 200_000)
        check(device)
        print("works")
        """,
        timeout=120,
        MTLPY_COMPILE_SECONDS="3",
    )
    assert ended.lines == ["CompileError True", "works"], ended


def test_endless_template(device):
    line = first_line(
        device, f"{HEADER}template <int n> int f() {{ return f<n + 1>(); }}\n{KERNEL} {{ out[i] = f<0>(); }}"
    )
    assert "recursive template instantiation exceeded maximum depth" in line


def test_endless_constant_expression(device):
    source = f"{HEADER}constexpr int f() {{ int n = 0; while (true) n = n ^ 1; return n; }}\nconstant int c = f();\n"
    found = error(device, f"{source}{KERNEL} {{ constexpr int d = f(); out[i] = c + d; }}")
    assert "constant expression" in str(found)


def test_file_that_includes_itself(device):
    with pytest.raises(mtlpy_nb.MetalError):
        device.library(f'{HEADER}#include "self.h"\n', includes={"self.h": '#include "self.h"\n'})


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../../etc/passwd"])
def test_files_of_the_machine_are_not_shown(device, path):
    """The file may not exist for the compiler, or fail to compile, but its text is not for a message."""
    assert "root:" not in str(error(device, f'{HEADER}#include "{path}"\n'))


def test_unknown_option(device):
    with pytest.raises(mtlpy_nb.ValidationError, match=r"unknown 'optimise'; known are .*math"):
        device.library(HEADER, options={"optimise": 3})
    with pytest.raises(mtlpy_nb.ValidationError, match="math is 'sloppy', must be one of safe, relaxed, fast"):
        device.library(HEADER, options={"math": "sloppy"})
    with pytest.raises(mtlpy_nb.ValidationError, match=r"std is '9\.9', must be one of"):
        device.library(HEADER, options={"std": "9.9"})


def test_no_such_function(device, library):
    with pytest.raises(mtlpy_nb.ValidationError, match=r"no function 'twize' in this library; did you mean 'twice'\?"):
        library["twize"]
    with pytest.raises(AttributeError, match="did you mean 'twice'"):
        library.twize  # noqa: B018
    with pytest.raises(KeyError):
        library[5]
    with pytest.raises(RuntimeError, match="Function not found in shader: nothing"):
        device.compile(f"{HEADER}{KERNEL} {{ out[i] = 1; }}", "nothing")


def test_pipeline_interface_says_that_compilation_failed(device):
    with pytest.raises(RuntimeError, match=r"Shader compilation failed: .*undeclared identifier 'missing'"):
        device.compile(f"{HEADER}{KERNEL} {{ out[i] = missing; }}", "k")

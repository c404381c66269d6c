# SPDX-License-Identifier: MIT
"""Whatever stands on a magic's line: it works or one clear message says what is wrong, and nothing is lost."""

import traceback

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from IPython.core.error import UsageError

from mtlpy_nb import MetalError

TWICE = "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }\n"
TEXT = st.text(alphabet=st.characters(blacklist_characters="\n\r", blacklist_categories=["Cs"]), max_size=8)
# Names that an expression may call are left out: it is Python's to run.
EXPRESSION = st.text(alphabet="0123456789 ()[]{}.,;:+-*/'\"#=!~\\%?@", max_size=12)
OPTION = st.one_of(
    st.tuples(st.sampled_from(["-D", "-I", "--std", "--const", "--header", "-o", "--math", "--show", "-d"]), TEXT).map(
        " ".join
    ),
    st.sampled_from(["--quiet", "--no-preamble", "--", "-D A=1", "-DA", "--math=fast", "--std 3.1", "--show source"]),
    TEXT.map("--".__add__),
)
LINE = st.tuples(st.lists(OPTION, max_size=3).map(" ".join), EXPRESSION).map(" ".join)
COMMAND = st.one_of(TEXT, st.tuples(st.sampled_from(["devices", "use", "info", "cache", "-d"]), TEXT).map(" ".join))


@pytest.fixture
def kept(notebook):
    """A kernel of another cell, which must live through everything."""
    notebook.run("%%metal\nkernel void kept(device float* x) { x[0] = 7; }")
    kernel = notebook.shell.user_ns["kept"]
    yield
    assert notebook.shell.user_ns["kept"] is kernel
    assert notebook.run("kept(np.zeros(1, np.float32), grid=1)").tolist() == [7]


def refused(run, *args: str) -> str:
    """Run a magic; gives the message of its refusal."""
    own = None
    try:
        run(*args)
    except (UsageError, MetalError) as error:
        return str(error) or "nothing said"
    except Exception as error:
        own = error
    # It must be the expression's own, which IPython shows with the expression's line.
    assert own is None or "<%%metal>" in {frame.filename for frame in traceback.extract_tb(own.__traceback__)}
    return ""


@settings(max_examples=60)
@given(LINE)
@example("-I '\0' f()")
@example("-D 'A=\0'")
@example("-D A=/*")
@example("--header \0")
@example("-o kept")
@example("--std ²")
@example("-d ²")
@example("--const A=1e999")
@example("--std 1e999.1")
@example("-D A" + "=" * 3000)
def test_any_line_of_a_cell(notebook, kept, line):
    shell = notebook.shell
    before = shell.user_ns["kept"]
    message = refused(shell.run_cell_magic, "metal", line, TWICE)
    assert message != "nothing said"
    assert len(message) < 6000
    shell.user_ns["kept"] = before  # `-o kept` may have it


@settings(max_examples=100)
@given(COMMAND)
@example("use ²")
@example("use " + "9" * 5000)
@example("use -1")
@example("threads 0x10")
@example("threads 0")
@example("threads " + "9" * 5000)
@example("info " + "x" * 5000)
@example("info __builtins__")
@example("\0")
def test_any_line_of_the_line_magic(notebook, kept, line):
    message = refused(notebook.shell.run_line_magic, "metal", line)
    assert "\n" not in message
    assert len(message) < 300


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "%metal takes one of: devices, use N, info KERNEL, explain KERNEL, cache [clear], threads [N]"),
        ("device", "%metal has no 'device'; did you mean 'devices'? It has: devices, use N,"),
        ("frob", "%metal has no 'frob'. It has: devices, use N,"),
        ("-D N=1", "%metal has no '-D': options belong to %%metal, with two %, at the top of a cell of Metal"),
        ("use", "%metal use takes a device's number; %metal devices lists them"),
        ("use 99", "%metal use takes a device's number, here 0, got '99'; %metal devices lists them"),
        ("info", "%metal info takes the name of a kernel, got ''"),
        ("info kepd", "%metal info takes the name of a kernel, got 'kepd'; did you mean 'kept'?"),
        ("info np", "%metal info takes the name of a kernel, got 'np'"),
        ("explain", "%metal explain takes the name of a kernel, or a call of one, got ''"),
        (
            "explain kepd",
            "%metal explain takes the name of a kernel, or a call of one, got 'kepd'; did you mean 'kept'?",
        ),
        ("explain kepd(1)", "%metal explain takes the name of a kernel, or a call of one, got 'kepd(1)'; did you mean"),
        ("explain np", "%metal explain takes the name of a kernel, or a call of one, got 'np'"),
        ("explain kept(", "%metal explain takes the name of a kernel, or a call of one, got 'kept('"),
        ("cache clean", "%metal cache takes nothing or clear, got 'clean'"),
        ("threads many", "%metal threads takes a number from 1 to 4096, got 'many'"),
        ("threads 4097", "%metal threads takes a number from 1 to 4096, got '4097'"),
        ("devices all", "%metal devices takes nothing more, got 'all'; %metal use N chooses one"),
    ],
)
def test_what_is_said(notebook, kept, line, message):
    seen = notebook.see(f"%metal {line}")
    assert seen.startswith(f"UsageError: {message}")
    assert seen.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-d 7", "%%metal -d takes a device's number, here 0, got '7'; %metal devices lists them"),
        ("--std 9", "%%metal: --std is '9', must be one of 1.0, 1.1, "),
        ("--const FACTOR=2.5", "%%metal --const: the function constant FACTOR is int, got the float 2.5"),
        (
            "--const FACTOR=99999999999",
            "%%metal --const: the function constant FACTOR is int, which holds -2147483648 to",
        ),
        ("--const V=1", "%%metal --const: the function constant V is float2, got the int 1"),
        ("--header factor.h twice(1)", "%%metal --header takes no expression: nothing is compiled yet"),
        ("--header ''", '%%metal: --header takes the name that #include "NAME" will give, got an empty one'),
        ("-o a-b", "%%metal: --name takes a name for Python, got 'a-b'"),
        ("--show ir", "%%metal --show ir prints what kernels became, and this cell has none"),
    ],
)
def test_what_is_said_of_a_cell(notebook, kept, line, message):
    source = (
        "constant int FACTOR [[function_constant(0)]];\nconstant float2 V [[function_constant(1)]];\n"
        "kernel void kept(device float* x) { x[0] = FACTOR + V.x; }"
    )
    source = source if "--show" not in line else "vertex float4 corner(uint i [[vertex_id]]) { return float4(i); }"
    seen = notebook.see(f"%%metal {line}\n{source}")
    assert seen.startswith(f"UsageError: {message}")
    assert seen.count("\n") == 1
    assert "corner" not in notebook.shell.user_ns


def test_an_expression_that_fails_leaves_the_new_kernels(notebook):
    notebook.see(f"%%metal 1 / 0\n{TWICE}")
    assert notebook.run("twice(np.ones(1, np.float32))").tolist() == [2]


def test_a_template_s_instantiation_at_the_end_does_not_hide_the_value(notebook):
    source = "template <typename T> kernel void add(device T* x) { x[0] += 1; }\n"
    instance = 'template [[host_name("add_int")]] kernel void add<int>(device int*);'
    assert notebook.run(f"%%metal add_int(np.zeros(1, np.int32), grid=1)\n{source}{instance}").tolist() == [1]
    assert notebook.run(f"%%metal add_int(np.zeros(1, np.int32), grid=1); # quiet\n{source}{instance}") is None


def test_a_host_name_that_is_no_name_in_python(notebook):
    source = "template <typename T> kernel void add(device T* x) { x[0] += 1; }\n"
    instance = 'template [[host_name("add<int>")]] kernel void add<int>(device int*);'
    seen = notebook.see(f"%%metal -o lib\n{source}{instance}")
    assert "add<int> is no name in Python: bind the library with -o NAME and use NAME['add<int>']" in seen
    assert notebook.run("lib['add<int>'](np.zeros(1, np.int32), grid=1)").tolist() == [1]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("twice = np.ones(3)", "the kernel twice replaces the ndarray twice"),
        ("def twice(): pass", "the kernel twice replaces the function twice"),
        ("import math as twice", "the kernel twice now hides the module math; give it another name to keep both"),
    ],
)
def test_a_name_that_is_taken(notebook, before, said):
    notebook.run(before)
    assert f"Warning: {said}" in notebook.see(f"%%metal\n{TWICE}")
    assert notebook.see(f"%%metal\n{TWICE}") == "", "once is enough"


def test_a_stage_function_or_library_that_hides(notebook):
    seen = notebook.see("%%metal -o max\nvertex float4 min(uint i [[vertex_id]]) { return float4(i); }")
    assert "the vertex function min now hides Python's min(); `del min` brings that back" in seen
    assert "the library max now hides Python's max(); `del max` brings that back" in seen
    notebook.run("%unload_ext mtlpy_nb\n%load_ext mtlpy_nb")
    assert notebook.run("min(max(1, 2), 3)") == 2

# SPDX-License-Identifier: MIT
"""`kernel?`, `kernel??`, a kernel as a cell's value, and Shift-Tab in a cell."""

import inspect
import re
from html import unescape

import pytest

import mtlpy_nb

from .shown import plain

CELL = """struct Params { float gain; uint width; };
// Scales each element.
// In place.
kernel void scale(device float* x [[buffer(0)]], constant Params& params [[buffer(1)]],
                  texture2d<float, access::sample> photo, uint i [[thread_position_in_grid]])
{
    x[i] *= params.gain;
}
/* A corner <of> a triangle. */
vertex float4 corner(uint i [[vertex_id]]) { return float4(i); }
template <typename T> kernel void add(device T* x) { x[0] += 1; }
template [[host_name("add_half")]] kernel void add<half>(device half*);
"""
DECLARED = """kernel void scale(
    device float* x [[buffer(0)]],
    constant Params& params [[buffer(1)]],
    texture2d<float, access::sample> photo,
    uint i [[thread_position_in_grid]]
)"""


@pytest.fixture
def page(notebook):
    """Asks as `?` and `??` do; gives the plain text and the HTML."""
    notebook.run(f"%%metal -o lib\n{CELL}")

    def ask(name: str, detail: int = 0) -> tuple[str, str]:
        bundle = notebook.shell.object_inspect_mime(name, detail_level=detail)
        return plain(bundle["text/plain"]), bundle["text/html"]

    return ask


def test_a_kernel_s_page(page):
    text, html = page("scale")
    assert [line.rstrip() for line in text.splitlines()] == [
        "Kernel:",
        *DECLARED.splitlines(),
        "Comment:",
        "Scales each element.",
        "In place.",
        "Arguments:",
        "x       device float*                     [[buffer(0)]]   read and written",
        "params  constant Params&                  [[buffer(1)]]   read",
        "photo   texture2d<float, access::sample>  [[texture(0)]]  read",
        "Layouts:   params: 8 bytes: gain float32 at 0, width uint32 at 4",
        "Call:      scale(x, params, photo, *, grid=None, threadgroup=None, wait=True)",
    ]
    assert "<h1>Kernel</h1>" in html
    assert "scale" in html
    assert "params: 8 bytes" in html
    for of_python in ("Call docstring", "class Kernel", "kernel.py"):
        assert of_python not in text + html


def test_two_marks_show_the_source(page):
    text, html = page("scale", 1)
    source = CELL[CELL.index("// Scales") : CELL.index("/* A corner")].strip()
    assert text.endswith(source)
    assert "Source" in html
    assert "Source" not in page("scale")[0]
    assert page("add_half", 1)[0].endswith(
        "template <typename T> kernel void add(device T* x) { x[0] += 1; }\n\n"
        'template [[host_name("add_half")]] kernel void add<half>(device half*);'
    )


def test_a_stage_function_s_and_a_library_s_page(page):
    assert page("corner")[0] == (
        "Function: vertex float4 corner(uint i [[vertex_id]])\nComment:  A corner <of> a triangle."
    )
    assert "A corner &lt;of&gt; a triangle." in page("corner")[1]
    text = page("lib")[0]
    assert text.startswith(f"Library:\n{DECLARED}\nvertex float4 corner(")
    assert text.endswith("void add(device T* x)")


def test_what_is_not_metal_stays_ipython_s(page):
    assert "Docstring" in page("np.ones")[0]
    assert "Compile the cell as Metal source" in page("%%metal")[0]


def test_question_marks_in_a_cell(notebook):
    notebook.run(f"%%metal\n{CELL}")
    assert DECLARED in plain(notebook.see("scale?"))
    assert "x[i] *= params.gain;" in plain(notebook.see("scale??"))


def test_as_a_value(notebook):
    notebook.run(f"%%metal -o lib\n{CELL}")
    (kernel,), (function,), (library,) = (notebook.outputs(name) for name in ("scale", "corner", "lib"))
    assert kernel["text/plain"].startswith("<kernel scale(device float* x")
    assert "<td" in kernel["text/html"]
    for word in ("Scales each element.", "[[buffer(1)]]", "params: 8 bytes", "scale(x, params, photo, *,"):
        assert word in text_of(kernel["text/html"])
    assert function["text/plain"] == "<vertex function corner>"
    assert "A corner &lt;of&gt; a triangle." in function["text/html"]
    assert library["text/plain"] == "Library(scale, corner, add_half)"
    assert "corner" in library["text/html"]


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


def test_python_s_own_help(notebook):
    notebook.run(f"%%metal\n{CELL}")
    scale = notebook.run("scale")
    assert str(inspect.signature(scale)) == "(x, params, photo, *, grid=None, threadgroup=None, wait=True)"
    assert scale.__doc__.splitlines()[2:4] == ["Scales each element.", "In place."]
    corner = notebook.run("corner")
    assert corner.__doc__ == "float4 corner(uint i [[vertex_id]])\n\nA corner <of> a triangle."
    assert corner.source == CELL[CELL.index("/* A") : CELL.index("template")].strip()


@pytest.mark.parametrize(
    ("arguments", "signature"),
    [
        ("device const float* in, device float* out", "(in, /, out, *, grid=None, threadgroup=None, wait=True)"),
        ("device float* a, constant float& grid", "(a, grid_, /, *, grid=None, threadgroup=None, wait=True)"),
        ("device float* a, device float*", "(a, argument_1, /, *, grid=None, threadgroup=None, wait=True)"),
        ("", "(*, grid=None, threadgroup=None, wait=True)"),
    ],
)
def test_names_that_python_cannot_have(notebook, arguments, signature):
    notebook.run(f"%%metal\nkernel void odd({arguments}) {{}}")
    assert str(inspect.signature(notebook.run("odd"))) == signature
    assert signature in page_of(notebook, "odd")
    (data,) = notebook.outputs("odd")
    assert set(data) == {"text/plain", "text/html"}


def test_unloading_takes_the_pages_away(notebook, page):
    notebook.run("kept = lib\n%unload_ext mtlpy_nb")
    assert "Type" in page_of(notebook, "kept")
    notebook.run("%load_ext mtlpy_nb")
    assert "Library" in page_of(notebook, "kept")


def page_of(notebook, name: str) -> str:
    return plain(notebook.shell.object_inspect_mime(name)["text/plain"])


# ---- Shift-Tab ----

needs_compiler = pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="Apple's compiler has no such question")
BODY = """%%metal{options}
// Mixes by half.
float4 half_of(float4 a, float4 b) {{ return mix(a, b, 0.5); }}
kernel void blur(device float4* image, constant float& gain, uint index [[thread_position_in_grid]])
{{
    {line}
}}"""


@pytest.fixture
def told(jupyter):
    def ask(line: str, options: str = "") -> str:
        return plain(jupyter.inspect(BODY.format(line=line, options=options)).get("text/plain", ""))

    return ask


@needs_compiler
@pytest.mark.timeout(120)
class TestShiftTab:
    """In a cell's body."""

    def test_the_argument_that_is_written_is_underlined(self, told):
        assert told("image[index] = half_of(image[0], |)").splitlines()[:2] == [
            "float4 half_of(float4 a, float4 b)",
            "                         ^~~~~~~~",
        ]

    def test_on_a_function_s_name(self, told):
        text = told("float g = cl|amp(gain, 0.0f, 1.0f);")
        assert text.startswith("float clamp(float x, float minval, float maxval)\n")
        assert "clamp(x, low, high): x, but not below low and not above high." in text

    def test_the_comment_above_a_function_is_shown(self, told):
        assert "Mixes by half." in told("image[index] = half_of(|image[0], image[1])")
        assert "Mixes by half." in told("image[index] = half|_of(image[0], image[1])")

    def test_on_a_variable(self, told):
        assert "constant float" in told("float g = ga|in;")
        assert "&gain" in told("float g = ga|in;").replace("& ", "&")

    def test_on_words_of_the_language(self, jupyter, told):
        attribute = BODY.format(line="", options="").replace("thread_position", "thread_|position")
        assert "where this thread is in the whole grid" in plain(jupyter.inspect(attribute)["text/plain"])
        assert "a vector of 4 float" in told("flo|at4 x = 0;")
        assert "memory that the threads of one threadgroup share" in told("thread|group float x[4];")

    def test_html_too(self, jupyter):
        html = jupyter.inspect(BODY.format(line="image[index] = half_of(image[0], |)", options=""))["text/html"]
        assert re.search(r'<b style="text-decoration:underline">.*?b.*?</b>', html)
        assert "^" not in html

    def test_on_nothing(self, told):
        assert told("|") == ""

    def test_macros_of_the_line(self, told):
        assert "half_of" in told("image[index] = MIX(image[0], |)", options=" -D MIX=half_of")


def test_shift_tab_on_the_first_line(jupyter):
    jupyter.run("%%metal\n// Twice.\nkernel void twice(device float* x, constant float& by) { x[0] *= 2; }")
    cell = "%%metal --math fast -D N=2 twice(np.ones(3), by=2)\nkernel void f() {}"

    def at(text: str) -> str:
        return plain(jupyter.inspect(cell.replace(text.replace("|", ""), text, 1)).get("text/plain", ""))

    assert "Compile the cell as Metal source" in at("%%me|tal")
    assert "How exact floating point must be" in at("--ma|th")
    assert "How exact floating point must be" in at("fa|st")
    assert "Define a macro" in at("-|D")
    assert "Twice." in at("twi|ce")
    assert "Twice." in at("by=|2"), "within the call"
    assert "ones" in at("np.on|es")


def test_shift_tab_in_python_is_ipython_s(jupyter):
    assert "Return a new array" in plain(jupyter.inspect("np.on|es(3)")["text/plain"])
    assert "Twice." in plain(jupyter.inspect("twi|ce(3)")["text/plain"])
    assert jupyter.inspect("no_such_na|me") == {}


def test_shift_tab_without_the_extension(jupyter):
    jupyter.run("%unload_ext mtlpy_nb")
    assert jupyter.inspect(BODY.format(line="image[index] = half_of(image[0], |)", options="")) == {}
    jupyter.load()

# SPDX-License-Identifier: MIT
"""What a person sees of a cell that does not compile, or of a wrong call."""

import re

import pytest

from mtlpy_nb import CompileError

BROKEN = """%%metal
kernel void f(device float4* out, uint i [[thread_position_in_grid]])
{
    float4 colour = float4(1);
    out[i] = color;
}"""


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_compile_error_shows_the_cells_line_and_a_caret(notebook):
    seen = notebook.see(BROKEN)
    assert "\x1b[" in seen, "in colour"
    lines = plain(seen).splitlines()
    assert lines[0] == "CompileError: 1 error"
    assert "line 5, column 14: error: use of undeclared identifier 'color'; did you mean 'colour'?" in lines
    at = lines.index("    5 |     out[i] = color;")
    assert lines[at + 1] == "      |              ^~~~~"
    assert lines[at + 2] == "      |              colour"
    assert any("note" in line and "'colour' declared here" in line for line in lines)
    assert "Traceback" not in seen
    assert "mtlpy_nb/" not in seen


def test_compile_error_as_html(device):
    with pytest.raises(CompileError) as caught:
        device.library("kernel void f(device int* x) { x[0] = a < b; }")
    html = caught.value._repr_html_()
    assert "a &lt; b" in html
    assert "undeclared identifier" in html


def test_very_long_line_is_cut_around_the_caret(notebook):
    seen = plain(notebook.see("%%metal\nkernel void f(device int* x) { x[0] = " + "1 + " * 5000 + "oops; }"))
    assert "oops" in seen
    assert max(map(len, seen.splitlines())) < 200


def test_wrong_call_shows_the_signature_and_no_inner_frames(notebook):
    notebook.run("%%metal\nkernel void f(device float* x, constant int& n) { x[0] = n; }")
    seen = plain(notebook.see("f(np.zeros(4, np.float32), 2.5, grid=1)"))
    assert "ArgumentError: f: n is int, got the float 2.5" in seen
    assert "-->     constant int& n" in seen
    assert "pass a whole number, such as 2" in seen
    assert "f(np.zeros(4, np.float32), 2.5, grid=1)" in seen
    assert "mtlpy_nb/" not in seen


@pytest.mark.parametrize("call", ["compare(np.zeros(4), np.zeros(4))", "show('photo.png')", "show(None)"])
def test_wrong_call_of_a_preview_shows_no_inner_frames(notebook, call):
    notebook.run("from mtlpy_nb import compare, show")
    seen = plain(notebook.see(call))
    assert call in seen
    assert "File " not in seen


@pytest.mark.parametrize("call", ["capture.load('nowhere')", "CaptureView('nowhere')"])
def test_a_capture_that_there_is_not_shows_no_inner_frames(notebook, call):
    notebook.run("from mtlpy_nb import CaptureView, capture")
    seen = plain(notebook.see(call))
    assert "capture.load: there is no such file: 'nowhere'" in seen
    assert f"1 {call}" in seen
    assert "mtlpy_nb/" not in seen


def test_wrong_call_in_a_cells_first_line_shows_that_line(notebook):
    seen = plain(
        notebook.see(
            "%%metal f(np.zeros(4, np.float32))\nkernel void f(device float* x, constant int& n) { x[0] = n; }"
        )
    )
    assert "f(np.zeros(4, np.float32))" in seen
    assert "missing: n" in seen
    assert "run_cell_magic" not in seen
    assert "mtlpy_nb/" not in seen


MISMATCH = "np.zeros(3) + np.zeros(4)"


@pytest.mark.parametrize(
    "cell",
    [
        f"%%metal {MISMATCH}\nkernel void f(device float* x) {{ x[0] = 1; }}",
        f"%metal_time {MISMATCH}",
        f"%%metal_time\n{MISMATCH}",
        f"%%metal_profile\n{MISMATCH}",
        f"%%metal_capture\n{MISMATCH}",
    ],
    ids=lambda cell: cell.split()[0] + ("" if "\n" in cell else " of a line"),
)
def test_errors_of_other_packages_begin_at_the_cells_own_line(notebook, cell):
    seen = plain(notebook.see(cell))
    assert "could not be broadcast" in seen
    assert f"1 {MISMATCH}" in seen
    assert "run_cell_magic" not in seen
    assert "run_line_magic" not in seen
    assert "hidden" not in seen
    assert "mtlpy_nb" not in seen.replace("<%%metal>", "")


def test_a_fault_of_this_package_shows_where_it_is(notebook, monkeypatch):
    notebook.run("from mtlpy_nb import default_device")
    monkeypatch.setattr("mtlpy_nb.library.resolve_includes", None)
    seen = plain(notebook.see("%%metal_profile\ndefault_device().library('')"))
    assert "1 default_device().library('')" in seen
    assert "text = resolve_includes(source, includes)" in seen
    assert "run_cell_magic" not in seen


def test_an_error_of_another_package_still_shows_the_functions_of_the_notebook(notebook):
    notebook.run("def check(x):\n    return x + np.zeros(4)")
    seen = plain(notebook.see("%%metal check(np.zeros(3))\nkernel void f(device float* x) { x[0] = 1; }"))
    assert "check(np.zeros(3))" in seen
    assert "return x + np.zeros(4)" in seen
    assert "run_cell_magic" not in seen


def test_a_shape_given_as_two_numbers_is_explained(notebook):
    seen = plain(notebook.see("output(100, 100)"))
    assert "dtype is the int 100, expected a type of NumPy's, such as np.float32" in seen
    assert "give a shape of several sizes as one tuple: (rows, columns)" in seen


PIPELINE = (
    "from mtlpy_nb import default_device\ndevice = default_device()\n"
    "pipeline = device.compile('kernel void f(device float* x) { x[0] = 1; }', 'f')"
)


def test_what_led_to_an_error_within_the_package_is_not_shown(notebook):
    notebook.run(PIPELINE)
    seen = plain(notebook.see("pipeline.run([0.5], 1)"))
    assert "buffers[0] must be a Buffer, got float" in seen
    assert "During handling" not in seen
    assert "mtlpy_nb/" not in seen


def test_what_led_to_an_error_in_the_notebook_is_shown(notebook):
    notebook.run(PIPELINE)
    seen = plain(notebook.see("try:\n    {}['a']\nexcept KeyError:\n    pipeline.run([0.5], 1)"))
    assert "buffers[0] must be a Buffer, got float" in seen
    assert "KeyError: 'a'" in seen
    assert "During handling" in seen


@pytest.mark.parametrize("name", ["cb", "queue"])
def test_a_kernel_called_into_a_command_buffer_says_who_can(notebook, name):
    notebook.run("%%metal\nkernel void f(device float* x) { x[0] = 1; }")
    seen = plain(notebook.see(f"f(np.zeros(1, np.float32), {name}=1)"))
    assert f"f: has no argument '{name}'" in seen
    assert "a kernel goes into a command buffer as a Pipeline: device.compile(f.source, 'f').run(..., cb=)" in seen


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("numbers[5]", "IndexError: index 5 is out of bounds for axis 0 with size 3; the Buffer has the shape (3,)"),
        (
            "numbers[5] = 1",
            "IndexError: index 5 is out of bounds for axis 0 with size 3; the Buffer has the shape (3,)",
        ),
        ("capture[7]", "IndexError: there is no command 7: this capture has 1 command, the first is 0"),
        ("capture.history('x', 9)", "IndexError: index (9,) is outside of <CapturedResource"),
        ("capture[0].buffers['y']", "KeyError: no buffer 'y' in this command; it has 'x'"),
    ],
)
def test_an_index_or_name_that_is_not_there(notebook, call, message):
    notebook.run("%%metal\nkernel void f(device float* x) { x[0] = 1; }")
    notebook.run("numbers = f.device.buffer(np.zeros(3, np.float32))")
    notebook.run("%%metal_capture\nf(numbers, grid=1)")
    notebook.run("capture = _")
    seen = plain(notebook.see(call))
    assert message in seen
    assert f"1 {call}" in seen
    assert "mtlpy_nb/" not in seen
    with pytest.raises(LookupError):
        notebook.run(call)


def test_numbers_that_do_not_fit_into_a_part_of_a_buffer(notebook):
    notebook.run("from mtlpy_nb import default_device\nnumbers = default_device().buffer(np.zeros(3, np.float32))")
    seen = plain(notebook.see("numbers[0:2] = [1, 2, 3]"))
    assert "could not broadcast" in seen
    assert "mtlpy_nb/" not in seen


@pytest.mark.parametrize("call", ["explore(picture, wide=3)", "animate(picture)"])
def test_an_error_in_what_a_view_calls_shows_only_what_a_person_wrote(notebook, call):
    notebook.run("from mtlpy_nb import animate, explore\ndef picture(wide=3):\n    return np.zeros(4)[wide + 1]")
    seen = plain(notebook.see(call))
    assert "IndexError: index 4 is out of bounds" in seen
    assert f"1 {call}" in seen
    assert "return np.zeros(4)[wide + 1]" in seen
    assert "mtlpy_nb/" not in seen


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("explore(picture, wide=3)", "explore: picture is picture(wide, high): missing a required argument: 'high'"),
        ("animate(picture, 3)", "animate: picture is picture(wide, high): missing a required argument: 'high'"),
        ("explore(picture, 1, 2, 3)", "explore: picture is picture(wide, high): too many positional arguments"),
        ("animate(3)", "animate: expected a Kernel or a function, got int"),
        ("explore(3)", "explore: expected a Kernel or a function, got int"),
    ],
)
def test_what_a_view_cannot_call_is_refused_at_once(notebook, call, message):
    notebook.run("from mtlpy_nb import animate, explore\ndef picture(wide, high):\n    return np.zeros((high, wide))")
    seen = plain(notebook.see(call))
    assert f"ArgumentError: {message}" in seen
    assert f"1 {call}" in seen
    assert "mtlpy_nb/" not in seen

# SPDX-License-Identifier: MIT
"""Kernels from the shell: what goes in, what comes out, and what is said of mistakes."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from mtlpy_nb.__main__ import main
from mtlpy_nb.notebook.spans import ANSI

_SOURCE = Path(__file__).with_name("filters.metal")


@pytest.fixture
def run(monkeypatch, capfd, tmp_path):
    """Run a kernel of filters.metal, or of `source`, in this process; gives what it printed."""
    shutil.copy(_SOURCE, tmp_path / "filters.metal")
    monkeypatch.chdir(tmp_path)

    def call(*arguments, code=0, source=None):
        if source is not None:
            (tmp_path / "filters.metal").write_text(source)
        returned = main(["run", "filters.metal", *arguments])
        said = capfd.readouterr()
        assert returned == code, said.err
        return said.out if code == 0 else said.err

    return call


@pytest.fixture
def picture(rng, tmp_path):
    pixels = rng.integers(0, 256, (6, 9, 3), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "photo.png")
    return pixels


def _read(path) -> np.ndarray:
    return np.asarray(Image.open(path))


# ---- what goes in and comes out ----


def test_picture_to_picture(command, picture, tmp_path):
    done = command("run", _SOURCE, "invert", "source=photo.png", "-o", "result=inverted.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "result: inverted.png, shape (6, 9, 4), uint8\n"
    assert (_read(tmp_path / "inverted.png") == 255 - picture).all()


def test_output_needs_no_name_where_there_is_one_only(run, picture, tmp_path):
    run("-o", "inverted.png", "invert", "source=photo.png")
    assert (_read(tmp_path / "inverted.png") == 255 - picture).all()


def test_gray_picture_stays_gray(run, rng, tmp_path):
    pixels = rng.integers(0, 256, (5, 4), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "gray.png")
    run("invert", "source=gray.png", "-o", "inverted.png")
    assert (_read(tmp_path / "inverted.png") == 255 - pixels).all()


def test_alpha_and_turned_photographs(run, tmp_path):
    pixels = np.zeros((2, 3, 4), np.uint8)
    pixels[0, 0], pixels[..., 3] = (255, 128, 0, 0), 77
    Image.fromarray(pixels).save(tmp_path / "clear.png")
    run("invert", "source=clear.png", "-o", "result.png")
    assert _read(tmp_path / "result.png")[0, 0].tolist() == [0, 127, 255, 77]
    photograph = Image.new("L", (8, 4))
    orientation = Image.Exif()
    orientation[0x0112] = 6  # the camera was turned
    photograph.save(tmp_path / "turned.jpg", exif=orientation)
    assert "shape (8, 4)" in run("invert", "source=turned.jpg", "-o", "result.png")


def test_arrays_are_updated_in_place_and_written(run, tmp_path):
    x, y = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    said = run("saxpy", "x=x.npy", "y=@y.npy", "a=2", "-o", "y=sum.npy")
    assert said == "y: sum.npy, shape (5,), float32\n"
    assert (np.load(tmp_path / "sum.npy") == 2 * x + y).all()
    assert (np.load(tmp_path / "y.npy") == y).all()


def test_values_from_the_command_line_are_printed(run):
    assert run("saxpy", "x=1,2,3", "y=1,1,1", "a=0.5") == "y = [1.5, 2. , 2.5]\n"
    assert run("saxpy", "x=1,-2", "--grid", "2", "a=-1e1", "y=0,inf") == "y = [-10.,  inf]\n"


def test_struct_and_shape(run, tmp_path):
    wave = "wave={'direction': (1, 0), 'length': 4}"
    run("waves", wave, "--shape", "picture=3,8", "-o", "w.npy", "-o", "picture=w.npy")
    picture = np.load(tmp_path / "w.npy")
    assert picture.shape == (3, 8, 4)
    assert (picture[..., 0] == np.arange(8) / 4 % 1).all()
    run("waves", wave, "--grid", "8,3", "-o", "w.png")
    assert _read(tmp_path / "w.png")[0, :, 0].tolist() == [0, 64, 128, 191] * 2


def test_several_outputs(run, tmp_path):
    said = run("both", "x=10,20,30", "-o", "sums=s.npy", "-o", "halves=h.npy")
    assert said.splitlines() == ["sums: s.npy, shape (3,), int32", "halves: h.npy, shape (3,), float32"]
    assert np.load(tmp_path / "s.npy").tolist() == [20, 30, 40]
    assert np.load(tmp_path / "h.npy").tolist() == [5, 10, 15]
    assert run("both", "x=10,20") == "sums = [20, 30]\nhalves = [ 5., 10.]\n"


def test_sampler_and_shape_of_a_texture(run, tmp_path):
    Image.fromarray(np.array([[0, 100]], np.uint8)).save(tmp_path / "two.png")
    words = ("enlarge", "source=two.png", "reach=1", "--shape", "result=1,8")
    run(*words, "smooth=nearest", "-o", "n.png")
    assert _read(tmp_path / "n.png")[0].tolist() == [0] * 4 + [100] * 4
    run("enlarge", "source=two.png", "reach=1", "smooth=nearest", "--shape", "result=source", "-o", "s.png")
    assert _read(tmp_path / "s.png").tolist() == [[0, 100]]
    run(*words, "smooth=linear", "-o", "l.npy")
    values = np.load(tmp_path / "l.npy")[0]
    assert (np.diff(values[2:6]) > 0).all()


def test_address_mode_and_coordinates_of_a_sampler(run, tmp_path):
    Image.fromarray(np.array([[0, 100]], np.uint8)).save(tmp_path / "two.png")
    for words, expected in (
        ("reach=2 smooth=nearest,repeat", [0, 100, 0, 100]),
        ("reach=2 smooth=nearest", [0, 100, 100, 100]),
        ("reach=4 smooth=nearest,pixel", [0, 100, 100, 100]),
    ):
        run("enlarge", "source=two.png", *words.split(), "--shape", "result=1,4", "-o", "r.png")
        assert _read(tmp_path / "r.png")[0].tolist() == expected


def test_picture_for_a_buffer_of_floats_is_scaled(run, picture, tmp_path):
    run("brightness", "source=photo.png", "-o", "result=sums.npy")
    sums = np.load(tmp_path / "sums.npy")
    assert sums.shape == (6, 9)
    np.testing.assert_allclose(sums, (picture / 255).sum(axis=2), rtol=1e-5)


def test_values_that_a_picture_cannot_hold_are_told(run, picture):
    said = run("brightness", "source=photo.png", "-o", "sums.png")
    outside = ((picture / np.float32(255)).astype(np.float32).sum(axis=2) > 1).sum()
    assert f"{outside} of 54 values are not within 0 to 1 and were clipped" in said


def test_macros_constants_and_includes(run, picture, tmp_path):
    run("invert", "source=photo.png", "-D", "GAIN=0", "-o", "black.png")
    assert (_read(tmp_path / "black.png") == 0).all()
    run("invert", "source=photo.png", "--const", "is_gray=true", "-o", "gray.png")
    assert (_read(tmp_path / "gray.png") == picture[..., :1]).all()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "size.h").write_text("#define SIZE 7\n")
    (tmp_path / "own.h").write_text("#define OWN 30\n")
    source = '#include "size.h"\n#include "own.h"\nkernel void put(device int* x) { x[0] = SIZE + OWN; }'
    assert run("put", "x=0", "-I", "lib", source=source) == "x = [37]\n"


def test_arguments_with_the_names_of_options(run):
    source = "kernel void put(device int* wait, constant int& grid, constant int& threadgroup_) { wait[0] = grid; }"
    assert run("put", "wait=0", "grid=6", "threadgroup_=1", source=source) == "wait = [6]\n"


def test_attributes_of_stage_in(run):
    source = (
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "struct In { float2 place [[attribute(0)]]; uint kind [[attribute(1)]]; float scale [[attribute(2)]]; };\n"
        "kernel void add(In in [[stage_in]], device float* sum, uint i [[thread_position_in_grid]]) {\n"
        "    sum[i] = in.scale * (in.place.x + in.place.y + in.kind);\n}\n"
    )
    out = run("add", "place=[[1, 2], [3, 4]]", "kind=[10, 20]", "scale=2", "--shape", "sum=2", source=source)
    assert out == "sum = [26., 54.]\n"
    assert "needs place=... scale=..." in run("add", "kind=3", "--shape", "sum=2", source=source, code=2)


def test_source_from_the_standard_input(command):
    done = command("run", "-", "put", "x=0,0", stdin="kernel void put(device int* x) { x[1] = 5; }")
    assert done.stdout == "x = [0, 5]\n"


def test_kernels_are_listed(run):
    said = run()
    assert "void saxpy(device const float* x, device float* y, constant float& a" in said
    assert "Inverts the colours, or leaves only the brightness." in said
    assert "source  texture2d<float, access::read>  [[texture(0)]]" in said


def test_kernel_that_prints(run, command):
    source = '#include <metal_logging>\nkernel void say(device int* x) { metal::os_log_default.log("x is %d", x[0]); }'
    run(source=source)
    done = command("run", "filters.metal", "say", "x=4")
    assert done.stdout == "x = [4]\n"
    assert "x is 4" in done.stderr


# ---- mistakes: exit code 2 of calls, 1 of sources and of kernels that fail ----


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["savpy"], "filters.metal has no kernel savpy; did you mean 'saxpy'? It has: "),
        (["zzz"], "filters.metal has no kernel zzz. It has: "),
        (["saxpy", "x=1"], "saxpy also needs a=...\n\n    constant float& a\n"),
        (["saxpy", "x=1", "y=1", "b=2"], "the kernel has no argument b; it has x, y, a"),
        (["saxpy", "x=1", "y=1", "1"], "'1' is no argument of the kernel: write NAME=VALUE or NAME=FILE"),
        (["saxpy", "x=1", "x=2"], "x is given twice"),
        (["saxpy", "x=one", "y=1", "a=1"], "x=one: that is no number, no list of numbers such as 1,2,3, and no file"),
        (["saxpy", "x=1", "y=1", "a=1,2"], "a is float, got the tuple (1, 2)"),
        (["saxpy", "x=none.npy", "y=1", "a=1"], "there is no file none.npy"),
        (["saxpy", "x=@filters.metal", "y=1", "a=1"], "filters.metal is no picture that Pillow can read"),
        (["saxpy", "x=1", "y=1", "a=1", "-o", "x=x.npy"], "the kernel only reads x, it writes y"),
        (["saxpy", "x=1", "y=1", "a=1", "-o", "y=y.txt"], "the file's name must end in .npy, .png"),
        (["saxpy", "x=1", "y=1", "a=1", "-o", "y=none/y.npy"], "there is no folder none"),
        (["saxpy", "x=1", "y=1", "a=1", "-o", "y=y.png"], "an array of shape (1,) is no picture"),
        (["saxpy", "x=1", "y=1", "a=1", "--grid", "a"], "--grid is 'a', must be numbers with commas between them"),
        (["saxpy", "x=1", "y=1", "a=1", "--threadgroup", "5000"], "5000 threads, this kernel allows 1024"),
        (["both", "x=1", "-o", "a.npy"], "write -o NAME=a.npy, one of sums, halves"),
        (["waves", "wave={}"], "add --shape picture=ROWS,COLUMNS"),
        (["waves", "wave={'length': 1}", "--grid", "1"], "wave lacks 'direction'"),
        (["enlarge", "smooth=soft"], "smooth is a sampler: 'soft' must be one of linear, nearest"),
        (["saxpy", "-I", "none"], "-I none: there is no such folder"),
        (["saxpy", "--std", "9.9"], "std is '9.9', must be one of"),
    ],
)
def test_wrong_calls(monkeypatch, capsys, arguments, expected):
    monkeypatch.chdir(_SOURCE.parent)
    assert main(["run", _SOURCE.name, *arguments]) == 2
    assert expected in capsys.readouterr().err


_WORDS = st.one_of(
    st.sampled_from(
        ["x=1", "y=1,2", "a=2", "x=[[1,2],[3]]", "x='abc'", "a=None", "x=1e400", "y=1j", "x={}", "x=", "=1"]
    ),
    st.sampled_from(["p=1", "sums=300", "--grid=3", "--threadgroup=2", "--shape=y=3", "--shape=x", "--math=fast"]),
    st.sampled_from(["-D", "A=1", "-q", "--const=a=1", "-o", "y=.npy", "--device=7", "--std=3.0", "a=@", "x=@."]),
    st.text(max_size=8),
    st.builds("{}={}".format, st.sampled_from("xya"), st.text(max_size=12)),
)


@settings(max_examples=100)
@given(kernel=st.sampled_from(["saxpy", "both", "waves", "enlarge"]), words=st.lists(_WORDS, max_size=5))
def test_any_words_are_understood_or_refused(kernel, words):
    words = [word.replace("\0", "") for word in words]  # which no shell can pass on
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            code = main(["run", str(_SOURCE), kernel, *words])
        except SystemExit as end:  # argparse's
            code = end.code
    assert code in (0, 1, 2)
    assert code == 0 or said.getvalue()


def test_files_that_are_not_what_they_are_called(run, tmp_path):
    np.savez(tmp_path / "two.npz", a=[1], b=[2])
    (tmp_path / "two.npz").rename(tmp_path / "two.npy")
    assert "two.npy holds several arrays" in run("saxpy", "x=two.npy", "y=1", "a=1", code=2)
    (tmp_path / "cut.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr'")
    assert "cut.npy cannot be read" in run("saxpy", "x=cut.npy", "y=1", "a=1", code=2)
    Image.new("RGB", (50, 50)).save(tmp_path / "cut.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "cut.png").read_bytes()[:60])
    assert "cut.png cannot be read" in run("invert", "source=cut.png", code=2)


def test_function_constants_that_are_needed(run):
    source = "constant int n [[function_constant(0)]];\nkernel void put(device int* x) { x[0] = n; }"
    assert "put needs values for its function constants: add --const n=VALUE" in run(
        "put", "x=0", source=source, code=2
    )
    assert run("put", "x=0", "--const", "n=8") == "x = [8]\n"
    assert "'eight' is no number" in run("put", "x=0", "--const", "n=eight", code=2)


def test_no_file_and_unknown_option(command):
    done = command("run", "none.metal", "k")
    assert (done.returncode, done.stderr) == (2, "mtlpy-nb run: there is no file none.metal\n")
    done = command("run", "none.metal", "--bogus")
    assert done.returncode == 2
    assert "unrecognized arguments: --bogus" in done.stderr


_MISSPELT = "kernel void put(device int* value)\n{\n    valve[0] = 1;\n}\n"


def test_compile_errors_show_the_line_and_a_caret(run):
    assert run("put", source=_MISSPELT, code=1) == (
        "filters.metal, line 3, column 5: error: use of undeclared identifier 'valve'; did you mean 'value'?\n"
        "    3 |     valve[0] = 1;\n"
        "      |     ^~~~~\n"
        "      |     value\n"
        "filters.metal, line 1, column 29: note: 'value' declared here\n"
        "    1 | kernel void put(device int* value)\n"
        "      |                             ^\n"
        "\n"
        "filters.metal does not compile: 1 error\n"
    )


def test_warnings_are_shown_and_can_be_silenced(run, command):
    source = "kernel void put(device int* x) { int unused; x[0] = 1.5f; }"
    run(source=source)
    shown = command("run", "filters.metal", "put", "x=0")
    assert shown.returncode == 0
    assert "warning:" in shown.stderr
    assert shown.stdout == "x = [1]\n"
    assert command("run", "filters.metal", "put", "x=0", "--quiet").stderr == ""


def test_kernel_that_fails_while_it_runs(run):
    source = "kernel void wild(device int* x) { device int* far = x + (1ul << 44); *far = 1; }"
    assert "wild" in run("wild", "x=0", source=source, code=1)


def test_errors_are_coloured_in_a_terminal(tmp_path):
    (tmp_path / "bad.metal").write_text(_MISSPELT)

    def in_terminal(**environment) -> str:
        ours, theirs = pty.openpty()
        clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        process = subprocess.Popen(
            [sys.executable, "-m", "mtlpy_nb", "run", "bad.metal", "put"],
            cwd=tmp_path,
            env={**clean, "TERM": "xterm", **environment},
            stderr=theirs,
            stdout=theirs,
            stdin=subprocess.DEVNULL,
        )
        os.close(theirs)
        said = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                said += os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
        assert process.wait(timeout=120) == 1
        os.close(ours)
        return said.decode()

    coloured = in_terminal()
    assert f"{ANSI['error']}error: \x1b[0m" in coloured
    assert "\x1b[" not in in_terminal(NO_COLOR="1")


@pytest.mark.alone
def test_ctrl_c_ends_an_endless_kernel(tmp_path):
    (tmp_path / "endless.metal").write_text(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "kernel void spin(device atomic_int* x) { while (atomic_load_explicit(x, memory_order_relaxed) == 0); }\n"
    )
    (tmp_path / "ready.py").write_text(
        "import sys, mtlpy_nb.kernel as k\n"
        "call = k.Kernel.__call__\n"
        "k.Kernel.__call__ = lambda *a, **b: (print('running', flush=True), call(*a, **b))[1]\n"
        "from mtlpy_nb.__main__ import main\n"
        "sys.exit(main(['run', 'endless.metal', 'spin', 'x=0']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "ready.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    time.sleep(0.5)  # the kernel is on its way; nothing tells from outside that it spins
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith("interrupted\n")

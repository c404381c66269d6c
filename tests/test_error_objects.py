# SPDX-License-Identifier: MIT
"""Errors outside of notebooks: scripts, logs, pickles, other processes."""

from __future__ import annotations

import copy
import logging
import pickle
import subprocess
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.profile import Profile

BROKEN = "kernel void f(device float* x)\n{\n    x[0] = colour;\n}\n"
TWICE = "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
LOG = "program_source:3:12: error: use of undeclared identifier 'colour'\n    x[0] = colour;\n           ^~~~~~"


def caught(action) -> mtlpy_nb.MetalError:
    with pytest.raises(mtlpy_nb.MetalError) as info:
        action()
    return info.value


@pytest.fixture
def errors(device):
    """One of each kind, as a person meets them."""
    library = device.library(TWICE)
    made = [
        caught(lambda: device.library(BROKEN)),
        caught(lambda: library["twice"]()),
        caught(lambda: library["twice"](np.zeros(4, np.float32), grid=0)),
        caught(lambda: library["twise"]),
        caught(lambda: device.empty(0, np.float32)),
        caught(lambda: device.compile(TWICE, "nothing")),
        caught(lambda: device.buffer(np.zeros(3, np.float32))[5]),
        caught(lambda: Profile()["nothing"]),
    ]
    assert len({type(error) for error in made}) == len(made)
    return made


def test_str_is_the_compilers_text(device):
    error = caught(lambda: device.library(BROKEN))
    assert str(error).rstrip() == f"Shader compilation failed: {LOG}"
    assert (error.log.rstrip(), error.source) == (LOG, BROKEN)
    assert repr(error).startswith('CompileError("Shader compilation failed: program_source:3:12: error: use of')


def test_pickled_errors_are_the_same(errors):
    for error in errors:
        for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert type(other) is type(error)
            assert (str(other), other.log, other.advice) == (str(error), error.log, error.advice)
    again = pickle.loads(pickle.dumps(errors[0]))
    assert again.source == BROKEN
    assert again.diagnostics == errors[0].diagnostics
    assert again._repr_html_() == errors[0]._repr_html_()


def fail_to_compile(source: str) -> None:
    mtlpy_nb.Device(cache_path=False).library(source)


def test_errors_come_back_from_other_processes():
    import multiprocessing

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        error = pool.submit(fail_to_compile, BROKEN).exception(timeout=60)
    assert isinstance(error, mtlpy_nb.CompileError)
    assert [d.line for d in error.diagnostics] == [3]


def test_a_scripts_tracebacks_end_with_the_messages(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import traceback, mtlpy_nb\n"
        "device = mtlpy_nb.default_device()\n"
        f"try:\n    device.library({BROKEN!r})\nexcept mtlpy_nb.CompileError:\n    traceback.print_exc()\n"
        f"device.library({TWICE!r})['twice']([1, 2])\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    _, compiling, calling = done.stderr.split("Traceback (most recent call last):\n")
    assert compiling.rstrip().endswith(f"mtlpy_nb.errors.CompileError: Shader compilation failed: {LOG}")
    assert calling.rstrip().endswith(
        "mtlpy_nb.errors.ArgumentError: twice: x is device float*, got a list\n\n"
        "    twice(\n"
        "-->     device float* x\n"
        "    )\n\n"
        "    pass np.array(x, np.float32)"
    )
    assert "\x1b[" not in done.stderr


def test_logging_has_the_whole_message(device, caplog):
    try:
        device.library(BROKEN)
    except mtlpy_nb.CompileError:
        logging.getLogger("test").exception("it failed")
    assert LOG in caplog.text


def test_traceback_module_formats_them(errors):
    for error in errors:
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        assert str(error).splitlines()[0] in text


def test_html_of_any_error_has_its_message(errors):
    for error in errors[1:]:
        html = error._repr_html_()
        assert html.startswith("<pre")
        assert type(error).__name__ in html
        assert "mtlpy_nb." not in html


def test_html_escapes_what_a_person_gave(device):
    error = caught(lambda: device.library(TWICE)["<script>"])
    assert "<script>" not in error._repr_html_()
    assert "&lt;script&gt;" in error._repr_html_()


def test_advice_is_at_hand_for_programs(device):
    error = caught(lambda: device.library(TWICE)["twice"]([1, 2]))
    assert error.advice == "pass np.array(x, np.float32)"
    assert str(error).endswith(error.advice)


@pytest.mark.parametrize("background", ["#ffffff", "#111111"])
def test_colours_can_be_read_on_light_and_dark(background):
    from mtlpy_nb.notebook.spans import HTML_COLOURS

    for name, colour in HTML_COLOURS.items():
        light, dark = sorted((luminance(colour), luminance(background)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4, name


def luminance(colour: str) -> float:
    """WCAG's relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

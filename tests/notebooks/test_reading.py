# SPDX-License-Identifier: MIT
"""The notebooks as something to read: how each is built, and what is stored in it."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

import nbformat
import pytest

_FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
_NOTEBOOKS = sorted(_FOLDER.glob("[0-9]*.ipynb"))
_LARGEST = 5_000_000  # bytes; they go into the wheel


@pytest.fixture(params=_NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def _text(cell) -> str:
    """What a cell shows as text."""
    outputs = cell.get("outputs", [])
    return "\n".join(
        str(o.get("text") or o.get("data", {}).get("text/plain") or "\n".join(o.get("traceback", []))) for o in outputs
    )


def test_begins_with_what_it_teaches(notebook):
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert re.search(r"learn|shows how", first.source)
    assert first.source.count("\n- ") >= 3
    assert re.search(r"minutes|quarter of an hour", first.source)


def test_shows_one_mistake_and_its_message(notebook):
    (mistake,) = [cell for cell in notebook.cells if "raises-exception" in cell.metadata.get("tags", [])]
    (shown,) = mistake.outputs
    assert shown.output_type == "error"
    assert shown.ename in ("CompileError", "ArgumentError", "ValidationError")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(shown.traceback))
    assert "^" in plain or "-->" in plain
    assert "site-packages" not in plain
    assert "mtlpy_nb/" not in plain


def test_ends_with_things_to_try(notebook):
    last = notebook.cells[-1]
    assert last.cell_type == "markdown"
    assert last.source.startswith("## Things to try\n")
    assert last.source.count("\n- ") >= 4


def test_is_stored_as_executed_from_top_to_bottom(notebook):
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_shows_nothing_that_differs_between_machines(notebook):
    """Except what a cell is about: times, which nbval is told not to compare."""
    for cell in notebook.cells:
        if "nbval-ignore-output" in cell.metadata.get("tags", []):
            continue
        text = _text(cell)
        assert "software device" not in text
        assert not re.search(r"\b0x[0-9a-f]{6,}|\b[0-9.]+ (ms|us|µs|GB/s)\b", text)


def test_lines_fit_a_screen(notebook):
    for cell in notebook.cells:
        for line in cell.source.splitlines():
            assert len(line) <= 120 or line.startswith("|")


def test_is_small_enough_for_the_wheel():
    assert sum(path.stat().st_size for path in _NOTEBOOKS) < _LARGEST


def test_files_are_as_jupyter_writes_them():
    for path in _NOTEBOOKS:
        notebook = json.loads(path.read_text())
        nbformat.validate(notebook)
        assert "execution" not in str([cell["metadata"] for cell in notebook["cells"]])


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("on mtlpy software device (AMD EPYC 9R14, 2 threads)", "on Apple M2 Pro"),
        ("76.2 µs on the device, 10.3 GB/s", "3 ms on the device, 211 GB/s"),
        (
            "Shader compilation failed: program_source:6:12: error: write() needs a texture\n  result.write(p);",
            "Shader compilation failed: program_source:6:12: error: no member named 'write'",
        ),
        (
            "saxpy: x holds float (float32), got elements of dtype float64\n\n    saxpy(\n    constant float& a)",
            "saxpy: x holds float (float32), got elements of dtype float64\n\n    saxpy(\n    device const float* a)",
        ),
        ('<img src="data:image/png;base64,iVBORw0KGgo=">', '<img src="data:image/png;base64,AAAABBBB">'),
        (
            '<div class="metal-capture-0123456789ab"><p>2026-11-30 05:55:58, program python',
            '<div class="metal-capture-ba9876543210"><p>2027-01-02 15:05:08, program python3.12',
        ),
    ],
)
def test_what_differs_between_machines_is_not_compared(here, there):
    """As nbval reads the file: each section's pattern in turn."""
    rules = configparser.RawConfigParser()
    rules.read(_FOLDER / "sanitize.cfg")

    def sanitized(text: str) -> str:
        for section in rules.sections():
            text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
        return text

    assert here != there
    assert sanitized(here) == sanitized(there)
    assert sanitized("[ 0.  1.  4.  9. 16.]") == "[ 0.  1.  4.  9. 16.]"

# SPDX-License-Identifier: MIT
"""The benchmarks: their kernels are right, a wrong result is not timed, and the report says what was measured."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

_FOLDER = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(_FOLDER))

from side_by_side import chart, compiling, elementwise, groups, images, native, table  # noqa: E402
from side_by_side.contest import OURS, POCL, Contest  # noqa: E402
from side_by_side.machines import Machines  # noqa: E402

_CASES = [*elementwise.CASES, *images.CASES, *groups.CASES]


@pytest.fixture(scope="module")
def machines() -> Machines:
    return Machines()


@pytest.mark.parametrize("case", [case for case in _CASES if case.sizes[0] <= 1 << 18], ids=lambda case: case.name)
def test_contestants_agree(machines: Machines, case) -> None:
    contest = case.make(machines, case.sizes[0])
    contest.check()
    assert OURS in contest.runs


def test_what_differs_is_not_timed() -> None:
    contest = Contest({"a": lambda: None, "b": lambda: None}, {"a": lambda: np.ones(3), "b": lambda: np.zeros(3)})
    with pytest.raises(AssertionError, match="b and a differ"):
        contest.check()


def test_the_sums_of_a_softmax_are_one(machines: Machines) -> None:
    """Both contestants could share a mistake: this one is known."""
    case = next(case for case in groups.CASES if case.name == "softmax of rows")
    contest = case.make(machines, 4096)
    contest.check()
    np.testing.assert_allclose(contest.results[OURS]().sum(axis=1), 1, rtol=1e-5)


def test_demosaicing_a_plain_colour_gives_it_back(machines: Machines) -> None:
    library = machines.library("images")
    raw = np.empty((8, 12), np.uint8)
    raw[0::2, 0::2], raw[1::2, 1::2] = 200, 40
    raw[0::2, 1::2] = raw[1::2, 0::2] = 90
    green, bgr = np.empty_like(raw), np.empty((8, 12, 3), np.uint8)
    library["demosaic_green"](raw, green, grid=(12, 8))
    library["demosaic_colours"](raw, green, bgr, grid=(12, 8))
    assert (bgr == (40, 90, 200)).all()


def test_the_limits_copy_and_count() -> None:
    source, to = np.arange(100_001, dtype=np.uint8), np.zeros(100_001, np.uint8)
    native.copy(to, source, 3)
    assert (to == source).all()
    out = np.empty((6, 40), np.uint32)
    native.mandelbrot(out, 50)
    x = np.arange(40, dtype=np.float32) / 40 * 3 - 2
    y = np.arange(6, dtype=np.float32) / 6 * 2 - 1
    c, z, n = x[None, :] + 1j * y[:, None], np.zeros((6, 40), complex), np.zeros((6, 40), int)
    for _ in range(50):
        inside = np.abs(z) < 2
        z = np.where(inside, z * z + c, z)
        n += inside
    assert np.mean(out == n) > 0.97  # single precision at the border


_RECORDS = [
    {
        "case": "a",
        "size": 1024,
        "unit": "elements",
        "barriers": True,
        "seconds": {OURS: 1e-5, "NumPy": 5e-6, POCL: 4e-5},
        "limit": 0.5,
        "limited_by": "copying",
    },
    {
        "case": "b & c",
        "size": 1 << 20,
        "unit": "pixels",
        "barriers": False,
        "seconds": {OURS: 4e-3, POCL: 2e-3},
        "limit": 0.0,
        "limited_by": "",
    },
]


def test_the_table_gives_ratios() -> None:
    lines = table.rows(_RECORDS)
    assert lines[0] == ["kernel", "size", OURS, "PoCL / ours", "NumPy / ours", "of the limit"]
    assert lines[1] == ["a", "1 K elements", "10 us", "4.00", "0.50", "50 % of copying"]
    assert lines[2] == ["b & c", "1 M pixels", "4 ms", "0.50", "", ""]
    summary = table.against_pocl(_RECORDS)
    for words in ("geometric mean 1.41", "with barriers 4.00", "least 0.50 (b & c)", "slower at: b & c (1 M)"):
        assert words in summary


def test_an_earlier_run_on_another_machine_is_scaled_by_pocl() -> None:
    slower = [{**r, "seconds": {k: 2 * v for k, v in r["seconds"].items()}} for r in _RECORDS]
    text = table.compared(_RECORDS, slower)
    assert text.splitlines()[1].split()[-1] == text.splitlines()[2].split()[-1] == "1.00"


def test_compiling_is_measured_by_phase() -> None:
    """Each phase's stages are in what the compiler writes, and each contestant compiles and runs its kernels."""
    times, phases = compiling.first_results({"elementwise": "elementwise"})
    assert times["elementwise"][OURS] > 0
    assert all(phases["elementwise"].values())
    parts = compiling.compiled_alone(compiling.barriers(4), turns=1)
    assert set(parts) == set(phases["elementwise"])
    assert all(parts.values())


def test_the_chart_is_a_picture() -> None:
    root = ET.fromstring(chart.svg(_RECORDS))
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"b & c", "4", "0.5"} <= set(words)


def test_the_command(tmp_path: Path) -> None:
    made = tmp_path / "figures.json"
    done = subprocess.run(
        [
            sys.executable,
            str(_FOLDER / "run.py"),
            "--only=histogram",
            "--most=16384",
            "--seconds=0.001",
            f"--json={made}",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    record = json.loads(made.read_text())["kernels"][0]
    assert record["case"] == "histogram"
    assert set(record["seconds"]) >= {OURS, "NumPy"}
    assert "histogram  16 K elements" in done.stdout

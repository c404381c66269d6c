# SPDX-License-Identifier: MIT
"""The short benchmark: its figures belong together, and a wrong kernel is not timed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.commands import bench


def test_figures_for_a_program(command):
    done = command("bench", "--seconds", "0.05", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["device"] == mtlpy_nb.default_device().name
    assert report["machine"]["numpy"] == np.__version__
    assert all(seconds > 0 for seconds in report["calls"].values())
    assert len(report["kernels"]) == 2
    for row in report["kernels"].values():
        assert row["ratio"] == pytest.approx(row["numpy_seconds"] / row["seconds"])
    saxpy = report["kernels"]["saxpy, 4 M floats"]
    assert saxpy["gb_per_second"] == pytest.approx(3 * 4 * (1 << 22) / saxpy["seconds"] / 1e9)


def test_table_for_a_person(command):
    done = command("bench", "--seconds", "0.05")
    assert done.returncode == 0
    assert mtlpy_nb.default_device().name in done.stdout
    for words in ("one, and wait for it", "saxpy, 4 M floats", "edges of a picture, 1024 x 1024", "ratio", "GB/s"):
        assert words in done.stdout


@pytest.mark.parametrize(("good", "wrong"), [("y[i] = a * x[i]", "y[i] = x[i]"), ("s[1 - w] + 2", "s[1 - w] + 3")])
def test_a_wrong_result_ends_it(monkeypatch, capsys, good, wrong):
    from mtlpy_nb.__main__ import main

    assert good in bench._SOURCE
    monkeypatch.setattr(bench, "_SOURCE", bench._SOURCE.replace(good, wrong))
    assert main(["bench", "--seconds", "0.01"]) == 1
    said = capsys.readouterr()
    assert "gives other numbers than NumPy" in said.err
    assert said.out == ""


@pytest.mark.parametrize("seconds", ["0", "-1", "61"])
def test_seconds_must_make_sense(command, seconds):
    done = command("bench", f"--seconds={seconds}")
    assert done.returncode == 2
    assert "is not above 0 and at most 60" in done.stderr

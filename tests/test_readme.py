# SPDX-License-Identifier: MIT
"""The README: its cells, its mistake and its program do what it says; `.ci/walk` does the same with a wheel."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mtlpy_nb.__main__ import main

_ROOT = Path(__file__).resolve().parents[1]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")


def test_its_code_does_what_it_says(tmp_path):
    done = subprocess.run(
        [sys.executable, str(_ROOT / ".ci" / "readme.py"), str(tmp_path / "changed.png")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("README: ") == 4
    assert (tmp_path / "changed.png").stat().st_size > 10_000


def test_is_short():
    assert len(_README.splitlines()) < 120


def test_every_document_is_in_their_list():
    documents = {path.name for path in (_ROOT / "docs").glob("*.md")} - {"README.md", "index.md", "changelog.md"}
    text = (_ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[.*?\]\((.*?)\):", text, re.MULTILINE)
    assert sorted(listed) == sorted(documents)


def test_its_links_and_paths_exist():
    for target in re.findall(r"\]\(([^)# ]+)\)", _README):
        assert (_ROOT / target).exists(), target
    for name in re.findall(r"`((?:docs|notebooks|tests|benchmarks|metal-cpp|csrc|mtlpy_nb|\.ci)/[^` ]*)`", _README):
        assert (_ROOT / name).exists(), name


def test_its_commands_are_understood(capsys):
    words = set(re.findall(r"mtlpy-nb ([a-z]+)", _README))
    assert {"doctor", "tutorial", "run"} <= words
    for word in words:
        with pytest.raises(SystemExit) as end:
            main([word, "--help"])
        assert end.value.code == 0
        capsys.readouterr()

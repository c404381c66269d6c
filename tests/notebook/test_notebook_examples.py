# SPDX-License-Identifier: MIT
"""The examples of docs/notebook.md run, and show what it says."""

import re
from pathlib import Path

import pytest

import mtlpy_nb
from mtlpy_nb.notebook.commands import COMMANDS
from mtlpy_nb.notebook.magics import MetalMagics

from .shown import plain

DOCUMENT = (Path(__file__).parents[2] / "docs" / "notebook.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(python|cpp|text)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
# What differs from machine to machine.
PRIVATE = [
    (re.compile(r"software device \(.*\)"), "software device (A PROCESSOR)"),
    (re.compile(r"[\d.]+ MB in \S+"), "SIZE in FOLDER"),
]


def sanitised(text: str) -> str:
    for pattern, name in PRIVATE:
        text = pattern.sub(name, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="it names the software device")
def test_examples(notebook, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook.run("%unload_ext mtlpy_nb")
    threads, cache = mtlpy_nb._native.thread_count(), mtlpy_nb._native.cache_path()
    mtlpy_nb._native.set_cache_path(str(tmp_path / "cache"))  # it is emptied
    try:
        for i, (kind, text) in enumerate(BLOCKS):
            if kind == "text":
                continue
            expected = BLOCKS[i + 1][1] if i + 1 < len(BLOCKS) and BLOCKS[i + 1][0] == "text" else ""
            shown = re.sub(r"^Out\[\d+\]: ", "", plain(notebook.see(text)).strip(), flags=re.MULTILINE)
            assert sanitised(shown) == sanitised(expected), text
    finally:
        mtlpy_nb._native.set_thread_count(threads)
        mtlpy_nb._native.set_cache_path(cache)


def test_every_option_and_command_is_there():
    cells = "\n".join(text for kind, text in BLOCKS if kind != "text")
    for action in MetalMagics.metal_cell.parser._actions:
        for name in action.option_strings[:1]:
            assert re.search(rf"^%%metal.* {name}\b", cells, re.MULTILINE), f"{name} has an example"
        assert all(f"`{name}" in DOCUMENT or f" {name}" in DOCUMENT for name in action.option_strings)
    for command in COMMANDS:
        assert f"%metal {command}" in cells

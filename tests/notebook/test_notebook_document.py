# SPDX-License-Identifier: MIT
"""docs/notebook.md lists every option and word that there is, and none that there is not."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from mtlpy_nb.__main__ import make_parser
from mtlpy_nb.notebook.commands import COMMANDS
from mtlpy_nb.notebook.magics import MetalMagics

_TEXT = (Path(__file__).resolve().parents[2] / "docs" / "notebook.md").read_text(encoding="utf-8")
_CODE = " ".join(re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", _TEXT, flags=re.MULTILINE | re.DOTALL)))
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")


def _options(parser: argparse.ArgumentParser) -> set[str]:
    return {name for action in parser._actions for name in action.option_strings} - {"-h", "--help"}


def _commands() -> dict[str, argparse.ArgumentParser]:
    (words,) = [action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(words.choices)


def _section(title: str) -> str:
    return _TEXT.split(f"\n## `{title}`\n")[1].split("\n## ")[0]


def test_every_option_of_the_cell_magic_has_a_row():
    known = _options(MetalMagics.metal_cell.parser)
    told = set(_OPTION.findall(" ".join(re.findall(r"^\| (.*?) \|", _section("%%metal"), re.MULTILINE))))
    assert told == known


def test_every_word_of_the_line_magic_has_a_row(notebook):
    told = set(re.findall(r"`%metal (\w+)", _section("%metal")))
    assert told == {"devices", "use", "info", "explain", "cache", "threads"}
    refused = notebook.see("%metal nonsense")
    for word in told:
        assert word in refused


@pytest.mark.parametrize("name", list(_commands()))
def test_every_command_and_long_option_is_told(name):
    section = _section("mtlpy-nb")
    assert f"`mtlpy-nb {name} " in section or f"`mtlpy-nb {name}`" in section
    for option in _options(_commands()[name]):
        if option.startswith("--"):
            assert option in section


def test_no_command_is_told_that_there_is_not():
    words = set(re.findall(r"mtlpy-nb (?!mtlpy-nb)([a-z]+(?:-[a-z]+)*)", _CODE))
    assert words == set(_commands())
    options = set().union(*map(_options, _commands().values())) | {"--help"}
    options |= _options(MetalMagics.metal_cell.parser) | {"--repeat"}
    assert set(_OPTION.findall(_CODE)) - options == set()


def test_every_option_has_an_example():
    cells = "\n".join(re.findall(r"^```(?:python|cpp)\n(.*?)^```$", _TEXT, re.MULTILINE | re.DOTALL))
    for action in MetalMagics.metal_cell.parser._actions:
        for name in action.option_strings[:1]:
            assert re.search(rf"^%%metal.* {name}\b", cells, re.MULTILINE), f"{name} has an example"
    for command in COMMANDS:
        assert f"%metal {command}" in cells

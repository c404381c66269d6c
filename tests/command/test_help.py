# SPDX-License-Identifier: MIT
"""The command's own help, and what it does with words that it doesn't know."""

from __future__ import annotations

import re

import pytest

from mtlpy_nb.__main__ import main

_WORDS = ("tutorial", "run", "bench", "doctor", "notebook", "cmake-dir")


def test_lists_the_commands(command):
    done = command("--help")
    assert done.returncode == 0
    for word in _WORDS:
        assert re.search(rf"^    {word}\s", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("word", _WORDS)
def test_help_has_an_example(capsys, word):
    with pytest.raises(SystemExit) as end:
        main([word, "--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert "example" in said
    assert f"\n  mtlpy-nb {word}" in said.partition("example")[2]


def test_version_and_unknown_words(command):
    import mtlpy_nb

    assert command("--version").stdout == f"mtlpy_nb {mtlpy_nb.__version__}\n"
    for arguments in ([], ["fly"], ["doctor", "--bogus"], ["doctor", "x=1"]):
        done = command(*arguments)
        assert done.returncode == 2
        assert "usage: mtlpy-nb" in done.stderr

# SPDX-License-Identifier: MIT
"""The mistakes that learners make most in Metal, whole as a cell shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtlpy_nb import CompileError

from .shown import Expected, from_ansi, from_html, trimmed

MISTAKES = Expected(Path(__file__).with_name("mistakes_shown.txt"))


@pytest.mark.parametrize("name", MISTAKES.cells)
def test_mistake(notebook, name):
    cell = f"%%metal\n{MISTAKES.cells[name]}"
    shown = from_ansi(notebook.see(cell))
    MISTAKES.check(name, shown)
    with pytest.raises(CompileError) as caught:
        notebook.run(cell)
    assert trimmed(from_html(caught.value._repr_html_())) == trimmed(shown)


def test_there_are_the_twenty_and_more():
    assert len(MISTAKES.cells) >= 20

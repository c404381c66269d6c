# SPDX-License-Identifier: MIT
"""The examples of docs/timing.md run and show what it says, numbers aside."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

from mtlpy_nb import Timing
from mtlpy_nb.timing import Samples

from .shown import plain

ROOT = Path(__file__).parents[2]
BLOCKS = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sanitised(text: str) -> str:
    """Take out what nbval takes out, in the same way; and blanks that the width of numbers decides."""
    rules = configparser.RawConfigParser()
    rules.read(ROOT / "notebooks" / "sanitize.cfg", encoding="utf-8")
    for section in rules.sections():
        text = re.sub(rules.get(section, "regex"), rules.get(section, "replace"), text)
    return re.sub(r"\b\d[\d.]* (?:MB|kB)", "SIZE", text).strip()


def test_examples(notebook):
    blocks = BLOCKS.findall((ROOT / "docs" / "timing.md").read_text(encoding="utf-8"))
    assert len(blocks) >= 12
    for i, (kind, text) in enumerate(blocks):
        if kind == "text":
            continue
        shown = re.sub(r"^Out\[\d+\]: ", "", plain(notebook.see(text)).strip(), flags=re.MULTILINE)
        assert "Error" not in shown
        if i + 1 < len(blocks) and blocks[i + 1][0] == "text":
            assert sanitised(shown) == sanitised(blocks[i + 1][1])


def test_nbval_sees_no_numbers_of_a_timing():
    def timing(times: tuple[float, ...], nbytes: int) -> str:
        made = Timing("blur", Samples(times), Samples(times), (times[0],), 0.5, (), nbytes, "as given", 1e6)
        return f"{made!r}\n{made}"

    fast, slow = timing((1.1e-6, 2e-6, 5e-7), 10), timing((1.5, 2.25, 3.0, 1e-3), 10)
    assert fast != slow
    assert sanitised(fast) == sanitised(slow)

# SPDX-License-Identifier: MIT
"""Programs as people write them for mtlpy run with nothing but the import changed."""

import re
import runpy
from pathlib import Path

import pytest

PROGRAMS = sorted(Path(__file__).with_name("examples").glob("*.py"))


def test_there_are_programs():
    assert len(PROGRAMS) >= 10


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_program(program, tmp_path):
    text, count = re.subn(r"^import mtlpy$", "import mtlpy_nb as mtlpy", program.read_text(), flags=re.MULTILINE)
    assert count == 1
    text = re.sub(r"^from mtlpy\b", "from mtlpy_nb", text, flags=re.MULTILINE)
    changed = tmp_path / program.name
    changed.write_text(text)
    runpy.run_path(str(changed), run_name="__main__")

# SPDX-License-Identifier: MIT
"""What learners get wrong most, and the whole message that each gets: where it is, and how to mend it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import run_command

Run = Callable[..., subprocess.CompletedProcess[str]]

USUAL = "#include <metal_stdlib>\nusing namespace metal;\n"

# Names of the implementation, which say nothing to a person.
INNER = re.compile(r"__\w|_Float16|opencl|/__metal__/|metal_prelude|In file included")


def read_mistakes() -> dict[str, tuple[str, str]]:
    """Read name, source and message of each."""
    found = {}
    text = Path(__file__).with_name("learner_mistakes.txt").read_text()
    for block in text.split("\n=== ")[1:]:
        name, rest = block.split("\n", 1)
        source, message = rest.split("---\n", 1)
        found[name] = source.replace("<usual>\n", USUAL), message.rstrip("\n") + "\n"
    return found


MISTAKES = read_mistakes()


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(run: Run, compiler: str, tmp_path: Path, name: str) -> None:
    source, message = MISTAKES[name]
    # The order of candidates depends on what has been compiled before: there the command says it, which begins anew.
    result = run_command(compiler, tmp_path, source) if "note: candidate" in message else run(source)
    assert re.sub(r" +$", "", result.stderr, flags=re.MULTILINE) == message
    assert result.returncode == 1


def test_there_are_all_that_learners_make_most() -> None:
    assert len(MISTAKES) >= 40


def test_no_message_names_the_implementation() -> None:
    assert [name for name, (_, message) in MISTAKES.items() if INNER.search(message)] == []


def test_every_message_is_in_the_program() -> None:
    pattern = re.compile(r"^\S+:\d+:\d+: ", re.MULTILINE)
    places = [place for _, message in MISTAKES.values() for place in pattern.findall(message)]
    assert [where for where in places if not where.startswith("program_source:")] == []

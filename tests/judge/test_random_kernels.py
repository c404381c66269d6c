# SPDX-License-Identifier: MIT
"""Random kernels, compiled and by the reference, compared bit for bit. Those that once failed come first.

MTLPY_JUDGE_KERNELS: how many; MTLPY_HYPOTHESIS_PROFILE=long: new ones each time; MTLPY_JUDGE_KEEP=FOLDER: where to
write the smallest kernel that fails (from there it goes into corpus/).
"""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from pathlib import Path

import pytest

from . import batch, corpus
from . import syntax as s
from .choices import Replayed, Seeded, smallest
from .metal_text import metal_text
from .reference import Reference
from .runner import judge
from .scope import Features

FEATURES = Features()
KEEP = os.environ.get("MTLPY_JUDGE_KEEP")
KERNELS = int(os.environ.get("MTLPY_JUDGE_KERNELS", batch.USUAL))
PER_TEST = 80
IS_LONG = os.environ.get("MTLPY_HYPOTHESIS_PROFILE") == "long"


@pytest.mark.parametrize("name", corpus.names())
def test_kernel_that_once_failed(name):
    judge(*corpus.load(name))


@pytest.mark.parametrize("test", range(-(-KERNELS // PER_TEST)))
def test_compiled_kernels_compute_what_the_reference_says(test):
    start = secrets.randbits(40) if IS_LONG else test * PER_TEST
    failed: dict[int, Exception] = {}
    for first in range(start, start + PER_TEST, batch.PER_LIBRARY):
        failed |= batch.judge_seeds(range(first, min(first + batch.PER_LIBRARY, start + PER_TEST)), FEATURES)
        if failed:
            break
    if not failed:
        return
    seed, error = next(iter(failed.items()))
    small, again = batch.simplest(seed, FEATURES)
    if KEEP and again is not None:
        corpus.keep(small, f"seed_{seed}", Path(KEEP))
    error = again or error
    error.add_note(f"seed {seed}, launches: {small.launches}\n{metal_text(small.kernel)}")
    raise error


def test_search_for_a_smaller_kernel_ends_with_one():
    """Of kernels that have a loop in them, a single small one."""

    def has_loop(choices: list[int]) -> bool:
        return "for (" in metal_text(batch.program(Replayed(choices), FEATURES).kernel)

    seed = next(seed for seed in range(100) if has_loop((made := drawn(seed)).made) and len(made.made) > 300)
    few = smallest(drawn(seed).made, has_loop)
    assert has_loop(few)
    assert len(few) < 60


def drawn(seed: int) -> Seeded:
    choices = Seeded(seed)
    batch.program(choices, FEATURES)
    return choices


def test_wrong_kernel_is_caught():
    """A plus that became a minus in the compiled text must show."""
    id_ = s.Local(s.UINT, "id")
    out = s.Element(s.INT, "out", id_)
    body = (s.Assign(out, s.Binary(s.INT, "+", s.Convert(s.INT, id_), s.Literal(s.INT, 1))),)
    attributes = (s.Attribute("thread_position_in_grid", "id", s.UINT),)
    kernel = s.Kernel("judged", attributes, (s.Buffer("out", s.INT, "out", None, 1),), (), body)
    program = s.Program(kernel, (s.Launch((5, 1, 1), (2, 1, 1)),))
    judge(program)
    with pytest.raises(AssertionError, match=r"out\[0\]: got -1, expected 1"):
        judge(program, metal_text(kernel).replace("+", "-"))


def test_reference_of_another_kernel_is_caught():
    """Changing one literal of the kept syntax, and not the text, must show as well."""
    id_ = s.Local(s.UINT, "id")
    store = s.Assign(s.Element(s.UINT, "out", id_), s.Binary(s.UINT, "^", id_, s.Literal(s.UINT, 5)))
    attributes = (s.Attribute("thread_position_in_grid", "id", s.UINT),)
    kernel = s.Kernel("judged", attributes, (s.Buffer("out", s.UINT, "out", None, 1),), (), (store,))
    other = replace(kernel, body=(replace(store, value=replace(store.value, right=s.Literal(s.UINT, 4))),))
    assert Reference(kernel).source != Reference(other).source
    with pytest.raises(AssertionError, match="expected 4"):
        judge(s.Program(other), metal_text(kernel))

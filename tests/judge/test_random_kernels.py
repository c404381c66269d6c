# SPDX-License-Identifier: MIT
"""Random kernels, compiled and by the reference, compared bit for bit. Those that once failed come first.

MTLPY_JUDGE_EXAMPLES: how many; MTLPY_HYPOTHESIS_PROFILE=long: new ones each time; MTLPY_JUDGE_KEEP=FOLDER: where to
write the smallest kernel that fails (from there it goes into corpus/); MTLPY_JUDGE_SIMD=1: with SIMD-group functions.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import corpus
from . import syntax as s
from .kernels import programs
from .metal_text import metal_text
from .reference import Reference
from .runner import judge
from .scope import Features

FEATURES = Features(simd=os.environ.get("MTLPY_JUDGE_SIMD") == "1")
KEEP = os.environ.get("MTLPY_JUDGE_KEEP")


@pytest.mark.parametrize("name", corpus.names())
def test_kernel_that_once_failed(name):
    judge(*corpus.load(name))


class Sample:
    """A program that Hypothesis shows in a line; the failure shows its text."""

    def __init__(self, program: s.Program) -> None:
        self.program = program

    def __repr__(self) -> str:
        return f"<the kernel below, {len(self.program.kernel.body)} statements>"


@st.composite
def samples(draw):
    return Sample(draw(programs(FEATURES)))


@given(samples())
def test_compiled_kernel_computes_what_the_reference_says(sample):
    try:
        judge(sample.program)
    except Exception as error:
        if KEEP:
            # Shrinking ends with the smallest, so that is what stays.
            corpus.keep(sample.program, "smallest", Path(KEEP))
        error.add_note(f"launches: {sample.program.launches}\n{metal_text(sample.program.kernel)}")
        raise


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

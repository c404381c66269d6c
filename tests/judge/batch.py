# SPDX-License-Identifier: MIT
"""Many random kernels at little cost: some make a library together, and nothing is drawn through Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence

from . import syntax as s
from .choices import Choices, Replayed, Seeded, smallest
from .kernels import Kernels
from .metal_text import metal_text
from .runner import compare, device
from .scope import Features

PER_LIBRARY = 8
# Seeds from 0 that every run judges; test_generator.py says that each construct is among them.
USUAL = 640


def program(choices: Choices, features: Features, number: int = 0) -> s.Program:
    """The kernel `judged` and a number, with names that no other number's kernel has."""
    return Kernels(choices, features, number).program()


def judge_seeds(seeds: Sequence[int], features: Features) -> dict[int, Exception]:
    """The failures, by seed."""
    programs = [program(Seeded(seed), features, number) for number, seed in enumerate(seeds, 1)]
    failed: dict[int, Exception] = {}
    try:
        library = device().library(metal_text(*(p.kernel for p in programs)))
    except Exception as error:
        if len(seeds) == 1:
            return {seeds[0]: error}
        for seed in seeds:
            failed |= judge_seeds([seed], features)
        return failed or {seeds[0]: error}
    for seed, each in zip(seeds, programs, strict=True):
        try:
            compare(each, library[each.kernel.name])
        except Exception as error:
            failed[seed] = error
    return failed


def failure(each: s.Program) -> Exception | None:
    try:
        compare(each, device().library(metal_text(each.kernel))[each.kernel.name])
    except Exception as error:
        return error
    return None


def simplest(seed: int, features: Features) -> tuple[s.Program, Exception | None]:
    """The program of a seed that fails, made as small as it still fails in the same manner."""
    choices = Seeded(seed)
    first = failure(program(choices, features))
    if first is None:
        return program(Seeded(seed), features), None

    def fails(candidate: list[int]) -> bool:
        return isinstance(failure(program(Replayed(candidate), features)), type(first))

    small = program(Replayed(smallest(choices.made, fails)), features)
    return small, failure(small)

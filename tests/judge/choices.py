# SPDX-License-Identifier: MIT
"""Where the generator's choices come from: Hypothesis, a seed, or a list of choices made before, to be made smaller.

The simplest choice is 0, so a list with smaller numbers or fewer of them (0 stands for those that are missing) makes a
simpler kernel.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

from hypothesis import strategies as st


class Choices(Protocol):
    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        ...


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


class Drawn:
    """Hypothesis's."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        return self._draw(_below(count))


class Seeded:
    """Random ones, the same for the same seed; `made` lists them."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.made: list[int] = []

    def below(self, count: int) -> int:
        self.made.append(self._random.randrange(count))
        return self.made[-1]


class Replayed:
    """Those of a list; `used` of them."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = choices
        self.used = 0

    def below(self, count: int) -> int:
        choice = self._choices[self.used] if self.used < len(self._choices) else 0
        self.used += 1
        return min(choice, count - 1)


def smallest(choices: Sequence[int], fails: Callable[[list[int]], bool], tries: int = 400) -> list[int]:
    """A simpler list that still fails: without pieces of it, and with smaller numbers."""
    best = list(choices)

    def attempt(candidate: list[int]) -> bool:
        nonlocal best, tries
        if tries <= 0 or candidate == best:
            return False
        tries -= 1
        if fails(candidate):
            best = candidate
            return True
        return False

    length = max(1, len(best) // 2)
    while tries > 0:
        at, progress = 0, False
        while at < len(best) and tries > 0:
            piece = best[at : at + length]
            cut = best[:at] + best[at + length :]
            zeroed = best[:at] + [0] * len(piece) + best[at + length :]
            if attempt(cut) or (any(piece) and attempt(zeroed)):
                progress = True
            else:
                at += length
        if length == 1 and not progress:
            return best
        length = max(1, length // 2) if not progress or length > 1 else length
    return best

# SPDX-License-Identifier: MIT
"""What to do about an ``#include`` that nothing answers: only this package knows where texts come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ._advice import did_you_mean
from .errors import CompileError

__all__ = ["explained"]

_NOT_FOUND = re.compile(r"^(?P<place>[^:\n]+:\d+:\d+): fatal error: '(?P<name>[^'\n]+)' file not found$", re.MULTILINE)


@contextmanager
def explained(known: Iterable[str], where: str) -> Iterator[None]:
    """Add a note to an error of the block that says a file was not found.

    Parameters
    ----------
    known : iterable of str
        Names that could have been included.
    where : str
        How to make one that can be, with ``NAME`` for its name.
    """
    try:
        yield
    except CompileError as error:
        missing = _NOT_FOUND.search(error.log)
        if missing:
            name = missing["name"]
            guess = did_you_mean(name, known).removeprefix("; ")
            note = f"{missing['place']}: note: {guess or where.replace('NAME', name)}"
            error.log = f"{error.log.rstrip()}\n{note}\n"
            error.args = (f"{str(error).rstrip()}\n{note}",)
        raise

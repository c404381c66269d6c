# SPDX-License-Identifier: MIT
"""``--show`` and ``--const`` of ``%%metal``: what became of a cell, and whether its constants fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

from .. import _native as mtl
from ..errors import ValidationError
from ..kernel import Kernel
from ..library import Library
from .colours import for_shell, shows_colours
from .describe import sections, to_text

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["check_constants", "shown"]


def shown(library: Library, what: str, shell: InteractiveShell) -> str:
    """Give the text of ``--show``: ``"source"``, ``"reflection"``, ``"ir"`` or ``"asm"``, in colour where that is seen.

    Raises
    ------
    UsageError
        If there is no such text.
    """
    if what == "source":
        return for_shell(shell, library.source.rstrip(), "metal")
    if what == "reflection":
        parts = [sections(library[name], limits=True) for name in library.functions]
        return "\n\n".join(to_text(part, colour=shows_colours(shell)) for part in parts)
    kernels = [found for name in library.functions if isinstance(found := library[name], Kernel)]
    if not kernels:
        raise UsageError(f"%%metal --show {what} prints what kernels became, and this cell has none")
    get, language = (mtl.intermediate_text, "llvm") if what == "ir" else (mtl.assembly_text, "asm")
    return "\n".join(for_shell(shell, get(kernel._prepared().pipeline).rstrip(), language) for kernel in kernels)


def check_constants(library: Library, constants: Mapping[str, Any]) -> None:
    """Refuse a value that a function constant of that name cannot have, before it is needed.

    Raises
    ------
    UsageError
        If there is one.
    """
    for name in library.functions if constants else ():
        kernel = library[name]
        if not isinstance(kernel, Kernel):
            continue
        for constant in set(kernel._constant_names()) & set(constants):
            try:
                kernel._check_constant(constant, constants[constant])
            except ValidationError as error:
                problem = str(error).splitlines()[0].removeprefix(f"{name}: ")
                raise UsageError(f"%%metal --const: {problem}") from None

# SPDX-License-Identifier: MIT
"""``--show`` and ``--const`` of ``%%metal``: what became of a cell, and whether its constants fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

from .. import _native as mtl
from ..errors import MetalError
from ..kernel import Kernel
from ..library import Library
from .colours import printable, shows_colours
from .describe import sections, to_text
from .options import short

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
        return printable(shell, library.source.rstrip(), "metal")
    if what == "reflection":
        parts = [sections(library[name], limits=True) for name in library.functions]
        return "\n\n".join(to_text(part, colour=shows_colours(shell)) for part in parts)
    kernels = [found for name in library.functions if isinstance(found := library[name], Kernel)]
    if not kernels:
        raise UsageError(f"%%metal --show {what} prints what kernels became, and this cell has none")
    get, language = (mtl.intermediate_text, "llvm") if what == "ir" else (mtl.assembly_text, "asm")
    return "\n".join(printable(shell, get(kernel._prepared().pipeline).rstrip(), language) for kernel in kernels)


def check_constants(library: Library, constants: Mapping[str, Any]) -> None:
    """Refuse a value that a function constant of that name cannot have, before it is needed.

    Raises
    ------
    UsageError
        If there is one.
    """
    for name in library.functions if constants else ():
        kernel = library[name]
        declared = kernel._function.function_constants if isinstance(kernel, Kernel) and kernel._function else {}
        for constant in set(declared) & set(constants):
            try:
                kernel._code.native.new_function(name, {constant: constants[constant]})  # type: ignore[union-attr]
            except (MetalError, TypeError, ValueError, OverflowError):
                kind = mtl.data_type_name(declared[constant].type)
                value = short(str(constants[constant])).strip("'")
                raise UsageError(f"%%metal: --const {constant} is {value}, and the constant is a {kind}") from None

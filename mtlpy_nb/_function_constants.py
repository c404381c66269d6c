# SPDX-License-Identifier: MIT
"""Functions whose function constants get values before they are compiled: kernels, vertex and fragment functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from ._advice import did_you_mean, value_example
from ._types import value_type
from ._values import Mismatch, value_bytes
from .errors import ValidationError, advised

if TYPE_CHECKING:
    from .library import Code

__all__ = ["Specializable"]


class Specializable:
    """What a function does with its function constants.

    Attributes
    ----------
    constants : mapping of str to object
        The values given; some may be of other functions of the library.
    """

    name: str
    constants: Mapping[str, Any]
    _code: Code
    _function: mtl.Function | None

    def _merged(self, constants: Mapping[str, Any]) -> dict[str, Any]:
        """Check values, and put them to those given before.

        Raises
        ------
        ValidationError
            If there is no such constant, or the value is not of its type.
        """
        known = self._constant_names()
        for name, value in constants.items():
            if known and name not in known:
                hint = did_you_mean(name, known) or f"; it has {', '.join(known)}"
                raise ValidationError(f"{self.name} has no function constant {name!r}{hint}")
            if not known:
                raise ValidationError(f"{self.name} has no function constants, got {name!r}")
            self._check_constant(name, value)
        return {**self.constants, **constants}

    def _constant_names(self) -> list[str]:
        return list(self._function.function_constants) if self._function is not None else []

    def _check_constant(self, name: str, value: object) -> None:
        """Refuse a value that is not of the constant's type, or does not fit into it."""
        assert self._function is not None
        wanted = value_type(mtl.data_type_name(self._function.function_constants[name].type))
        if wanted is None:
            return
        try:
            value_bytes(value, wanted)
        except Mismatch as mismatch:
            text = f"{self.name}: the function constant {name} {mismatch.problem}"
            raise advised(ValidationError, text, mismatch.advice) from None

    def _missing_constants(self, names: list[str]) -> ValidationError:
        assert self._function is not None
        constants = self._function.function_constants
        types = {name: mtl.data_type_name(constants[name].type) for name in names}
        listed = ", ".join(f"{name} ({kind})" for name, kind in types.items())
        wanted = {name: value_type(kind) for name, kind in types.items()}
        values = ", ".join(f"{name}={value_example(kind.dtype if kind else None)}" for name, kind in wanted.items())
        noun = "a value for its function constant" if len(names) == 1 else "values for its function constants"
        return advised(ValidationError, f"{self.name} needs {noun} {listed}", f"use {self.name}.specialize({values})")

    def _specialized(self) -> mtl.Function:
        """Give Metal's function with its constants' values.

        Raises
        ------
        ValidationError
            If one that is needed has no value, or not one of its type.
        """
        missing = (
            [name for name, c in self._function.function_constants.items() if c.required and name not in self.constants]
            if self._function is not None
            else []
        )
        if missing:
            raise self._missing_constants(missing)
        known = self._constant_names()
        used: dict[str | int, object] = {name: value for name, value in self.constants.items() if name in known}
        for name, value in used.items():
            self._check_constant(str(name), value)
        function = self._code.native.new_function(self.name, used) if used else self._function
        if function is None:
            raise ValidationError(f"{self.name}: the library has no such function")
        return function

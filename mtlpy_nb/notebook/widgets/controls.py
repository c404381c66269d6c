# SPDX-License-Identifier: MIT
"""A slider, box or menu for a value that one wants to change by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, TypeGuard

import ipywidgets
import numpy as np

from ...arguments import Argument
from ...errors import ArgumentError

__all__ = ["control", "control_of_argument", "is_range", "line_up"]

_STYLE = {"description_width": "initial"}
_WIDEST_NAME = 20  # letters
_STEPS = 200  # of a slider of floats, from one end to the other
_WHOLE = (0, 100)
_PART = (0.0, 1.0)


def is_range(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Whether a value is a slider's: (least, most) or (least, most, step)."""
    return isinstance(value, tuple) and len(value) in (2, 3) and all(_is_number(part) for part in value)


def control(name: str, value: object) -> ipywidgets.Widget | None:
    """Make the control that `value` stands for; None if it is a plain value.

    A range gives a slider, of integers if all its numbers are, and so does a number; a list or dict a menu; True or
    False a box to tick; a widget is itself.
    """
    if isinstance(value, ipywidgets.ValueWidget):
        return None if isinstance(value, ipywidgets.fixed) else value
    if isinstance(value, (bool, np.bool_)):
        return ipywidgets.Checkbox(bool(value), description=name, indent=False)
    if isinstance(value, (list, dict)):
        if not value:
            raise ArgumentError(f"{name} is empty, must have at least one value to choose from")
        return ipywidgets.Dropdown(options=value, description=name, style=_STYLE)
    if is_range(value):
        return _slider(name, value, all(isinstance(part, Integral) for part in value))
    if _is_number(value):
        return _slider_from(name, value, isinstance(value, Integral))
    return None


def control_of_argument(argument: Argument, value: object = ...) -> ipywidgets.Widget | None:
    """Make the control of a kernel's scalar argument; None if `value` says that it has none.

    Without a value it goes over 0 to 1, over 0 to 100 if the type is a whole number's. A single number is where the
    slider begins, half way to its end.

    Raises
    ------
    ArgumentError
        If the range does not fit the argument's type.
    """
    scalar = argument.element.scalar
    assert scalar is not None
    name = argument.name
    is_whole = scalar.kind in "iu"
    if scalar.kind == "b":
        value = False if value is ... else value
        if isinstance(value, (bool, np.bool_)):
            return control(name, value)
    elif value is ...:
        return _slider(name, _WHOLE if is_whole else _PART, is_whole)
    if _is_number(value):
        return _slider_from(name, value, is_whole, _limits(argument, (value,)) if is_whole else None)
    if is_range(value):
        if is_whole:
            _check_whole(argument, value)
            _limits(argument, value[:2])
        return _slider(name, value, is_whole)
    return control(name, value)


def line_up(widgets: Iterable[ipywidgets.Widget]) -> None:
    """Let sliders and menus made here begin below each other, behind the longest of their names."""
    made = [w for w in widgets if getattr(w.style, "description_width", None) == _STYLE["description_width"]]
    width = max((len(widget.description) for widget in made), default=0) + 1
    if width <= _WIDEST_NAME:  # longer ones would leave too little of the sliders
        for widget in made:
            widget.style.description_width = f"{width}ch"


def _check_whole(argument: Argument, value: Any) -> None:
    for part in value:
        if not math.isfinite(part) or part != int(part):
            raise ArgumentError(f"{argument.name} is {part}, but {argument.declaration} takes whole numbers")


def _limits(argument: Argument, value: Any) -> tuple[int, int]:
    """Give the least and the greatest number of an argument's type, and refuse one beyond."""
    limits = np.iinfo(argument.element.scalar)
    for part in value:
        if part < limits.min or part > limits.max:
            raise ArgumentError(
                f"{argument.name} is {part}, but {argument.element.name} holds {limits.min} to {limits.max}"
            )
    return int(limits.min), int(limits.max)


def _slider(name: str, value: Any, is_whole: bool) -> ipywidgets.Widget:
    least, most = value[:2]
    if not (math.isfinite(least) and math.isfinite(most) and least < most):
        raise ArgumentError(f"{name} is {value}, must be (least, most) or (least, most, step), least below most")
    step = value[2] if len(value) == 3 else 1 if is_whole else (most - least) / _STEPS
    if not 0 < step < math.inf:
        raise ArgumentError(f"{name} has the step {step}, must be above 0")
    begin = min(least + round((most - least) / 2 / step) * step, most)  # the step that is nearest to the middle
    if is_whole:
        return ipywidgets.IntSlider(int(begin), int(least), int(most), int(step), description=name, style=_STYLE)
    value, low, high, stride = (float(number) for number in (begin, least, most, step))
    return ipywidgets.FloatSlider(
        value, min=low, max=high, step=stride, description=name, style=_STYLE, readout_format=".4g"
    )


def _slider_from(name: str, value: Any, is_whole: bool, limits: tuple[int, int] | None = None) -> ipywidgets.Widget:
    if not math.isfinite(value) or (is_whole and value != int(value)):
        raise ArgumentError(f"{name} is {value}, must be a {'whole' if is_whole else 'finite'} number")
    value = int(value) if is_whole else float(value)
    least, most = sorted((0, 2 * value)) if value else (_WHOLE if is_whole else _PART)
    if limits is not None:
        least, most = max(least, limits[0]), min(most, limits[1])
    slider = _slider(name, (least, most), is_whole)
    with slider.hold_trait_notifications():
        slider.value = value
    return slider


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))

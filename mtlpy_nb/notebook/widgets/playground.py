# SPDX-License-Identifier: MIT
"""``explore``: a control for each number that a kernel takes, its result beside them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import ipywidgets
import numpy as np

from ..._arrays import as_array
from ...buffer import Buffer
from ...errors import ArgumentError
from ...kernel import Kernel
from ..picture import Preview
from ..preview import show
from .controls import control, control_of_argument, line_up
from .view import View

__all__ = ["Playground", "by_name", "check_takes", "explore"]


class Playground(View):
    """What :func:`explore` gives.

    Attributes
    ----------
    controls : dict of str to ipywidgets.Widget
        By the argument's name. ``playground.controls["radius"].value = 5`` moves the slider and runs the kernel.
    result
        What the last run gave.
    """

    def __init__(
        self,
        call: Callable[..., Any],
        controls: Mapping[str, ipywidgets.Widget],
        fixed: Mapping[str, Any],
        look: Mapping[str, Any],
        kept: Collection[ipywidgets.Widget],
    ) -> None:
        __tracebackhide__ = True
        self._call = call
        self._fixed = dict(fixed)
        self._look = dict(look)
        self.controls = dict(controls)
        self.result: Any = None
        line_up(widget for widget in self.controls.values() if widget not in kept)
        super().__init__(list(self.controls.values()), kept)
        self._start()
        for widget in self.controls.values():
            widget.observe(self._changed, "value")

    @property
    def values(self) -> dict[str, Any]:
        """What the controls stand at, by the arguments' names."""
        return {name: widget.value for name, widget in self.controls.items()}

    def close(self) -> None:
        """Take the widgets away and let go of what they show; a widget that was given stays."""
        if self.widget.comm is not None:  # a second time there is nothing to take away
            for widget in self.controls.values():
                widget.unobserve(self._changed, "value")
        super().close()

    def _changed(self, _: object) -> None:
        self._screen.want()

    def _picture(self) -> Preview:
        __tracebackhide__ = True
        self.result = self._call(**self._fixed, **self.values)
        return show(_first(self.result), **self._look)

    def snapshot(self) -> Preview:
        """Run the kernel with what the controls stand at, and give the picture.

        Returns
        -------
        Preview
            It holds bytes only, no memory of a device.
        """
        __tracebackhide__ = True
        with self._lock:
            self._shown = self._picture()
            return self._shown


def explore(
    kernel: Kernel | Callable[..., Any],
    /,
    *args: Any,
    look: Mapping[str, Any] | None = None,
    grid: Any = None,
    threadgroup: Any = None,
    **named: Any,
) -> Playground:
    """Change a kernel's numbers by hand and see what comes of it.

    Each scalar argument gets a control; where it is moved, the kernel runs again and the picture changes. A picture
    that is not drawn yet when the next is wanted is left out.

    Parameters
    ----------
    kernel : Kernel or callable
        A function of one's own may call several kernels; it gives what is shown. Its controls are those named here.
    *args
        Arguments in the order of the source, as in a call. An array that the kernel writes is copied for each run.
    look : dict, optional
        Options of :func:`show`, such as ``{"range": (0, 1)}``.
    grid, threadgroup : optional
        As in a call.
    **named
        Arguments by their names. For a number: ``(least, most)`` or ``(least, most, step)``, a single number where a
        slider begins, a list or dict to choose from, True or False, a widget, or ``ipywidgets.fixed(x)`` for none. A
        scalar argument that is not given goes over 0 to 1, or over 0 to 100 if it is a whole number.

    Returns
    -------
    Playground
        As the last value of a cell, it is shown.

    Raises
    ------
    TypeError
        If `kernel` is neither, or an argument is none of the kernel's.
    ArgumentError
        If a range does not fit the argument; what a call with these arguments raises.

    Examples
    --------
    >>> explore(blur, image, output.like(image), radius=(1, 20), mix=(0.0, 1.0))  # doctest: +SKIP
    """
    __tracebackhide__ = True
    theirs = [value for value in (*args, *named.values()) if isinstance(value, ipywidgets.Widget)]
    if isinstance(kernel, Kernel):
        controls, fixed = _of_kernel(kernel, args, named)
        for name, value in (("grid", grid), ("threadgroup", threadgroup)):
            if value is not None:
                fixed[name] = value
        written = {name for name, argument in kernel.arguments.items() if argument.is_writable}

        def call(**values: Any) -> Any:
            __tracebackhide__ = True
            copies = {name: _copy(values[name]) for name in written & values.keys()}
            return kernel(**{**values, **copies})

        return Playground(call, controls, fixed, look or {}, theirs)
    if not callable(kernel):
        raise ArgumentError(f"explore: expected a Kernel or a function, got {type(kernel).__name__}")
    if grid is not None or threadgroup is not None:
        raise ArgumentError("explore: grid and threadgroup are for a Kernel; a function calls its kernels by itself")
    check_takes(kernel, args, named, "explore")
    found = {name: control(name, value) for name, value in named.items()}
    controls = {name: widget for name, widget in found.items() if widget is not None}
    fixed = {name: _plain(value) for name, value in named.items() if name not in controls}

    def run(**values: Any) -> Any:
        __tracebackhide__ = True
        return kernel(*args, **values)

    return Playground(run, controls, fixed, look or {}, theirs)


def check_takes(function: Callable[..., Any], args: tuple[Any, ...], names: Iterable[str], what: str) -> None:
    """Refuse what a function does not take before it is called, where its signature is known.

    Raises
    ------
    ArgumentError
        If it takes no such arguments, or needs others.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args, **dict.fromkeys(names))
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        raise ArgumentError(f"{what}: {name} is {name}{signature}: {error}") from None


def _of_kernel(
    kernel: Kernel, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[dict[str, ipywidgets.Widget], dict[str, Any]]:
    arguments = kernel.arguments
    given = by_name(kernel, args, named)
    controls: dict[str, ipywidgets.Widget] = {}
    for name, argument in arguments.items():
        if not argument.takes_value or argument.element.scalar is None or argument.element.shape:
            continue
        if name not in given and argument.is_optional:
            continue
        value = given.get(name, ...)
        if _has_values(value):
            continue
        widget = control_of_argument(argument, value)
        if widget is not None:
            controls[name] = widget
    return controls, {name: _plain(value) for name, value in given.items() if name not in controls}


def by_name(kernel: Kernel, args: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Give all arguments by their names.

    Raises
    ------
    ArgumentError
        If there are too many, or one is given twice.
    """
    arguments = kernel.arguments
    if len(args) > len(arguments):
        raise ArgumentError(f"{kernel.name} takes {len(arguments)} arguments, {len(args)} were given")
    given = dict(zip(arguments, args, strict=False))
    twice = given.keys() & named.keys()
    if twice:
        raise ArgumentError(f"{kernel.name}: {min(twice)} is given twice, by position and by name")
    return {**given, **named}


def _has_values(value: object) -> bool:
    return isinstance(value, Buffer) or (hasattr(value, "shape") and bool(np.shape(value)))


def _plain(value: object) -> Any:
    return value.value if isinstance(value, ipywidgets.fixed) else value


def _copy(value: Any) -> Any:
    array = None if isinstance(value, Buffer) else as_array(value)
    return value if array is None else array.copy()


def _first(result: Any) -> Any:
    """Take the first of several results."""
    return result[0] if isinstance(result, tuple) and result else result

# SPDX-License-Identifier: MIT
"""``animate``: a kernel that gets the time, the frame's number and the mouse, and runs for picture after picture."""

from __future__ import annotations

import inspect
import itertools
import math
import operator
import os
import time
from collections.abc import Callable, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import ipywidgets

from ... import _native as mtl
from ..._advice import counted
from ..._values import describe
from ...arguments import Argument
from ...errors import ArgumentError, MetalError, ValidationError
from ...kernel import Kernel
from ...output import output
from ..picture import Preview
from ..preview import show
from .film import Film
from .playground import by_name, check_takes
from .view import View

__all__ = ["Animation", "animate"]

_TOLD = ("time", "frame", "mouse", "pressed", "size")
_MOST_FRAMES = 3000  # of a recording
_TELL = 0.25  # seconds between two words of the time while it plays: each costs the browser as much as a picture


class Animation(View):
    """What :func:`animate` gives.

    Attributes
    ----------
    time : float
        Seconds that it has played.
    frame : int
        Number of the next picture.
    mouse : tuple of float
        Pixel under the pointer, (x, y); the middle until the pointer has been there.
    is_playing : bool
    recorded : list of Path
        Files written by the record button.
    """

    def __init__(
        self, call: Callable[..., Any], told: frozenset[str], size: tuple[int, int], fps: float, look: Mapping[str, Any]
    ) -> None:
        __tracebackhide__ = True
        self._call = call
        self._told = told
        self._look = dict(look)
        self.size = size
        self.fps = fps
        self.time = 0.0
        self.frame = 0
        self.mouse = (size[0] / 2, size[1] / 2)
        self.recorded: list[Path] = []
        self._pressed = False
        self._since: float | None = None  # of the clock, when the last picture was made while it played
        self._film: Film | None = None
        self._film_words = ""
        self._told_at = 0.0  # of the clock
        self._play = ipywidgets.ToggleButton(description="Play", icon="play", tooltip="Play or pause")
        self._step = ipywidgets.Button(description="Step", icon="step-forward", tooltip="The next picture")
        self._record = ipywidgets.ToggleButton(description="Record", icon="circle", tooltip="Keep what plays in a file")
        self._told_words = ipywidgets.Label()
        super().__init__([ipywidgets.HBox([self._play, self._step, self._record, self._told_words])])
        self._screen.rate = fps
        self._screen.on_tick(self._tick)
        self._play.observe(self._play_changed, "value")
        self._step.on_click(lambda _: self.step())
        self._record.observe(self._record_changed, "value")
        self._start()

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself while a browser shows it."""
        return bool(self._screen.ticking)

    def play(self) -> None:
        """Go on, as fast as `fps` and the browser let it."""
        self._since = None
        self._screen.ticking = True
        self._play.value = True

    def pause(self) -> None:
        """Stop where it is."""
        self._screen.ticking = False
        self._play.value = False
        self._tell()

    def step(self) -> None:
        """Make one picture more, 1/fps seconds later."""
        self.pause()
        self._advance(1 / self.fps)

    def at(self, t: float) -> Preview:
        """Give the picture at a time, exactly: its frame is ``round(t * fps)``.

        What plays is not moved. A function that keeps a state is called once more, whatever the time.

        Parameters
        ----------
        t : float
            Seconds.
        """
        t = _finite("t", t)
        with self._lock:
            return self._made(t, round(t * self.fps))

    def record(self, path: str | os.PathLike[str], seconds: float, *, fps: float | None = None) -> Path:
        """Write a film from where it stands, each picture exactly 1/fps seconds after the last.

        Parameters
        ----------
        path : path
            ``.png`` and ``.apng`` keep all colours, ``.gif`` 256 of them.
        seconds : float
        fps : float, optional
            Default: the animation's.

        Raises
        ------
        ValueError
            If the name ends otherwise, or there would be no picture or more than 3000.
        """
        fps = self.fps if fps is None else _positive("fps", fps)
        count = round(_positive("seconds", seconds) * fps)
        if not 1 <= count <= _MOST_FRAMES:
            raise ValidationError(f"seconds is {seconds}: {count} pictures, must be 1 to {_MOST_FRAMES}")
        film = Film(path, fps)
        with self._lock:
            for i in range(count):
                film.add(self._made(self.time + i / fps, self.frame + i))
        return film.save()

    def _picture(self) -> Preview:
        __tracebackhide__ = True
        return self._made(self.time, self.frame)

    def _made(self, t: float, frame: int) -> Preview:
        __tracebackhide__ = True
        known = {"time": t, "frame": frame, "mouse": self.mouse, "pressed": self._pressed, "size": self.size}
        result = self._call(**{name: known[name] for name in self._told})
        return show(result[0] if isinstance(result, tuple) and result else result, **self._look)

    def _advance(self, seconds: float) -> None:
        """Show the next picture; where that fails, time stands."""
        with self._lock:
            before = self.time, self.frame
            self.time += seconds
            self.frame += 1
            shown = self._shown
            try:
                self.refresh()
            finally:
                if self._shown is shown:
                    self.time, self.frame = before

    def _put(self, preview: Preview) -> None:
        super()._put(preview)
        if not self.is_playing or time.perf_counter() - self._told_at >= _TELL:
            self._tell()
        if self._film is not None:
            self._film.add(preview)
            if len(self._film) == _MOST_FRAMES:
                self._record.value = False

    def _tell(self) -> None:
        """Say where it is, and where the last film is kept."""
        self._told_words.value = f"{self.time:.2f} s, frame {self.frame}{self._film_words}"
        self._told_at = time.perf_counter()

    def _tick(self, place: tuple[float, float] | None, pressed: bool) -> None:
        if place is not None:
            self.mouse = (place[0] * self.size[0], place[1] * self.size[1])
        self._pressed = pressed
        now = time.perf_counter()
        passed = 1 / self.fps if self._since is None else now - self._since
        self._since = now
        self._advance(passed)

    def _failed(self, error: BaseException) -> None:
        super()._failed(error)
        self.pause()

    def _play_changed(self, change: Any) -> None:
        self._play.description, self._play.icon = ("Pause", "pause") if change["new"] else ("Play", "play")
        if change["new"] != self.is_playing:
            self.play() if change["new"] else self.pause()

    def _record_changed(self, change: Any) -> None:
        if change["new"]:
            self._film = Film(_free_name(), self.fps)
            self._record.description = "Stop"
            return
        film, self._film = self._film, None
        self._record.description = "Record"
        if film is not None and len(film):
            self._film_words = f"; writing {counted(len(film), 'picture')}"
            self._tell()
            try:
                self.recorded.append(film.save())
                self._film_words = f"; {counted(len(film), 'picture')} in {self.recorded[-1]}"
                self._tell()
            except (OSError, MetalError) as error:  # the disk, or pictures of several sizes
                self._film_words = ""
                self._failed(error)


def animate(
    step: Kernel | Callable[..., Any],
    /,
    *args: Any,
    size: tuple[int, int] = (512, 512),
    fps: float = 30.0,
    look: Mapping[str, Any] | None = None,
    **named: Any,
) -> Animation:
    """Run a kernel for picture after picture.

    Numbers called ``time``, ``frame``, ``mouse``, ``pressed`` and ``size`` that are not given get the animation's.
    The one array or texture that a kernel writes, if it is not given, is made in `size`.

    Parameters
    ----------
    step : Kernel or callable
        A function is called with those of the five that it takes, and gives what is shown: an array, a Buffer or a
        Texture. It may keep a state, as a simulation does.
    *args
        Its other arguments by position, as in a call.
    size : tuple of int
        Width and height of the picture in pixels.
    fps : float
        Pictures a second, at most. The time goes on as the clock does, however many there are.
    look : dict, optional
        Options of :func:`show`.
    **named
        Its other arguments by name.

    Returns
    -------
    Animation
        As the last value of a cell, it is shown, with buttons to play, step and record.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit; what the first call raises.

    Examples
    --------
    >>> animate(plasma, size=(640, 360))  # doctest: +SKIP
    """
    __tracebackhide__ = True
    size = _size(size)
    fps = _positive("fps", fps)
    if isinstance(step, Kernel):
        call, told = _of_kernel(step, args, named, size)
        return Animation(call, told, size, fps, look or {})
    if not callable(step):
        raise ArgumentError(f"animate: expected a Kernel or a function, got {type(step).__name__}")
    taken = inspect.signature(step).parameters
    positional = list(taken)[: len(args)]

    def run(**values: Any) -> Any:
        __tracebackhide__ = True
        return step(*args, **named, **values)

    told = frozenset(name for name in _TOLD if name in taken and name not in named and name not in positional)
    check_takes(step, args, [*named, *told], "animate")
    return Animation(run, told, size, fps, look or {})


def _of_kernel(
    kernel: Kernel, args: tuple[Any, ...], named: dict[str, Any], size: tuple[int, int]
) -> tuple[Callable[..., Any], frozenset[str]]:
    arguments = kernel.arguments
    given = by_name(kernel, args, named)
    told = frozenset(name for name in _TOLD if name in arguments and name not in given and arguments[name].takes_value)
    missing = [
        argument
        for name, argument in arguments.items()
        if name not in given and name not in told and argument.is_writable
    ]
    if len(missing) == 1:
        (argument,) = missing
        if argument.kind == "texture":
            given[argument.name] = output((size[1], size[0], 4), "rgba8Unorm" if _is_colour(argument) else None)
        else:
            given[argument.name] = output((size[1], size[0], *argument.element.components))
            given.setdefault("grid", size)

    def call(**values: Any) -> Any:
        return kernel(**given, **values)

    return call, told


def _is_colour(argument: Argument) -> bool:
    """Whether a texture's numbers are from 0 to 1 where 8 bits hold them."""
    return argument.native.texture_data_type in (mtl.DataType.Float, mtl.DataType.Half)


def _size(size: Any) -> tuple[int, int]:
    try:
        width, height = (operator.index(n) for n in size)
    except (TypeError, ValueError):
        raise ArgumentError(f"size is {size!r}, must be (width, height)") from None
    if width < 1 or height < 1:
        raise ValidationError(f"size is {(width, height)}, must be at least 1 x 1")
    return width, height


def _finite(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ArgumentError(f"{name} is {describe(value)}, must be a number")
    if not math.isfinite(value):
        raise ValidationError(f"{name} is {value}, must be finite")
    return float(value)


def _positive(name: str, value: Any) -> float:
    number = _finite(name, value)
    if number <= 0:
        raise ValidationError(f"{name} is {value}, must be above 0")
    return number


def _free_name() -> Path:
    """Name a film that is not there yet."""
    return next(path for i in itertools.count(1) if not (path := Path(f"animation-{i}.png")).exists())

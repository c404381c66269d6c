# SPDX-License-Identifier: MIT
"""``TextureView``: an image to zoom into, with the value under the pointer, drawn anew when work has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from ..._arrays import Array
from ..._checks import integer_in
from ...buffer import Buffer
from ...errors import ArgumentError, ValidationError, outside
from ...texture import Texture
from ..look import pair
from ..picture import Preview
from ..preview import array_of, show
from .follower import Follower
from .view import View

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["TextureView"]

_MOST_PIXELS = 2048  # of a side, that go to the browser
_SIDE = 512  # on the screen
_STYLE = {"description_width": "initial"}


class TextureView(View):
    """An image that is looked at while it changes.

    The wheel zooms while Shift or Ctrl is held, the mouse moves, a double click shows all; so do ``+``, ``-``, the
    arrow keys and ``0``. The words below say the value under the pointer. It is drawn anew when work on the device has
    ended, after each cell, and by :meth:`refresh`.

    Parameters
    ----------
    x : Texture, Buffer or array_like
        An image, a volume or an array of images.
    channel : {"r", "g", "b", "a"}, optional
        Shown alone at first.
    range : tuple of float, optional
        Values shown as black and white at first; default: as :func:`show` chooses for each picture.
    level, slice : int
        Shown at first.
    **look
        Other options of :func:`show`.

    Raises
    ------
    TypeError, ValueError
        If `x` is no image, or an option does not fit it.
    """

    def __init__(
        self,
        x: Texture | Buffer | npt.ArrayLike,
        *,
        channel: str | None = None,
        range: tuple[float, float] | None = None,
        level: int = 0,
        slice: int = 0,
        **look: Any,
    ) -> None:
        if "zoom" in look:
            raise ArgumentError("TextureView: zoom is the wheel's; it is no option")
        self._x = x if isinstance(x, (Texture, Buffer)) else array_of(x, "TextureView")
        self._look = look
        self._values: Array | None = None
        levels = self._x.levels if isinstance(self._x, Texture) else 1
        self._level = _chooser("level", level, levels)
        slices, _, _, channels = _image_shape(self._x, 0)
        letters = "rgba"[:channels]
        if channel is not None and channel not in tuple(letters):
            raise ValidationError(f"channel is {channel!r}, must be one of {', '.join(letters)}")
        self._channel = ipywidgets.Dropdown(
            options=[("all", None), *((letter, letter) for letter in letters)],
            value=channel,
            description="channel",
            style=_STYLE,
            layout={"width": "auto"},
        )
        self._slice = _chooser("slice", slice, slices)
        self._fits = ipywidgets.Checkbox(range is None, description="range of the picture", indent=False)
        low, high = (0.0, 1.0) if range is None else pair(range)
        self._low, self._high = (
            ipywidgets.FloatText(value, description=name, disabled=range is None, style=_STYLE, layout={"width": "9em"})
            for name, value in (("black", low), ("white", high))
        )
        choosers = [(self._channel, channels), (self._level, levels), (self._slice, slices)]
        self._controls = [widget for widget, count in choosers if count > 1]
        bounds = [self._fits, self._low, self._high]
        super().__init__([ipywidgets.HBox(self._controls), ipywidgets.HBox(bounds)])
        self._screen.zooms = True
        self._screen.on_ask(self._words)
        self._start()
        for widget in (*self._controls, *bounds):
            widget.observe(self._changed, "value")
        self._follower = Follower(self)

    def value(self, x: int, y: int) -> Any:
        """Give the value of a pixel of the level and slice that are shown.

        Parameters
        ----------
        x : int
            Column, from 0 at the left.
        y : int
            Row, from 0 at the top.

        Raises
        ------
        IndexError
            If there is no such pixel.
        """
        with self._lock:
            self._values = None  # a program's work draws nothing where no page shows it
            values = self._read()
        if not (0 <= x < values.shape[1] and 0 <= y < values.shape[0]):
            raise outside(f"pixel ({x}, {y}) is outside of {values.shape[1]} x {values.shape[0]}")
        return values[y, x]

    def close(self) -> None:
        """Take the widgets away and let go of what they show."""
        self._follower.stop()
        super().close()
        for widget in (self._channel, self._level, self._slice):  # also those that there was nothing to choose with
            widget.close()

    def refresh(self) -> None:
        """Read the image anew and show it."""
        with self._lock:
            self._values = None
            super().refresh()

    def _changed(self, change: Any) -> None:
        if change["owner"] is self._fits:
            self._low.disabled = self._high.disabled = change["new"]
        self._screen.want()

    def _picture(self) -> Preview:
        look = dict(self._look)
        if not self._fits.value:
            look["range"] = (self._low.value, self._high.value)
        if self._channel.value is not None:
            look["channel"] = self._channel.value
        if isinstance(self._x, Texture):
            look["level"] = self._level.value
        slices, height, width, _ = _image_shape(self._x, self._level.value)
        if self._slice in self._controls:
            look["slice"] = self._slice_of(slices)
        preview = show(self._x, zoom=1 / -(-max(height, width) // _MOST_PIXELS), **look)
        # Pixel for pixel, so that there is something to zoom into; large or small, it has its place on the page.
        scale = _SIDE / max(height, width)
        scale = max(int(scale), 1) if scale >= 1 else scale
        preview.width, preview.height = max(round(width * scale), 1), max(round(height * scale), 1)
        return preview

    def _words(self, x: float, y: float) -> str:
        try:
            with self._lock:
                if self._screen.is_behind:
                    self._values = None
                values = self._read()
        # What a released texture or a failed kernel raises is the answer, and so is Ctrl-C while a kernel does not end.
        except (Exception, KeyboardInterrupt) as error:
            return str(error) or type(error).__name__
        column, row = int(x * values.shape[1]), int(y * values.shape[0])
        return f"x {column}, y {row}: {_written(values[row, column])}"

    def _read(self) -> Array:
        """Read the values of the image that is shown, rows first."""
        if self._values is None:
            level = self._level.value
            array = self._x.numpy(level) if isinstance(self._x, Texture) else np.asarray(_host(self._x))
            slices, height, width, channels = _image_shape(self._x, level)
            images = array.reshape(slices, height, width, *([channels] if channels > 1 else []))
            self._values = images[self._slice_of(slices)].copy()
        return self._values

    def _slice_of(self, slices: int) -> int:
        """Give the slice that is shown: a volume has fewer on smaller levels."""
        return min(int(self._slice.value), slices - 1)


def _host(x: Buffer | Array) -> Array:
    return x.numpy() if isinstance(x, Buffer) else x


def _image_shape(x: Texture | Buffer | Array, level: int) -> tuple[int, int, int, int]:
    """Give slices, rows, columns and channels."""
    if isinstance(x, Texture):
        spatial: tuple[int, ...] = x.level_shape(level)
        channels = x.channels
        spatial = spatial[: len(spatial) - (channels > 1)]
        rows, columns = spatial[-2:] if x.kind.partition("_")[0] != "1d" and len(spatial) > 1 else (1, spatial[-1])
        slices = int(np.prod(spatial)) // (rows * columns)
        return slices, rows, columns, channels
    if not 2 <= x.ndim <= 4:
        raise ValidationError(f"TextureView: the array has the shape {x.shape}, must be an image's: rows and columns")
    has_channels = x.ndim == 4 or (x.ndim == 3 and x.shape[2] <= 4)
    channels = x.shape[-1] if has_channels else 1
    spatial = x.shape[:-1] if has_channels else x.shape
    return (spatial[0] if len(spatial) == 3 else 1), spatial[-2], spatial[-1], channels


def _chooser(name: str, value: int, count: int) -> ipywidgets.Widget:
    chosen = integer_in(value, name, 0, count - 1)
    return ipywidgets.IntSlider(chosen, 0, max(count - 1, 1), description=name, style=_STYLE)


def _written(value: Any) -> str:
    parts = np.atleast_1d(value)
    return ", ".join(f"{part:.6g}" if parts.dtype.kind == "f" else str(part) for part in parts.tolist())

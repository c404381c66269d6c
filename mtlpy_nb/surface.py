# SPDX-License-Identifier: MIT
"""Surfaces: where textures are shown, frame by frame, in a Mac's window or in a picture for the notebook."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _native as mtl
from ._arrays import Array
from ._checks import check_callable, check_same_device, check_type, event_value, flag
from ._pending import failed
from ._presenting import encode_picture
from .device import Device
from .errors import ArgumentError, ExecutionError, MetalError, ResourceError, ValidationError
from .sync import Event
from .texture import Texture

__all__ = ["Frame", "Surface"]

_DRAWABLE_FORMATS = {
    "bgra8Unorm": 80,
    "bgra8Unorm_srgb": 81,
    "rgb10a2Unorm": 90,
    "bgr10a2Unorm": 94,
    "rgba16Float": 115,
}
_ZERO_COPY_FORMATS = {"bgra8Unorm", "bgra8Unorm_srgb", "rgba16Float"}
_SCALING = {"aspect": 0, "fill": 1, "stretch": 2, "center": 3}
_COLORSPACES = {None: 0, "srgb": 1, "display_p3": 2, "linear_srgb": 3, "extended_linear_srgb": 4}
_FILTERS = ("linear", "nearest")

# Core Animation's words.
_GRAVITY = {"aspect": "resizeAspect", "fill": "resizeAspectFill", "stretch": "resize", "center": "center"}

_USUAL_SIZE = (640, 480)
_LARGEST = 16384


class Frame:
    """The next picture of a :class:`Surface`: kernels write into its texture, then it is presented.

    As a context manager it is presented at the end of the block, and is not when the block raises.

    Attributes
    ----------
    width, height : int
    pixel_format : str
    """

    __slots__ = ("__weakref__", "_drawable", "_surface", "_texture", "height", "pixel_format", "width")

    def __init__(self, _frame: mtl.MetalDrawable, surface: Surface) -> None:
        self._drawable: mtl.MetalDrawable | None = _frame
        self._surface = surface
        self._texture: Texture | None = None
        self.pixel_format = surface.pixel_format
        self.width, self.height = int(_frame.texture.width), int(_frame.texture.height)

    @property
    def texture(self) -> Texture:
        """The texture to write into, until it is presented.

        Raises
        ------
        RuntimeError
            If it was presented.
        """
        if self._drawable is None:
            raise MetalError("Frame was already presented")
        if self._texture is None:
            self._texture = Texture(self._drawable.texture, self.pixel_format, self._surface._device)
            # A layer's textures don't say on a Mac what they may be used for.
            self._texture.readable = self._texture.writable = True
        return self._texture

    @property
    def presented(self) -> bool:
        """Whether it was given to :meth:`Surface.present`."""
        return self._drawable is None

    def _take(self) -> mtl.MetalDrawable:
        if self._drawable is None:
            raise MetalError("Frame was already presented")
        drawable, self._drawable, self._texture = self._drawable, None, None
        return drawable

    def __enter__(self) -> Frame:
        return self

    def __exit__(self, exc_type: type[BaseException] | None, *exc_info: object) -> None:
        if exc_type is None and not self.presented:
            self._surface.present(self)

    def __repr__(self) -> str:
        state = ", presented" if self.presented else ""
        return f"<Frame of {self.width} x {self.height}, {self.pixel_format}{state}>"


class Surface:
    """Where textures are shown: a view of a Mac's window, or a picture in memory.

    Parameters
    ----------
    device : Device
    view_ptr : int, optional
        Address of the ``NSView`` on a Mac. Without it pictures go into memory: :meth:`numpy` gives the one that is
        shown, and a notebook shows it.
    pixel_format : str
        ``"bgra8Unorm"``, ``"bgra8Unorm_srgb"``, ``"rgb10a2Unorm"``, ``"bgr10a2Unorm"`` or ``"rgba16Float"``.
    colorspace : str or None
        What the numbers mean: ``"srgb"``, ``"display_p3"``, ``"linear_srgb"``, ``"extended_linear_srgb"``, or None
        for whatever the display takes them for.
    edr : bool
        Whether values above 1 may be shown brighter than white, where the display can.
    scaling : str
        How a picture of another size is fitted in: ``"aspect"`` (whole, with black bars), ``"fill"`` (cut off),
        ``"stretch"`` or ``"center"`` (pixel by pixel).
    filter : str
        ``"linear"`` or ``"nearest"``.
    display_sync : bool
        Whether pictures change at the display's pace only. The display of a picture in memory has 60 a second.
    max_drawables : int
        How many pictures there are at a time, 2 or 3: with none free, the next one is waited for, up to a second.
    size : tuple of int, optional
        Width and height of a picture in memory; default (640, 480).

    Raises
    ------
    ValueError
        If an option is none of those.
    RuntimeError
        If this is not the main thread, or there is no such view.
    """

    def __init__(
        self,
        device: Device,
        view_ptr: int | None = None,
        *,
        pixel_format: str = "bgra8Unorm",
        colorspace: str | None = "srgb",
        edr: bool = False,
        scaling: str = "aspect",
        filter: str = "linear",
        display_sync: bool = True,
        max_drawables: int = 3,
        size: tuple[int, int] | None = None,
    ) -> None:
        check_type(device, Device, "Surface: device")
        _check_options(pixel_format, colorspace, scaling, filter, max_drawables)
        if view_ptr is not None and not isinstance(view_ptr, int):
            raise ArgumentError(f"Surface: view_ptr must be the address of an NSView, got {type(view_ptr).__name__}")
        if view_ptr is not None and not 0 < view_ptr < 2**64:
            raise ValidationError("view_ptr must be a non-null NSView*")
        if view_ptr is not None and size is not None:
            raise ValidationError("Surface: a view has its own size; give view_ptr or size")
        self._size = _USUAL_SIZE if size is None else _checked_size(size, "Surface")
        _check_main_thread("Surface: must be created on the main thread")
        self._device = device
        self._view = view_ptr
        self.pixel_format = pixel_format
        self.colorspace = colorspace
        self.edr = bool(edr)
        self.scaling = scaling
        self.filter = filter
        self.display_sync = bool(display_sync)
        self.max_drawables = int(max_drawables)
        layer = mtl.MetalLayer.layer()
        layer.device = device._native
        layer.pixel_format = mtl.PixelFormat(_DRAWABLE_FORMATS[pixel_format])
        layer.framebuffer_only = False
        layer.colorspace = colorspace
        layer.display_sync_enabled = self.display_sync
        layer.maximum_drawable_count = self.max_drawables
        self._layer: mtl.MetalLayer | None = layer
        self._handlers: list[Callable[[], object]] = []
        # Where the system has the display, what was presented last is kept to be looked at.
        self._keeps_last = view_ptr is None and not device.is_software
        self._kept: tuple[mtl.MetalDrawable, mtl.Texture, mtl.CommandBuffer] | None = None
        self._reading: mtl.CommandQueue | None = None
        self._last: mtl.CommandBuffer | None = None
        self._gpu_time = 0.0
        if view_ptr is not None:
            mtl.attach_layer(layer, view_ptr, _GRAVITY[scaling], filter, self.edr)
        self.update_layout()

    # ---- size ----

    @property
    def view_size(self) -> tuple[int, int]:
        """Width and height of what is shown, in pixels, as of the last :meth:`update_layout`."""
        return self._size

    @property
    def drawable_size(self) -> tuple[int, int]:
        """Width and height of the pictures at present: the view's, or what :meth:`next_frame` was asked for."""
        width, height = self._open().drawable_size
        return int(width), int(height)

    def update_layout(self) -> None:
        """Take up the view's present size; to be called when the window has changed.

        Raises
        ------
        RuntimeError
            If this is not the main thread.
        """
        _check_main_thread("Surface.update_layout: must be called on the main thread")
        layer = self._open()
        if self._view is not None:
            width, height = mtl.lay_out_layer(layer, self._view)
            self._size = (int(width), int(height))
        layer.drawable_size = self._size

    def resize(self, size: tuple[int, int]) -> None:
        """Give a picture in memory another size.

        Raises
        ------
        ValueError
            If the size is not positive, or it is a window's view that is shown in.
        """
        if self._view is not None:
            raise ValidationError("Surface.resize: a view has its own size; update_layout() takes it up")
        self._open().drawable_size = self._size = _checked_size(size, "Surface.resize")

    # ---- presenting ----

    def next_frame(self, size: tuple[int, int] | None = None) -> Frame | None:
        """Take the next picture, for kernels to write into; None when there is none within a second.

        Parameters
        ----------
        size : tuple of int, optional
            Width and height; default :attr:`view_size`. Another size is fitted in as `scaling` says.

        Raises
        ------
        RuntimeError
            If the surface is closed.
        ValueError
            If the size is not positive, or kernels cannot write this pixel format.
        """
        layer = self._open()
        if self.pixel_format not in _ZERO_COPY_FORMATS:
            raise ValidationError(
                f"next_frame() needs pixel_format in {sorted(_ZERO_COPY_FORMATS)}, this Surface uses "
                f"'{self.pixel_format}' -- use present(texture)"
            )
        drawable = self._next_drawable(layer, self._size if size is None else _checked_size(size, "next_frame"))
        return None if drawable is None else Frame(drawable, self)

    def present(
        self, source: Texture | Frame, *, wait: bool = False, wait_for: tuple[Event, int] | None = None
    ) -> bool:
        """Show a texture, fitted in as `scaling` says, or a frame; after all that the device's queue has to do before.

        Parameters
        ----------
        source : Texture or Frame
        wait : bool
            Whether to return only when the device has drawn it.
        wait_for : tuple of Event and int, optional
            An event, and the value that it must reach before.

        Returns
        -------
        bool
            Whether it is shown; False when no picture was free within a second.

        Raises
        ------
        RuntimeError
            If the surface is closed, the frame was presented before, or drawing failed.
        ValueError
            If the texture is not the device's, or cannot be shown.
        """
        layer = self._open()
        waits = flag(wait, "Surface.present: wait")
        if wait_for is not None:
            wait_for = self._checked_wait(wait_for)
        if isinstance(source, Frame):
            if source._surface is not self:
                raise ValidationError("Frame belongs to a different Surface")
            drawable, picture = source._take(), None
        else:
            picture = _displayable(source, self._device)
            found = self._next_drawable(layer, self._size)
            if found is None:
                return False
            drawable = found
        texture = drawable.texture  # not to be asked for any more once it is presented
        command_buffer = self._device._queue.command_buffer()
        command_buffer.label = "present"
        if wait_for is not None:
            command_buffer.encode_wait_for_event(wait_for[0]._event, wait_for[1])
        if picture is not None:
            encode_picture(self._device, command_buffer, picture, texture, self.scaling, self.filter)
        for handler in self._handlers:
            drawable.add_presented_handler(lambda _, call=handler: call())  # type: ignore[misc]
        command_buffer.present_drawable(drawable)
        command_buffer.commit()
        self._measure()
        self._last = command_buffer
        if self._keeps_last:
            self._kept = (drawable, texture, command_buffer)
        self._finish(command_buffer, waits)
        return True

    def _checked_wait(self, wait_for: Any) -> tuple[Event, int]:
        if not (isinstance(wait_for, tuple) and len(wait_for) == 2):
            raise ArgumentError(f"Surface.present: wait_for must be (event, value), got {wait_for!r}")
        event, value = wait_for
        if not isinstance(event, Event):
            raise ArgumentError(f"Surface.present: wait_for must begin with an Event, got {type(event).__name__}")
        check_same_device(event, self._device, "Event")
        return event, event_value(value, "Surface.present: wait_for's value")

    def _next_drawable(self, layer: mtl.MetalLayer, size: tuple[int, int]) -> mtl.MetalDrawable | None:
        if min(size) == 0:  # a window that is closed up has no pictures
            return None
        layer.drawable_size = size
        return layer.next_drawable()

    def _finish(self, command_buffer: mtl.CommandBuffer, wait: bool) -> None:
        if not wait:
            self._device._pending.add(command_buffer, "Surface.present")
            return
        try:
            command_buffer.wait()
        except ExecutionError as error:
            raise failed("Surface.present", error) from None
        self._device._pending.raise_failure()

    def add_presented_handler(self, callback: Callable[[], object]) -> None:
        """Call `callback()`, from another thread, each time that a picture presented from now on has been shown."""
        check_callable(callback, "Surface.add_presented_handler: callback")
        self._handlers = [*self._handlers, callback]

    @property
    def last_present_gpu_time(self) -> float:
        """Seconds that the device took to draw what was presented last and is finished; 0 before."""
        self._measure()
        return self._gpu_time

    def _measure(self) -> None:
        if self._last is not None and self._last.done():
            self._gpu_time = self._last.gpu_end_time - self._last.gpu_start_time
            self._last = None

    # ---- what is shown ----

    def numpy(self) -> Array:
        """Give what is shown as a picture: (height, width, 4) uint8, in sRGB; transparent before the first.

        On a Mac it is what was presented last.

        Raises
        ------
        RuntimeError
            If it is shown in a window.
        """
        layer = self._open()
        if self._view is not None:
            raise ResourceError("Surface.numpy: what a window's view shows is not available")
        width, height = self._size
        shown, source = self._shown(layer)
        if source is None:
            return np.zeros((height, width, 4), np.uint8)
        if source.pixel_format == mtl.PixelFormat.BGRA8Unorm_sRGB:
            # What is stored is what the colour space is about, not what a kernel would read.
            source = source.new_texture_view(mtl.PixelFormat.BGRA8Unorm)
        target = self._device.empty_texture((height, width), "rgba8Unorm")
        # What is shown is finished: it need not wait for what the device's queue has to do.
        if self._reading is None:
            self._reading = self._device._native.new_command_queue()
        command_buffer = self._reading.command_buffer()
        encode_picture(
            self._device, command_buffer, source, target._tex, self.scaling, self.filter, colorspace=self.colorspace
        )
        command_buffer.commit()
        command_buffer.wait()
        del shown
        return target.download()

    def _shown(self, layer: mtl.MetalLayer) -> tuple[object, mtl.Texture | None]:
        """Give the texture that is shown, and what keeps it from being used for another picture."""
        if not self._keeps_last:
            drawable = mtl.shown_drawable(layer)
            return drawable, None if drawable is None else drawable.texture
        if self._kept is None:
            return None, None
        drawable, texture, command_buffer = self._kept
        command_buffer.wait()
        return drawable, texture

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValidationError(
                "a Surface's picture has no memory that an array could share; copy=False isn't possible"
            )
        picture = self.numpy()
        return picture if dtype is None else picture.astype(dtype, copy=False)

    # ---- the end ----

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` was called."""
        return self._layer is None

    def close(self) -> None:
        """Take the surface out of its window; nothing can be presented afterwards. A second call does nothing."""
        layer, self._layer, self._kept = self._layer, None, None
        if layer is not None and self._view is not None:
            mtl.detach_layer(layer)

    def __enter__(self) -> Surface:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _open(self) -> mtl.MetalLayer:
        if self._layer is None:
            raise MetalError("Surface is closed")
        return self._layer

    # ---- display ----

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"Surface(size={self._size}, pixel_format={self.pixel_format!r}{state})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        if self.closed or self._view is not None:
            return {"text/plain": repr(self)}
        from .notebook.preview import show

        return show(self.numpy())._repr_mimebundle_()


def _check_options(pixel_format: str, colorspace: str | None, scaling: str, filtering: str, max_drawables: int) -> None:
    for name, word in (("pixel_format", pixel_format), ("scaling", scaling), ("filter", filtering)):
        check_type(word, str, f"Surface: {name}")
    if colorspace is not None:
        check_type(colorspace, str, "Surface: colorspace")
    if pixel_format not in _DRAWABLE_FORMATS:
        raise ValidationError(
            f"Unsupported surface pixel_format '{pixel_format}'. Supported: {sorted(_DRAWABLE_FORMATS)}"
        )
    if scaling not in _SCALING:
        raise ValidationError(f"scaling must be one of {sorted(_SCALING)}, got '{scaling}'")
    if colorspace not in _COLORSPACES:
        raise ValidationError(
            f"colorspace must be one of {sorted(k for k in _COLORSPACES if k)} or None, got '{colorspace}'"
        )
    if filtering not in _FILTERS:
        raise ValidationError(f"filter must be 'linear' or 'nearest', got '{filtering}'")
    if max_drawables not in (2, 3):
        raise ValidationError(f"max_drawables must be 2 or 3, got {max_drawables!r}")


def _checked_size(size: tuple[int, int], where: str) -> tuple[int, int]:
    try:
        width, height = (int(n) for n in size)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{where}: size must be (width, height), got {size!r}") from None
    if width < 1 or height < 1:
        raise ValidationError(f"size must be positive, got {size}")
    if max(width, height) > _LARGEST:
        raise ValidationError(f"{where}: size is {size}, each must be {_LARGEST} at most")
    return width, height


def _check_main_thread(message: str) -> None:
    # AppKit allows no other; elsewhere it is refused so that a program which works here works on a Mac.
    if threading.current_thread() is not threading.main_thread():
        raise MetalError(message)


def _displayable(texture: Texture, device: Device) -> mtl.Texture:
    """Give Metal's texture of one that can be shown."""
    if not isinstance(texture, Texture):
        raise ArgumentError(f"Surface.present: expected a Texture or a Frame, got {type(texture).__name__}")
    if texture._device is not device:
        raise ValidationError("Texture belongs to a different Device")
    if texture.dims != 2:
        raise ValidationError(f"Surface.present needs a 2D texture, got {texture.dims}D")
    if texture.kind != "2d":
        raise ValidationError(f"Surface.present needs a 2D texture, got one of kind {texture.kind!r}")
    if not texture.readable:
        raise ValidationError("Surface.present needs a texture created with readable=True")
    if texture.msl_scalar_type != "float":
        raise ValidationError(
            f"Can't display integer texture format '{texture.pixel_format}' directly -- convert to a normalized/float "
            "format first"
        )
    return texture._tex

# SPDX-License-Identifier: MIT
"""Pictures drawn by vertex and fragment functions."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _native as mtl
from . import _recording
from ._binding import Call, Written
from ._checks import flag, integer_in, sizes, text
from ._draw_pipelines import DrawPipeline, Target, pipeline_for
from ._pixel_formats import can_be_written
from ._texture_making import texture_descriptor
from ._values import describe
from .draw import CULLS, FILLS, PRIMITIVES, WINDINGS, Draw, draw
from .errors import ArgumentError, ValidationError, advised, interrupted
from .handle import Handle
from .library import Function
from .sampler import COMPARES
from .texture import Texture
from .utils import pixel_format_info

if TYPE_CHECKING:
    from .device import Device

__all__ = ["render"]

_LARGEST = 16384  # of a picture's sides, on Apple's GPUs
_MOST_BYTES = 4096  # that Metal takes without a buffer
_DEPTH_FORMAT = mtl.PixelFormat.Depth32Float
_SAMPLES = (1, 2, 4, 8)


@dataclass(frozen=True)
class _Ready:
    """A draw with all that is bound for it."""

    draw: Draw
    pipeline: DrawPipeline
    calls: tuple[Call, Call]


@overload
def render(
    first: Function | Draw,
    /,
    *more: Function | Draw | None,
    size: int | Sequence[int],
    clear: float | Sequence[float] | None = None,
    depth: bool = False,
    samples: int = 1,
    pixel_format: str = "rgba8Unorm",
    wait: Literal[True] = True,
    **drawing: Any,
) -> Texture: ...


@overload
def render(
    first: Function | Draw,
    /,
    *more: Function | Draw | None,
    size: int | Sequence[int],
    clear: float | Sequence[float] | None = None,
    depth: bool = False,
    samples: int = 1,
    pixel_format: str = "rgba8Unorm",
    wait: bool,
    **drawing: Any,
) -> Texture | Handle: ...


def render(
    first: Function | Draw,
    /,
    *more: Function | Draw | None,
    size: int | Sequence[int],
    clear: float | Sequence[float] | None = None,
    depth: bool = False,
    samples: int = 1,
    pixel_format: str = "rgba8Unorm",
    wait: bool = True,
    **drawing: Any,
) -> Texture | Handle:
    """Draw a picture: ``render(vertex, fragment, size=(300, 200), vertices=3)``.

    Parameters
    ----------
    first, *more
        A vertex and a fragment function; or any number of what :func:`draw` makes, drawn one over the other.
    size : int or tuple of int
        Width and height in pixels; one number for a square.
    clear : sequence of float, optional
        What the picture holds before: red, green and blue, and alpha unless it is 1. Default: black. Where depth alone
        is drawn a number, by default 1.
    depth : bool
        Whether each pixel keeps the depth of what was drawn there, so that what is nearer hides what is farther,
        whichever is drawn first.
    samples : int
        With 2, 4 or 8, each pixel is the mean of as many places in it, which makes edges smooth.
    pixel_format : str
        Of the picture. A depth format, such as ``"depth32Float"``, makes a picture of the depths.
    wait : bool
        False returns a :class:`Handle` at once.
    **drawing
        With two functions, all that :func:`draw` takes: the number of vertices, and the functions' arguments by name.

    Returns
    -------
    Texture
        Which other draws and kernels take as it is.

    Raises
    ------
    ArgumentError
        If the arguments do not fit the functions.
    ValidationError
        If a value is not allowed.
    PipelineError
        If the fragment function takes what the vertex function does not give.
    ExecutionError
        If a function fails while it runs.

    Examples
    --------
    >>> render(corner, shade, size=(300, 200), vertices=3)  # doctest: +SKIP
    >>> render(draw(corner, floor, vertices=4), draw(corner, glass, vertices=6), size=300)  # doctest: +SKIP
    """
    __tracebackhide__ = True
    draws = _draws(first, more, drawing)
    device = draws[0].vertex.device
    width, height = _size(size)
    name = text(pixel_format, "render: pixel_format")
    if "stencil" in name:
        raise ValidationError(f"render: pixel_format is {name!r}, of which only depths and colours can be drawn")
    is_depth = name.startswith("depth")
    form = mtl.PixelFormat(pixel_format_info(name).mtl_value)
    keeps_depth, waits = flag(depth, "render: depth"), flag(wait, "render: wait")
    _check_draws(draws, device, is_depth)
    target = Target(
        mtl.PixelFormat.Invalid if is_depth else form,
        form if is_depth else _DEPTH_FORMAT if keeps_depth else mtl.PixelFormat.Invalid,
        _samples(samples, device, is_depth),
    )
    before = _clear_depth(clear) if is_depth else _clear_color(clear)
    shared: Written = {}
    ready = [_ready(one, target, shared) for one in draws]
    picture = Texture(_picture(device, width, height, name, is_depth), name, device)
    return _run(device, ready, _pass(device, picture, target, before), picture, waits)


def _draws(first: object, more: Sequence[object], drawing: dict[str, Any]) -> list[Draw]:
    __tracebackhide__ = True
    if not isinstance(first, Draw):
        if len(more) > 1:
            raise ArgumentError(
                f"render: takes a vertex and a fragment function, got {len(more) + 1}; "
                "several of each are draw(...), draw(...)"
            )
        return [draw(first, *more, **drawing)]  # type: ignore[arg-type]  # draw says what is wrong
    draws = [first]
    for one in more:
        if not isinstance(one, Draw):
            raise ArgumentError(f"render: after a Draw, all must be what draw(...) makes, got {describe(one)}")
        draws.append(one)
    if drawing:
        name = next(iter(drawing))
        raise ArgumentError(f"render: {name} belongs to one of the draws: draw(..., {name}=...)")
    return draws


def _check_draws(draws: Sequence[Draw], device: Device, is_depth: bool) -> None:
    for one in draws:
        if one.vertex.device is not device:
            raise ValidationError(f"render: {one.name} is of another Device than {draws[0].name}")
        if one.fragment is None and not is_depth:
            text = f"render: {one.vertex.name} is drawn without a fragment function, which gives the colours"
            advice = f"render({one.vertex.name}, a fragment function, ...), or pixel_format='depth32Float'"
            raise advised(ArgumentError, text, advice)
        if is_depth and one._blend is not None:
            raise ValidationError(f"render: {one.name} is blended, which depths are not")


def _size(size: object) -> tuple[int, int]:
    if isinstance(size, (int, np.integer)) and not isinstance(size, bool):
        size = (size, size)
    found = sizes(size, "render: size")
    if len(found) != 2:
        raise ValidationError(f"render: size is {found}, must be a width and a height")
    width, height = (
        integer_in(n, f"render: {what}", 1, _LARGEST) for n, what in zip(found, ("width", "height"), strict=True)
    )
    return width, height


def _samples(samples: object, device: Device, is_depth: bool) -> int:
    count = integer_in(samples, "render: samples", 1, max(_SAMPLES))
    if count not in _SAMPLES or not device._native.supports_texture_sample_count(count):
        usable = [str(n) for n in _SAMPLES if device._native.supports_texture_sample_count(n)]
        raise ValidationError(f"render: samples is {count}, must be one of {', '.join(usable)}")
    if is_depth and count > 1:
        raise ValidationError(f"render: samples is {count}, but depths are not mixed: must be 1")
    return count


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ArgumentError(f"render: clear holds {describe(value)}, must be numbers")
    number = float(value)
    if not math.isfinite(number):
        raise ValidationError(f"render: clear holds {number}, must be finite")
    return number


def _clear_color(clear: object) -> tuple[float, ...]:
    if clear is None:
        return 0.0, 0.0, 0.0, 1.0
    if isinstance(clear, (str, bytes)) or not hasattr(clear, "__len__") or not hasattr(clear, "__iter__"):
        raise ArgumentError(f"render: clear is a colour, (red, green, blue), got {describe(clear)}")
    found = tuple(map(_number, clear))
    if len(found) not in (3, 4):
        raise ValidationError(f"render: clear has {len(found)} numbers, must be red, green, blue and perhaps alpha")
    return found if len(found) == 4 else (*found, 1.0)


def _clear_depth(clear: object) -> float:
    depth = 1.0 if clear is None else _number(clear)
    if not 0 <= depth <= 1:
        raise ValidationError(f"render: clear is {depth}, a depth must be 0 to 1")
    return depth


def _picture(device: Device, width: int, height: int, name: str, is_depth: bool) -> mtl.Texture:
    descriptor = texture_descriptor(
        (height, width),
        name,
        kind="2d",
        mipmaps=False,
        readable=True,
        writable=can_be_written(name),
        private=is_depth,
    )
    descriptor.usage = int(descriptor.usage) | int(mtl.TextureUsage.RenderTarget)
    return device._native.new_texture(descriptor)


def _passing(device: Device, picture: Texture, form: mtl.PixelFormat, samples: int) -> mtl.Texture:
    """Make a target that is gone when the pass is over, and needs no memory where tiles hold it."""
    descriptor = mtl.TextureDescriptor.texture2d_descriptor(form, picture.width, picture.height, False)
    descriptor.usage = int(mtl.TextureUsage.RenderTarget)
    has_tiles = device._native.supports_family(mtl.GPUFamily.Apple2)
    descriptor.storage_mode = mtl.StorageMode.Memoryless if has_tiles else mtl.StorageMode.Private
    if samples > 1:
        descriptor.texture_type, descriptor.sample_count = mtl.TextureType.Type2DMultisample, samples
    return device._native.new_texture(descriptor)


def _pass(device: Device, picture: Texture, target: Target, before: Any) -> mtl.RenderPassDescriptor:
    descriptor = mtl.RenderPassDescriptor()
    depth = descriptor.depth_attachment
    if target.color == mtl.PixelFormat.Invalid:
        depth.texture, depth.store_action = picture._tex, mtl.StoreAction.Store
        depth.load_action, depth.clear_depth = mtl.LoadAction.Clear, before
        return descriptor
    color = descriptor.color_attachment(0)
    color.load_action, color.clear_color = mtl.LoadAction.Clear, before
    if target.samples > 1:
        color.texture = _passing(device, picture, target.color, target.samples)
        color.resolve_texture, color.store_action = picture._tex, mtl.StoreAction.MultisampleResolve
    else:
        color.texture, color.store_action = picture._tex, mtl.StoreAction.Store
    if target.depth != mtl.PixelFormat.Invalid:
        depth.texture = _passing(device, picture, target.depth, target.samples)
        depth.load_action, depth.clear_depth = mtl.LoadAction.Clear, 1.0
        depth.store_action = mtl.StoreAction.DontCare
    return descriptor


def _ready(one: Draw, target: Target, shared: Written) -> _Ready:
    __tracebackhide__ = True
    pipeline = pipeline_for(one.vertex, one.fragment, one._source, one._blend, target)
    return _Ready(one, pipeline, one._bind(pipeline.vertex, pipeline.fragment, shared))


def _run(
    device: Device, ready: Sequence[_Ready], descriptor: mtl.RenderPassDescriptor, picture: Texture, wait: bool
) -> Texture | Handle:
    has_depth = descriptor.depth_attachment.texture is not None
    commands = device._queue.command_buffer()
    names = _recording.named([one.draw.name for one in ready])
    with commands.render_command_encoder(descriptor) as encoder:
        encoder.label = names
        for one in ready:
            _encode(device, encoder, one, has_depth)
    commands.commit()
    if _recording.recorders:
        traffic = tuple(
            item
            for one in ready
            for arguments, call in zip((one.pipeline.vertex, one.pipeline.fragment), one.calls, strict=True)
            for item in call.traffic(arguments)
        )
        work = _recording.Work(names, picture.width * picture.height, traffic)
        _recording.submitted(device, commands, [work])

    def finish() -> None:
        for one in ready:
            for call in one.calls:
                call.finish()

    if not wait:
        return Handle(commands, finish, picture)
    try:
        commands.wait()
    except KeyboardInterrupt:
        raise interrupted(f"drawing {names} was stopped") from None
    device._pending.raise_failure()
    finish()
    return picture


def _encode(device: Device, encoder: mtl.RenderCommandEncoder, ready: _Ready, has_depth: bool) -> None:
    one, pipeline = ready.draw, ready.pipeline
    encoder.set_render_pipeline_state(pipeline.state)
    if has_depth:
        state = mtl.DepthStencilDescriptor()
        state.depth_compare_function, state.depth_write_enabled = COMPARES[one._depth_compare], one._depth_write
        encoder.set_depth_stencil_state(device._native.new_depth_stencil_state(state))
    encoder.set_cull_mode(mtl.CullMode(0) if one._cull is None else CULLS[one._cull])
    encoder.set_front_facing_winding(WINDINGS[one._winding])
    encoder.set_triangle_fill_mode(FILLS[one._fill])
    for place, item in zip(pipeline.places, one._source.items, strict=True):
        _set_buffer(device, encoder.set_vertex_buffer, encoder.set_vertex_bytes, item(), place)
    vertex, fragment = ready.calls
    for index, item in enumerate(vertex.buffers):
        _set_buffer(device, encoder.set_vertex_buffer, encoder.set_vertex_bytes, item, index)
    for index, item in enumerate(fragment.buffers):
        _set_buffer(device, encoder.set_fragment_buffer, encoder.set_fragment_bytes, item, index)
    for call, set_texture, set_sampler in (
        (vertex, encoder.set_vertex_texture, encoder.set_vertex_sampler_state),
        (fragment, encoder.set_fragment_texture, encoder.set_fragment_sampler_state),
    ):
        for index, texture in enumerate(call.textures):
            set_texture(texture, index)
        for index, sampler in enumerate(call.samplers):
            set_sampler(sampler, index)
    kind = PRIMITIVES[one._primitive]
    if one._indices is None:
        encoder.draw_primitives(kind, 0, one.count, one.instances)
    else:
        encoder.draw_indexed_primitives(kind, one.count, one._index_type, one._indices, one._first_index, one.instances)


def _set_buffer(device: Device, set_buffer: Any, set_bytes: Any, item: Any, index: int) -> None:
    if item is None:
        return
    if isinstance(item, mtl.Buffer):
        set_buffer(item, 0, index)
    elif isinstance(item, tuple):
        set_buffer(*item, index)
    elif memoryview(item).nbytes <= _MOST_BYTES:
        set_bytes(item, index)
    else:
        set_buffer(device._native.new_buffer_with_data(item), 0, index)

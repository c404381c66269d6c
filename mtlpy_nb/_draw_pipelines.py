# SPDX-License-Identifier: MIT
"""Render pipelines for the draws of :func:`mtlpy_nb.render`, kept with their vertex function."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from . import _recording
from ._vertex_input import Slot, VertexInput
from .arguments import Argument
from .errors import ValidationError, interrupted
from .stage_input import MOST_BUFFERS

if TYPE_CHECKING:
    from .library import Function

__all__ = ["BLENDS", "DrawPipeline", "Target", "pipeline_for"]

_Factor = mtl.BlendFactor
# Factors of the new colour and of the one that is there, then of the alphas.
BLENDS: dict[str, tuple[mtl.BlendFactor, ...]] = {
    "alpha": (_Factor.SourceAlpha, _Factor.OneMinusSourceAlpha, _Factor.One, _Factor.OneMinusSourceAlpha),
    "premultiplied": (_Factor.One, _Factor.OneMinusSourceAlpha, _Factor.One, _Factor.OneMinusSourceAlpha),
    "add": (_Factor.One, _Factor.One, _Factor.One, _Factor.One),
    "multiply": (_Factor.DestinationColor, _Factor.Zero, _Factor.DestinationAlpha, _Factor.Zero),
}


@dataclass(frozen=True)
class Target:
    """What a pass draws into, as its pipelines must know it.

    Attributes
    ----------
    color, depth : PixelFormat
        ``PixelFormat.Invalid`` where there is none.
    samples : int
    """

    color: mtl.PixelFormat
    depth: mtl.PixelFormat
    samples: int


@dataclass(frozen=True)
class DrawPipeline:
    """Two functions ready to draw, and what their calls need to know.

    Attributes
    ----------
    state : RenderPipelineState
    places : tuple of int
        The buffer index of each slot of the vertex input.
    vertex, fragment : tuple of Argument
    """

    state: mtl.RenderPipelineState
    places: tuple[int, ...]
    vertex: tuple[Argument, ...]
    fragment: tuple[Argument, ...]


class _Kept:
    """A vertex function's pipelines, by the fragment function, which they do not keep alive."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.alone: dict[tuple[Any, ...], DrawPipeline] = {}
        self.by_fragment: weakref.WeakKeyDictionary[Function, dict[tuple[Any, ...], DrawPipeline]]
        self.by_fragment = weakref.WeakKeyDictionary()

    def of(self, fragment: Function | None) -> dict[tuple[Any, ...], DrawPipeline]:
        return self.alone if fragment is None else self.by_fragment.setdefault(fragment, {})


_kept: weakref.WeakKeyDictionary[Function, _Kept] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def pipeline_for(
    vertex: Function, fragment: Function | None, source: VertexInput, blend: str | None, target: Target
) -> DrawPipeline:
    """Make two functions ready to draw, unless they are for the same vertices, blending and target."""
    with _lock:
        kept = _kept.setdefault(vertex, _Kept())
    key = (tuple(source.slots), blend, target)
    with kept.lock:
        pipelines = kept.of(fragment)
        found = pipelines.get(key)
        if found is None:
            with _recording.compiling():
                found = pipelines[key] = _make(vertex, fragment, source, blend, target)
        return found


def _make(
    vertex: Function, fragment: Function | None, source: VertexInput, blend: str | None, target: Target
) -> DrawPipeline:
    descriptor = mtl.RenderPipelineDescriptor()
    descriptor.label = names_of(vertex, fragment)
    descriptor.vertex_function = vertex._specialized()
    descriptor.fragment_function = None if fragment is None else fragment._specialized()
    descriptor.depth_attachment_pixel_format = target.depth
    descriptor.raster_sample_count = target.samples
    color = descriptor.color_attachment(0)
    color.pixel_format = target.color
    if blend is not None:
        color.blending_enabled = True
        color.source_rgb_blend_factor, color.destination_rgb_blend_factor = BLENDS[blend][:2]
        color.source_alpha_blend_factor, color.destination_alpha_blend_factor = BLENDS[blend][2:]

    info = descriptor.vertex_function.info
    known = None if info is None else tuple(map(Argument.from_native, info.arguments))
    places = _free_places(vertex, source.slots, known or ())
    state = _compile(vertex, descriptor, source, places)
    if known is None:  # a Mac tells the function's own buffers only now
        own = [argument for argument in map(Argument.from_native, state.vertex_arguments) if not _is_source(argument)]
        better = _free_places(vertex, source.slots, own)
        if better != places:
            places = better
            state = _compile(vertex, descriptor, source, places)
    arguments = map(Argument.from_native, state.vertex_arguments)
    return DrawPipeline(
        state,
        places,
        tuple(a for a in arguments if not (a.kind == "buffer" and a.index in places)),
        tuple(map(Argument.from_native, state.fragment_arguments)),
    )


def _compile(
    vertex: Function, descriptor: mtl.RenderPipelineDescriptor, source: VertexInput, places: Sequence[int]
) -> mtl.RenderPipelineState:
    descriptor.vertex_descriptor = source.descriptor(places)
    try:
        return vertex.device._native.new_render_pipeline_state(descriptor)
    except KeyboardInterrupt:
        raise interrupted(f"compiling {descriptor.label} was stopped") from None


def _is_source(argument: Argument) -> bool:
    """Whether a Mac's reflection lists a buffer only because attributes are fetched from it."""
    return argument.kind == "buffer" and argument.name.startswith("vertexBuffer.")


def _free_places(vertex: Function, slots: Sequence[Slot], arguments: Sequence[Argument]) -> tuple[int, ...]:
    """Choose buffer indices from the last one down that the function does not use itself."""
    used = {
        argument.index + i
        for argument in arguments
        if argument.kind == "buffer"
        for i in range(max(1, int(argument.native.array_length)))
    }
    free = [index for index in reversed(range(MOST_BUFFERS)) if index not in used]
    if len(free) < len(slots):
        raise ValidationError(
            f"{vertex.name}: its attributes come from {len(slots)} arrays, but only {len(free)} of {MOST_BUFFERS} "
            f"buffers are left; put them into the fields of one array, vertices=..."
        )
    return tuple(free[: len(slots)])


def names_of(vertex: Function, fragment: Function | None) -> str:
    """Name a draw by its functions."""
    return vertex.name if fragment is None else f"{vertex.name} and {fragment.name}"

# SPDX-License-Identifier: MIT
"""What every call of a kernel needs of it, made when it is first called."""

from __future__ import annotations

import threading
from collections import namedtuple
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from ._grid import required_threadgroup
from ._plain_call import plain_arguments
from ._stage_arguments import (
    Layout,
    StageAttribute,
    StageCall,
    attributes_of,
    described,
    last_places,
    natural_layouts,
    places_of,
)
from .arguments import Argument

if TYPE_CHECKING:
    from ._binding import Call
    from .device import Device

__all__ = ["ExplainedReady", "Ready", "make_ready"]


class Ready:
    """A kernel's pipeline and what every call needs of it."""

    __slots__ = (
        "_device",
        "_function",
        "_lock",
        "_pipelines",
        "_tuples",
        "arguments",
        "attributes",
        "limit",
        "name",
        "pipeline",
        "places",
        "plain",
        "position_rank",
        "required",
        "width",
    )

    def __init__(
        self,
        device: Device,
        function: mtl.Function,
        pipeline: mtl.ComputePipelineState,
        arguments: tuple[Argument, ...],
        rank: int | None,
    ) -> None:
        self.name = function.name
        self.pipeline = pipeline
        self.arguments = arguments
        self.plain = plain_arguments(arguments)
        self.position_rank = rank
        self.attributes: tuple[StageAttribute, ...] = ()
        self.places: tuple[int, ...] = ()
        self.width = int(pipeline.thread_execution_width)
        self.limit = int(pipeline.max_total_threads_per_threadgroup)
        self.required = required_threadgroup(pipeline)
        self._device = device
        self._function = function
        self._lock = threading.Lock()
        self._pipelines: dict[tuple[Layout, ...], mtl.ComputePipelineState] = {}
        self._tuples: dict[tuple[str, ...], Any] = {}

    def pipeline_for(self, stage: StageCall) -> mtl.ComputePipelineState:
        """Give the kernel's code for attributes that lie as those of a call."""
        key = tuple(stage.layouts)
        with self._lock:
            found = self._pipelines.get(key)
            if found is None:
                found = self._pipelines[key] = self._device._pipelines.make(
                    self._device._native, self._function, stage_input=described(stage.layouts)
                )
            return found

    def result(self, call: Call) -> Any:
        """Give what the call returns: its outputs, else what it was given to write; one or a named tuple."""
        items = call.outputs or call.written
        if len(items) < 2:
            return items[0][1] if items else None
        names = tuple(argument.name for argument, _ in items)
        made = self._tuples.get(names)
        if made is None:
            # [[host_name]] may be any text.
            fits = self.name.isidentifier() and not iskeyword(self.name)
            made = self._tuples[names] = namedtuple(self.name if fits else "Outputs", names, rename=True)
        return made(*(value for _, value in items))


class ExplainedReady(Ready):
    """The same with code that can be explained; `pipeline` is the one whose code ran last.

    Parameters
    ----------
    original : Ready
    counts : bool
        Whether its code counts while it runs.
    """

    __slots__ = ("_counts", "_original")

    def __init__(self, original: Ready, counts: bool) -> None:
        for name in Ready.__slots__:
            setattr(self, name, getattr(original, name))
        self._original = original
        self._counts = counts
        self.pipeline = mtl.explained_pipeline(original.pipeline, counts)

    def pipeline_for(self, stage: StageCall) -> mtl.ComputePipelineState:
        """Give the kernel's code for attributes that lie as those of a call."""
        self.pipeline = mtl.explained_pipeline(self._original.pipeline_for(stage), self._counts)
        return self.pipeline


def make_ready(
    device: Device, function: mtl.Function, arguments: tuple[Argument, ...] | None, rank: int | None
) -> Ready:
    """Make a kernel's pipeline, with places for the attributes of its ``[[stage_in]]`` that it does not use itself.

    Parameters
    ----------
    device : Device
    function : Function
    arguments : tuple of Argument or None
        None where only a pipeline tells them.
    rank : int or None
        Components of its ``thread_position_in_grid``.
    """
    make = partial(device._pipelines.make, device._native, function)
    if not function.stage_input_attributes:
        pipeline = make()
        if arguments is None:
            arguments = tuple(map(Argument.from_native, pipeline.arguments))
        return Ready(device, function, pipeline, arguments, rank)
    attributes = attributes_of(function, arguments or ())
    if arguments is None:
        first = make(stage_input=described(natural_layouts(attributes, last_places(attributes))))
        arguments = tuple(map(Argument.from_native, first.arguments))
        attributes = attributes_of(function, arguments)
    places = places_of(attributes, arguments, function.name)
    layouts = natural_layouts(attributes, places)
    pipeline = make(stage_input=described(layouts))
    ready = Ready(device, function, pipeline, arguments, rank)
    ready.attributes, ready.places = attributes, places
    ready._pipelines[tuple(layouts)] = pipeline
    return ready

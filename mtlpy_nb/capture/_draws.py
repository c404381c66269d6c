# SPDX-License-Identifier: MIT
"""Render passes of a capture: what they drew into, and their draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .._advice import counted
from .._arrays import Array
from ._arrays import TexturePlace
from ._bindings import BoundBuffer, BoundTexture, Named
from ._checked import Fields, damaged
from ._objects import CapturedKernel, format_name, owner_of
from ._samplers import SamplerOptions

if TYPE_CHECKING:
    from ._command import Command
    from ._file import CaptureFile

__all__ = ["Attachment", "CapturedRenderPipeline", "Draw", "DrawStage", "ExecutedDraw", "read_pass"]

KINDS = ("draw", "execute", "signpost", "use")
PRIMITIVES = ("point", "line", "line_strip", "triangle", "triangle_strip")
_MOST = 1 << 32


@dataclass(frozen=True)
class CapturedRenderPipeline:
    """A render pipeline.

    Attributes
    ----------
    vertex, fragment : CapturedKernel
        Its functions with their constants; `fragment` is None where nothing is drawn but depth and stencil.
    color_formats : tuple of str
        Of its eight colour attachments, Metal's names; empty where there is none.
    depth_format, stencil_format : str
    samples : int
    blending : tuple of dict
        Of each colour attachment: ``enabled``, ``rgb`` and ``alpha`` (source factor, operation, destination factor) and
        ``write_mask``, with Metal's numbers.
    """

    id: int
    label: str
    vertex: CapturedKernel
    fragment: CapturedKernel | None
    color_formats: tuple[str, ...]
    depth_format: str
    stencil_format: str
    samples: int
    blending: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """Its label, else the names of its functions."""
        functions = [self.vertex.name] + ([self.fragment.name] if self.fragment is not None else [])
        return self.label or " + ".join(functions)

    def __repr__(self) -> str:
        return f"<CapturedRenderPipeline {self.name}>"


class Attachment(BoundTexture):
    """What a pass drew into.

    Attributes
    ----------
    name : str
        ``"color0"``, ..., ``"depth"`` or ``"stencil"``; of what it is resolved to, ``"color0 resolve"``.
    level, slice, depth_plane : int
        Which image of the texture.
    load, store : str
        ``"dont_care"``, ``"load"``, ``"clear"``; ``"dont_care"``, ``"store"``, ``"resolve"``, ``"store_and_resolve"``.
    clear : tuple of float or float
        Red, green, blue, alpha; of depth and stencil one number.
    resolve : Attachment or None
        Where samples are resolved to.
    """

    def __init__(self, command: Command, name: str, fields: Fields) -> None:
        super().__init__(command, name, None, "write", owner_of(command.file, fields))
        if self.resource.kind != "texture":
            raise damaged(f"{fields.where}: resource {self.resource.id} is no texture")
        self.level = fields.integer("level", self.resource.levels)
        self.slice = fields.integer("slice", _MOST)
        self.depth_plane = fields.integer("depth_plane", _MOST)
        self.load, self.store = fields.text("load", ""), fields.text("store", "")
        clear = (
            fields.items("clear", None) if isinstance(fields.raw("clear"), list) else fields.optional_number("clear")
        )
        self.clear: tuple[float, ...] | float | None = tuple(clear) if isinstance(clear, list) else clear
        self.resolve = Attachment(command, f"{name} resolve", fields.object("resolve")) if "resolve" in fields else None

    @property
    def before(self) -> Array:
        """The pixels of its level before the pass: all slices of it."""
        return self.level_before(self.level)

    @property
    def after(self) -> Array:
        """The pixels of its level after the pass.

        Raises
        ------
        ValueError
            If the capture ended before the pass did.
        """
        return self.level_after(self.level)

    @property
    def changed(self) -> Any:
        """What the pass changed in its level; None for nothing."""
        from ._changes import Change

        place = TexturePlace(self.resource, self.level)
        touched = self._touched(place.root, place.level)
        return Change.of(self.command, touched, self) if touched else None

    def __repr__(self) -> str:
        return f"<Attachment {self.name} {self.load}, {self.store}: {self.resource!r}>"


class DrawStage:
    """What one function of a draw had bound.

    Attributes
    ----------
    function : CapturedKernel
    bindings : tuple
        All that is bound, in the order of the function's arguments; what argument buffers hold comes last.
    """

    def __init__(self, function: CapturedKernel, bindings: list[Any]) -> None:
        self.function = function
        self.bindings = tuple(bindings)

    @property
    def buffers(self) -> Named[BoundBuffer]:
        """Buffers by the names or indices of the function's arguments; `before` and `after` are those of the pass."""
        return Named("buffer", [item for item in self.bindings if isinstance(item, BoundBuffer)])

    @property
    def textures(self) -> Named[BoundTexture]:
        """Textures likewise."""
        return Named("texture", [item for item in self.bindings if isinstance(item, BoundTexture)])

    @property
    def samplers(self) -> Mapping[str, SamplerOptions]:
        """Samplers by name."""
        return {item.name: item for item in self.bindings if isinstance(item, SamplerOptions)}

    def __repr__(self) -> str:
        return f"<DrawStage {self.function.name}: {len(self.bindings)} bindings>"


@dataclass(frozen=True)
class ExecutedDraw:
    """A draw of an indirect command buffer.

    Attributes
    ----------
    index : int
        Its place in the indirect command buffer.
    pipeline : CapturedRenderPipeline
    primitive : str
    count, instances : int
        Of vertices or indices, and of instances.
    """

    index: int
    pipeline: CapturedRenderPipeline
    primitive: str
    count: int
    instances: int


class Draw:
    """A draw of a pass, or what else its encoder was told.

    Attributes
    ----------
    number : int
        Its place in the pass.
    kind : str
        ``"draw"``, ``"execute"`` (of an indirect command buffer's commands), ``"signpost"`` or ``"use"`` (of a resource
        that functions reach through argument buffers).
    label : str
        Of its encoder.
    groups : tuple of str
        Debug groups that it was encoded in, the outermost first.
    pipeline : CapturedRenderPipeline or None
    primitive : str
        ``"point"``, ``"line"``, ``"line_strip"``, ``"triangle"`` or ``"triangle_strip"``.
    count, start, instances, base_instance, base_vertex : int or None
        Which vertices (indices, where there are `indices`) and instances; None where they were read from a buffer.
    indices : BoundBuffer or None
    index_size : int
        Bytes of an index.
    vertex, fragment : DrawStage or None
    attributes : Named[BoundBuffer]
        Buffers that vertices are fetched from, by ``"attributes(n)"`` or n.
    layout : tuple of dict
        Of each attribute: ``name``, ``attribute``, ``format``, ``stride``, ``attribute_offset``, ``step``, ``rate``,
        ``buffer``.
    state : mapping
        ``cull``, ``viewports``, ``scissors``, ``depth_bias``, ``front``, ``back``, ... as it was drawn with.
    executed : tuple of ExecutedDraw
        Of ``"execute"``.
    """

    def __init__(self, command: Command, number: int, fields: Fields) -> None:
        self.command = command
        self.number = number
        self._fields = fields
        self.kind = fields.text("kind")
        if self.kind not in KINDS:
            raise damaged(f"{fields.where}: 'kind' is {self.kind!r:.60}")
        self.label = fields.text("label", "")
        self.groups = fields.texts("groups", ())
        self.text = fields.text("text", "")
        self.executed: tuple[ExecutedDraw, ...] = ()
        self.pipeline: CapturedRenderPipeline | None = None
        self.vertex: DrawStage | None = None
        self.fragment: DrawStage | None = None
        self.primitive = ""
        self.indices: BoundBuffer | None = None
        self.index_size = 0
        self.layout: tuple[Mapping[str, Any], ...] = ()
        self.state: Mapping[str, Any] = MappingProxyType({})
        self._attributes: list[Any] = []
        if self.kind == "draw":
            self._read(command, fields)

    def _read(self, command: Command, fields: Fields) -> None:
        from ._command import _read_binding, _read_item

        file = command.file
        self.pipeline = file.render_pipelines[fields.integer("pipeline", len(file.render_pipelines))]
        self.primitive = fields.choice("primitive", PRIMITIVES)
        self.state = MappingProxyType(fields.object("state").members())

        def stage(function: CapturedKernel, name: str) -> DrawStage:
            found = []
            for entry in fields.objects(name, ()):
                argument = function.arguments[entry.integer("argument", len(function.arguments))]
                found.append(_read_binding(command, entry, argument))
            return DrawStage(function, found)

        self.vertex = stage(self.pipeline.vertex, "vertex_bindings")
        if self.pipeline.fragment is not None:
            self.fragment = stage(self.pipeline.fragment, "fragment_bindings")
        if "indices" in fields:
            entry = fields.object("indices")
            self.indices = _read_item(command, entry, "indices", None, "read", None)
            self.index_size = entry.integer("index_size", 5)
        found: dict[int, Any] = {}
        layout = []
        for entry in fields.objects("stage_in", ()):
            index = entry.integer("buffer", 64)
            found.setdefault(index, _read_item(command, entry, f"attributes({index})", index, "read", None))
            names = ("name", "attribute", "format", "stride", "attribute_offset", "step", "rate", "buffer")
            layout.append(MappingProxyType({name: entry.raw(name) for name in names}))
        self._attributes, self.layout = list(found.values()), tuple(layout)

    @property
    def attributes(self) -> Named[BoundBuffer]:
        """Buffers that vertices are fetched from."""
        return Named("buffer", self._attributes)

    @property
    def count(self) -> int | None:
        """Vertices, or indices."""
        return self._fields.optional_integer("count", _MOST)

    @property
    def start(self) -> int | None:
        """The first vertex."""
        return self._fields.optional_integer("start", _MOST)

    @property
    def instances(self) -> int | None:
        """How many instances."""
        return self._fields.optional_integer("instances", _MOST)

    @property
    def base_instance(self) -> int | None:
        """The first instance's number."""
        return self._fields.optional_integer("base_instance", _MOST)

    @property
    def base_vertex(self) -> int | None:
        """What is added to every index."""
        value = self._fields.optional_number("base_vertex")
        return None if value is None else int(value)

    @property
    def is_indirect(self) -> bool:
        """Whether count, start and instances were read from a buffer."""
        return "indirect" in self._fields

    @property
    def bindings(self) -> tuple[Any, ...]:
        """All that it had bound."""
        stages = [stage.bindings for stage in (self.vertex, self.fragment) if stage is not None]
        indices = [self.indices] if self.indices is not None else []
        return (*(item for stage in stages for item in stage), *self._attributes, *indices)

    @property
    def title(self) -> str:
        """What it is in a few words."""
        if self.kind == "signpost":
            return f"signpost {self.text!r}"
        if self.kind == "execute":
            return f"execute {counted(len(self.executed), 'indirect draw')}"
        if self.kind == "use":
            return "use of a resource"
        assert self.pipeline is not None
        what = "indices" if self.indices is not None else "vertices"
        count = "indirect" if self.count is None else f"{self.count} {what}"
        instances = "" if self.instances in (None, 1) else f" x {self.instances}"
        return f"{self.pipeline.name}: {self.primitive}, {count}{instances}"

    def __repr__(self) -> str:
        return f"<Draw {self.number}: {self.title}>"


def read_pass(command: Command, fields: Fields) -> tuple[tuple[Attachment, ...], tuple[Draw, ...]]:
    """Read what a command of kind "render" has of its own."""
    from ._command import _read_pointee

    attachments = tuple(Attachment(command, entry.text("name"), entry) for entry in fields.objects("attachments"))
    draws = tuple(Draw(command, i, entry) for i, entry in enumerate(fields.objects("draws")))
    pipelines = command.file.render_pipelines
    for entry in fields.objects("executed", ()):
        draw = draws[entry.integer("draw", len(draws))]
        draw.executed += (
            ExecutedDraw(
                entry.integer("index"),
                pipelines[entry.integer("pipeline", len(pipelines))],
                entry.choice("primitive", PRIMITIVES),
                entry.integer("count", _MOST),
                entry.integer("instances", _MOST),
            ),
        )
    for entry in fields.objects("pointees", ()):
        draw = draws[entry.integer("draw", len(draws))]
        function = command.file.kernels[entry.integer("function", len(command.file.kernels))]
        for stage in (draw.vertex, draw.fragment):
            if stage is not None and stage.function is function:
                stage.bindings += (_read_pointee(command, entry, function),)
    return attachments, draws


def read_render_pipeline(number: int, fields: Fields, file: CaptureFile) -> CapturedRenderPipeline:
    """Read one render pipeline, of the functions that the file has."""
    functions = file.kernels
    fragment = fields.optional_integer("fragment", len(functions))
    return CapturedRenderPipeline(
        number,
        fields.text("label"),
        functions[fields.integer("vertex", len(functions))],
        None if fragment is None else functions[fragment],
        tuple(_format(value) for value in fields.items("color_formats")),
        _format(fields.raw("depth_format")),
        _format(fields.raw("stencil_format")),
        fields.integer("samples", 65),
        tuple(MappingProxyType(entry.members()) for entry in fields.objects("blending")),
    )


def _format(value: Any) -> str:
    if type(value) is not int or not 0 <= value < 1 << 16:
        raise damaged(f"a pixel format is {value!r:.40}")
    return format_name(value) if value else ""

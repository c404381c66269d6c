# SPDX-License-Identifier: MIT
"""Something to be drawn: a vertex and a fragment function with all that they need."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native as mtl
from ._advice import KERNEL, did_you_mean, how_to_give
from ._arrays import Array, as_array
from ._binding import Call, Written
from ._checks import flag, integer_in
from ._draw_pipelines import BLENDS, names_of
from ._values import Mismatch, describe
from ._vertex_input import VertexAttribute, VertexInput, records
from .arguments import Argument, marked_signature
from .buffer import Buffer
from .errors import ArgumentError, ValidationError, advised
from .kernel import Kernel
from .library import Function
from .output import output
from .sampler import COMPARES

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Draw", "draw"]

PRIMITIVES = {
    "point": mtl.PrimitiveType.Point,
    "line": mtl.PrimitiveType.Line,
    "line_strip": mtl.PrimitiveType.LineStrip,
    "triangle": mtl.PrimitiveType.Triangle,
    "triangle_strip": mtl.PrimitiveType.TriangleStrip,
}
CULLS = {"front": mtl.CullMode.Front, "back": mtl.CullMode.Back}
WINDINGS = {"clockwise": mtl.Winding.Clockwise, "counter_clockwise": mtl.Winding.CounterClockwise}
FILLS = {"fill": mtl.TriangleFillMode.Fill, "lines": mtl.TriangleFillMode.Lines}
_OPTIONS = frozenset({
    "blend", "clear", "cull", "depth", "depth_compare", "depth_write", "fill", "indices", "instances", "pixel_format",
    "primitive", "samples", "size", "vertices", "wait", "winding",
})  # fmt: skip
_MOST = 2**32 - 1  # vertices, of which indices are uint32


@dataclass(frozen=True, eq=False)
class Draw:
    """What :func:`draw` makes and :func:`render` draws; it can be drawn again and again.

    Attributes
    ----------
    vertex, fragment : Function
        The fragment function is None where only depth is drawn.
    count, instances : int
        How many vertices (of them, indices may name one more than once), and how often all of them are drawn.
    """

    vertex: Function
    fragment: Function | None
    count: int
    instances: int
    _source: VertexInput
    _indices: mtl.Buffer | None
    _first_index: int
    _index_type: mtl.IndexType
    _primitive: str
    _cull: str | None
    _winding: str
    _fill: str
    _blend: str | None
    _depth_compare: str
    _depth_write: bool
    _arguments: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Those of its functions."""
        return names_of(self.vertex, self.fragment)

    def __repr__(self) -> str:
        return f"Draw({self.name}, vertices={self.count}, instances={self.instances})"

    def _bind(self, vertex: Sequence[Argument], fragment: Sequence[Argument], shared: Written) -> tuple[Call, Call]:
        """Check the functions' arguments, and say what is bound for each; `shared` is of all that is drawn with it."""
        __tracebackhide__ = True
        calls = Call(self.vertex.device, shared), Call(self.vertex.device, shared)
        known = {a.name for a in (*vertex, *fragment)}
        for function, arguments, call in zip((self.vertex, self.fragment), (vertex, fragment), calls, strict=True):
            for i, argument in enumerate(arguments):
                assert function is not None
                if argument.name in _OPTIONS:
                    raise ValidationError(
                        f"{function.name}: an argument is called {argument.name}, as an option of draw or render is; "
                        f"give it another name"
                    )
                self._bind_one(function, arguments, i, call, known)
        for name in self._arguments:
            if name not in known:
                raise self._unknown(name, [*vertex, *fragment])
        return calls

    def _bind_one(self, function: Function, arguments: Sequence[Argument], i: int, call: Call, known: set[str]) -> None:
        __tracebackhide__ = True
        argument = arguments[i]
        if argument.name not in self._arguments:
            if argument.is_optional:
                return
            unknown = [name for name in self._arguments if name not in known]
            if unknown:
                raise self._unknown(unknown[0], arguments)
            advice = how_to_give(argument).replace(", or output.like(...)", "")
            raise _wrong(function, arguments, f"{argument.name} is missing", i, advice)
        value = self._arguments[argument.name]
        try:
            if isinstance(value, output):
                raise Mismatch("is written while drawing, got an output", "pass an array, a Buffer or a Texture")
            call.bind(argument, value)
        except Mismatch as mismatch:
            gap = "" if mismatch.problem.startswith(".") else " "
            raise _wrong(function, arguments, f"{argument.name}{gap}{mismatch.problem}", i, mismatch.advice) from None

    def _unknown(self, name: str, arguments: Sequence[Argument]) -> ArgumentError:
        attributes = attributes_of(self.vertex)
        hint = did_you_mean(name, [*(a.name for a in arguments), *(a.name for a in attributes), *sorted(_OPTIONS)])
        return ArgumentError(f"{self.name}: no argument is called {name!r}{hint}")


def draw(
    vertex: Function,
    fragment: Function | None = None,
    /,
    *,
    vertices: Any = None,
    indices: Any = None,
    instances: Any = 1,
    primitive: str = "triangle",
    cull: str | None = None,
    winding: str = "clockwise",
    fill: str = "fill",
    blend: str | None = None,
    depth_compare: str = "less",
    depth_write: bool = True,
    **arguments: Any,
) -> Draw:
    """Say what is to be drawn, for :func:`render`.

    Parameters
    ----------
    vertex, fragment : Function
        A vertex function of a library or of a ``%%metal`` cell, and a fragment function; None where only depth is
        drawn.
    vertices : int or array of records, optional
        How many vertices there are; or one record for each, whose fields have the names of the vertex function's
        attributes (a Buffer of such a type will do). Default: as many as the indices, or the first array that is given
        for an attribute.
    indices : array, optional
        Numbers of the vertices to be drawn, in order; of any shape.
    instances : int or array of records, optional
        How often all of it is drawn; or one record for each time, with fields for attributes.
    primitive : str
        What vertices become: ``"triangle"``, ``"triangle_strip"``, ``"line"``, ``"line_strip"`` or ``"point"``.
    cull : str, optional
        Which triangles are left out: those that show their ``"back"`` or their ``"front"``.
    winding : str
        How the corners of a triangle go round on the screen that shows its front: ``"clockwise"`` or
        ``"counter_clockwise"``.
    fill : str
        ``"lines"`` draws the outlines of triangles.
    blend : str, optional
        How a colour is put over what is there: ``"alpha"``, ``"premultiplied"``, ``"add"`` or ``"multiply"``.
        Default: it replaces it.
    depth_compare : str
        Which fragments are drawn where the pass has depth: those whose depth is ``"less"`` than what is there;
        ``"less_equal"``, ``"always"`` and the other words of samplers do as well.
    depth_write : bool
        Whether the depth is changed where something is drawn.
    **arguments
        The arguments of both functions by name, as in a call of a kernel: one name in both is one value. Attributes of
        the vertex function go by name too: an array with an element for each vertex, or one value for all.

    Returns
    -------
    Draw

    Raises
    ------
    ArgumentError
        If something is of a type that does not fit.
    ValidationError
        If a value is not allowed.
    """
    __tracebackhide__ = True
    vertex = _checked_function(vertex, "vertex")
    if fragment is not None:
        fragment = _checked_function(fragment, "fragment")
        if fragment.device is not vertex.device:
            raise ValidationError(f"draw: {vertex.name} and {fragment.name} are functions of different Devices")
    attributes = attributes_of(vertex)
    named = dict(arguments)
    source, records_of = _source(vertex, attributes, vertices, instances, named)
    index_buffer, first, index_type, index_count = _index_buffer(
        vertex.device, indices, min(source.counts.values(), default=records_of["vertices"] or _MOST), primitive
    )
    count: int | None = index_count
    if index_buffer is None:
        count = records_of["vertices"] or next(iter(source.counts.values()), None)
    if count is None:
        raise advised(
            ValidationError,
            f"draw: {vertex.name} has no array that tells the number of vertices",
            "add vertices=3 for a triangle, or as many as the function numbers by [[vertex_id]]",
        )
    if index_buffer is None:
        _check_counts(vertex, source, count)
    return Draw(
        vertex,
        fragment,
        count,
        1 if records_of["instances"] is None else records_of["instances"],
        source,
        index_buffer,
        first,
        index_type,
        _word(primitive, "primitive", PRIMITIVES),
        None if cull is None else _word(cull, "cull", CULLS),
        _word(winding, "winding", WINDINGS),
        _word(fill, "fill", FILLS),
        None if blend is None else _word(blend, "blend", BLENDS),
        _word(depth_compare, "depth_compare", COMPARES),
        flag(depth_write, "draw: depth_write"),
        named,
    )


def attributes_of(vertex: Function) -> tuple[VertexAttribute, ...]:
    """List the members of a vertex function's ``[[stage_in]]``."""
    found = []
    for native in vertex._function.stage_input_attributes:
        attribute = VertexAttribute.from_attribute(native)
        assert isinstance(attribute, VertexAttribute)
        if attribute.name in _OPTIONS:
            raise ValidationError(
                f"{vertex.name}: an attribute is called {attribute.name}, as an option of draw or render is; "
                f"give it another name"
            )
        found.append(attribute)
    return tuple(found)


def _checked_function(value: object, kind: str) -> Function:
    if isinstance(value, Function) and value.function_type == kind:
        return value
    if isinstance(value, Function):
        raise ValidationError(f"draw: {value.name} is a {value.function_type} function, expected a {kind} function")
    if isinstance(value, Kernel):
        raise ArgumentError(f"draw: {value.name} is a kernel, which is called; expected a {kind} function")
    raise ArgumentError(f"draw: {kind} must be a {kind} function of Metal's, got {describe(value)}")


def _word(value: object, what: str, words: Collection[str]) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"draw: {what} must be one of {', '.join(words)}, got {describe(value)}")
    if value not in words:
        raise ValidationError(f"draw: {what} is {value!r}, must be one of {', '.join(words)}")
    return value


def _source(
    vertex: Function, attributes: Sequence[VertexAttribute], vertices: Any, instances: Any, named: dict[str, Any]
) -> tuple[VertexInput, dict[str, int | None]]:
    """Find where each attribute comes from, taking what is given by name out of `named`."""
    __tracebackhide__ = True
    source = VertexInput()
    counts: dict[str, int | None] = {}
    taken: set[str] = set()
    for what, value in (("vertices", vertices), ("instances", instances)):
        if value is None:
            counts[what] = None
            continue
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            counts[what] = integer_in(value, f"draw: {what}", 1, _MOST)
            continue
        try:
            given = records(what, value, vertex.device, attributes)
            counts[what] = int(given.size)
            taken |= source.add_records(what, given, [a for a in attributes if a.name not in taken | named.keys()])
        except Mismatch as mismatch:
            raise advised(ArgumentError, f"draw: {what} {mismatch.problem}", mismatch.advice) from None
    for i, attribute in enumerate(attributes):
        if attribute.name in taken:
            continue
        if attribute.name not in named:
            text = f"{attribute.name} is missing, the {attribute.type_text} of each vertex"
            advice = f"add {attribute.name}=..., an array by name, or a field {attribute.name} of vertices"
            raise _wrong(vertex, attributes, text, i, advice)
        try:
            source.add(attribute, named.pop(attribute.name), vertex.device)
        except Mismatch as mismatch:
            raise _wrong(vertex, attributes, f"{attribute.name} {mismatch.problem}", i, mismatch.advice) from None
    return source, counts


def _check_counts(vertex: Function, source: VertexInput, count: int) -> None:
    for name, length in source.counts.items():
        if length < count:
            raise ValidationError(f"draw: {vertex.name} draws {count} vertices, but {name} has elements for {length}")


def _index_buffer(
    device: Device, indices: Any, vertices: int, primitive: str
) -> tuple[mtl.Buffer | None, int, mtl.IndexType, int]:
    if indices is None:
        return None, 0, mtl.IndexType.UInt32, 0
    if isinstance(indices, Buffer):
        if indices._device is not device:
            raise ArgumentError("draw: indices is a Buffer of another Device than the functions")
        if indices.dtype not in (np.uint16, np.uint32) or not indices.size:
            raise ArgumentError(
                f"draw: indices is a Buffer of {indices.size} x {indices.dtype}, must be uint16 or uint32"
            )
        kind = mtl.IndexType.UInt16 if indices.dtype == np.uint16 else mtl.IndexType.UInt32
        return indices._buf, indices._offset, kind, int(indices.size)
    array = as_array(indices)
    if array is None and isinstance(indices, (list, tuple)):
        with suppress(ValueError):  # rows of different lengths
            array = np.array(indices)
    if array is None or array.dtype.kind not in "iu":
        raise ArgumentError(f"draw: indices must be an array of whole numbers, got {describe(indices)}")
    if not array.size:
        raise ValidationError("draw: indices has no elements")
    _check_indices(array, vertices, primitive)
    short = array.dtype == np.uint16
    native: Any = np.ascontiguousarray(array.reshape(-1), np.uint16 if short else np.uint32)
    return (
        device._native.new_buffer_with_data(native),
        0,
        mtl.IndexType.UInt16 if short else mtl.IndexType.UInt32,
        int(array.size),
    )


def _check_indices(array: Array, vertices: int, primitive: str) -> None:
    """Refuse an index that no vertex has; the one with all bits set ends a strip."""
    restart = np.iinfo(np.uint16).max if array.dtype == np.uint16 else _MOST
    used = array[array != restart] if isinstance(primitive, str) and primitive.endswith("strip") else array
    if not used.size:
        return
    least, most = int(used.min()), int(used.max())
    if least < 0:
        raise ValidationError(f"draw: indices holds {least}, which is negative")
    if most >= vertices:
        raise ValidationError(f"draw: indices holds {most}, but there are {vertices} vertices, from 0")


def _wrong(
    function: Function, arguments: Sequence[Argument], problem: str, marked: int, advice: str = ""
) -> ArgumentError:
    problem = problem.replace("the kernel", "the function")
    text = f"{function.name}: {problem}\n\n{marked_signature(function.name, arguments, [marked])}"
    return advised(ArgumentError, text, advice.replace(KERNEL, function.name).replace("the kernel", "the function"))

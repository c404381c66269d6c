# SPDX-License-Identifier: MIT
"""What a capture's commands use: queues, kernels, resources, scopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native as mtl
from .._texture_kinds import kind_of
from .._types import ElementType, element_type, value_type
from ..utils import PIXEL_FORMATS
from ._checked import Fields, damaged

if TYPE_CHECKING:
    from ._file import CaptureFile

__all__ = [
    "CapturedArgument",
    "CapturedCommandBuffer",
    "CapturedEncoder",
    "CapturedKernel",
    "CapturedQueue",
    "CapturedResource",
    "CapturedScope",
    "TypeDescription",
]

_MOST_SIZE = 1 << 40
_MOST_NESTED = 64
_MOST_PARTS = 100_000


@dataclass(frozen=True)
class CapturedQueue:
    """A command queue."""

    id: int
    label: str

    def __str__(self) -> str:
        return f"queue {self.id}" + (f" {self.label!r}" if self.label else "")


@dataclass(frozen=True)
class CapturedScope:
    """One stretch of a capture scope, from its begin to its end.

    Attributes
    ----------
    label : str
    queue : CapturedQueue or None
        None: all queues of the device.
    begin, end : float
        Seconds on the same clock as the commands' times; `end` is None where the capture ended first.
    """

    id: int
    label: str
    queue: CapturedQueue | None
    begin: float
    end: float | None


@dataclass(frozen=True)
class CapturedEncoder:
    """What encoded a command: ``kind`` is ``"compute"``, ``"render"`` or ``"blit"``."""

    id: int
    kind: str
    label: str


@dataclass(frozen=True)
class CapturedCommandBuffer:
    """A command buffer.

    Attributes
    ----------
    status : str
        ``"completed"``, ``"error"`` or, where the capture ended first, ``"committed"``.
    error : str
        Why it failed; empty where it did not.
    start, end : float
        Of its run on the device, with the time that the capture took; zeros where it had not ended.
    """

    id: int
    label: str
    queue: CapturedQueue
    status: str
    error: str
    committed: float
    start: float
    end: float
    encoders: tuple[CapturedEncoder, ...]
    scopes: tuple[CapturedScope, ...]
    encoded: int

    def __str__(self) -> str:
        return f"command buffer {self.id}" + (f" {self.label!r}" if self.label else "")


@dataclass
class TypeDescription:
    """A type of Metal's, as the reflection of a live kernel would have it."""

    name: str
    size: int
    data_type: Any
    array_length: int
    stride: int
    element: TypeDescription | None = None
    members: list[MemberDescription] = field(default_factory=list)


@dataclass
class MemberDescription:
    """A member of a struct."""

    name: str
    offset: int
    type: TypeDescription


@dataclass(frozen=True)
class CapturedArgument:
    """An argument of a captured kernel.

    Attributes
    ----------
    kind : str
        ``"buffer"``, ``"texture"``, ``"sampler"``, ``"threadgroup"`` or ``"function_table"``.
    access : str
        ``"read"``, ``"write"`` or ``"read_write"``.
    """

    name: str
    kind: str
    index: int
    access: str
    array_length: int
    type_text: str
    type: TypeDescription | None

    @cached_property
    def element(self) -> ElementType:
        """What a buffer points at."""
        return element_of(self.type)

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """NumPy type of one element of a buffer; None where it has none."""
        return self.element.dtype if self.kind == "buffer" else None

    @property
    def declaration(self) -> str:
        """Type and name, as in the source."""
        return f"{self.type_text} {self.name}"


@dataclass(frozen=True)
class CapturedKernel:
    """A kernel, or a vertex or fragment function, with its constants, as a pipeline has it.

    Attributes
    ----------
    name : str
        Of the function.
    stage : str
        ``"kernel"``, ``"vertex"`` or ``"fragment"``.
    source : str
        The text of its library.
    line : int
        Where in it the kernel is.
    constants : dict
        Values of function constants, by name.
    options : dict
        What the library was compiled with: ``macros``, ``headers``, ``math_mode``, ...
    """

    id: int
    name: str
    label: str
    line: int
    signature: str
    source: str
    arguments: tuple[CapturedArgument, ...]
    types: tuple[TypeDescription, ...]
    constants: Mapping[str, Any]
    options: Mapping[str, Any]
    linked_functions: tuple[str, ...]
    max_total_threads: int
    stage: str = "kernel"

    def __repr__(self) -> str:
        return f"<CapturedKernel {self.name}>"


@dataclass(frozen=True, eq=False)
class CapturedResource:
    """A buffer or texture, or what else the program told of.

    Attributes
    ----------
    kind : str
        ``"buffer"``, ``"texture"``, ``"function_table"`` or ``"indirect_command_buffer"``.
    label : str
        What the program called it; often empty. `names` are those of the arguments that it was bound to.
    storage : str
        ``"shared"``, ``"managed"`` or ``"private"``.
    length : int
        Bytes of a buffer.
    texture_type : str
        Of a texture: ``"2d"``, ``"2d_array"``, ``"cube"``, ...
    pixel_format : str
        Metal's name, such as ``"rgba8Unorm"``; ``"format 130"`` where this package has no arrays of it.
    parent : CapturedResource or None
        What a texture is a view of, from `parent_level` and `parent_slice` on.
    buffer : CapturedResource or None
        Whose memory a texture is laid on, from `buffer_offset` on.
    """

    id: int
    kind: str
    label: str
    storage: str
    length: int = 0
    texture_type: str = ""
    pixel_format: str = ""
    width: int = 1
    height: int = 1
    depth: int = 1
    array_length: int = 1
    levels: int = 1
    samples: int = 1
    usage: int = 0
    bytes_per_pixel: int = 0
    swizzle: tuple[int, ...] = (2, 3, 4, 5)
    parent: CapturedResource | None = None
    parent_level: int = 0
    parent_slice: int = 0
    buffer: CapturedResource | None = None
    buffer_offset: int = 0
    bytes_per_row: int = 0
    _names: list[str] = field(default_factory=list, repr=False, init=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arguments that it was bound to, in the order of the commands."""
        return tuple(self._names)

    @property
    def name(self) -> str:
        """What a person may call it: its label, else the first of its `names`, else its kind and number."""
        return self.label or (self._names[0] if self._names else f"{self.kind} {self.id}")

    @property
    def root(self) -> CapturedResource:
        """Whose memory it is: itself, or what it is a view of or laid on."""
        resource = self
        while resource.parent is not None or resource.buffer is not None:
            resource = resource.parent or resource.buffer or resource
        return resource

    @property
    def slices(self) -> int:
        """Images of a level, as views count them: a cube has six for each of its array."""
        return self.array_length * (6 if self.texture_type.startswith("cube") else 1)

    @property
    def channels(self) -> int:
        """Numbers of a pixel."""
        info = PIXEL_FORMATS.get(self.pixel_format)
        return info.channels if info else self.bytes_per_pixel

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of one channel as stored; bytes where this package has no arrays of the format, and for buffers."""
        info = PIXEL_FORMATS.get(self.pixel_format)
        return info.dtype if info else np.dtype(np.uint8)

    def level_size(self, level: int) -> tuple[int, int, int]:
        """Width, height and depth of a level."""
        return max(1, self.width >> level), max(1, self.height >> level), max(1, self.depth >> level)

    def __repr__(self) -> str:
        if self.kind == "buffer":
            return f"<CapturedResource {self.id}: buffer {self.name!r}, {self.length} bytes>"
        size = " x ".join(str(n) for n in (self.width, self.height, self.depth)[: 3 if self.depth > 1 else 2])
        return f"<CapturedResource {self.id}: {self.texture_type} texture {self.name!r}, {size}, {self.pixel_format}>"


def element_of(info: TypeDescription | None) -> ElementType:
    """Describe one element of a buffer of that type."""
    name = mtl.data_type_name(info.data_type) if info is not None else ""
    return element_type(info, name, info.size if info is not None else 0)


# ---- reading ----


def read_types(fields: Fields) -> tuple[TypeDescription, ...]:
    """Read a kernel's types, which refer to each other by number."""
    entries = fields.objects("types")
    types = [
        TypeDescription(
            entry.text("name"),
            entry.integer("size", _MOST_SIZE),
            _data_type(entry.integer("data_type", 1 << 16)),
            entry.integer("array_length", _MOST_SIZE),
            entry.integer("stride", _MOST_SIZE),
        )
        for entry in entries
    ]
    for described, entry in zip(types, entries, strict=True):
        element = entry.optional_integer("element", len(types))
        if element is not None and described.data_type in (mtl.DataType.Array, mtl.DataType.Pointer):
            described.element = types[element]
        for member in entry.objects("members"):
            number = member.optional_integer("type", len(types))
            if number is not None:
                described.members.append(
                    MemberDescription(member.text("name"), member.integer("offset", _MOST_SIZE), types[number])
                )
    _check_nesting(types, fields.where)
    return tuple(types)


def _data_type(value: int) -> Any:
    try:
        return mtl.DataType(value)
    except ValueError:
        return mtl.DataType(0)


def _check_nesting(types: Sequence[TypeDescription], where: str) -> None:
    """Refuse types that hold themselves, or that nest so that an array of them could not be made in any time."""
    weights: dict[int, int] = {}
    for described in types:
        if _weight(described, weights, 0) > _MOST_PARTS:
            raise damaged(f"{where}: type {described.name!r:.60} holds itself or too much")


def _weight(described: TypeDescription, known: dict[int, int], depth: int) -> int:
    key = id(described)
    if key not in known:
        if depth > _MOST_NESTED:
            return _MOST_PARTS + 1
        known[key] = _MOST_PARTS + 1  # while it is being counted, so that what holds itself is too much
        parts = [member.type for member in described.members]
        if described.element is not None and described.array_length:
            parts.append(described.element)
        known[key] = 1 + sum(_weight(part, known, depth + 1) for part in parts)
    return known[key]


def read_argument(fields: Fields, types: Sequence[TypeDescription]) -> CapturedArgument:
    """Read one argument of a kernel."""
    number = fields.optional_integer("type", len(types))
    return CapturedArgument(
        fields.text("name"),
        fields.text("kind"),
        fields.integer("index", 1 << 32),
        fields.text("access"),
        fields.integer("array_length", 1 << 32),
        fields.text("type_text"),
        None if number is None else types[number],
    )


def read_kernel(
    number: int, fields: Fields, sources: Sequence[str], options: Sequence[Mapping[str, Any]]
) -> CapturedKernel:
    """Read one pipeline, of the libraries that have those sources and options."""
    types = read_types(fields)
    library = fields.integer("library", len(sources))
    return CapturedKernel(
        number,
        fields.text("function"),
        fields.text("label"),
        fields.integer("line", 1 << 32),
        fields.text("signature"),
        sources[library],
        tuple(read_argument(entry, types) for entry in fields.objects("arguments")),
        types,
        {entry.text("name"): _constant(entry) for entry in fields.objects("constants")},
        options[library],
        fields.texts("linked_functions"),
        fields.integer("max_total_threads", 1 << 32),
        fields.text("stage", "kernel"),
    )


def _constant(fields: Fields) -> Any:
    try:
        data = bytes.fromhex(fields.text("bytes"))
    except ValueError:
        raise damaged(f"{fields.where}: 'bytes' is no hexadecimal text") from None
    element = value_type(fields.text("type"))
    if element is None or element.dtype is None or element.dtype.itemsize == 0 or len(data) < element.dtype.itemsize:
        return data
    value = np.frombuffer(data, element.dtype, 1)[0]
    return value.item() if isinstance(value, np.generic) else value


def read_resource(number: int, fields: Fields, before: Sequence[CapturedResource]) -> CapturedResource:
    """Read one resource; what it is a part of is among those before it."""
    kind = fields.text("kind")
    common: dict[str, Any] = {"label": fields.text("label"), "storage": fields.text("storage")}
    if kind != "texture":
        return CapturedResource(number, kind, length=fields.integer("length", _MOST_SIZE, default=0), **common)
    sizes: dict[str, Any] = {
        name: fields.integer(name, 1 << 32)
        for name in ("width", "height", "depth", "array_length", "levels", "samples", "bytes_per_pixel")
    }
    if min(sizes.values()) < 1:
        raise damaged(f"{fields.where}: a texture's sizes must be at least 1")
    parent = fields.optional_integer("parent", number)
    buffer = fields.optional_integer("buffer", number)
    found = CapturedResource(
        number,
        kind,
        texture_type=_type_name(fields.integer("texture_type", 1 << 16)),
        pixel_format=_format_name(fields.integer("pixel_format", 1 << 16), sizes["bytes_per_pixel"]),
        usage=fields.integer("usage", 1 << 32),
        swizzle=fields.integers("swizzle", 1 << 8),
        parent=None if parent is None else before[parent],
        parent_level=fields.integer("parent_level", 1 << 16, default=0),
        parent_slice=fields.integer("parent_slice", 1 << 32, default=0),
        buffer=None if buffer is None else before[buffer],
        buffer_offset=fields.integer("buffer_offset", _MOST_SIZE, default=0),
        bytes_per_row=fields.integer("bytes_per_row", _MOST_SIZE, default=0),
        **sizes,
        **common,
    )
    if (found.parent and found.parent.kind != "texture") or (found.buffer and found.buffer.kind != "buffer"):
        raise damaged(f"{fields.where} is part of a resource of another kind")
    return found


def _type_name(value: int) -> str:
    kind = kind_of(value)
    if kind is not None:
        return kind.name
    return {4: "2d_multisample", 8: "2d_multisample_array"}.get(value, f"type {value}")


def format_name(value: int) -> str:
    """Give Metal's name of a pixel format."""
    for name, info in PIXEL_FORMATS.items():
        if info.mtl_value == value:
            return name
    return f"format {value}"


def _format_name(value: int, nbytes: int) -> str:
    for name, info in PIXEL_FORMATS.items():
        if info.mtl_value == value and info.channels * info.dtype.itemsize == nbytes:
            return name
    return f"format {value}"


def read_command_buffer(
    fields: Fields, queues: Sequence[CapturedQueue], scopes: Sequence[CapturedScope]
) -> CapturedCommandBuffer:
    """Read one command buffer."""
    encoders = tuple(
        CapturedEncoder(i, entry.text("kind"), entry.text("label"))
        for i, entry in enumerate(fields.objects("encoders"))
    )
    return CapturedCommandBuffer(
        fields.integer("id", 1 << 32),
        fields.text("label"),
        queues[fields.integer("queue", len(queues))],
        fields.text("status"),
        fields.text("error"),
        fields.number("committed"),
        fields.number("start"),
        fields.number("end"),
        encoders,
        tuple(scopes[number] for number in fields.integers("scopes", len(scopes))),
        fields.integer("commands", 1 << 32),
    )


def read_scope(number: int, fields: Fields, queues: Sequence[CapturedQueue]) -> CapturedScope:
    """Read one stretch of a scope."""
    queue = fields.optional_integer("queue", len(queues))
    return CapturedScope(
        number,
        fields.text("label"),
        None if queue is None else queues[queue],
        fields.number("begin"),
        fields.optional_number("end"),
    )


def owner_of(file: CaptureFile, fields: Fields, name: str = "resource") -> CapturedResource:
    """Look up the resource that a part of a command names."""
    return file.resources[fields.integer(name, len(file.resources))]

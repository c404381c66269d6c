# SPDX-License-Identifier: MIT
"""One pixel or element through all commands, to find where it went wrong."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._checks import sizes
from ..errors import ArgumentError, ValidationError, outside
from ._arrays import TexturePlace, dtype_of
from ._bindings import BoundBuffer, BoundTexture
from ._objects import CapturedResource

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._command import Command
    from ._file import CaptureFile

__all__ = ["Following", "History", "Moment", "follow", "history"]


class Moment(NamedTuple):
    """One command's part in a history.

    Attributes
    ----------
    command : Command
    before, after : number or numpy.ndarray
        An array for pixels of several channels. `after` is None where the capture ended before the command did.
    is_written : bool
        Whether the command may write to the resource.
    """

    command: Command
    before: Any
    after: Any
    is_written: bool

    @property
    def value(self) -> Any:
        """After the command, as far as that is known."""
        return self.before if self.after is None else self.after

    @property
    def is_changed(self) -> bool:
        """Whether the command changed the value."""
        return self.after is not None and not _same(self.before, self.after)


class History(tuple[Moment, ...]):
    """Moments in the order of the commands; printed as a table, with a star where the value changed.

    Attributes
    ----------
    name : str
        Of the resource, or of what it was bound as.
    place : tuple of int
        The index that was asked for.
    """

    name: str
    place: tuple[int, ...]

    @property
    def changes(self) -> tuple[Moment, ...]:
        """The moments at which the value changed."""
        return tuple(moment for moment in self if moment.is_changed)

    @property
    def values(self) -> list[Any]:
        """The value after each command."""
        return [moment.value for moment in self]

    def __str__(self) -> str:
        place = ", ".join(map(str, self.place))
        lines = [f"{self.name}[{place}]"]
        last: Any = None
        for moment in self:
            if last is not None and not _same(last, moment.before):
                lines.append(f"        {'written by the host':<40} {moment.before}")
            mark = "*" if moment.is_changed else " "
            lines.append(f"  {mark} {moment.command.number:>4} {moment.command.title:<40} {moment.value}")
            last = moment.value
        return "\n".join(lines)

    __repr__ = __str__


def _same(first: Any, second: Any) -> bool:
    return np.asarray(first).tobytes() == np.asarray(second).tobytes()


def history(
    file: CaptureFile,
    what: str | int | CapturedResource | BoundBuffer | BoundTexture,
    index: int | Sequence[int],
    level: int,
    dtype: npt.DTypeLike | None,
) -> History:
    """Do what :meth:`CaptureFile.history` says."""
    following = follow(file, what, index, level, dtype)
    found = History(following.moments)
    found.name, found.place = following.name, following.place
    return found


class Following(NamedTuple):
    """A history whose moments are read as they are asked for."""

    name: str
    place: tuple[int, ...]
    moments: Iterator[Moment]


def follow(
    file: CaptureFile,
    what: str | int | CapturedResource | BoundBuffer | BoundTexture,
    index: int | Sequence[int],
    level: int = 0,
    dtype: npt.DTypeLike | None = None,
) -> Following:
    """Begin a history; what is wrong with the question is raised at once."""
    if isinstance(what, (str, int)) and not isinstance(what, bool):
        what = file.resource(what)
    if isinstance(what, CapturedResource):
        resource, bound = what, None
    elif isinstance(what, (BoundBuffer, BoundTexture)):
        if what.resource is None:
            raise ValidationError(f"{what.name!r} is bytes that were given with the command, which nothing changes")
        resource, bound = what.resource, what
    else:
        raise ArgumentError(
            f"history: expected a name, a number, a resource or what a command has bound, got {type(what).__name__}"
        )
    places: tuple[int, ...]
    try:
        places = (operator.index(index),)  # type: ignore[arg-type]
    except TypeError:
        places = sizes(index, "history: index")
    place = _Pixel(resource, level) if resource.kind == "texture" else _Element(file, resource, bound, dtype)
    moments = place.moments(file, _inside(places, place.shape, resource))
    return Following(resource.name if bound is None else bound.name, places, moments)


def _inside(index: tuple[int, ...], shape: tuple[int, ...], resource: CapturedResource) -> tuple[int, ...]:
    if len(index) != len(shape):
        raise outside(f"index {index} has {len(index)} numbers, {resource!r} has the axes {shape}")
    for at, size in zip(index, shape, strict=True):
        if not -size <= at < size:
            raise outside(f"index {index} is outside of {resource!r}, whose shape is {shape}")
    return tuple(at % size for at, size in zip(index, shape, strict=True))


class _Place:
    root: CapturedResource
    level: int | None
    shape: tuple[int, ...]

    def read(self, file: CaptureFile, number: int, index: tuple[int, ...]) -> Any:
        raise NotImplementedError

    def moments(self, file: CaptureFile, index: tuple[int, ...]) -> Iterator[Moment]:
        """Read the value around each command; the same content is read once."""
        known: dict[int, Any] = {}

        def value(number: int) -> Any:
            if number not in known:
                known[number] = self.read(file, number, index)
            return known[number]

        for command in file.commands:
            for touched in command.touched:
                if touched.resource is self.root and touched.level == self.level:
                    after = None if touched.after is None else value(touched.after)
                    yield Moment(command, value(touched.before), after, touched.is_written)


class _Pixel(_Place):
    def __init__(self, texture: CapturedResource, level: int) -> None:
        if not 0 <= level < texture.levels:
            raise outside(f"level is {level}, {texture!r} has {texture.levels}")
        self._place = TexturePlace(texture, level)
        self.root, self.level, self.shape = self._place.root, self._place.level, self._place.shape

    def read(self, file: CaptureFile, number: int, index: tuple[int, ...]) -> Any:
        return self._place.pixel(file._contents, number, index)


class _Element(_Place):
    def __init__(
        self,
        file: CaptureFile,
        buffer: CapturedResource,
        bound: BoundBuffer | BoundTexture | None,
        dtype: npt.DTypeLike | None,
    ) -> None:
        self.root, self.level = buffer.root, None
        self._offset = bound.offset if isinstance(bound, BoundBuffer) else 0
        use = bound if isinstance(bound, BoundBuffer) else _typed_use(file, buffer)
        declared = dtype_of(None) if use is None else use.dtype
        self._dtype = declared if dtype is None else np.dtype(dtype)
        if not self._dtype.itemsize:
            raise ValidationError(f"history: dtype is {self._dtype}, whose elements have no bytes")
        self.shape = ((buffer.length - self._offset) // self._dtype.itemsize,)

    def read(self, file: CaptureFile, number: int, index: tuple[int, ...]) -> Any:
        size = self._dtype.itemsize
        data = file._contents.read(number, self._offset + index[0] * size, size)
        return np.frombuffer(np.ascontiguousarray(data), self._dtype)[0]


def _typed_use(file: CaptureFile, buffer: CapturedResource) -> BoundBuffer | None:
    """Find the first command that says what the buffer holds."""
    for command in file.commands:
        for bound in command.buffers.values():
            if bound.resource is buffer and bound.argument is not None:
                return bound
    return None

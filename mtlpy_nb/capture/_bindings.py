# SPDX-License-Identifier: MIT
"""What a captured command worked on: the buffers and textures by their names, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from .._arrays import Array
from ..errors import unknown_name
from ._arrays import TexturePlace, buffer_array, dtype_of
from ._changes import Change
from ._contents import Contents
from ._objects import CapturedArgument, CapturedResource

if TYPE_CHECKING:
    from ._command import Command

__all__ = ["BoundBuffer", "BoundTexture", "Named", "Touched"]


class Touched(NamedTuple):
    """Memory that a command may have touched.

    Attributes
    ----------
    resource : CapturedResource
        A buffer, or a texture that is no view.
    level : int or None
        Of a texture.
    is_written : bool
        Whether the command may write to it.
    before, after : int or None
        Numbers of its contents. `after` is `before` where nothing may be written, None where the command had not ended.
    """

    resource: CapturedResource
    level: int | None
    is_written: bool
    before: int
    after: int | None


class _Bound:
    """What buffers and textures have in common.

    Attributes
    ----------
    name : str
        Of the argument; of what an argument buffer holds, the path to it, such as ``"args.images[2]"``; of a copy,
        ``"source"`` or ``"destination"``.
    index : int or None
        ``n`` of ``[[buffer(n)]]``; None for what has none.
    access : str
        ``"read"``, ``"write"`` or ``"read_write"``.
    resource : CapturedResource or None
        None for bytes that were given with the command.
    """

    def __init__(
        self,
        command: Command,
        name: str,
        index: int | None,
        access: str,
        resource: CapturedResource | None,
        argument: CapturedArgument | None = None,
    ) -> None:
        self.command = command
        self.name = name
        self.index = index
        self.access = access
        self.resource = resource
        self.argument = argument

    @property
    def is_written(self) -> bool:
        """Whether the command may write to it."""
        return self.access != "read"

    def _touched(self, root: CapturedResource, level: int | None) -> Touched | None:
        for touched in self.command.touched:
            if touched.resource is root and touched.level == level:
                return touched
        return None


class BoundBuffer(_Bound):
    """A buffer that a command worked on.

    Attributes
    ----------
    offset : int
        Bytes of the resource before it.
    dtype : numpy.dtype
        Of its elements, by the kernel's declaration; structs have fields.
    """

    def __init__(self, *args: Any, offset: int = 0, content: int | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.offset = offset
        self._content = content

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its elements."""
        return dtype_of(self.argument)

    @property
    def length(self) -> int:
        """Bytes, from the offset on."""
        if self.resource is not None:
            return self.resource.length - self.offset
        return self._file_contents.size(self._content or 0)

    @property
    def before(self) -> Array:
        """The elements before the command ran; of bytes given with the command, those."""
        if self._content is not None:
            return buffer_array(self._file_contents, self._content, self.dtype)
        touched = self._own
        return self._array(touched.before if touched else None)

    @property
    def after(self) -> Array:
        """The elements after it.

        Raises
        ------
        ValueError
            If the capture ended before the command did.
        """
        if self._content is not None:
            return self.before
        touched = self._own
        return self._array(touched.after if touched else None)

    @property
    def value(self) -> Any:
        """The first element before the command ran: all there is of a ``constant T&``."""
        return self.before[0]

    @property
    def changed(self) -> Change | None:
        """What the command changed in it; None for nothing."""
        touched = self._own
        return Change.of(self.command, touched, self) if touched else None

    @property
    def _own(self) -> Touched | None:
        return None if self.resource is None else self._touched(self.resource.root, None)

    @property
    def _file_contents(self) -> Contents:
        return self.command.file._contents

    def _array(self, number: int | None) -> Array:
        return buffer_array(self._file_contents, self.command.known(number, self.name), self.dtype, self.offset)

    def __repr__(self) -> str:
        where = f"[[buffer({self.index})]] " if self.index is not None else ""
        offset = f" at byte {self.offset}" if self.offset else ""
        of = "bytes" if self.resource is None else f"buffer {self.resource.id}"
        return f"<BoundBuffer {self.name} {where}{self.access}: {of}{offset}, {self.length} bytes of {self.dtype}>"


class BoundTexture(_Bound):
    """A texture, or a view of one, that a command worked on."""

    resource: CapturedResource

    @property
    def levels(self) -> int:
        """Levels of detail."""
        return self.resource.levels

    @property
    def before(self) -> Array:
        """The pixels of level 0 before the command ran."""
        return self.level_before(0)

    @property
    def after(self) -> Array:
        """The pixels of level 0 after it.

        Raises
        ------
        ValueError
            If the capture ended before the command did.
        """
        return self.level_after(0)

    def level_before(self, level: int) -> Array:
        """Give the pixels of a level before the command ran."""
        return self._read(level, is_after=False)

    def level_after(self, level: int) -> Array:
        """Give the pixels of a level after it."""
        return self._read(level, is_after=True)

    @property
    def changed(self) -> Change | None:
        """What the command changed in level 0; None for nothing. See also :attr:`Command.changed`."""
        place = TexturePlace(self.resource, 0)
        touched = self._touched(place.root, place.level)
        return Change.of(self.command, touched, self) if touched else None

    def _read(self, level: int, is_after: bool) -> Array:
        place = TexturePlace(self.resource, level)
        touched = self._touched(place.root, place.level)
        number = None if touched is None else touched.after if is_after else touched.before
        return place.read(self.command.file._contents, self.command.known(number, self.name))

    def __repr__(self) -> str:
        where = f"[[texture({self.index})]] " if self.index is not None else ""
        return f"<BoundTexture {self.name} {where}{self.access}: {self.resource!r}>"


T = TypeVar("T", bound=_Bound)


class Named(Mapping[str, T], Generic[T]):
    """Bound things by their names, or by the numbers in the source: ``textures["image"]``, ``textures[0]``."""

    def __init__(self, kind: str, items: list[T]) -> None:
        self._kind = kind
        self._items = {item.name: item for item in items}
        self._by_index = {item.index: item for item in items if item.index is not None}

    def __getitem__(self, key: str | int) -> T:
        found = self._by_index.get(key) if isinstance(key, int) else self._items.get(key)
        if found is None:
            names = ", ".join(f"{item.name!r}" for item in self._items.values()) or "none"
            raise unknown_name(f"no {self._kind} {key!r} in this command; it has {names}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

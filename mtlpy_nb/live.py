# SPDX-License-Identifier: MIT
"""What is alive on the devices: to find what holds memory that a program is through with."""

from __future__ import annotations

import linecache
import os
import re
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, overload

from . import _native as mtl
from ._advice import counted

__all__ = ["LiveObject", "LiveObjects", "live_objects"]

mtl.set_package_folder(os.path.dirname(os.path.abspath(__file__)) + os.sep)

# Metal's classes under the names that this package's have, where it has one.
_KINDS = {
    "SamplerState": "Sampler",
    "CommandQueue": "Queue",
    "ComputePipelineState": "Pipeline",
}
_MOST_ROWS = 30
_CELL = re.compile(r"[/\\]ipykernel_\d+[/\\]")


@dataclass(frozen=True)
class LiveObject:
    """One of Metal's objects that the program holds.

    Attributes
    ----------
    kind : str
        ``"Buffer"``, ``"Texture"``, ``"Queue"``, ``"Pipeline"`` and so on.
    size : int
        Bytes of its own memory; 0 for what has none. A Texture on a Buffer's memory and a Buffer or Texture in a Heap
        have their sizes too, though the memory is the other's.
    label : str
    file : str
        Where the program was when it was made, outside of this package; "" if that was in no Python code.
    line : int
    function : str
    """

    kind: str
    size: int
    label: str
    file: str
    line: int
    function: str
    _object: weakref.ref[Any]

    @property
    def place(self) -> str:
        """File and line as a person reads them; of a notebook's cell, its number."""
        return f"{_short_name(self.file)}:{self.line}" if self.file else "?"

    @property
    def source(self) -> str:
        """The text of the line, where it can be read."""
        return linecache.getline(self.file, self.line).strip() if self.file else ""

    def object(self) -> Any:
        """Give Metal's own object, or None when it is gone: ``gc.get_referrers`` of it tells what holds it."""
        return self._object()


class LiveObjects(Sequence[LiveObject]):
    """A list of live objects, the largest first, that prints as a table: one line for each kind, label and place."""

    def __init__(self, items: Sequence[LiveObject]) -> None:
        self._items = tuple(sorted(items, key=lambda item: (-item.size, item.kind, item.file, item.line)))

    @overload
    def __getitem__(self, index: int) -> LiveObject: ...
    @overload
    def __getitem__(self, index: slice) -> LiveObjects: ...
    def __getitem__(self, index: int | slice) -> LiveObject | LiveObjects:
        """Give one of them, or a part of the list."""
        if isinstance(index, slice):
            return LiveObjects(self._items[index])
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[LiveObject]:
        return iter(self._items)

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(item.size for item in self._items)

    def of_kind(self, *kinds: str) -> LiveObjects:
        """Give those of some kinds only: ``live_objects().of_kind("Buffer")``."""
        return LiveObjects([item for item in self._items if item.kind in kinds])

    def _rows(self) -> list[tuple[str, str, str, str, str, str]]:
        groups: dict[tuple[str, str, str, int], list[LiveObject]] = {}
        for item in self._items:
            groups.setdefault((item.kind, item.label, item.file, item.line), []).append(item)
        ordered = sorted(groups.values(), key=lambda group: (-sum(item.size for item in group), -len(group)))
        return [
            (
                str(len(group)),
                group[0].kind,
                _bytes(sum(item.size for item in group)),
                group[0].label,
                group[0].place,
                group[0].source,
            )
            for group in ordered
        ]

    def _summary(self) -> str:
        return f"{counted(len(self._items), 'object')}, {_bytes(self.size) or '0 B'}"

    def __str__(self) -> str:
        rows = self._rows()
        shown = [_HEADER, *rows[:_MOST_ROWS]]
        widths = [max(len(row[i]) for row in shown) for i in range(len(_HEADER))]
        lines = [self._summary()]
        for row in shown:
            cells = [
                text.rjust(width) if i in _NUMBERS else text.ljust(width)
                for i, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(cells).rstrip())
        if len(rows) > _MOST_ROWS:
            lines.append(f"... and {len(rows) - _MOST_ROWS} more places")
        return "\n".join(lines if rows else lines[:1])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self._rows()
        if not rows:
            return f"<p>{self._summary()}</p>"
        head = "".join(f"<th>{escape(text)}</th>" for text in _HEADER)
        body = "".join(
            "<tr>"
            + "".join(
                f'<td style="text-align:{"right" if i in _NUMBERS else "left"}">'
                + (f"<code>{escape(text)}</code>" if i == len(row) - 1 and text else escape(text))
                + "</td>"
                for i, text in enumerate(row)
            )
            + "</tr>"
            for row in rows[:_MOST_ROWS]
        )
        more = f"<p>... and {len(rows) - _MOST_ROWS} more places</p>" if len(rows) > _MOST_ROWS else ""
        return f"<p>{self._summary()}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


_HEADER = ("count", "kind", "memory", "label", "made at", "by")
_NUMBERS = (0, 2)


def live_objects() -> LiveObjects:
    """List Metal's objects that the program holds, with their sizes, their labels and the lines that made them.

    An object is alive as long as anything holds it: a :class:`Buffer`, an array that ``buffer.contents`` gave, a
    notebook's ``Out``. What only a command buffer under way holds is not listed.

    Returns
    -------
    LiveObjects
        A sequence of :class:`LiveObject` that holds none of them itself; printed, a table.
    """
    items = []
    for made, file, line, function in mtl.live_objects():
        name = type(made).__name__
        items.append(
            LiveObject(_KINDS.get(name, name), _size(made), _label(made), file, line, function, weakref.ref(made))
        )
    return LiveObjects(items)


def _size(made: Any) -> int:
    if isinstance(made, mtl.Resource):
        return int(made.allocated_size)
    return int(getattr(made, "size", 0)) if type(made).__name__ == "Heap" else 0


def _label(made: Any) -> str:
    return str(getattr(made, "label", "") or "")


def _short_name(file: str) -> str:
    """Name a notebook's cell by its number, another file by its path from here."""
    if _CELL.search(file):
        return _cell_name(file)
    if file.startswith("<"):
        return file
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative


def _cell_name(file: str) -> str:
    try:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
        name = shell.compile.format_code_name(file) if shell is not None else None
    except (ImportError, AttributeError):
        name = None
    return " ".join(name) if name else os.path.basename(file)


def _bytes(count: int) -> str:
    """Write a number of bytes: "", "512 B", "4.2 MiB"."""
    if count == 0:
        return ""
    size = float(count)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"

# SPDX-License-Identifier: MIT
"""Arrays that are no picture: in a few words, as a line or as a table."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from .._arrays import is_bfloat16
from ..buffer import Buffer
from .picture import Preview, words_html

__all__ = ["describe"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_FIRST = 8
_FIRST_ROWS = 12
_MOST_COLUMNS = 16
_BAND = 1 << 17
_READ_WHOLE = 1 << 25  # values
_LINE_WIDTH, _LINE_HEIGHT = 512, 64
_CELL = '<td style="text-align: right; white-space: nowrap">{}</td>'
_TABLE = '<table style="color: inherit"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>'


@np.errstate(all="ignore")
def describe(array: Array | Buffer, name: str) -> Preview:
    """Give the first values; of numbers also the smallest, largest and mean, how many are none, and a line."""
    if array.size == 0:
        return Preview(f"{name}\nno elements")
    flat = array.reshape(-1)
    if array.dtype.names is not None:
        return _table(_part(flat, 0, _FIRST_ROWS), flat.size, name)
    lines = [name, _first_values(_part(flat, 0, _FIRST + 1))]
    if not _is_number(array.dtype):
        return Preview("\n".join(lines))
    if array.dtype.kind == "c":
        lines.append("of the absolute values:")
    summary = _Summary.of(flat)
    text = "\n".join([*lines, *summary.words()])
    if array.ndim != 1 or array.size == 1 or not summary.has_finite:
        return Preview(text)
    return Preview(text, body=f"<div>{_line(summary)}{words_html(text)}</div>")


def _part(flat: Array | Buffer, start: int, stop: int) -> Array:
    """Give some of the values; of a Buffer that the processor can't reach, a copy of those only."""
    part = flat[start : min(stop, flat.size)]
    return part.numpy() if isinstance(part, Buffer) else part


def _first_values(flat: Array) -> str:
    shown = flat[:_FIRST]
    shown = shown.astype(np.float32) if is_bfloat16(flat.dtype) else shown
    text = np.array2string(shown, separator=", ", threshold=_FIRST, precision=6, max_line_width=10**6)
    return text[:-1] + ", ...]" if flat.size > _FIRST else text


def _is_number(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iufc" or is_bfloat16(dtype)


@dataclass
class _Summary:
    """Of many values: a few facts, and the smallest and largest of each of a row of equal parts."""

    count: int = 0
    finite: int = 0
    total: float = 0.0
    nan: int = 0
    infinite: int = 0
    step: int = 1
    lows: Array = field(default_factory=lambda: np.full(_LINE_WIDTH, np.inf))
    highs: Array = field(default_factory=lambda: np.full(_LINE_WIDTH, -np.inf))

    @classmethod
    def of(cls, flat: Array | Buffer) -> _Summary:
        step = -(-flat.size // _READ_WHOLE)
        count = -(-flat.size // step)
        found = cls(count=count, step=step)
        found.lows, found.highs = found.lows[:count], found.highs[:count]
        for start in range(0, count, _BAND):
            part = _part(flat, start * step, (start + _BAND) * step)[::step]
            part = np.abs(part) if part.dtype.kind == "c" else part
            found._add(start, count, part.astype(np.float64))
        return found

    def _add(self, start: int, size: int, values: Array) -> None:
        is_finite = np.isfinite(values)
        if not is_finite.all():
            nan = int(np.isnan(values).sum())
            self.nan += nan
            self.infinite += int((~is_finite).sum()) - nan
        # A mean of the largest numbers is not to overflow: it is a sum of quotients.
        self.total += float((values[is_finite] / size).sum())
        self.finite += int(is_finite.sum())
        parts = (np.arange(start, start + values.size) * len(self.lows)) // size
        np.minimum.at(self.lows, parts[is_finite], values[is_finite])
        np.maximum.at(self.highs, parts[is_finite], values[is_finite])

    @property
    def has_finite(self) -> bool:
        return self.finite > 0

    def words(self) -> Iterator[str]:
        facts = []
        if self.has_finite:
            mean = self.total * (self.count / self.finite)
            facts.append(f"min {self.lows.min():.6g}, max {self.highs.max():.6g}, mean {mean:.6g}")
        facts += [f"{count} {name}" for count, name in ((self.nan, "NaN"), (self.infinite, "Inf")) if count]
        yield ", ".join(facts)
        if self.step > 1:
            yield f"of {self.count} values, every {self.step}th"


def _line(summary: _Summary) -> str:
    """Draw the values as a line of the text's colour; parts without numbers are gaps."""
    low, high = float(summary.lows.min()), float(summary.highs.max())
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    count = len(summary.lows)
    width = _LINE_WIDTH / max(count - 1, 1)
    paths, is_open = [], False
    for index, (bottom, top) in enumerate(zip(summary.lows, summary.highs, strict=True)):
        if not bottom <= top:
            is_open = False
            continue
        x = f"{index * width:.6g}"
        ends = [_height(value, middle, half) for value in ((bottom, top) if bottom < top else (bottom,))]
        paths.append(f"{'L' if is_open else 'M'}{x} {ends[0]}" + "".join(f"L{x} {end}" for end in ends[1:]))
        if not is_open and len(ends) == 1:
            paths.append("h0")  # a lone value is a dot
        is_open = True
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LINE_WIDTH}" height="{_LINE_HEIGHT}" '
        f'viewBox="-2 -2 {_LINE_WIDTH + 4} {_LINE_HEIGHT + 4}" role="img" aria-label="the values as a line">'
        f'<path d="{"".join(paths)}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" '
        'stroke-linejoin="round"/></svg>'
    )


def _height(value: float, middle: float, half: float) -> str:
    share = (value / 2 - middle / 2) / half if half > 0 else 0.0  # -1/2 to 1/2
    return f"{_LINE_HEIGHT * min(max(0.5 - share, 0.0), 1.0):.4g}"


# ---- structures ----


def _table(first: Array, size: int, name: str) -> Preview:
    """Show a structure a row, and a field a column."""
    columns = list(_columns(first, ""))[:_MOST_COLUMNS]
    header = ["", *(title for title, _ in columns)]
    rows = [[str(n), *(cells[n] for _, cells in columns)] for n in range(len(first))]
    more = [f"... {size - len(rows)} more"] if size > len(rows) else []
    widths = [max(len(row[n]) for row in [header, *rows]) for n in range(len(header))]
    plain = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]
    head = "".join(f"<th>{html.escape(title)}</th>" for title in header)
    body = "".join("<tr>" + "".join(_CELL.format(html.escape(cell)) for cell in row) + "</tr>" for row in rows)
    table = _TABLE.format(head, body)
    text = "\n".join([name, *plain, *more])
    return Preview(text, body=f"<div>{table}{words_html(chr(10).join([name, *more]))}</div>")


def _columns(structures: Array, prefix: str) -> Iterator[tuple[str, list[str]]]:
    """Give the title and the cells of each field; a structure's own fields are columns of their own."""
    assert structures.dtype.names is not None
    for name in structures.dtype.names:
        values = structures[name]
        if values.dtype.names is not None and values.ndim == 1:
            yield from _columns(values, f"{prefix}{name}.")
        else:
            yield prefix + name, [_cell(value) for value in values]


def _cell(value: Any) -> str:
    if isinstance(value, np.ndarray):
        value = value.astype(np.float32) if is_bfloat16(value.dtype) else value
        return np.array2string(value, separator=", ", threshold=16, precision=6, max_line_width=10**6).replace("\n", "")
    return f"{value:.6g}" if isinstance(value, np.floating) else str(value)

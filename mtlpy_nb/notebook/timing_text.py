# SPDX-License-Identifier: MIT
"""A Timing in one line, in several, and as HTML with a small histogram."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .._advice import counted

if TYPE_CHECKING:
    from ..timing import Samples, Timing

__all__ = ["as_html", "digits", "histogram", "one_line", "seconds", "several_lines", "short"]

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BINS = 24
_WIDTH, _HEIGHT = 192, 36  # pixels


def seconds(value: float) -> str:
    """Write a time with three digits: ``1.23 ms``."""
    size, unit = next(((size, unit) for size, unit in _UNITS if abs(value) >= size * 0.9995), _UNITS[-1])
    return f"{digits(value / size)} {unit}" if value else "0 s"


def one_line(timing: Timing) -> str:
    """Write the name, the median on the device with its spread, and what follows from it."""
    parts = [
        f"{short(timing.name)}: {_spread(timing.gpu)} on the device (n = {timing.n})",
        f"{seconds(timing.overhead.median)} overhead",
        *_rates(timing),
    ]
    return ", ".join(parts)


def several_lines(timing: Timing) -> str:
    """Write a table."""
    rows = _rows(timing)
    width = max(len(name) for name, _ in rows)
    return "\n".join([short(timing.name), *(f"  {name:{width}}  {value}" for name, value in rows)])


def as_html(timing: Timing) -> str:
    """Make a table beside a histogram of the runs."""
    rows = "".join(
        f'<tr><th style="text-align:left;font-weight:600">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in _rows(timing)
    )
    return (
        f'<div class="mtlpy-timing"><code>{escape(short(timing.name))}</code>'
        f'<div style="display:flex;gap:1.5em;align-items:flex-start;flex-wrap:wrap"><table>{rows}</table>'
        f"<div>{histogram(timing.gpu)}</div></div></div>"
    )


def histogram(samples: Samples) -> str:
    """Draw how often which time occurred, as SVG in the colour of the text around it."""
    counts, low, high = _counts(samples.seconds)
    if not counts:
        return ""
    step, highest = _WIDTH / len(counts), max(counts)
    bars = "".join(
        f'<rect x="{i * step:.1f}" y="{_HEIGHT - n / highest * _HEIGHT:.1f}" width="{max(step - 1, 1):.1f}" '
        f'height="{n / highest * _HEIGHT:.1f}"/>'
        for i, n in enumerate(counts)
        if n
    )
    more = " and more" if samples.max > high else ""
    caption = f"{samples.n} runs, {seconds(low)} to {seconds(high)}{more}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT + 16}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT + 16}" role="img" fill="currentColor">'
        f"<title>{escape(caption)}</title>{bars}"
        f'<line x1="0" y1="{_HEIGHT}" x2="{_WIDTH}" y2="{_HEIGHT}" stroke="currentColor"/>'
        f'<text x="0" y="{_HEIGHT + 13}" font-size="11">{escape(seconds(low))}</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT + 13}" font-size="11" text-anchor="end">{escape(seconds(high))}</text></svg>'
    )


def _counts(values: Sequence[float]) -> tuple[list[int], float, float]:
    """Count values in bins of one width; a few runs that were held up must not squeeze all others into one."""
    if not values:
        return [], 0.0, 0.0
    ordered = sorted(values)
    low, high = ordered[0], ordered[min(int(len(ordered) * 0.98), len(ordered) - 1)]
    if high <= low:
        return [len(values)], low, high
    counts = [0] * _BINS
    for value in values:
        counts[min(int((value - low) / (high - low) * _BINS), _BINS - 1)] += 1
    return counts, low, high


def _rows(timing: Timing) -> list[tuple[str, str]]:
    rows = [("on the device", f"{_spread(timing.gpu)}, n = {timing.n}")]
    if len(timing.kernels) > 1 or any(kernel.calls > 1 for kernel in timing.kernels):
        rows += [(f"  {short(k.name)}", f"{_spread(k.gpu)}, {counted(k.calls, 'call')} a run") for k in timing.kernels]
    rows.append(("overhead", _spread(timing.overhead)))
    if timing.warmup:
        rows.append(("warm-up", ", ".join(map(seconds, timing.warmup[:3])) + (" ..." if timing.warmup[3:] else "")))
    rows.append(("compiling", seconds(timing.compile) if timing.compile else "none, it was ready"))
    if timing.bytes is not None and timing.gb_per_s is not None:
        rows.append(("memory", f"{digits(timing.gb_per_s)} GB/s: {_bytes(timing.bytes)}, {timing.bytes_from}"))
    if timing.gflop_per_s is not None:
        rows.append(("arithmetic", f"{digits(timing.gflop_per_s)} GFLOP/s"))
    return rows


def _rates(timing: Timing) -> list[str]:
    rates = [(timing.gb_per_s, "GB/s"), (timing.gflop_per_s, "GFLOP/s")]
    return [f"{digits(rate)} {unit}" for rate, unit in rates if rate is not None]


def _spread(samples: Samples) -> str:
    """Write the median and the quartiles."""
    if samples.n < 2:
        return seconds(samples.median)
    lower, upper = samples.quartiles
    return f"{seconds(samples.median)} ({seconds(lower)} to {seconds(upper)})"


def _bytes(n: int) -> str:
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if n >= size:
            return f"{digits(n / size)} {unit}"
    return f"{n} bytes"


def digits(value: float) -> str:
    """Write three digits that count, without an exponent."""
    if value >= 99.95:
        return f"{value:.0f}"
    if value >= 9.995:
        return f"{value:.1f}"
    if value and value < 0.001:
        return "under 0.001"
    return f"{value:.2f}" if value >= 0.9995 or not value else f"{value:.3f}"


def short(text: str) -> str:
    """Keep a name to one line."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:77]}..."

# SPDX-License-Identifier: MIT
"""A Profile as a table: text and HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .._advice import counted
from .timing_text import digits, seconds, short

if TYPE_CHECKING:
    from ..profile import KernelProfile, Profile

__all__ = ["as_html", "one_line", "several_lines"]

_HEADS = ("kernel", "calls", "GPU time", "share", "threads", "per thread", "Mthreads/s", "GB/s")


def one_line(profile: Profile) -> str:
    """Write the sums."""
    names = counted(len(profile.kernels), "kernel")
    return f"<Profile: {counted(profile.calls, 'call')} of {names}, {seconds(profile.gpu)} on the device>"


def several_lines(profile: Profile) -> str:
    """Write a table, the kernel that took longest first."""
    if not profile.kernels:
        return f"nothing ran on the device in {seconds(profile.wall)}"
    rows = [_heads(profile), *(_cells(kernel, profile) for kernel in profile.kernels)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    left = _left(profile)
    lines = [
        "  ".join(f"{cell:{'<' if i < left else '>'}{widths[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", _sums(profile)])


def as_html(profile: Profile) -> str:
    """Make the same table, with a bar behind each share."""
    if not profile.kernels:
        return f"<div>{escape(several_lines(profile))}</div>"
    left = _left(profile)

    def row(cells: list[str], tag: str, share: float = 0.0) -> str:
        bar = f"background:linear-gradient(to right,rgba(66,133,244,.25) {share:.1%},transparent {share:.1%})"
        parts = []
        for i, cell in enumerate(cells):
            style = f"text-align:{'left' if i < left else 'right'}"
            style += f";{bar}" if tag == "td" and i == left + _HEADS.index("share") - 1 else ""
            parts.append(f'<{tag} style="{style}">{escape(cell)}</{tag}>')
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(row(_cells(kernel, profile), "td", kernel.share) for kernel in profile.kernels)
    return (
        f'<div class="mtlpy-profile"><table><thead>{row(_heads(profile), "th")}</thead><tbody>{body}</tbody></table>'
        f"<p>{escape(_sums(profile))}</p></div>"
    )


def _has_devices(profile: Profile) -> bool:
    return len({kernel.device for kernel in profile.kernels}) > 1


def _left(profile: Profile) -> int:
    """Count the columns of text."""
    return 2 if _has_devices(profile) else 1


def _heads(profile: Profile) -> list[str]:
    device = ["device"] if _has_devices(profile) else []
    return [_HEADS[0], *device, *_HEADS[1:]]


def _cells(kernel: KernelProfile, profile: Profile) -> list[str]:
    device = [kernel.device] if _has_devices(profile) else []
    failed = f" ({kernel.failed} failed)" if kernel.failed else ""
    per_thread, per_second = kernel.time_per_thread, kernel.threads_per_s
    return [
        short(kernel.name),
        *device,
        f"{kernel.calls}{failed}",
        seconds(kernel.gpu),
        f"{kernel.share * 100:.1f} %",
        f"{kernel.threads}" if kernel.threads else "",
        "" if per_thread is None else _per_thread(per_thread),
        "" if per_second is None else digits(per_second * 1e-6),
        "" if kernel.gb_per_s is None else digits(kernel.gb_per_s),
    ]


def _per_thread(value: float) -> str:
    """Write a time that may be less than a nanosecond."""
    return seconds(value) if value >= 1e-9 or not value else f"{digits(value * 1e12)} ps"


def _sums(profile: Profile) -> str:
    compiling = f", {seconds(profile.compile)} compiling" if profile.compile else ""
    return f"{seconds(profile.gpu)} on the device of {seconds(profile.wall)} in all{compiling}"

# SPDX-License-Identifier: MIT
"""A chart for a page: how many times as fast as PoCL each kernel is, as bars on a logarithmic scale."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from .contest import OURS, POCL

_ROW, _LEFT, _WIDTH = 22, 220, 720


def svg(records: list[dict[str, Any]]) -> str:
    """The picture, from the records of a run; readable on light and on dark pages."""
    largest = {record["case"]: record for record in records if POCL in record["seconds"]}
    ratios = [(case, record["seconds"][POCL] / record["seconds"][OURS]) for case, record in largest.items()]
    ratios.sort(key=lambda item: -item[1])
    low = min(0.5, *(ratio for _, ratio in ratios))
    high = max(2.0, *(ratio for _, ratio in ratios)) * 1.6
    height = _ROW * len(ratios) + 56

    def x(ratio: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 10) * math.log(ratio / low) / math.log(high / low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        "<style>text{fill:#1f2328}.line{stroke:#8b949e}.bar{fill:#2f6feb}.slow{fill:#d1242f}"
        "@media (prefers-color-scheme: dark){text{fill:#e6edf3}.bar{fill:#58a6ff}.slow{fill:#ff7b72}}</style>",
        f'<text x="{_LEFT}" y="18" font-weight="600">Times as fast as PoCL on the same processor</text>',
    ]
    for mark in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if low <= mark <= high:
            dash = "" if mark == 1 else ' stroke-dasharray="2 4"'
            parts.append(f'<line class="line" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="28" y2="{height - 22}"{dash}/>')
            parts.append(f'<text x="{x(mark):.1f}" y="{height - 8}" text-anchor="middle">{mark:g}</text>')
    for row, (case, ratio) in enumerate(ratios):
        y = 30 + _ROW * row
        start, end = sorted((x(1), x(ratio)))
        kind = "bar" if ratio >= 1 else "slow"
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(case)}</text>')
        parts.append(
            f'<rect class="{kind}" x="{start:.1f}" y="{y + 3}" width="{max(end - start, 1):.1f}" height="{_ROW - 6}"/>'
        )
        parts.append(f'<text x="{max(end, x(1)) + 5:.1f}" y="{y + 15}">{ratio:.3g}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)

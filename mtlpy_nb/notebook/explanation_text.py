# SPDX-License-Identifier: MIT
"""An Explanation as text and as HTML: the source with what becomes of each line in its margin."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from . import colours
from .spans import HTML_COLOURS, PRE, printable

if TYPE_CHECKING:
    from ..explanation import ExplainedLine, Explanation, Finding

__all__ = ["as_html", "as_text"]

_WIDTH = 6  # of the word in the margin
_COLOURS = {"vector": HTML_COLOURS["fix"], "once": HTML_COLOURS["note"], "each": HTML_COLOURS["error"]}


def as_text(explanation: Explanation) -> str:
    """Write the summary, the lines with findings below them, and what the margin means."""
    digits = len(str(max((line.number for line in explanation.lines), default=0)))
    lines = [f"{explanation.name}: {explanation.summary}", ""]
    for block in _blocks(explanation):
        if block is None:
            lines.append(f"{'':{_WIDTH}}  {'...':>{digits}}")
            continue
        lines.append(f"{block.code:{_WIDTH}}  {block.number:>{digits}} | {_shown(block)}".rstrip())
        indent = " " * (_WIDTH + digits + 3) + "| " + _indent(block)
        for finding in block.findings:
            lines += [f"{indent}^ {finding.text}", f"{indent}  {_advice(finding)}"]
    elsewhere = [finding for finding in explanation.findings if not finding.line]
    for finding in elsewhere:
        lines += [f"In the whole kernel: {finding.text}", f"  {_advice(finding)}"]
    return "\n".join([*lines, "", *_legend(explanation)])


def as_html(explanation: Explanation) -> str:
    """Make a table: the margin, the lines in colours, findings below their lines."""
    rows = "".join(_rows(explanation))
    elsewhere = "".join(
        f"<p>In the whole kernel: {_finding_html(finding)}</p>" for finding in explanation.findings if not finding.line
    )
    legend = "<br/>".join(map(escape, _legend(explanation)))
    return (
        f'<div class="mtlpy-explanation"><p><code>{escape(explanation.name)}</code>: '
        f"{escape(explanation.summary)}</p>"
        f'<table style="border-collapse:collapse"><tbody>{rows}</tbody></table>{elsewhere}'
        f'<p style="color:{HTML_COLOURS["gutter"]}">{legend}</p></div>'
    )


def _blocks(explanation: Explanation) -> Iterator[ExplainedLine | None]:
    """Lines, and None where some between are left out."""
    before: ExplainedLine | None = None
    for line in explanation.lines:
        if before is not None and (before.file, before.number + 1) != (line.file, line.number):
            yield None
        yield line
        before = line


def _rows(explanation: Explanation) -> Iterator[str]:
    # Front ends give every other row, and code in it, backgrounds of their own.
    row = '<tr style="background:transparent">'
    cell = "text-align:left;padding:0 .6em;vertical-align:top;background:transparent"
    source = f"{PRE};background:transparent"
    for line in _blocks(explanation):
        if line is None:
            yield f'{row}<td style="{cell}"></td><td style="{cell}">&hellip;</td><td style="{cell}"></td></tr>'
            continue
        colour = f"color:{_COLOURS[line.code]};" if line.code else ""
        code = colours.html(line.text, "metal") if line.text else escape(_shown(line))
        yield (
            f'{row}<td style="{cell};{colour}font-weight:600">{line.code}</td>'
            f'<td style="{cell};text-align:right;color:{HTML_COLOURS["gutter"]}">{line.number}</td>'
            f'<td style="{cell}"><pre style="{source}">{code}</pre></td></tr>'
        )
        for finding in line.findings:
            yield (
                f'{row}<td style="{cell}"></td><td style="{cell}"></td>'
                f'<td style="{cell};padding-bottom:.4em;white-space:normal">{_finding_html(finding)}</td></tr>'
            )


def _finding_html(finding: Finding) -> str:
    colour = HTML_COLOURS["warning" if finding.is_costly else "note"]
    return (
        f'<span style="color:{colour};font-weight:600">{escape(finding.text)}</span><br/>'
        f"<span>{escape(_advice(finding))}</span>"
    )


def _advice(finding: Finding) -> str:
    return f"{finding.advice[:1].upper()}{finding.advice[1:]}."


def _shown(line: ExplainedLine) -> str:
    return printable(line.text) if line.text else f"({line.file})"


def _indent(line: ExplainedLine) -> str:
    return " " * (len(line.text) - len(line.text.lstrip()))


def _legend(explanation: Explanation) -> list[str]:
    meaning = {
        "vector": f"{explanation.width} threads at once",
        "once": f"one time for all {explanation.width}, as it is the same in all",
        "each": "in part for one thread after the other",
    }
    used = {line.code for line in explanation.lines}
    legend = [f"{word}: {text}" for word, text in meaning.items() if word in used]
    measured = "counted in one run" if explanation.is_measured else _not_measured(explanation.name)
    return ["; ".join(legend), measured] if legend else [measured]


def _not_measured(name: str) -> str:
    return f"not measured: {name}.explain(...) with the arguments of a call runs it once, and counts"

# SPDX-License-Identifier: MIT
"""Why a kernel is slow: what the software device's compiler knows of it, on the lines of its source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from . import _native as mtl
from ._findings import Finding, finding_from, summary
from ._ready import ExplainedReady
from ._source_text import function_text
from .diagnostics import numbered_lines
from .errors import MetalError
from .handle import Handle

if TYPE_CHECKING:
    from .kernel import Kernel

__all__ = ["ExplainedLine", "Explanation", "Finding"]

_MAIN_FILE = "program_source"


@dataclass(frozen=True)
class ExplainedLine:
    """A line of the source, and what becomes of it.

    Attributes
    ----------
    number : int
        As the compiler's messages count; in a cell, the cell's own.
    text : str
        The line; empty where only its number is known, as in an included file.
    code : str
        ``"vector"``: done for `Explanation.width` threads at once; ``"once"``: done one time for all of them, as it is
        the same in all; ``"each"``: something in it is done for one thread after the other; empty: no code is left.
    findings : tuple of Finding
        What in it costs time.
    file : str
        ``"program_source"`` for the text itself, else an included file's name.
    """

    number: int
    text: str
    code: str = ""
    findings: tuple[Finding, ...] = ()
    file: str = _MAIN_FILE


@dataclass(frozen=True)
class Explanation:
    """What costs a kernel time, and what to do about it; made by :meth:`Kernel.explain` and ``%metal explain``.

    Attributes
    ----------
    name : str
        The kernel's.
    width : int
        Threads that vector code runs at once.
    register_bits : int
        Of the processor's vectors.
    is_measured : bool
        Whether the kernel ran and counted.
    findings : tuple of Finding
        In the order of the source.
    lines : tuple of ExplainedLine
        The kernel's, and those of other functions that its code comes from.
    """

    name: str
    width: int
    register_bits: int
    is_measured: bool
    findings: tuple[Finding, ...] = ()
    lines: tuple[ExplainedLine, ...] = field(default=(), repr=False)

    @property
    def summary(self) -> str:
        """One line: ``"vector code 16 wide; 1 gather in line 7"``."""
        return summary(self.width, {line.code for line in self.lines}, self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Give plain values, as for JSON."""
        return {
            "kernel": self.name,
            "width": self.width,
            "register_bits": self.register_bits,
            "is_measured": self.is_measured,
            "summary": self.summary,
            "findings": [finding.to_dict() for finding in self.findings],
            "lines": [
                {"file": line.file, "number": line.number, "text": line.text, "code": line.code} for line in self.lines
            ],
        }

    def __str__(self) -> str:
        from .notebook.explanation_text import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from .notebook.explanation_text import as_html

        return as_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("..." if cycle else str(self))


def explain(kernel: Kernel, args: Sequence[Any], sizes: Mapping[str, Any], named: Mapping[str, Any]) -> Explanation:
    """Explain a kernel; it runs if there is anything to run it with."""
    __tracebackhide__ = True
    device = kernel.device
    if not device.is_software:
        raise MetalError(
            f"explain() tells what the software device's compiler knows, and {device.name} has a compiler of its own: "
            "Xcode shows what its Metal debugger counted"
        )
    is_measured = bool(args or named or any(size is not None for size in sizes.values()))
    ready = ExplainedReady(kernel._prepared(), is_measured)
    if is_measured:
        result = kernel._with(ready)(*args, **sizes, **named)
        if isinstance(result, Handle):  # it has not counted before it has ended
            result.wait()
    facts = cast("dict[str, Any] | None", mtl.explanation(ready.pipeline))
    assert facts is not None
    width = facts["lane_width"]
    findings = [finding_from(item, width) for item in facts["findings"]]
    findings.sort(key=lambda f: (f.file != _MAIN_FILE, f.file, f.line, f.column))
    return Explanation(
        name=kernel.name,
        width=width,
        register_bits=facts["register_bits"],
        is_measured=is_measured,
        findings=tuple(findings),
        lines=tuple(_lines(kernel, facts["lines"], findings)),
    )


def _lines(
    kernel: Kernel, facts: Iterable[tuple[str, int, int, int, int]], findings: Sequence[Finding]
) -> Iterable[ExplainedLine]:
    source = kernel._code.source
    codes = {(file, line): _code(vector, once, each) for file, line, vector, once, each in facts}
    by_place: dict[tuple[str, int], list[Finding]] = {}
    for finding in findings:
        if finding.line:
            by_place.setdefault((finding.file, finding.line), []).append(finding)
        if finding.kind == "scalar":
            codes[finding.file, finding.line] = "each"
    wanted = codes.keys() | by_place.keys()
    first, last = _place_of(source, kernel.name)
    # Of two lines with one number, as a preamble and `#line` make them, the last counts.
    numbered = {place: (at, text) for at, (place, text) in enumerate(numbered_lines(source))}
    shown = [(at, place, text) for place, (at, text) in numbered.items() if place in wanted or first <= at < last]
    for _, place, text in sorted(shown):
        yield ExplainedLine(place[1], text, codes.get(place, ""), tuple(by_place.get(place, ())), place[0])
    for place in sorted(wanted - numbered.keys()):
        if place[1]:
            yield ExplainedLine(place[1], "", codes.get(place, ""), tuple(by_place.get(place, ())), place[0])


def _code(vector: int, once: int, each: int) -> str:
    return "each" if each else "vector" if vector else "once" if once else ""


def _place_of(source: str, name: str) -> tuple[int, int]:
    """Find the physical lines, counted from 0 and without those of `#line`, that a function takes; none: no lines."""
    text = function_text(source, name)
    begin = source.find(text) if text else -1
    if begin < 0:
        return 0, 0
    before = sum(1 for _ in numbered_lines(source[:begin] + "x")) - 1
    return before, before + sum(1 for _ in numbered_lines(text))

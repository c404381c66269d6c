# SPDX-License-Identifier: MIT
"""What costs a kernel time, in words, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ._advice import counted

__all__ = ["Finding", "finding_from", "summary"]


@dataclass(frozen=True)
class Finding:
    """Something that costs a kernel time.

    Attributes
    ----------
    kind : str
        ``"gather"`` and ``"scatter"``: threads read or write places in memory that do not follow one another;
        ``"scalar"``: one thread after the other; ``"loop"``: threads leave it in different rounds; ``"barrier"``;
        ``"spill"``: values for which there are not enough registers; ``"reload"``: read again in each round of a loop,
        since a store may have changed it; ``"texture"``: a read, write or sample.
    line, column : int
        Counted from 1; 0 where that is not known.
    file : str
        ``"program_source"`` for the text itself, else an included file's name.
    text : str
        What it is.
    advice : str
        What to do about it.
    subject : str
        What it is about: the argument, the function, the operation; may be empty.
    reason : str
        Which of several causes it has, in a word that stays the same; may be empty.
    stride : int or None
        Of a gather or scatter: bytes from one thread's place to the next's; None where they are not even.
    size : int
        Of a gather or scatter: bytes of an element; of a barrier: bytes that each thread keeps across it.
    reads, writes : int
        Of a spill: instructions; of a barrier, `reads` is the number of values that each thread keeps.
    cause_line : int or None
        Of a loop, where threads leave it; of a barrier, where they part before it.
    times, threads : int or None
        Where the kernel ran and counted: how often, and how many threads in all.
    occupancy : float or None
        Of a loop that counted: how many of the threads that run together were busy on average, from 0 to 1.
    """

    kind: str
    line: int
    column: int
    file: str
    text: str
    advice: str
    subject: str = ""
    reason: str = ""
    stride: int | None = None
    size: int = 0
    reads: int = 0
    writes: int = 0
    cause_line: int | None = None
    times: int | None = None
    threads: int | None = None
    occupancy: float | None = None

    @property
    def is_costly(self) -> bool:
        """False for what is only good to know, such as a texture that is read in vector code."""
        return not (self.kind == "texture" and (self.reason == "specialised" or self.times == 0))

    def to_dict(self) -> dict[str, Any]:
        """Give plain values, as for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


def finding_from(facts: dict[str, Any], width: int) -> Finding:
    """Make a finding of what the compiler says; `width`: threads that run together."""
    text, advice = _SENTENCES[facts["kind"]](facts, width)
    times, threads = facts["times"], facts["threads"]
    is_loop = facts["kind"] == "loop"
    is_access = facts["kind"] in ("gather", "scatter")
    return Finding(
        kind=facts["kind"],
        line=facts["line"],
        column=facts["column"],
        file=facts["file"] or "program_source",
        text=text,
        advice=advice,
        subject=facts["argument"] or facts["subject"],
        reason=facts["reason"],
        stride=(facts["stride"] or None) if is_access else None,
        size=facts["size"],
        reads=facts["reads"],
        writes=facts["writes"],
        cause_line=facts["cause_line"] or None,
        times=times,
        threads=threads,
        occupancy=threads / (times * width) if is_loop and times else None,
    )


def summary(width: int, codes: Collection[str], findings: Sequence[Finding]) -> str:
    """Put an explanation into one line; `codes`: of its lines."""
    is_uniform = not {"vector", "each"} & set(codes)
    parts = ["no vector code: all threads do the same" if is_uniform else f"vector code {width} wide"]
    costly = [finding for finding in findings if finding.is_costly]
    for kind, name in _NAMES.items():
        found = [finding for finding in costly if finding.kind == kind]
        if not found:
            continue
        lines = sorted({finding.line for finding in found if finding.line})
        full = [finding.occupancy for finding in found if finding.occupancy is not None]
        busy = f", {min(full):.0%} full," if full else ""
        places = f" in line{'s' if len(lines) > 1 else ''} {_listed(lines)}" if lines else ""
        single = " by single threads" if kind == "scalar" else ""
        parts.append(f"{counted(len(found), name) if name else 'registers spilled'}{single}{busy}{places}")
    return "; ".join(parts if len(parts) > 1 else [*parts, "nothing found that costs time"])


_NAMES = {
    "scalar": "operation",
    "gather": "gather",
    "scatter": "scatter",
    "loop": "uneven loop",
    "barrier": "barrier",
    "spill": "",
    "reload": "repeated read",
    "texture": "general texture call",
}


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def _place(facts: dict[str, Any]) -> str:
    if facts["argument"]:
        return str(facts["argument"])
    return {"thread": "a private array"}.get(facts["subject"], f"{facts['subject']} memory")


def _access(facts: dict[str, Any], width: int) -> tuple[str, str]:
    is_read = facts["kind"] == "gather"
    what = f"a {facts['kind']} {'from' if is_read else 'to'} {_place(facts)}"
    does = "read" if is_read else "write"
    if facts["subject"] == "thread":
        if facts["stride"]:
            text = f"{what}, which each thread has in one piece: its elements are {facts['stride']} bytes apart"
            return text, "use it only element by element, all of one size, without pointers into it"
        text = f"{what}: its index differs from thread to thread"
        return text, "index it with what is the same in all threads, such as a loop's counter, or take scalars instead"
    if facts["stride"] == -facts["size"]:
        return f"{what}: neighbouring threads {does} in falling order", "let the index grow with the thread"
    if facts["stride"]:
        text = f"{what}: the places of neighbouring threads are {facts['stride']} bytes apart, not {facts['size']}"
        advice = f"let neighbouring threads {does} neighbouring elements: swap the axes, or make each member an array"
        return text, advice
    text = f"{what}: the places of neighbouring threads are not known to follow one another"
    if is_read:
        return text, "make the index grow by 1 from thread to thread; if it comes from data, sort or group the data"
    return text, f"let each thread {does} its own element, so that the index grows by 1 from thread to thread"


def _scalar(facts: dict[str, Any], width: int) -> tuple[str, str]:
    text, advice = _scalar_sentences(facts)
    if facts["times"]:
        text += f" (here {facts['threads']} times)"
    return text, advice


def _scalar_sentences(facts: dict[str, Any]) -> tuple[str, str]:
    one = "one thread after the other"
    subject = facts["subject"]
    reason = facts["reason"]
    if reason == "call" and subject == "log":
        return f"{one} writes a message", "take the message out, or let few threads write it"
    if reason == "call":
        return f"{one} calls {subject}(), which is not inlined", "call it where fewer threads need it"
    if reason == "table":
        return f"{one} calls a function through a table", "call it by its name, or choose among a few with a switch"
    if reason == "atomic":
        text = f"{one} does an atomic operation ({subject})"
        return text, "combine the values of many threads first, with simd_sum or in threadgroup memory, then do it once"
    if reason == "texture":
        text = f"{one} calls {subject}() of a texture: cubes, gather, compare and anisotropy have no vector code"
        return text, "use read, or sample of a 1D, 2D or 3D texture, where that will do"
    if reason == "narrow":
        text = f"{one} writes: no processor scatters elements of 8 or 16 bits"
        return text, "let each thread write its own element, or write 32 bits at once, such as a uchar4"
    if subject == "frem":
        return f"{one} takes a remainder", "multiply by the reciprocal, take floor, and subtract"
    return f"{one} divides: there are no vectors of 64-bit quotients", "divide 32-bit integers, or by a constant"


def _loop(facts: dict[str, Any], width: int) -> tuple[str, str]:
    at = f", at line {facts['cause_line']}" if facts["cause_line"] not in (0, facts["line"]) else ""
    text = f"threads leave the loop in different rounds{at}: it goes round until the last of {width} has left"
    advice = "give threads side by side work of the same length, for example by sorting it"
    if facts["times"] is None:
        return text, f"{advice}; explain(...) with arguments measures how full its rounds are"
    if facts["times"] == 0:
        return f"{text}; it did not run", advice
    busy = facts["threads"] / facts["times"]
    text += f"; {busy:.1f} of {width} threads were busy on average ({busy / width:.0%}), in {facts['times']} rounds"
    return text, advice


def _barrier(facts: dict[str, Any], width: int) -> tuple[str, str]:
    kept = (
        f"each thread keeps {counted(facts['reads'], 'value')} ({counted(facts['size'], 'byte')}) in memory across it"
    )
    if not facts["reads"]:
        kept = "nothing is kept in memory across it"
    if facts["reason"] == "apart":
        at = f" at line {facts['cause_line']}" if facts["cause_line"] else ""
        text = (
            f"not all threads certainly come to this barrier, they part{at}: each {width} of them keep their own place"
        )
        return f"{text}; {kept}", "let all threads come to it: take it out of the condition, or return behind it"
    if facts["reason"] == "states":
        text = f"there are too many barriers to give the code between two its own loop over the threads; {kept}"
        return text, "use fewer barriers, or several kernels"
    text = f"the code before and behind the barrier has its own loop over the threads; {kept}"
    if facts["reads"]:
        return text, "compute what is cheap again behind the barrier, and declare variables where they are needed"
    return text, "nothing is left to gain, unless it can be left out"


def _spill(facts: dict[str, Any], width: int) -> tuple[str, str]:
    where = "in the loop, " if facts["reason"] == "loop" else ""
    text = (
        f"{where}values go to memory because there are not enough registers: "
        f"{counted(facts['writes'], 'write')}, {counted(facts['reads'], 'read')}"
    )
    return text, "keep fewer values at once: smaller private arrays, less unrolling, half for float, or two kernels"


def _reload(facts: dict[str, Any], width: int) -> tuple[str, str]:
    text = "what is read is the same in each round of the loop, but a store in the loop may change it"
    return text, "copy it to a variable before the loop; if a loop adds to it, write it once behind the loop"


def _texture(facts: dict[str, Any], width: int) -> tuple[str, str]:
    name = f"{facts['subject']}()"
    if facts["reason"] == "specialised":
        return f"{name} is vector code for the texture's format", "nothing is left to gain"
    advice = "use one of the formats that docs/textures.md lists as decoded in the kernel"
    text = f"{name} finds out the texture's format while the kernel runs, and decodes uncommon ones thread by thread"
    if facts["times"] == 0:
        return f"{name} finds out the texture's format while the kernel runs; it was a common one", "leave it"
    return (f"{text} (here {facts['threads']} times)" if facts["times"] else text), advice


_SENTENCES: dict[str, Callable[[dict[str, Any], int], tuple[str, str]]] = {
    "gather": _access,
    "scatter": _access,
    "scalar": _scalar,
    "loop": _loop,
    "barrier": _barrier,
    "spill": _spill,
    "reload": _reload,
    "texture": _texture,
}

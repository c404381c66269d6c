# SPDX-License-Identifier: MIT
"""Runs the programs of a page of Markdown, from top to bottom in one IPython shell, and compares what they show.

- A block of Python is run, and so is one that begins with ``%%metal``, whatever its language is called.
- A block of ``text`` right behind it is all that it shows: what it prints, its value, its error.
- Without one, it prints what the comments behind its calls of ``print`` say, and nothing else: ``print(2 + 2)  # 4``.
- A picture right behind it is what its value looks like.
- ``...`` stands for any text. Times, sizes on disk and processors' names are not compared.
- A comment ``<!-- not run: why -->`` above a block leaves it out.
"""

from __future__ import annotations

import base64
import configparser
import io
import multiprocessing
import os
import re
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(
    r"(?P<skipped><!-- not run: [^\n]+ -->\n\s*)?"
    r"^```(?P<language>[\w-]*)[^\n]*\n(?P<code>.*?)^```[ \t]*$"
    r"(?P<shown>\s*^```text\n(?P<text>.*?)^```[ \t]*$)?"
    r"(?:\s*!\[[^\]]*\]\((?P<picture>[^)]+)\))?",
    re.MULTILINE | re.DOTALL,
)
_METAL = re.compile(r"\s*%%metal\b")
_PRINT = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_OUT = re.compile(r"^Out\[\d+\]: ", re.MULTILINE)


@dataclass
class Example:
    """A piece of code on a page, and what the page says that it shows."""

    page: Path
    line: int
    code: str
    text: str | None
    picture: Path | None

    @property
    def prints(self) -> str:
        """What the comments behind its calls of ``print`` say."""
        return "\n".join(_PRINT.findall(self.code))

    def __str__(self) -> str:
        return f"{self.page.name}, line {self.line}:\n{self.code}"


@dataclass
class Result:
    """What an example showed."""

    example: Example
    printed: str
    shown: str
    value: Any
    failed: bool
    formats: dict[str, Any]

    @property
    def picture(self) -> Image.Image | None:
        """The picture that a front end shows of the value."""
        png = self.formats.get("image/png")
        if png is None:
            return None
        return Image.open(io.BytesIO(base64.b64decode(png) if isinstance(png, str) else png))

    def problem(self) -> str | None:
        """Say in what it is not as the page has it; the picture aside."""
        expected = self.example.prints if self.example.text is None else self.example.text
        shown = self.printed if self.example.text is None else self.shown
        if self.failed and self.example.text is None:
            return f"{self.example}\nfails:\n{self.shown}"
        if not matches(sanitised(shown), sanitised(expected)):
            return f"{self.example}\nshows:\n{shown}\ninstead of:\n{expected}"
        return None


def examples(page: Path) -> list[Example]:
    """Find what is to be run on a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        is_code = block["language"] in ("python", "ipython") or _METAL.match(block["code"])
        if not is_code or block["skipped"]:
            continue
        line = text.count("\n", 0, block.start("code")) + 1
        picture = page.parent / block["picture"] if block["picture"] else None
        found.append(Example(page, line, block["code"], block["text"], picture))
    return found


def run_examples(page: Path) -> Iterator[Result]:
    """Run a page in a shell of its own, where nothing has been imported."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    assert shell.history_manager is not None
    shell.history_manager.enabled = False
    shell.colors = "nocolor"
    try:
        for example in examples(page):
            yield run(shell, example)
    finally:
        if "mtlpy_nb" in shell.extension_manager.loaded:
            shell.run_line_magic("unload_ext", "mtlpy_nb")
        shell.reset(new_session=False)  # what the page has made on a device goes
        InteractiveShell.clear_instance()


def run_as_a_reader(page: Path, folder: Path) -> list[str]:
    """Run a page in a process and a folder of its own; gives what is not as the page has it, and saves its pictures.

    In this process, what others have made would be alive beside what the page makes. On Linux the page's is the copy of
    one that has imported what pages need, and has made nothing; Apple's frameworks can't be copied so.
    """
    context = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
    context.set_forkserver_preload(["mtlpy_nb", "IPython.core.interactiveshell"])
    with ProcessPoolExecutor(1, context) as reader:
        return reader.submit(_problems, page, folder).result()


def _problems(page: Path, folder: Path) -> list[str]:
    os.chdir(folder)
    os.environ["MTLPY_CACHE_DIR"] = str(folder / "cache")
    problems = []
    for result in run_examples(page):
        problems += filter(None, [result.problem()])
        if result.example.picture is not None:
            if result.picture is None:
                problems.append(f"{result.example}\nshows no picture")
            else:
                result.picture.save(folder / result.example.picture.name)
    return problems


def run(shell: InteractiveShell, example: Example) -> Result:
    """Run one of a page's examples, as a cell."""
    with capture_output() as captured, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="This process .* is multi-threaded", category=DeprecationWarning)
        done = shell.run_cell(example.code)
    shown = _OUT.sub("", _ESCAPES.sub("", captured.stdout + captured.stderr))
    value, formats = done.result, {}
    printed = _ESCAPES.sub("", captured.stdout + captured.stderr)
    if value is not None:
        assert shell.display_formatter is not None
        formats = shell.display_formatter.format(value)[0]
        printed = printed[: _OUT.search(printed).start()] if _OUT.search(printed) else printed
    return Result(example, printed, shown, value, not done.success, formats)


def _rules() -> list[tuple[re.Pattern[str], str]]:
    """Read what nbval takes out of the notebooks' outputs; and add what else differs from machine to machine."""
    rules = configparser.RawConfigParser()
    rules.read(ROOT / "notebooks" / "sanitize.cfg", encoding="utf-8")
    found = [(re.compile(rules[name]["regex"]), rules[name]["replace"]) for name in rules.sections()]
    return [
        *found,
        (re.compile(r"[\d.]+ MB in \S+"), "SIZE in FOLDER"),
        (re.compile(r"\b\d[\d.]* [Mk]B\b"), "SIZE"),
        # Of explanations, what the processor's vectors decide.
        (re.compile(r"[\d.]+ of \d+ threads were busy on average \(\d+%\), in \d+ rounds"), "BUSY"),
        (re.compile(r"(?<=vector code )\d+(?= wide)|\d+(?= threads at once|, as it is the same| has left)"), "WIDTH"),
    ]


_RULES = _rules()


def sanitised(text: str) -> str:
    """Take out what differs from run to run, and blanks at the ends of lines."""
    for pattern, word in _RULES:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def matches(shown: str, expected: str) -> bool:
    """Compare; ``...`` is any text."""
    pattern = ".*?".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, shown, re.DOTALL) is not None

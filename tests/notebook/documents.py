# SPDX-License-Identifier: MIT
"""Runs the examples of a page of docs: Python, then what it shows as text, then a picture of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_EXAMPLE = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<text>.*?)^```\n)?(?:\n!\[[^\]]*\]\((?P<picture>[^)]+)\))?",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Example:
    """The value of an example's last line, and what the page says of it."""

    value: Any
    text: str | None
    picture: Path | None


def run_examples(page: Path) -> Iterator[Example]:
    """Run all in one namespace."""
    names: dict[str, Any] = {}
    for found in _EXAMPLE.finditer(page.read_text(encoding="utf-8")):
        *statements, last = ast.parse(found["code"]).body
        assert isinstance(last, ast.Expr), "an example ends with what it shows"
        exec(compile(ast.Module(statements, []), str(page), "exec"), names)
        value = eval(compile(ast.Expression(last.value), str(page), "eval"), names)
        yield Example(value, found["text"], page.parent / found["picture"] if found["picture"] else None)

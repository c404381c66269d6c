# SPDX-License-Identifier: MIT
"""Kernels that once failed: `corpus/NAME.metal` as it was compiled, `corpus/NAME.program` for the reference."""

from __future__ import annotations

from pathlib import Path

from . import syntax as s
from .metal_text import metal_text

FOLDER = Path(__file__).parent / "corpus"


def keep(program: s.Program, name: str, folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.metal").write_text(metal_text(program.kernel))
    (folder / f"{name}.program").write_text(f"{program!r}\n")


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.metal"))


def load(name: str) -> tuple[s.Program, str]:
    """A kept program and its source text."""
    program = eval((FOLDER / f"{name}.program").read_text(), vars(s))
    return program, (FOLDER / f"{name}.metal").read_text()

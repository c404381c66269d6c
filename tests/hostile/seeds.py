# SPDX-License-Identifier: MIT
"""What mutants are made of: this repository's kernels, and published ones that the other corpora have fetched."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.compiler.test_language import ACCEPTED
from tests.corpora.fetch import fetch

from .mutate import pieces

_ROOT = Path(__file__).parents[1]
_HEADERS = "mlx/include/mlx/backend/metal/kernels"
_MLX = ("mlx-metal", "0.32.4", "macosx_14_0_arm64")


@cache
def seeds() -> tuple[list[bytes], list[bytes]]:
    """Whole small kernels, most of which compile, and pieces of published files, a few kilobytes each."""
    own = [source.encode() for source in ACCEPTED.values()]
    own += [path.read_bytes() for path in sorted((_ROOT / "judge").rglob("*.metal"))]
    own = [source.replace(b"#include <metal_stdlib>", b"") for source in own]
    project, version, platform = _MLX
    folder = fetch(project, version, platform=platform, only=_HEADERS) / _HEADERS
    published = [piece for path in sorted(folder.rglob("*.h")) for piece in pieces(path.read_bytes())]
    assert len(published) > 200, "the package holds other files than expected"
    return own, published

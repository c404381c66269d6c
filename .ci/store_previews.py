# SPDX-License-Identifier: MIT
"""Runs the examples of docs/previews.md and stores their pictures in docs/pictures/.

Run it after a change that changes a picture on purpose; the tests compare with what it wrote.

    .venv/bin/python .ci/store_previews.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

_ROOT = Path(__file__).resolve().parents[1]

sys.path.append(str(_ROOT / "tests" / "docs"))
from pages import run_examples  # noqa: E402


def main() -> None:
    """Store every picture that the page shows."""
    for result in run_examples(_ROOT / "docs" / "previews.md"):
        stored = result.example.picture
        if stored is not None:
            assert result.picture is not None
            result.picture.quantize(64, dither=Image.Dither.NONE).save(stored, optimize=True)
            print(stored.relative_to(_ROOT), stored.stat().st_size, "bytes")
        print(result.value)


if __name__ == "__main__":
    main()

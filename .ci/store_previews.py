# SPDX-License-Identifier: MIT
"""Runs the examples of docs/previews.md and stores their pictures in docs/pictures/.

Run it after a change that changes a picture on purpose; the tests compare with what it wrote.

    .venv/bin/python .ci/store_previews.py
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

_ROOT = Path(__file__).resolve().parents[1]

sys.path.insert(0, str(_ROOT))
from tests.notebook.documents import run_examples  # noqa: E402


def main() -> None:
    """Store every picture that the page shows."""
    for example in run_examples(_ROOT / "docs" / "previews.md"):
        if example.picture is not None:
            picture = Image.open(io.BytesIO(example.value.png()))
            picture.quantize(64, dither=Image.Dither.NONE).save(example.picture, optimize=True)
            print(example.picture.relative_to(_ROOT), example.picture.stat().st_size, "bytes")
        print(example.value)


if __name__ == "__main__":
    main()

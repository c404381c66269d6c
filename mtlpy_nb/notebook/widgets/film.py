# SPDX-License-Identifier: MIT
"""Pictures one after another in a file: APNG or GIF."""

from __future__ import annotations

import io
import os
from pathlib import Path

from PIL import Image

from ...errors import ValidationError
from ..picture import Preview

__all__ = ["Film"]

_KINDS = {".png": "PNG", ".apng": "PNG", ".gif": "GIF"}


class Film:
    """Keeps pictures, as PNG, until they are written.

    Raises
    ------
    ValueError
        If the name ends in none of ``.png``, ``.apng``, ``.gif``, or a picture has another size than the first.
    """

    def __init__(self, path: str | os.PathLike[str], fps: float) -> None:
        self.path = Path(path)
        self.fps = fps
        self._pictures: list[bytes] = []
        if self.path.suffix.lower() not in _KINDS:
            raise ValidationError(f"path is {str(path)!r}, must end in .png, .apng or .gif")

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, preview: Preview) -> None:
        """Take one more picture."""
        png = preview._quick_png()  # they are encoded anew, together
        if png is None:
            raise ValidationError(f"there is no picture to record, only words:\n{preview.text}")
        self._pictures.append(png)

    def save(self) -> Path:
        """Write them all; a file that is there is replaced only when they are written."""
        first, *rest = (Image.open(io.BytesIO(png)) for png in self._pictures)
        if any(picture.size != first.size for picture in rest):
            raise ValidationError(f"the pictures have different sizes: {sorted({p.size for p in (first, *rest)})}")
        part = self.path.with_name(f".{self.path.name}.part")
        try:
            # Hundredths of a second are the finest that a GIF knows.
            first.save(
                part,
                _KINDS[self.path.suffix.lower()],
                save_all=True,
                append_images=rest,
                duration=1000 / self.fps,
                loop=0,
            )
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
        return self.path

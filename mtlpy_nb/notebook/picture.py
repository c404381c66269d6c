# SPDX-License-Identifier: MIT
"""What ``show`` and ``compare`` give: a picture and words, which no longer need the device."""

from __future__ import annotations

import base64
import html
import io
import os
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from PIL import Image

from ..errors import ValidationError
from .pixels import Pixels
from .png import quick_png

__all__ = ["Bundle", "Preview", "words_html"]

Bundle: TypeAlias = tuple[dict[str, Any], dict[str, Any]]

_COMPRESSION = 3  # of 9: half the time of 6, for a tenth more bytes
# Colours are the page's own, so that words can be read in a light and in a dark theme.
_WORDS = '<pre style="margin: 2px 0 0; padding: 0; font-size: 85%; white-space: pre-wrap; background: none">{}</pre>'


class Preview:
    """A picture and the words that go with it.

    As the last value of a notebook's cell it is shown; in a program, :meth:`save` writes it to a file. It holds bytes
    only, no memory of a device.

    Attributes
    ----------
    text : str
        Without addresses, times or device names, so that it can be compared.
    width, height : int
        On the screen, in pixels; 0 where there is no picture. The picture may have twice as many, for screens that
        have them.
    """

    __slots__ = ("_body", "_pixels", "_png", "height", "text", "width")

    def __init__(
        self, text: str, pixels: Pixels | None = None, screen: tuple[int, int] | None = None, body: str | None = None
    ) -> None:
        self.text = text
        self._body = body
        self._png: bytes | None = None
        self._pixels: Pixels | None = None  # until the file is made of them
        self.height = self.width = 0
        if pixels is not None:
            self.height, self.width = screen or pixels.shape[:2]
            self._pixels = np.ascontiguousarray(pixels)

    def png(self) -> bytes | None:
        """Give the picture as the bytes of a PNG file; None where there are only words."""
        pixels = self._pixels  # another thread may do the same
        if pixels is not None:
            self._png = _encoded(pixels)
            self._pixels = None
        return self._png

    def _quick_png(self) -> bytes | None:
        """Give the same picture sooner, in more bytes: where it is seen for a moment."""
        pixels = self._pixels
        return self._png if pixels is None else quick_png(pixels)

    def _bytes(self) -> Pixels | None:
        """Give the pixels themselves, (height, width, 3); None once the file is made of them, and of words."""
        return self._pixels

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file, of the kind that its name ends with, such as ``.png`` or ``.jpg``.

        Raises
        ------
        ValueError
            If there are only words, or Pillow knows no such kind of file.
        """
        png = self.png()
        if png is None:
            raise ValidationError(f"there is no picture to save, only words:\n{self.text}")
        if Path(path).suffix.lower() in ("", ".png"):
            Path(path).write_bytes(png)
        else:
            Image.open(io.BytesIO(png)).save(path)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        data: dict[str, Any] = {"text/plain": self.text}
        metadata: dict[str, Any] = {}
        png = self.png()
        if png is not None:
            data["image/png"] = base64.b64encode(png).decode("ascii")
            metadata["image/png"] = {"width": self.width, "height": self.height}
        words = self._html()
        if words is not None:
            data["text/html"] = words
        return data, metadata

    def _html(self) -> str | None:
        """Give the picture with its words: a notebook shows one form only, and of a picture that is the picture."""
        if self._body is not None:
            return self._body
        png = self.png()
        if png is None or "\n" not in self.text:
            return None
        source = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
        name = html.escape(self.text.splitlines()[0], quote=True)
        picture = f'<img src="{source}" width="{self.width}" height="{self.height}" alt="{name}">'
        return f"<div>{picture}{words_html(self.text)}</div>"


def words_html(text: str) -> str:
    """Give lines of text as HTML."""
    return _WORDS.format(html.escape(text))


def _encoded(pixels: Pixels) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=_COMPRESSION)
    return stream.getvalue()

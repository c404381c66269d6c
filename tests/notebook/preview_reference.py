# SPDX-License-Identifier: MIT
"""What a picture must be, pixel by pixel in plain Python: slow, and written apart from what it checks."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

NAN, POSITIVE, NEGATIVE = (255, 0, 255), (255, 255, 255), (0, 0, 255)


def decoded(preview) -> np.ndarray:
    """The picture's pixels, as any other program sees them."""
    png = preview.png()
    assert png is not None
    image = Image.open(io.BytesIO(png))
    image.load()
    assert image.format == "PNG"
    assert image.mode == "RGB"
    return np.asarray(image)


@dataclass
class Case:
    """An image and how it is to be shown.

    `rows` holds tuples of Python numbers; `natural` is what is black and white whatever the values are; `opaque` the
    fourth number of an opaque pixel, None if that is no opacity.
    """

    rows: list
    is_float: bool
    natural: tuple | None = None
    opaque: float | None = 1.0
    is_srgb: bool = False
    look: dict = field(default_factory=dict)

    @classmethod
    def of_array(cls, array: np.ndarray, **look) -> Case:
        values = array[..., None] if array.ndim == 2 else array
        values = np.abs(values) if values.dtype.kind == "c" else values
        kind, name = values.dtype.kind, values.dtype.name
        rows = [[tuple(float(v) if kind != "i" and kind != "u" else int(v) for v in p) for p in row] for row in values]
        opaque = {"uint8": 255, "uint16": 65535}.get(name, None if kind in "iu" else 1.0)
        natural = {"uint8": (0, 255), "bool": (0, 1)}.get(name)
        return cls(rows, kind not in "iub", natural, opaque, False, look)

    # ---- the rules ----

    def colours_of(self, pixel: tuple) -> tuple:
        channel = self.look.get("channel")
        return pixel[:3] if channel is None else (pixel["rgba".index(channel)],)

    def alpha_of(self, pixel: tuple) -> float | None:
        has_alpha = len(pixel) == 4 and self.opaque is not None and self.look.get("channel") is None
        return pixel[3] if has_alpha else None

    def ends(self) -> tuple[float, float]:
        look = self.look
        heat = look.get("colormap") is not None
        if look.get("range") is not None:
            return look["range"]
        if self.natural is not None and not heat:
            return self.natural
        finite = [v for row in self.rows for p in row for v in self.colours_of(p) if math.isfinite(v)]
        if not finite:
            return 0.0, 1.0
        low, high = min(finite), max(finite)
        if self.is_float and (look.get("tone") is not None or look.get("exposure", 0) != 0):
            return 0.0, 1.0
        if self.is_float and low >= 0 and high <= 1 and not heat:
            return 0.0, 1.0
        if low == high:
            around = max(0.5, abs(low) / 1024)
            return low - around, high + around
        return low, high

    def shown(self, value: float, low: float, high: float) -> float:
        """0 to 1 for one finite number."""
        look = self.look
        x = (value - low) / (high - low)
        x *= 2.0 ** look.get("exposure", 0)
        if look.get("tone") == "reinhard":
            x = max(x, 0)
            x = x / (1 + x)
        elif look.get("tone") == "aces":
            x = max(x, 0)
            x = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
        x = min(max(x, 0.0), 1.0)
        if self.is_srgb and look.get("colormap") is None:
            x = x * 12.92 if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055
        return x ** (1 / look.get("gamma", 1))

    def pixel(self, block: list, low: float, high: float):
        """A special colour, or the mean colour and opacity of some pixels."""
        numbers = [v for p in block for v in (*self.colours_of(p), *([] if self.alpha_of(p) is None else [p[3]]))]
        if any(math.isnan(v) for v in numbers):
            return NAN
        if any(v == -math.inf for v in numbers):
            return NEGATIVE
        if any(v == math.inf for v in numbers):
            return POSITIVE
        total, opacity = [0.0] * 3, 0.0
        for p in block:
            alpha = self.alpha_of(p)
            a = 1.0 if alpha is None else min(max(alpha / self.opaque, 0.0), 1.0)
            colour = [self.shown(v, low, high) for v in self.colours_of(p)]
            colour = colour * 3 if len(colour) == 1 else [*colour, 0.0][:3]
            total = [t + c * a for t, c in zip(total, colour, strict=True)]
            opacity += a
        return [t / len(block) for t in total], opacity / len(block)

    def check(self, pixels: np.ndarray, block: tuple[int, int] = (1, 1), enlarge: tuple[int, int] = (1, 1)) -> None:
        """Every byte of the picture, to the rounding of a half."""
        low, high = self.ends()
        height, width = len(self.rows), len(self.rows[0])
        rows, columns = -(-height // block[0]), -(-width // block[1])
        assert pixels.shape == (rows * enlarge[0], columns * enlarge[1], 3)
        for y in range(rows):
            for x in range(columns):
                part = [
                    self.rows[i][j]
                    for i in range(y * block[0], min((y + 1) * block[0], height))
                    for j in range(x * block[1], min((x + 1) * block[1], width))
                ]
                found = self.pixel(part, low, high)
                drawn = pixels[y * enlarge[0] : (y + 1) * enlarge[0], x * enlarge[1] : (x + 1) * enlarge[1]]
                self._check_drawn(drawn, found, y * enlarge[0], x * enlarge[1])

    @staticmethod
    def _check_drawn(drawn: np.ndarray, found, top: int, left: int) -> None:
        if isinstance(found, tuple) and len(found) == 3:
            assert (drawn == found).all(), (drawn[0, 0], found)
            return
        colour, opacity = found
        if opacity == 1:
            wanted = np.broadcast_to(np.array(colour) * 255, drawn.shape)
        else:
            i, j = np.indices(drawn.shape[:2])
            board = np.where(((i + top) // 8 + (j + left) // 8) % 2, 153, 204)[..., None]
            wanted = np.array(colour) * 255 + board * (1 - opacity)
        assert np.abs(drawn - wanted).max() <= 0.5 + 1e-3, (drawn[0, 0], wanted[0, 0], colour, opacity)

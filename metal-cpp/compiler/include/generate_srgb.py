# SPDX-License-Identifier: MIT
"""Writes __metal_srgb.h: the light that each byte of sRGB stands for, and the least that is stored as it."""

from __future__ import annotations

import struct
from pathlib import Path


def light(stored: float) -> float:
    """Apply the transfer function of IEC 61966-2-1."""
    return stored / 12.92 if stored <= 0.04045 else ((stored + 0.055) / 1.055) ** 2.4


def literal(value: float) -> str:
    """Write the nearest float, exactly."""
    rounded = struct.unpack("f", struct.pack("f", value))[0]
    sign, digits = ("-", (-rounded).hex()) if rounded < 0 else ("", rounded.hex())
    mantissa, exponent = digits.split("p")
    return f"{sign}{mantissa.rstrip('0').rstrip('.') or '0x0'}p{int(exponent)}f"


def table(name: str, comment: str, shift: float) -> str:
    """Write an array of 256 floats."""
    numbers = [literal(light((byte + shift) / 255)) for byte in range(256)]
    lines = [", ".join(numbers[i : i + 8]) for i in range(0, 256, 8)]
    body = ",\n    ".join(lines)
    return f"/// {comment}\ninline constant float {name}[256] = {{\n    {body}}};\n"


TEXT = f"""// SPDX-License-Identifier: MIT
// Written by generate_srgb.py.

#pragma once
#pragma clang system_header

namespace metal {{

{table("__srgb_lights", "The light of each byte.", 0)}
{table("__srgb_bounds", "The least light that is stored as it.", -0.5)}
}}  // namespace metal
"""

if __name__ == "__main__":
    Path(__file__).with_name("__metal_srgb.h").write_text(TEXT)

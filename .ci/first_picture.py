# SPDX-License-Identifier: MIT
"""Runs a ``%%metal`` cell in a fresh IPython shell and writes the picture that it shows to the path given."""

import base64
import io
import sys
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from PIL import Image

CELL = """%%metal waves(mtlpy_nb.output((64, 64, 4), "float32"))
kernel void waves(device float4* out, uint2 position [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{
    float2 p = float2(position) / float2(size);
    out[position.y * size.x + position.x] = float4(p.x, p.y, 0.5 + 0.5 * sin(20 * p.x * p.y), 1);
}
"""


def main() -> None:
    """Write the picture, or exit with what is wrong with it."""
    shell = InteractiveShell.instance()
    shell.run_cell("import mtlpy_nb").raise_error()
    shell.run_line_magic("load_ext", "mtlpy_nb")
    result = shell.run_cell(CELL)
    result.raise_error()
    data, _ = shell.display_formatter.format(result.result)
    png = data.get("image/png")
    if png is None:
        with capture_output() as shown:
            shell.run_cell("mtlpy_nb.show(_)").raise_error()
        png = shown.outputs[0].data["image/png"]
    png = base64.b64decode(png) if isinstance(png, str) else png
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    corners = picture.getpixel((0, 0)), picture.getpixel((picture.width - 1, picture.height - 1))
    if not (corners[0][0] < 20 and corners[1][0] > 235 and corners[1][1] > 235):
        sys.exit(f"the picture is wrong: corners are {corners}")
    Path(sys.argv[1]).write_bytes(png)
    print(f"picture of {picture.width} x {picture.height} pixels in {sys.argv[1]}")


if __name__ == "__main__":
    main()

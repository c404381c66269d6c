# SPDX-License-Identifier: MIT
"""Does what the README says, word for word, in a fresh IPython shell, and writes the last picture to the path given.

Its two cells are run and their picture is looked at; its mistake is made and the message compared; the kernel is
changed and the picture must change; its Python program is run and must print what its comment says.
"""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from PIL import Image

_README = Path(__file__).resolve().parents[1] / "README.md"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def main() -> None:
    """Do it all; exit with what is not as the README says."""
    cells = _blocks("text")
    setting_up, kernel, message = cells[:3]
    shell = InteractiveShell.instance()
    shell.run_cell(setting_up).raise_error()
    photo = shell.user_ns["photo"]

    picture = _picture(shell, kernel)
    _expect(np.array_equal(picture, 255 - photo), "the picture is not the photograph's negative")
    print("README: the first picture is right")

    wrong = kernel.replace("1 - colour.rgb", "1 - color.rgb")
    _expect(wrong != kernel, "the kernel has no `1 - colour.rgb` to misspell")
    with capture_output() as shown:
        result = shell.run_cell(wrong)
    said = _COLOURS.sub("", shown.stdout + shown.stderr)
    _expect(result.error_in_exec is not None, "the misspelt kernel compiles")
    _expect(message in said, f"the README's message\n{message}\nis not what is shown:\n{said}")
    print("README: the message is right")

    changed = _picture(shell, kernel.replace("1 - colour.rgb", "colour.bgr"))
    _expect(np.array_equal(changed, photo[..., ::-1]), "the changed kernel does not give the picture that it should")
    Image.fromarray(changed).save(sys.argv[1])
    print("README: the changed kernel gives another picture")

    for program in _blocks("python"):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        expected = "".join(f"{text}\n" for text in re.findall(r"^print\(.*\)  # (.*)$", program, re.MULTILINE))
        _expect(done.stdout == expected, f"the program prints\n{done.stdout}{done.stderr}\ninstead of\n{expected}")
    print("README: the program prints what it should")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", _README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def _picture(shell: InteractiveShell, cell: str) -> np.ndarray:
    """Run a cell; give the pixels of the picture that a notebook would show."""
    result = shell.run_cell(cell)
    result.raise_error()
    assert shell.display_formatter is not None
    data, _ = shell.display_formatter.format(result.result)
    png = data["image/png"]
    with Image.open(io.BytesIO(base64.b64decode(png) if isinstance(png, str) else png)) as picture:
        return np.asarray(picture.convert("RGB"))


def _expect(is_so: bool, problem: str) -> None:
    if not is_so:
        sys.exit(f"README: {problem}")


if __name__ == "__main__":
    main()

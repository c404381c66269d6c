# SPDX-License-Identifier: MIT
"""Does what the README says, word for word, in a fresh IPython shell, and writes the last picture to the path given.

Its cells and its program are run, and what they show is compared; its mistake is made and the message compared; the
kernel is changed and the picture must change.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from PIL import Image

_ROOT = Path(__file__).resolve().parents[1]

# Behind all others: the package that is tried may be a wheel's, and not the one in this folder.
sys.path.append(str(_ROOT / "tests" / "docs"))
import pages  # noqa: E402

_README = _ROOT / "README.md"


def main() -> None:
    """Do it all; exit with what is not as the README says."""
    setting_up, kernel, program = pages.examples(_README)
    shell = InteractiveShell.instance()
    _expect_no(pages.run(shell, setting_up).problem())
    photo = shell.user_ns["photo"]

    picture = _picture(shell, kernel)
    _expect(np.array_equal(picture, 255 - photo), "the picture is not the photograph's negative")
    print("README: the first picture is right")

    wrong = replace(kernel, code=kernel.code.replace("1 - colour.rgb", "1 - color.rgb"))
    _expect(wrong != kernel, "the kernel has no `1 - colour.rgb` to misspell")
    message = next(iter(re.findall(r"^```text\n(line .*?)^```$", _README.read_text(encoding="utf-8"), re.M | re.S)))
    shown = pages.run(shell, wrong)
    _expect(shown.failed, "the misspelt kernel compiles")
    _expect(message in shown.shown + "\n", f"the README's message\n{message}\nis not what is shown:\n{shown.shown}")
    print("README: the message is right")

    changed = _picture(shell, replace(kernel, code=kernel.code.replace("1 - colour.rgb", "colour.bgr")))
    _expect(np.array_equal(changed, photo[..., ::-1]), "the changed kernel does not give the picture that it should")
    Image.fromarray(changed).save(sys.argv[1])
    print("README: the changed kernel gives another picture")

    _expect_no(pages.run(shell, program).problem())
    print("README: the program prints what it should")


def _picture(shell: InteractiveShell, cell: pages.Example) -> np.ndarray:
    """Run a cell; give the pixels of the picture that a notebook would show."""
    result = pages.run(shell, cell)
    _expect(not result.failed, result.shown)
    assert result.picture is not None
    return np.asarray(result.picture.convert("RGB"))


def _expect_no(problem: str | None) -> None:
    _expect(problem is None, problem or "")


def _expect(is_so: bool, problem: str) -> None:
    if not is_so:
        sys.exit(f"README: {problem}")


if __name__ == "__main__":
    main()

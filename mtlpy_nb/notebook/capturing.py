# SPDX-License-Identifier: MIT
"""``%%metal_capture``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator, arg-type"

from __future__ import annotations

import os
import tempfile

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand, output_can_be_silenced
from IPython.display import display

from .._default_device import default_device
from ..capture import SUFFIX, CaptureFile, load
from .lines import read_lines

__all__ = ["CaptureMagics"]


@magics_class
class CaptureMagics(Magics):
    """The magic that captures a cell."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)

    @no_var_expand
    @output_can_be_silenced
    @cell_magic("metal_capture")
    def metal_capture(self, line: str, cell: str) -> CaptureFile | None:
        """Run the cell, and show every command that it gave to the device, with what each changed.

            %%metal_capture
            blur_rows(photo, rows)
            blur_columns(rows, result)

        The value of the cell is the capture, for more questions: ``_.history("result", (30, 40))``. With a path after
        ``%%metal_capture`` the file is kept there, and ``mtlpy_nb.capture.load`` opens it again, on any machine. On a
        Mac a path is needed: the file is a ``.gputrace`` for Xcode. Of a cell that fails, the capture is shown as well.
        """
        __tracebackhide__ = True
        path = line.strip()
        device = default_device()
        if not device.is_software and not path:
            raise UsageError("%%metal_capture PATH: on a Mac, name the file that Xcode will open")
        assert self.shell is not None
        run = read_lines(self.shell, cell, "%%metal_capture", "captures")
        failed: BaseException | None = None
        with tempfile.TemporaryDirectory(prefix="mtlpy-capture-") as folder:
            with device.start_capture(path or os.path.join(folder, f"cell{SUFFIX}")) as capture:
                try:
                    run()
                except BaseException as error:  # raised below: what was captured of it helps to mend it
                    failed = error
            found = load(capture.path or "") if device.is_software else None
        if found is None:
            print(f"captured to {capture.path}")
        elif not path:
            found.path = "this cell"  # so that the text is the same in each run
        if failed is None:
            return found
        if found is not None and found.commands:
            display(found)
        raise failed

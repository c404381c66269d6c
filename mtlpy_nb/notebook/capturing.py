# SPDX-License-Identifier: MIT
"""``%%metal_capture``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator, arg-type"

from __future__ import annotations

import os
import tempfile

from IPython.core.error import UsageError
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand, output_can_be_silenced

from .._default_device import default_device
from ..capture import SUFFIX, CaptureFile, load

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
        Mac a path is needed: the file is a ``.gputrace`` for Xcode.
        """
        path = line.strip()
        if not cell.strip():
            raise UsageError("%%metal_capture captures the lines below it, and there are none")
        device = default_device()
        if not device.is_software and not path:
            raise UsageError("%%metal_capture PATH: on a Mac, name the file that Xcode will open")
        assert self.shell is not None
        with tempfile.TemporaryDirectory(prefix="mtlpy-capture-") as folder:
            with device.start_capture(path or os.path.join(folder, f"cell{SUFFIX}")) as capture:
                result = self._run(cell)
            if not device.is_software:
                print(f"captured to {capture.path}")
                return None
            found = load(capture.path or "")
        if not path:
            found.path = "this cell"  # so that the text is the same in each run
        # An error of the cell has been shown; what the capture saw of it helps to mend it.
        return found if result.success or found.commands else None

    def _run(self, cell: str) -> ExecutionResult:
        """Run the cell's lines; its value is the capture, and not the last expression's."""
        assert self.shell is not None
        before = self.shell.ast_node_interactivity
        self.shell.ast_node_interactivity = "none"
        try:
            result: ExecutionResult = self.shell.run_cell(cell, store_history=False)
            return result
        finally:
            self.shell.ast_node_interactivity = before

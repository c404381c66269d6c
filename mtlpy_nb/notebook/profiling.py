# SPDX-License-Identifier: MIT
"""``%%metal_profile``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator, arg-type"

from __future__ import annotations

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand, output_can_be_silenced
from IPython.display import display

from ..profile import Profile, profiling
from .lines import read_lines
from .options import short

__all__ = ["ProfileMagics"]


@magics_class
class ProfileMagics(Magics):
    """The magic that profiles a cell."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)

    @no_var_expand
    @output_can_be_silenced
    @cell_magic("metal_profile")
    def metal_profile(self, line: str, cell: str) -> Profile:
        """Run the cell, and show what each kernel took of the time on the device.

            %%metal_profile
            for _ in range(20):
                blur_rows(photo, rows)
                blur_columns(rows, result)

        The value of the cell is the profile: ``_["blur_rows"].gpu``, ``_.to_dict()``. It waits for work that the cell
        began with ``wait=False``, on all devices and in all threads. Of a cell that fails, what ran is shown as well.
        """
        __tracebackhide__ = True
        if line.strip():
            raise UsageError(f"%%metal_profile takes no options, got {short(line.strip())}")
        assert self.shell is not None
        run = read_lines(self.shell, cell, "%%metal_profile", "profiles")
        profile = Profile()
        try:
            with profiling() as profile:
                run()
        except BaseException:
            if profile.kernels:
                display(profile)
            raise
        return profile

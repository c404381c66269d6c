# SPDX-License-Identifier: MIT
"""What the doctor looks at, in the order in which one thing needs another."""

from __future__ import annotations

import platform

from .. import _native as mtl
from .check_cache import examine_cache
from .check_compiler import examine_compiler
from .check_device import examine_device, examine_kernel
from .check_notebook import examine_extension, examine_ipython, examine_jupyter
from .finding import Finding

__all__ = ["Finding", "examine"]


def examine() -> list[Finding]:
    """Look at everything. Without a compiler no kernel is tried: it would only fail for the same reason."""
    findings = [examine_device()]
    if platform.system() != "Darwin" and any(map(mtl.is_software, mtl.copy_all_devices())):
        findings += [examine_compiler(), examine_cache()]
    if not any(finding.status == "fault" for finding in findings):
        findings.append(examine_kernel())
    return [*findings, examine_ipython(), examine_jupyter(), examine_extension()]

# SPDX-License-Identifier: MIT
"""What a test measures may still change for a moment by what other tests left behind: wait until it is at rest."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any


def eventually(condition: Callable[[], object], seconds: float = 60) -> None:
    """Assert that `condition` holds, now or before long."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not so within {seconds} s"
        time.sleep(0.005)


def settled_size(device: Any) -> int:
    """Bytes that a device (of either API) has allocated, once nothing is going any more that nobody holds."""
    gc.collect()
    size, same = device.current_allocated_size, 0
    while same < 4:
        time.sleep(0.005)
        before, size = size, device.current_allocated_size
        same = same + 1 if size == before else 0
    return size

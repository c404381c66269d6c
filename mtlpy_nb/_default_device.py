# SPDX-License-Identifier: MIT
"""The device that is meant when none is named."""

from __future__ import annotations

import os
import threading

from .device import Device

__all__ = ["default_device", "set_default_device"]


class _Default:
    """Holder of the default device; made when first asked for, and anew in a forked child."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.device: Device | None = None
        self.process = 0

    def get(self) -> Device:
        with self.lock:
            if self.device is None or self.process != os.getpid():
                self.device, self.process = Device(), os.getpid()
            return self.device

    def set(self, device: Device | None) -> None:
        with self.lock:
            self.device, self.process = device, os.getpid()


_default = _Default()


def default_device() -> Device:
    """Give the device that is meant when none is named; made at the first call."""
    return _default.get()


def set_default_device(device: Device | None) -> None:
    """Make `device` the one that :func:`default_device` gives; None for the system's default."""
    _default.set(device)

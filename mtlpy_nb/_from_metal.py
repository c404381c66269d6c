# SPDX-License-Identifier: MIT
"""From the objects of :mod:`mtlpy_nb.metal` to those of the high level, which share them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native as mtl
from .errors import ArgumentError, ValidationError
from .utils import PIXEL_FORMATS

if TYPE_CHECKING:
    from .device import Device

__all__ = ["checked_device", "device_of", "format_name"]


def format_name(texture: mtl.Texture) -> str:
    """Give Metal's name of the texture's pixel format."""
    for name, info in PIXEL_FORMATS.items():
        if info.mtl_value == int(texture.pixel_format):
            return name
    raise ValidationError(f"pixels of format {texture.pixel_format.name} can't be shown")


def device_of(resource: mtl.Resource) -> Device:
    """Find the device, of which a Device has its own object: the default one if it is that."""
    from ._default_device import default_device
    from .device import Device, list_devices

    wanted = resource.device.mtl_ptr
    device = default_device()
    if device.mtl_ptr == wanted:
        return device
    candidates = (Device(index, cache_path=False) for index in range(len(list_devices())))
    return next((candidate for candidate in candidates if candidate.mtl_ptr == wanted), device)


def checked_device(where: str, resource: mtl.Resource, device: Device | None) -> Device:
    """Give the device that was named, if the resource is of it; else the one that it is of."""
    from .device import Device

    if device is None:
        return device_of(resource)
    if not isinstance(device, Device):
        raise ArgumentError(f"{where}: device must be a Device, got {type(device).__name__}")
    if device.mtl_ptr != resource.device.mtl_ptr:
        raise ValidationError(f"{where}: the {type(resource).__name__} belongs to another device")
    return device

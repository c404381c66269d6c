# SPDX-License-Identifier: MIT
"""Queues, and what orders work between them: events and fences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native as mtl

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Event", "Fence", "Queue", "SharedEvent", "SharedEventHandle"]


class Queue:
    """A queue of command buffers, made by :meth:`Device.queue`.

    Its command buffers run in the order of their commits; those of different queues at the same time.
    """

    __slots__ = ("__weakref__", "_device", "_queue")

    def __init__(self, _queue: mtl.CommandQueue, device: Device) -> None:
        self._queue = _queue
        self._device = device


class Fence:
    """Orders dispatches of one queue: :meth:`Pipeline.run` takes fences to wait for and to signal."""

    __slots__ = ("__weakref__", "_device", "_fence")

    def __init__(self, _fence: mtl.Fence, device: Device) -> None:
        self._fence = _fence
        self._device = device


class Event:
    """A number that grows, by which command buffers of one device's queues wait for each other.

    See :meth:`CommandBuffer.signal_event` and :meth:`CommandBuffer.wait_for_event`.
    """

    __slots__ = ("__weakref__", "_device", "_event")

    def __init__(self, _event: mtl.Event, device: Device) -> None:
        self._event = _event
        self._device = device


class SharedEventHandle:
    """Stands for a :class:`SharedEvent`; :meth:`Device.import_shared_event` makes the event of it again."""

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, _handle: mtl.SharedEventHandle) -> None:
        self._handle = _handle


class SharedEvent(Event):
    """An event that Python too can signal and wait for; made by :meth:`Device.shared_event`."""

    __slots__ = ()

    _event: mtl.SharedEvent

    def signal(self, value: int) -> None:
        """Set it to `value`, which must not be negative; work that waits for that goes on."""
        self._event.signaled_value = value

    @property
    def signaled_value(self) -> int:
        """The value it has reached."""
        return int(self._event.signaled_value)

    def wait(self, value: int, timeout_ms: int = 5000) -> bool:
        """Wait until it has reached `value`.

        Parameters
        ----------
        value : int
        timeout_ms : int
            Longest wait, in milliseconds.

        Returns
        -------
        bool
            Whether it has; False if the time was up.
        """
        return self._event.wait_until_signaled_value(value, timeout_ms)

    def export_handle(self) -> SharedEventHandle:
        """Give what stands for this event elsewhere in the program."""
        return SharedEventHandle(self._event.new_shared_event_handle())

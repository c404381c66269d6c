# SPDX-License-Identifier: MIT
"""A Surface as a widget of Qt's: ``pip install "mtlpy_nb[qt]"``. Nothing else of this package imports Qt.

>>> from mtlpy_nb.qt import SurfaceWidget                      # doctest: +SKIP
>>> widget = SurfaceWidget(mtlpy_nb.default_device())          # doctest: +SKIP
>>> widget.show()                                              # doctest: +SKIP
>>> widget.surface.present(texture)                            # doctest: +SKIP
"""

from __future__ import annotations

import sys
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from .device import Device
from .surface import Surface

__all__ = ["SurfaceWidget"]


class SurfaceWidget(QtWidgets.QWidget):  # type: ignore[misc]
    """A widget that shows what its surface is given.

    On a Mac the surface draws into the widget's own view. Elsewhere it presents into a picture, which the widget
    paints: it follows the widget's size, in pixels of the screen.

    Parameters
    ----------
    device : Device
    parent : QWidget, optional
    **options
        Options of :class:`mtlpy_nb.Surface`.

    Attributes
    ----------
    surface : Surface
        For :meth:`Surface.present` and :meth:`Surface.next_frame`; closed when the widget is.
    shown : Signal
        Emitted, in the thread of the widget, for each picture that is shown.
    """

    shown = QtCore.Signal()

    def __init__(self, device: Device, parent: Any = None, **options: Any) -> None:
        super().__init__(parent)
        self._has_view = sys.platform == "darwin" and not device.is_software
        if self._has_view:
            self.setAttribute(QtCore.Qt.WidgetAttribute.WA_NativeWindow)
            self.surface = Surface(device, int(self.winId()), **options)
        else:
            self.setAttribute(QtCore.Qt.WidgetAttribute.WA_OpaquePaintEvent)
            self.surface = Surface(device, size=self._pixels(), **options)
        # Emitted from Metal's thread, so that Qt calls update() in this one.
        self.shown.connect(self.update, QtCore.Qt.ConnectionType.QueuedConnection)
        self.surface.add_presented_handler(self._tell)

    def _tell(self) -> None:
        try:
            self.shown.emit()
        except RuntimeError:  # the widget is gone, and this was its last picture
            return

    def _pixels(self) -> tuple[int, int]:
        scale = self.devicePixelRatioF()
        return max(1, round(self.width() * scale)), max(1, round(self.height() * scale))

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        """Give the surface the widget's new size."""
        if self.surface.closed:
            return
        if self._has_view:
            self.surface.update_layout()
        else:
            self.surface.resize(self._pixels())

    def paintEvent(self, event: Any) -> None:  # noqa: N802
        """Paint what the surface shows."""
        if self._has_view or self.surface.closed:
            return
        picture = self.surface.numpy()
        height, width = picture.shape[:2]
        image = QtGui.QImage(picture.data, width, height, 4 * width, QtGui.QImage.Format.Format_RGBA8888)
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), QtCore.Qt.GlobalColor.black)
        painter.drawImage(self.rect(), image)
        painter.end()

    def closeEvent(self, event: Any) -> None:  # noqa: N802
        """Close the surface with the widget."""
        self.surface.close()
        super().closeEvent(event)

# SPDX-License-Identifier: MIT
"""A Surface as a widget, on Qt's platform without a screen."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if os.environ.get("CI"):  # where it must be there, with the system's libraries that it loads
    from PySide6 import QtWidgets
else:
    QtWidgets = pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)


@pytest.fixture(scope="module")
def application():
    return QtWidgets.QApplication.instance() or QtWidgets.QApplication([])


@pytest.fixture
def widget(application, device):
    from mtlpy_nb.qt import SurfaceWidget

    widget = SurfaceWidget(device, display_sync=False)
    widget.resize(40, 20)
    widget.show()
    application.processEvents()
    yield widget
    widget.close()


def colours(widget, *places):
    image = widget.grab().toImage()
    return [image.pixelColor(*place).getRgb() for place in places]


def plain(device, colour, size=(20, 40)):
    return device.texture(np.full((*size, 4), colour, np.uint8))


def test_a_widget_shows_what_is_presented(device, widget):
    assert colours(widget, (0, 0)) == [(0, 0, 0, 255)]
    widget.surface.present(plain(device, (255, 128, 0, 255)), wait=True)
    assert colours(widget, (0, 0), (39, 19)) == [(255, 128, 0, 255)] * 2


def test_the_surface_follows_the_widgets_size(application, device, widget):
    assert widget.surface.view_size == (40, 20)
    widget.resize(60, 30)
    application.processEvents()
    assert widget.surface.view_size == (60, 30)
    widget.surface.present(plain(device, (0, 0, 255, 255), (30, 30)), wait=True)
    assert colours(widget, (0, 15), (30, 15)) == [(0, 0, 0, 255), (0, 0, 255, 255)]


def test_the_widget_hears_of_every_picture(application, device, widget):
    heard = []
    widget.shown.connect(lambda: heard.append(widget.thread().isCurrentThread()))
    for _ in range(3):
        with widget.surface.next_frame():
            pass
    deadline = time.monotonic() + 120
    while len(heard) < 3 and time.monotonic() < deadline:
        application.processEvents()
        time.sleep(0.001)
    assert heard == [True] * 3


def test_closing_the_widget_closes_the_surface(application, widget):
    widget.close()
    assert widget.surface.closed
    widget.repaint()
    widget.resize(50, 50)
    application.processEvents()


def test_nothing_else_imports_qt():
    program = "import sys, mtlpy_nb; mtlpy_nb.Device(cache_path=False).surface(); assert 'PySide6' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)

# SPDX-License-Identifier: MIT
"""`TextureView`: what is shown, values under the pointer, and when it is drawn anew."""

import gc
import io
import threading
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from mtlpy_nb import ArgumentError, TextureView, ValidationError, _recording
from mtlpy_nb.notebook.widgets import follower


@pytest.fixture
def view(device, image):
    made = TextureView(device.texture(image))
    yield made
    made.close()


def said(view, x, y):
    sent = []
    view._screen.send = lambda content, buffers=None: sent.append(content)
    view._screen._handle_custom_msg({"kind": "ask", "x": x, "y": y}, [])
    return sent[-1]["words"]


def picture(view):
    return Image.open(io.BytesIO(view._screen.picture.png())).convert("RGB")


def test_every_pixel_goes_to_the_browser_once(view):
    assert picture(view).size == (8, 8)
    assert (view._screen.picture.width, view._screen.picture.height) == (512, 512)
    assert view._screen.zooms


def test_large_images_are_reduced(device):
    view = TextureView(np.zeros((3000, 5000), np.uint8))
    assert picture(view).size == (1667, 1000)
    assert (view._screen.picture.width, view._screen.picture.height) == (512, 307)
    view.close()


def test_the_value_under_the_pointer(view, image):
    assert said(view, 0.0, 0.0) == "x 0, y 0: 0"
    assert said(view, 0.99, 0.99) == "x 7, y 7: 1"
    assert said(view, 0.3, 0.7) == f"x 2, y 5: {image[5, 2]:.6g}"
    assert view.value(2, 5) == image[5, 2]
    with pytest.raises(IndexError, match=r"pixel \(8, 0\) is outside of 8 x 8"):
        view.value(8, 0)


def test_values_of_several_channels(device):
    pixels = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    view = TextureView(device.texture(pixels, "rgba8Unorm"))
    assert said(view, 0.3, 0.0) == "x 1, y 0: 4, 5, 6, 7"
    view.close()


def test_it_is_drawn_anew_after_work(device, kernels, browser):
    buffer = device.buffer(np.zeros((8, 8), np.float32))
    view = TextureView(buffer)
    browser(view).open()
    before = view._screen.number
    kernels["invert"](buffer)
    assert view._screen.number == before + 1
    assert said(view, 0.5, 0.5) == "x 4, y 4: 1"
    view.close()
    kernels["invert"](buffer)
    assert view._screen.number == before + 1
    assert view._follower not in _recording.recorders


def test_closing_lets_go(device, image):
    view = TextureView(device.texture(image))
    view.close()
    assert "application/vnd.jupyter.widget-view+json" not in view._repr_mimebundle_()[0]
    gone = weakref.ref(view)
    del view
    gc.collect()
    assert gone() is None


def test_a_value_is_of_now_without_a_page(device, kernels):
    buffer = device.buffer(np.zeros((8, 8), np.float32))
    view = TextureView(buffer)
    assert view.value(0, 0) == 0
    kernels["invert"](buffer)
    assert view.value(0, 0) == 1
    view.close()


def test_a_call_does_not_wait_for_a_picture_that_another_thread_makes(view, device, kernels, image, browser):
    browser(view).open()
    before = view._screen.number
    held, done = threading.Event(), threading.Event()

    def hold():
        with view._lock:
            held.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    kernels["invert"](device.buffer(image))
    assert view._screen.number == before
    done.set()
    thread.join()
    kernels["invert"](device.buffer(image))
    assert view._screen.number == before + 1


@pytest.mark.parametrize(("answers", "least", "most"), [(True, 400, 400), (False, 100, 200)])
def test_a_long_cell_sends_ever_fewer_pictures_that_nobody_answers(
    device, kernels, browser, monkeypatch, answers, least, most
):
    now = 0.0
    monkeypatch.setattr(follower, "time", SimpleNamespace(perf_counter=lambda: now))
    buffer = device.buffer(np.zeros((8, 8), np.float32))
    view = TextureView(buffer)
    browser(view).open()
    before = view._screen.number
    for _ in range(400):
        now += 0.11
        kernels["invert"](buffer)
        if answers:
            browser(view).draw()
    sent = view._screen.number - before
    assert least <= sent <= most
    browser(view).draw()
    now += 0.11
    kernels["invert"](buffer)
    assert view._screen.number - before == sent + 1, "an answer, and it goes on as before"
    view.close()


def test_ctrl_c_while_it_draws_ends_the_cell(view, device, kernels, image, browser, monkeypatch):
    def stopped():
        raise KeyboardInterrupt("the reading was stopped")

    browser(view).open()
    buffer = device.buffer(image)
    with monkeypatch.context() as patch:
        patch.setattr(view, "_picture", stopped)
        with pytest.raises(KeyboardInterrupt):
            kernels["invert"](buffer)
    assert "the reading was stopped" in view._error.value
    view.refresh()
    assert view._error.value == ""


def test_ctrl_c_while_a_value_is_read_is_the_answer(view, monkeypatch):
    def stopped():
        raise KeyboardInterrupt

    monkeypatch.setattr(view, "_read", stopped)
    assert said(view, 0.5, 0.5) == "KeyboardInterrupt"


def test_one_that_no_page_shows_is_left_alone(view, device, kernels, image):
    before = view._screen.number
    kernels["invert"](device.buffer(image))
    assert view._screen.number == before


def test_it_is_drawn_anew_after_each_cell(notebook, browser):
    notebook.run("import mtlpy_nb\nview = mtlpy_nb.TextureView(np.zeros((4, 4), np.float32))")
    view = notebook.shell.user_ns["view"]
    browser(view).comes()
    notebook.run("view._x[:] = 5")
    assert said(view, 0, 0) == "x 0, y 0: 5"
    notebook.run("view.close()")


def test_a_value_is_of_now_while_pictures_are_on_their_way(notebook, browser):
    notebook.run("import mtlpy_nb\nview = mtlpy_nb.TextureView(np.zeros((4, 4), np.float32))")
    view = notebook.shell.user_ns["view"]
    browser(view).comes()
    for value in range(5):
        notebook.run(f"view._x[:] = {value}")
        assert said(view, 0, 0) == f"x 0, y 0: {value}"
    assert view._screen.number < 5, "the browser draws none of them"
    notebook.run("view.close()")


def test_channels_levels_and_slices(device, browser):
    texture = device.empty_texture((3, 16, 16), "rgba8Unorm", kind="2d_array", mipmaps=True)
    pixels = np.zeros((3, 16, 16, 4), np.uint8)
    pixels[1] = (10, 200, 30, 255)
    texture.upload(pixels)
    texture.generate_mipmaps()
    view = TextureView(texture, slice=1, level=1)
    assert [widget.description for widget in view._controls] == ["channel", "level", "slice"]
    shape = texture.level_shape(1)
    assert picture(view).size == (shape[2], shape[1])
    for control, value in ((view._level, 0), (view._slice, 1), (view._channel, "g")):
        browser(view).draw()
        control.value = value
    browser(view).draw()
    assert picture(view).getpixel((3, 3)) == (200, 200, 200)
    assert said(view, 0, 0) == "x 0, y 0: 10, 200, 30, 255"
    view.close()


def test_a_range(device, image, browser):
    view = TextureView(image, range=(0.0, 0.5))
    assert picture(view).getpixel((7, 7)) == (255, 255, 255)
    browser(view).draw()
    view._high.value = 2.0
    assert picture(view).getpixel((7, 7)) == (128, 128, 128)
    browser(view).draw()
    view._low.value = 3.0
    assert "the smaller first" in view._error.value
    view._fits.value = True
    assert view._low.disabled
    assert view._error.value == ""
    view.close()


def test_a_volume_has_fewer_slices_on_smaller_levels(device, browser):
    texture = device.empty_texture((8, 16, 16), "r8Unorm", mipmaps=True)
    texture.upload(np.arange(8, dtype=np.uint8)[:, None, None].repeat(16, 1).repeat(16, 2))
    view = TextureView(texture, slice=7)
    assert said(view, 0, 0) == "x 0, y 0: 7"
    browser(view).draw()
    view._level.value = 3
    assert picture(view).size == (2, 2)
    assert view._error.value == ""
    view.close()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: TextureView("text"), TypeError, "TextureView: expected an array"),
        (lambda: TextureView(np.zeros(3)), ValidationError, "must be an image's: rows and columns"),
        (lambda: TextureView(np.zeros((3, 3)), zoom=2), ArgumentError, "zoom is the wheel's"),
        (lambda: TextureView(np.zeros((3, 3)), slice=1), ValidationError, "slice is 1, must be 0 to 0"),
        (lambda: TextureView(np.zeros((3, 3)), slice=0.5), ArgumentError, "slice must be an int, got float"),
        (lambda: TextureView(np.zeros((3, 3)), channel="g"), ValidationError, "channel is 'g', must be one of r"),
        (lambda: TextureView(np.zeros((3, 3)), range=(1,)), ValidationError, "must be two finite numbers"),
        (lambda: TextureView(np.zeros((3, 3)), colormap="none"), ValidationError, "colormap"),
    ],
)
def test_what_is_no_image(make, error, message):
    before = list(_recording.recorders)
    with pytest.raises(error, match=message):
        make()
    assert _recording.recorders == before

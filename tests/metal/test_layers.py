# SPDX-License-Identifier: MIT
"""Layers and drawables: what they are given, what they refuse, and what the display shows."""

import signal
import threading

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

if not pm.is_software(pm.create_system_default_device()):
    pytest.skip("what a Mac's display shows is not to be seen", allow_module_level=True)


@pytest.fixture
def layer(device):
    layer = pm.MetalLayer.layer()
    layer.device = device
    layer.drawable_size = (8, 4)
    layer.framebuffer_only = False
    layer.display_sync_enabled = False
    return layer


def test_properties_keep_what_they_are_given(device):
    layer = pm.MetalLayer.layer()
    assert layer.device is None
    assert layer.colorspace is None
    assert layer.next_drawable() is None
    layer.device = device
    layer.pixel_format = pm.PixelFormat.RGBA16Float
    layer.drawable_size = (640.5, 480)
    layer.maximum_drawable_count = 2
    layer.allows_next_drawable_timeout = False
    assert layer.device is device
    assert layer.pixel_format == pm.PixelFormat.RGBA16Float
    assert layer.drawable_size == (640.0, 480.0)
    assert layer.maximum_drawable_count == 2
    assert not layer.allows_next_drawable_timeout
    assert layer.framebuffer_only
    assert layer.display_sync_enabled
    for name in ("srgb", "display_p3", "linear_srgb", "extended_linear_srgb", None):
        layer.colorspace = name
        assert layer.colorspace == name
    layer.device = None
    assert layer.device is None


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("pixel_format", pm.PixelFormat.R32Float, "pixel_format is 55, must be BGRA8Unorm"),
        ("drawable_size", (-1, 4), r"drawable_size is \(-1, 4\), each must be 0 to 16384"),
        ("drawable_size", (float("nan"), 4), "drawable_size is"),
        ("maximum_drawable_count", 4, "maximum_drawable_count is 4, must be 2 to 3"),
        ("colorspace", "rgb", "colorspace is 'rgb', must be 'srgb'"),
    ],
)
def test_what_a_layer_refuses(layer, name, value, message):
    before = getattr(layer, name)
    with pytest.raises(ValueError, match=message):
        setattr(layer, name, value)
    assert getattr(layer, name) == before


def test_a_drawable_is_shown_once(layer):
    drawable = layer.next_drawable()
    assert drawable.layer is layer
    assert (drawable.texture.width, drawable.texture.height) == (8, 4)
    assert drawable.presented_time == 0
    assert pm.shown_drawable(layer) is None
    drawable.present()
    assert drawable.presented_time > 0
    assert pm.shown_drawable(layer).texture is drawable.texture
    with pytest.raises(ValueError, match="has been presented already"):
        drawable.present()
    assert layer.next_drawable().drawable_id > drawable.drawable_id


def test_handlers_hear_of_it(layer):
    drawable, heard, done = layer.next_drawable(), [], threading.Event()
    drawable.add_presented_handler(lambda shown: (heard.append((shown is drawable, shown.presented_time)), done.set()))
    drawable.present()
    assert done.wait(60)
    assert heard == [(True, drawable.presented_time)]


def test_errors_in_handlers_are_reported(layer, monkeypatch):
    reported, done = [], threading.Event()
    monkeypatch.setattr("sys.unraisablehook", lambda report: (reported.append(report.exc_value), done.set()))
    drawable = layer.next_drawable()
    drawable.add_presented_handler(lambda _: 1 / 0)
    drawable.present()
    assert done.wait(60)
    assert isinstance(reported[0], ZeroDivisionError)


def test_a_command_buffer_presents_when_it_has_ended(device, layer):
    queue, pixels = device.new_command_queue(), np.arange(8 * 4 * 4, dtype=np.uint8)
    event = device.new_shared_event()
    drawable = layer.next_drawable()
    commands = queue.command_buffer()
    commands.encode_wait_for_event(event, 1)
    encoder = commands.blit_command_encoder()
    source = device.new_buffer_with_data(pixels)
    encoder.copy_from_buffer_to_texture(source, 0, 32, 128, (8, 4, 1), drawable.texture, 0, 0, (0, 0, 0))
    encoder.end_encoding()
    commands.present_drawable(drawable)
    commands.commit()
    assert drawable.presented_time == 0
    event.signaled_value = 1
    commands.wait()
    assert drawable.presented_time >= commands.gpu_end_time
    out = device.new_buffer(128)
    pm.copy_from_texture(queue, pm.shown_drawable(layer).texture, out, 0, 32, 128)
    np.testing.assert_array_equal(out.contents(), pixels)
    with pytest.raises(ValueError, match="present_drawable: the command buffer is committed"):
        commands.present_drawable(layer.next_drawable())


def test_times_to_present_at(device, layer):
    queue = device.new_command_queue()
    first, second, third = (layer.next_drawable() for _ in range(3))
    done = threading.Event()
    third.add_presented_handler(lambda _: done.set())
    first.present_at_time(0)
    start = first.presented_time
    commands = queue.command_buffer()
    commands.present_drawable_at_time(second, start + 0.05)
    commands.present_drawable_after_minimum_duration(third, 0.02)
    commands.commit()
    assert done.wait(60)
    assert second.presented_time >= start + 0.05
    assert third.presented_time >= start + 0.07
    with pytest.raises(ValueError, match="duration is -1, must be 0 or more seconds"):
        first.present_after_minimum_duration(-1)
    with pytest.raises(ValueError, match="time is nan"):
        queue.command_buffer().present_drawable_at_time(first, float("nan"))


def test_drawables_come_back_when_nobody_has_them(layer):
    layer.maximum_drawable_count = 2
    first, second = layer.next_drawable(), layer.next_drawable()
    texture = first.texture
    assert second is not None
    assert layer.next_drawable() is None
    del first
    assert layer.next_drawable().texture is texture


def test_a_layers_pictures_cannot_be_written_when_they_are_for_rendering_only(device, layer):
    layer.framebuffer_only = True
    assert int(layer.next_drawable().texture.usage) == int(pm.TextureUsage.RenderTarget)


@pytest.mark.alone
def test_waiting_for_a_drawable_can_be_interrupted(layer):
    layer.maximum_drawable_count = 2
    layer.allows_next_drawable_timeout = False
    held = [layer.next_drawable(), layer.next_drawable()]
    before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        with pytest.raises(KeyboardInterrupt):
            layer.next_drawable()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    held.pop()
    assert layer.next_drawable() is not None

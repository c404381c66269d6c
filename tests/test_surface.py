# SPDX-License-Identifier: MIT
"""Surfaces that present into a picture: sizes, scaling, colours, the pool of pictures, and what is refused."""

import threading

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")
from mtlpy_nb import _native  # noqa: E402

FILL = """
#include <metal_stdlib>
using namespace metal;
kernel void fill(texture2d<float, access::write> target [[texture(0)]], constant float4& colour [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]])
{
    target.write(colour, p);
}
"""
RED, WHITE, BLACK, CLEAR = (255, 0, 0, 255), (255, 255, 255, 255), (0, 0, 0, 255), (0, 0, 0, 0)


@pytest.fixture
def device():
    device = mtlpy_nb.Device(cache_path=False)
    if not device.is_software:
        pytest.skip("what a Mac's display shows is not to be seen")
    return device


@pytest.fixture
def surface(device):
    with device.surface(size=(16, 8), display_sync=False) as surface:
        yield surface


def plain(device, size, colour=WHITE):
    return device.texture(np.full((*size[::-1], 4), colour, np.uint8))


def fill(device, texture, colour):
    values = device.buffer(np.array(colour, np.float32))
    device.compile(FILL, "fill").run([values], (texture.width, texture.height), textures=[texture])


def finish(device):
    """Wait until the device's queue has done all that it was given."""
    _ = device.buffer(np.zeros(1, np.float32)) + 1


def corner_and_middle(surface):
    picture = surface.numpy()
    return tuple(picture[0, 0]), tuple(picture[picture.shape[0] // 2, picture.shape[1] // 2])


def test_a_texture_of_the_same_size_is_shown_as_it_is(device, surface, rng):
    picture = rng.integers(0, 256, (8, 16, 4), np.uint8)
    picture[..., 3] = 255
    np.testing.assert_array_equal(surface.numpy(), np.zeros((8, 16, 4), np.uint8))
    assert surface.present(device.texture(picture), wait=True) is True
    np.testing.assert_array_equal(surface.numpy(), picture)
    np.testing.assert_array_equal(np.asarray(surface), picture)
    with pytest.raises(ValueError, match="copy=False"):
        np.array(surface, copy=False)


@pytest.mark.parametrize("pixel_format", ["bgra8Unorm", "bgra8Unorm_srgb"])
def test_where_the_system_has_the_display_the_last_picture_is_kept(device, pixel_format):
    surface = device.surface(size=(16, 8), display_sync=False, max_drawables=2, pixel_format=pixel_format)
    surface._keeps_last = True  # as on a Mac
    assert not surface.numpy().any()
    for blue in (10, 20, 30, 40):
        surface.present(device.texture(np.full((8, 16, 4), (blue, 2, 3, 255), np.uint8), pixel_format))
        assert corner_and_middle(surface) == ((3, 2, blue, 255), (3, 2, blue, 255))


@pytest.mark.parametrize(
    ("scaling", "size", "corner"),
    [
        ("aspect", (4, 4), BLACK),
        ("aspect", (4, 2), WHITE),
        ("fill", (4, 4), WHITE),
        ("stretch", (4, 4), WHITE),
        ("center", (4, 4), BLACK),
        ("center", (40, 40), WHITE),
    ],
)
def test_scaling(device, scaling, size, corner):
    surface = device.surface(size=(16, 8), display_sync=False, scaling=scaling)
    surface.present(plain(device, size), wait=True)
    assert corner_and_middle(surface) == (corner, WHITE)


def test_a_whole_picture_has_its_shape_within_the_bars(device, surface):
    surface.present(plain(device, (4, 4)), wait=True)
    white = (surface.numpy()[..., 0] == 255).nonzero()
    assert (white[0].min(), white[0].max(), white[1].min(), white[1].max()) == (0, 7, 4, 11)


@pytest.mark.parametrize(("filtering", "levels"), [("nearest", {0, 255}), ("linear", None)])
def test_filter(device, filtering, levels):
    surface = device.surface(size=(64, 8), display_sync=False, scaling="stretch", filter=filtering)
    surface.present(device.texture(np.array([[0, 255]], np.uint8)), wait=True)
    shown = set(surface.numpy()[0, :, 0].tolist())
    assert shown == levels if levels else len(shown) > 20


@pytest.mark.parametrize("pixel_format", ["bgra8Unorm", "rgb10a2Unorm", "bgr10a2Unorm", "rgba16Float"])
def test_every_format_shows_the_same(device, pixel_format):
    surface = device.surface(size=(4, 4), display_sync=False, pixel_format=pixel_format)
    surface.present(plain(device, (4, 4), (255, 128, 64, 255)), wait=True)
    assert tuple(surface.numpy()[0, 0]) == (255, 128, 64, 255)


def test_a_texture_with_the_srgb_curve_keeps_its_bytes_in_a_surface_with_it(device):
    surface = device.surface(size=(4, 4), display_sync=False, pixel_format="bgra8Unorm_srgb")
    texture = device.texture(np.full((4, 4, 4), (64, 128, 255, 255), np.uint8), "bgra8Unorm_srgb")
    surface.present(texture, wait=True)
    assert tuple(surface.numpy()[0, 0]) == (255, 128, 64, 255)


def srgb_curve(x):
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)


def linear(x):
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("colorspace", [None, "srgb", "display_p3", "linear_srgb", "extended_linear_srgb"])
def test_colours_are_converted_for_the_picture(device, rng, colorspace):
    colours = rng.random((8, 8, 4), np.float32)
    surface = device.surface(size=(8, 8), display_sync=False, pixel_format="rgba16Float", colorspace=colorspace)
    surface.present(device.texture(colours, "rgba32Float"), wait=True)
    value = colours[..., :3].astype(np.float64)
    if colorspace == "display_p3":
        # The primaries of Display P3 and of sRGB, in CIE's XYZ; the white is the same.
        p3 = np.array([[0.48657, 0.26567, 0.19822], [0.22897, 0.69174, 0.07929], [0.0, 0.04511, 1.04394]])
        srgb = np.array([[0.41239, 0.35758, 0.18048], [0.21264, 0.71517, 0.07219], [0.01933, 0.11919, 0.95053]])
        value = srgb_curve(np.clip(linear(value) @ (np.linalg.inv(srgb) @ p3).T, 0, 1))
    elif colorspace in ("linear_srgb", "extended_linear_srgb"):
        value = srgb_curve(value)
    expected = np.rint(np.clip(value, 0, 1) * 255)
    np.testing.assert_allclose(surface.numpy()[..., :3], expected, atol=1.01)
    assert (surface.numpy()[..., 3] == 255).all()


def test_values_beyond_white_are_cut_off_in_the_picture(device):
    surface = device.surface(
        size=(2, 1), display_sync=False, pixel_format="rgba16Float", colorspace="extended_linear_srgb", edr=True
    )
    surface.present(device.texture(np.array([[[4, -1, 0, 1], [1, 1, 1, 0]]], np.float32), "rgba32Float"), wait=True)
    assert surface.numpy().tolist() == [[list(RED), list(WHITE)]]


def test_frames(device, surface):
    with surface.next_frame() as frame:
        assert (frame.width, frame.height, frame.pixel_format) == (16, 8, "bgra8Unorm")
        assert frame.texture.shape == (8, 16, 4)
        assert not frame.presented
        fill(device, frame.texture, (1, 0, 0, 1))
    assert frame.presented
    finish(device)
    assert corner_and_middle(surface) == (RED, RED)
    with pytest.raises(RuntimeError, match="Frame was already presented"):
        _ = frame.texture
    with pytest.raises(RuntimeError, match="Frame was already presented"):
        surface.present(frame)


def test_a_frame_of_another_size_is_fitted_in(device, surface):
    frame = surface.next_frame((4, 4))
    assert surface.drawable_size == (4, 4)
    assert surface.view_size == (16, 8)
    fill(device, frame.texture, (1, 1, 1, 1))
    surface.present(frame, wait=True)
    assert corner_and_middle(surface) == (BLACK, WHITE)
    assert surface.next_frame().width == 16


def test_a_frame_is_not_presented_when_its_block_raises(device, surface):
    with pytest.raises(KeyError), surface.next_frame() as frame:
        raise KeyError("no")
    assert not frame.presented
    assert corner_and_middle(surface) == (CLEAR, CLEAR)


def test_frames_run_out_and_come_back(device):
    surface = device.surface(size=(4, 4), display_sync=False, max_drawables=2)
    frames = [surface.next_frame(), surface.next_frame()]
    assert surface.next_frame() is None
    assert surface.present(plain(device, (4, 4))) is False
    frames.pop()
    assert surface.next_frame() is not None


def test_presenting_waits_for_an_event(device, surface):
    event = device.shared_event()
    picture = plain(device, (16, 8))
    surface.present(picture, wait_for=(event, 1))
    assert _native.shown_drawable(surface._layer) is None
    event.signal(1)
    finish(device)
    assert corner_and_middle(surface) == (WHITE, WHITE)
    other = mtlpy_nb.Device(cache_path=False).event()
    with pytest.raises(ValueError, match="Event belongs to a different Device"):
        surface.present(picture, wait_for=(other, 1))


def test_time_of_the_last_present(device, surface):
    assert surface.last_present_gpu_time == 0.0
    surface.present(plain(device, (16, 8)), wait=True)
    assert surface.last_present_gpu_time > 0


def test_handlers_hear_of_every_picture_shown(device, surface):
    heard = threading.Semaphore(0)
    surface.add_presented_handler(heard.release)
    for _ in range(2):
        surface.present(plain(device, (16, 8)))
        assert heard.acquire(timeout=60)


def test_a_paced_surface_shows_all_that_it_is_given(device):
    surface = device.surface(size=(4, 4))
    heard = threading.Semaphore(0)
    surface.add_presented_handler(heard.release)
    for level in range(6):
        assert surface.present(plain(device, (4, 4), (level, level, level, 255)))
    for _ in range(6):
        assert heard.acquire(timeout=60)
    assert tuple(surface.numpy()[0, 0]) == (5, 5, 5, 255)


def test_resizing(device, surface):
    surface.resize((6, 5))
    surface.update_layout()
    assert surface.view_size == surface.drawable_size == (6, 5)
    surface.present(plain(device, (6, 5)), wait=True)
    assert surface.numpy().shape == (5, 6, 4)
    with pytest.raises(ValueError, match=r"size must be positive, got \(0, 5\)"):
        surface.resize((0, 5))


def test_closing(device, surface):
    frame = surface.next_frame()
    assert not surface.closed
    surface.close()
    surface.close()
    assert surface.closed
    for call in (
        surface.next_frame,
        surface.update_layout,
        surface.numpy,
        lambda: surface.drawable_size,
        lambda: surface.present(frame),
        lambda: surface.present(plain(device, (4, 4))),
    ):
        with pytest.raises(RuntimeError, match="Surface is closed"):
            call()
    assert repr(surface) == "Surface(size=(16, 8), pixel_format='bgra8Unorm', closed)"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"pixel_format": "rgba8Unorm"},
            ValueError,
            "Unsupported surface pixel_format 'rgba8Unorm'. Supported: \\['bg",
        ),
        ({"scaling": "zoom"}, ValueError, "scaling must be one of .*'aspect'.* got 'zoom'"),
        ({"colorspace": "rgb"}, ValueError, "colorspace must be one of .*or None, got 'rgb'"),
        ({"filter": "cubic"}, ValueError, "filter must be 'linear' or 'nearest', got 'cubic'"),
        ({"max_drawables": 4}, ValueError, "max_drawables must be 2 or 3, got 4"),
        ({"view_ptr": 0}, ValueError, r"view_ptr must be a non-null NSView\*"),
        ({"view_ptr": "window"}, TypeError, "view_ptr must be the address of an NSView, got str"),
        ({"view_ptr": 4096, "size": (4, 4)}, ValueError, "give view_ptr or size"),
        ({"size": (0, 4)}, ValueError, r"size must be positive, got \(0, 4\)"),
        ({"size": 4}, TypeError, r"size must be \(width, height\), got 4"),
        ({"size": (20000, 4)}, ValueError, "16384 at most"),
    ],
)
def test_options_that_are_refused(device, options, error, message):
    with pytest.raises(error, match=message):
        device.surface(**options)


def test_this_device_has_no_views(device):
    with pytest.raises(RuntimeError, match="this device has no views; leave view_ptr out"):
        device.surface(4096)


def test_textures_that_cannot_be_shown(device, surface):
    other = mtlpy_nb.Device(cache_path=False)
    for texture, message in (
        (plain(other, (4, 4)), "Texture belongs to a different Device"),
        (device.empty_texture((4,), "rgba8Unorm"), "needs a 2D texture, got 1D"),
        (device.empty_texture((4, 4, 4), "r32Float"), "needs a 2D texture, got 3D"),
        (device.empty_texture((4, 4), "rgba8Unorm", readable=False), "readable=True"),
        (device.empty_texture((4, 4), "rgba8Uint"), "Can't display integer texture format 'rgba8Uint' directly"),
        (device.surface(size=(4, 4)).next_frame(), "Frame belongs to a different Surface"),
    ):
        with pytest.raises(ValueError, match=message):
            surface.present(texture)
    with pytest.raises(TypeError, match="expected a Texture or a Frame, got ndarray"):
        surface.present(np.zeros((4, 4)))
    assert corner_and_middle(surface) == (CLEAR, CLEAR)


def test_frames_that_cannot_be_made(device, surface):
    with pytest.raises(ValueError, match=r"size must be positive, got \(4, -4\)"):
        surface.next_frame((4, -4))
    packed = device.surface(size=(4, 4), pixel_format="rgb10a2Unorm")
    with pytest.raises(ValueError, match=r"next_frame\(\) needs pixel_format in .*this Surface uses 'rgb10a2Unorm'"):
        packed.next_frame()


def test_other_threads_may_not_make_or_lay_out_surfaces(device, surface):
    raised = []

    def attempt():
        for call in (lambda: device.surface(size=(4, 4)), surface.update_layout):
            try:
                call()
            except RuntimeError as error:
                raised.append(str(error))

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert raised == [
        "Surface: must be created on the main thread",
        "Surface.update_layout: must be called on the main thread",
    ]


def test_a_notebook_shows_the_picture(device, surface):
    surface.present(plain(device, (16, 8)), wait=True)
    shown = surface._repr_mimebundle_()
    data = shown[0] if isinstance(shown, tuple) else shown
    assert "image/png" in data
    assert repr(surface) == "Surface(size=(16, 8), pixel_format='bgra8Unorm')"

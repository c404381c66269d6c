# SPDX-License-Identifier: MIT
"""Large images: what is shown of them, and that it takes little memory."""

import gc
import tracemalloc

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import compare, show
from mtlpy_nb.notebook.planes import thinning

from .preview_reference import decoded

MOST = 50e6


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture
def traced():
    """Bytes that the calls since have taken at most; NumPy's are among them."""
    gc.collect()  # what earlier tests have left must not go while one looks at the device's size
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.mark.parametrize("pixel_format", ["rgba8Unorm", "r32Float", "rgba16Float", "b5g6r5Unorm"])
@pytest.mark.parametrize("private", [False, True])
def test_preview_of_the_largest_texture_takes_little_memory(device, traced, pixel_format, private):
    texture = device.empty_texture((16384, 16384), pixel_format, private=private)
    before = settled_size(device)
    preview = show(texture)
    assert traced() < MOST
    assert device.current_allocated_size == before
    assert "reduced: the image has 16384 x 16384 pixels" in preview.text.splitlines()
    assert "only every 16th row and column is looked at" in preview.text.splitlines()
    assert decoded(preview).shape == (512, 512, 3)


@pytest.mark.parametrize(
    "x",
    [
        lambda d: np.broadcast_to(np.float32(1), (20000, 30000)),
        lambda d: d.empty((8192, 8192), np.float32),
        lambda d: d.empty(1 << 26, np.float32),
        lambda d: d.empty(1 << 26, np.float32, mtlpy_nb.StorageMode.PRIVATE),
        lambda d: d.empty((8192, 8192), np.float32, mtlpy_nb.StorageMode.PRIVATE),
        lambda d: d.empty_texture((64, 2048, 2048), "rgba8Unorm"),
        lambda d: d.empty_texture((1 << 27,), "r32Float", kind="buffer"),
        lambda d: d.empty_texture((16384, 16384), "r8Unorm", mipmaps=True),
    ],
)
def test_preview_of_other_large_things_takes_little_memory(device, traced, x):
    x = x(device)
    before = settled_size(device)
    assert show(x).text
    assert traced() < MOST
    assert device.current_allocated_size == before


def test_samples_are_the_rows_and_columns_said(device):
    """Of 6000 x 5000 every 6th: a picture of values that say where they are."""
    y, x = np.ogrid[:6000, :5000]
    image = ((y * 7 + x * 13) % 256).astype(np.uint8)
    preview = show(image)
    assert "only every 6th row and column is looked at" in preview.text
    blocks = image[::6, ::6][:, :834].reshape(500, 2, 417, 2).mean(axis=(1, 3))
    assert np.abs(decoded(preview)[..., 0] - blocks).max() <= 0.501
    texture = device.texture(image, "r8Unorm")
    np.testing.assert_array_equal(decoded(show(texture)), decoded(preview))


def test_up_to_16_million_values_all_are_read():
    image = np.zeros((4096, 4096), np.float32)
    image[1234, 2345] = np.nan
    preview = show(image)
    assert "1 NaN (magenta)" in preview.text
    assert "looked at" not in preview.text
    assert (decoded(preview) == (255, 0, 255)).all(axis=2).sum() == 1


def test_pictures_for_fine_screens():
    """Shown at 512, with up to twice the pixels."""
    image = np.zeros((1500, 3000), np.uint8)
    preview = show(image)
    assert (preview.width, preview.height) == (512, 256)
    assert decoded(preview).shape == (500, 1000, 3)
    assert preview._repr_mimebundle_()[1]["image/png"] == {"width": 512, "height": 256}
    assert "reduced: the image has 3000 x 1500 pixels" in preview.text


def test_a_narrow_image_keeps_rows():
    assert thinning(100, 1 << 24, 1).rows == 1
    assert thinning(1 << 24, 100, 1).columns == 1
    step = thinning(20000, 20000, 4)
    assert step.rows == step.columns == 20


def test_comparing_large_images_takes_little_memory(device, traced):
    a, b = (device.empty_texture((16384, 16384), "rgba8Unorm") for _ in range(2))
    assert "no difference" in compare(a, b).text
    assert traced() < 4 * MOST


def test_private_buffers_are_never_copied_whole(device, monkeypatch, rng):
    """What is read of them at a time is small, and shows what a shared one would."""
    largest = 0
    original = mtlpy_nb.Buffer.to_storage

    def to_storage(self, storage):
        nonlocal largest
        largest = max(largest, self.nbytes)
        return original(self, storage)

    values = rng.random((5000, 4000), dtype=np.float32)
    for shape in [(5000, 4000), (5000 * 4000,), (2, 2500, 4000)]:
        shared = show(device.buffer(values.reshape(shape)))
        private = device.buffer(values.reshape(shape), storage=mtlpy_nb.StorageMode.PRIVATE)
        monkeypatch.setattr(mtlpy_nb.Buffer, "to_storage", to_storage)
        preview = show(private)
        monkeypatch.undo()
        assert preview.png() == shared.png()
        assert preview.text.splitlines()[1:] == shared.text.splitlines()[1:]
    assert 0 < largest <= 4e6

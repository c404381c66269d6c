# SPDX-License-Identifier: MIT
"""A repr never raises: what is wrong is the text."""

import os
import subprocess
import sys

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import show
from mtlpy_nb.errors import ResourceError


@pytest.fixture
def shown(device):
    """One of each."""
    return [
        device.buffer(np.ones((4, 4), np.float32)),
        device.buffer(np.ones(4, np.float32)),
        device.texture(np.ones((4, 4, 4), np.uint8)),
        device.empty_texture((4, 4), "r32Float", private=True),
        device.empty((4, 4), np.float32, mtlpy_nb.StorageMode.PRIVATE),
        device.texture(np.ones((4, 4), np.float32), mipmaps=True),
        device.empty_texture((2, 4, 5), "rgba8Unorm"),
    ]


def words_of(x) -> str:
    data, metadata = x._repr_mimebundle_()
    assert set(data) == {"text/plain"}
    assert metadata == {}
    return data["text/plain"]


def test_released(shown):
    for x in shown:
        x.release()
        kind = type(x).__name__
        assert words_of(x) == f"{x!r}\nthis {kind} was released; make a new one"
        with pytest.raises(ResourceError, match="was released"):
            show(x)


def test_no_memory(shown, monkeypatch):
    def refuse(*_, **__):
        raise MemoryError

    for x in shown:
        assert x._repr_mimebundle_()[0]["text/plain"]
    monkeypatch.setattr(np, "empty", refuse)
    monkeypatch.setattr(np, "isfinite", refuse)
    assert [words_of(x) for x in shown] == [f"{x!r}\nMemoryError" for x in shown]


def test_device_that_gives_no_staging_memory(device, monkeypatch):
    class Full:
        def __init__(self, native):
            self._native = native

        def __getattr__(self, name):
            return getattr(self._native, name)

        def new_buffer(self, *_):
            raise ResourceError("newBuffer: length is 64 bytes, this device allows 0")

    texture = device.empty_texture((4, 4), "r32Float", private=True)
    monkeypatch.setattr(device, "_metal", Full(device._metal))
    assert "this device allows 0" in words_of(texture)


def test_device_of_another_process(shown):
    """A forked child has no device: reading private memory fails there, and says so."""
    private = [x for x in shown if "private" in repr(x)]
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = "\n".join(words_of(x) for x in private)
            os.write(write_end, text.encode())
        finally:
            os._exit(0)
    os.close(write_end)
    os.waitpid(child, 0)
    with os.fdopen(read_end) as stream:
        said = stream.read()
    assert said.count("made before the process forked") == len(private)


def test_odd_shapes_and_labels(device):
    """Thin and tiny images, and none so thin that it can't be seen."""
    for shape in [(1, 1), (1, 16384), (16384, 1), (2, 9000), (3, 1)]:
        preview = show(device.empty_texture(shape, "r8Unorm"))
        assert min(preview.width, preview.height) >= 8
        assert max(preview.width, preview.height) <= 512
    assert "drawn taller than it is, to be seen" in show(np.zeros((2, 9000), np.uint8)).text
    assert "drawn wider than it is, to be seen" in show(np.zeros((9000, 2), np.uint8)).text


def test_saving(tmp_path, rng):
    from PIL import Image

    image = rng.integers(0, 256, (5, 4, 3), np.uint8)
    for name in ("a.png", "b", "c.bmp"):
        show(image, zoom=1).save(tmp_path / name)
        np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / name)), image)
    assert (tmp_path / "a.png").read_bytes() == show(image, zoom=1).png()
    with pytest.raises(mtlpy_nb.ValidationError, match="no picture to save, only words"):
        show(np.zeros(3)).save(tmp_path / "d.png")


def test_text_can_be_compared(device):
    """No address, time or name of the device: two devices, the same words."""
    other = mtlpy_nb.Device(cache_path=False)
    for make in (lambda d: d.buffer(np.eye(3, dtype=np.float32)), lambda d: d.texture(np.eye(3, dtype=np.float32))):
        first, second = (make(d)._repr_mimebundle_()[0] for d in (device, other))
        assert first == second
        assert device.name not in first["text/plain"]


def test_words_are_seen_beside_the_picture():
    """A notebook shows one form of an output: where the picture has words, that is HTML with both."""
    assert "text/html" not in show(np.zeros((3, 3), np.uint8))._repr_mimebundle_()[0]
    data, _ = show(np.float32([[1, 2, np.nan]]))._repr_mimebundle_()
    assert "shown from 1 to 2\n1 NaN (magenta)" in data["text/html"]
    assert f'src="data:image/png;base64,{data["image/png"]}"' in data["text/html"]
    assert "color" not in data["text/html"].replace("border-color", "")


def test_show_and_compare_have_their_help_at_the_top():
    """Pillow is not imported until one of them is used."""
    code = (
        "import sys, inspect, mtlpy_nb\n"
        "assert 'PIL' not in sys.modules\n"
        "assert {'show', 'compare'} <= set(dir(mtlpy_nb))\n"
        "assert 'colormap' in inspect.signature(mtlpy_nb.show).parameters\n"
        "assert 'amplify' in inspect.signature(mtlpy_nb.compare).parameters\n"
        "assert 'PIL' in sys.modules\n"
        "from mtlpy_nb import *\n"
        "assert show is mtlpy_nb.show\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="module 'mtlpy_nb' has no attribute 'shwo'"):
        mtlpy_nb.shwo  # noqa: B018

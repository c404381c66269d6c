# SPDX-License-Identifier: MIT
"""Device, Buffer, Texture and Pipeline, as programs written for mtlpy use them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mtlpy_nb
from mtlpy_nb import MetalError, StorageMode, utils

SQUARE = """
#include <metal_stdlib>
using namespace metal;
kernel void square(device const float *a [[buffer(0)]], device float *b [[buffer(1)]],
                   uint id [[thread_position_in_grid]])
{
    b[id] = a[id] * a[id];
}
kernel void invert(texture2d<float, access::read_write> tex [[texture(0)]], uint2 gid [[thread_position_in_grid]])
{
    tex.write(1.0 - tex.read(gid), gid);
}
"""


def test_devices_are_listed():
    names = mtlpy_nb.list_devices()
    assert names
    assert mtlpy_nb.Device(0).name == names[0]
    assert mtlpy_nb.Device(-1).name == mtlpy_nb.Device().name
    with pytest.raises(RuntimeError, match="GPU index 99 out of range"):
        mtlpy_nb.Device(99)


def test_cache_path(tmp_path):
    assert mtlpy_nb.Device(cache_path=False).pipeline_cache_path == ""
    assert mtlpy_nb.Device(cache_path=str(tmp_path / "x.metallib")).pipeline_cache_path == str(tmp_path / "x.metallib")
    assert mtlpy_nb.Device().pipeline_cache_path.endswith("pipelines.metallib")
    with pytest.raises(TypeError, match="cache_path=True is not a valid value"):
        mtlpy_nb.Device(cache_path=True)


def test_quick_start(device):
    pipeline = device.compile(SQUARE, "square")
    a, b = device.buffer(np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float32)), device.empty(4, np.float32)
    start, end = pipeline.run([a, b], grid=4)
    assert 0 < start <= end
    np.testing.assert_array_equal(b.contents, [1, 4, 9, 16])
    a.contents[:] = 5
    assert pipeline.run([a, b], 4, wait=False) == (0.0, 0.0)
    pipeline.run([a, b], 4)
    np.testing.assert_array_equal(b.numpy(), [25] * 4)
    assert device.pipeline_cache_size == 1
    device.compile(SQUARE, "square")
    assert device.pipeline_cache_size == 1


def test_texture_kernel(device):
    image = np.random.default_rng(0).random((64, 64), np.float32)
    texture = device.texture(image, "r32Float")
    device.compile(SQUARE, "invert").run([], grid=(64, 64, 1), textures=[texture])
    np.testing.assert_array_equal(texture.download(), 1 - image)


def test_errors_of_compile(device):
    with pytest.raises(RuntimeError, match=r"Shader compilation failed: (.|\n)*undeclared"):
        device.compile("kernel void f() { oops; }", "f")
    with pytest.raises(RuntimeError, match="Function not found in shader: cube"):
        device.compile(SQUARE, "cube")


def test_run_checks_its_arguments(device):
    pipeline, x = device.compile(SQUARE, "square"), device.empty(4, np.float32)
    with pytest.raises(RuntimeError, match=r"Kernel reads buffer argument\(s\) up to index 1, but only 1 buffer\(s\)"):
        pipeline.run([x], 4)
    with pytest.raises(RuntimeError, match=r"Kernel reads texture argument\(s\) up to index 0, but only 0"):
        device.compile(SQUARE, "invert").run([], 4)
    for threadgroup in (0, 33, 2048):
        with pytest.raises(RuntimeError, match="threadgroup"):
            pipeline.run([x, x], 4, threadgroup=threadgroup)
    with pytest.raises(TypeError):
        pipeline.run([x, x], np.int64(4))


def test_command_buffer(device):
    pipeline = device.compile(SQUARE, "square")
    a, b, c = device.buffer(np.float32([2, 3])), device.empty(2, np.float32), device.empty(2, np.float32)
    with device.command_buffer() as cb:
        assert pipeline.run([a, b], 2, cb=cb) == (0.0, 0.0)
        pipeline.run([b, c], 2, cb=cb)
    np.testing.assert_array_equal(c.contents, [16, 81])
    with pytest.raises(RuntimeError, match="CommandBuffer already committed"):
        cb.commit()
    with pytest.raises(RuntimeError, match="cannot encode more work"):
        pipeline.run([a, b], 2, cb=cb)
    with pytest.raises(ValueError, match="wait has no effect when cb is given"):
        pipeline.run([a, b], 2, wait=True, cb=device.command_buffer())


def test_command_buffer_is_discarded_or_poisoned(device):
    pipeline = device.compile(SQUARE, "square")
    a, b = device.buffer(np.float32([2, 3])), device.buffer(np.float32([0, 0]))
    cb = device.command_buffer().__enter__()
    pipeline.run([a, b], 2, cb=cb)
    cb.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    np.testing.assert_array_equal(b.contents, [0, 0])
    cb = device.command_buffer()
    with pytest.raises(RuntimeError):
        pipeline.run([a], 2, cb=cb)
    with pytest.raises(RuntimeError, match="Cannot commit: a dispatch encoded into this CommandBuffer failed"):
        cb.commit()


# ---- buffers ----


@given(data=st.data())
def test_buffer_holds_what_it_was_given(data):
    device = mtlpy_nb.default_device()
    dtype = data.draw(
        st.sampled_from(["f4", "f2", "i4", "u4", "i2", "u2", "i8", "u8", "?", "i1", "u1", ">f4", ">i2", "f8"])
    )
    elements = st.integers(-100, 100) if "f" in dtype else None
    array = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=5), elements=elements))
    view = array.T[..., ::-1]
    storage = data.draw(st.sampled_from(StorageMode))
    buffer = device.buffer(view, storage=storage)
    assert buffer.shape == view.shape
    assert buffer.storage == storage
    np.testing.assert_array_equal(buffer.numpy(), view)
    assert buffer.contents.flags.writeable == (storage == StorageMode.SHARED)
    np.testing.assert_array_equal(buffer.to_storage(StorageMode.SHARED), view)


def test_buffer_of_a_number_of_elements(device):
    buffer = device.buffer(5)
    assert (buffer.shape, buffer.dtype, len(buffer)) == ((5,), np.float32, 5)
    assert device.buffer(np.int64(3), "half").dtype == np.float16
    assert device.buffer(np.array([7.0])).contents.tolist() == [7], "an array of one element is data, not a size"
    assert device.buffer(np.array(7.0)).shape == (1,)
    assert device.buffer([1, 2]).dtype == np.int64


@pytest.mark.parametrize(
    "make", [lambda d: d.buffer(0), lambda d: d.empty((3, 0), "f4"), lambda d: d.buffer(np.zeros(0, "f4"))]
)
def test_buffer_without_elements_is_refused(device, make):
    with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
        make(device)


def test_buffers_that_are_refused(device):
    with pytest.raises(TypeError, match="it holds Python objects"):
        device.buffer(np.array([1, None], object))
    with pytest.raises(TypeError, match="it holds text"):
        device.buffer(np.array(["a"]))
    with pytest.raises(TypeError, match="expected an array or a number"):
        device.buffer("abc")
    with pytest.raises(MetalError, match="Failed to allocate Metal buffer"):
        device.empty(1 << 60, "u1")
    with pytest.raises(ValueError, match="must not be negative"):
        device.empty(-1, "u1")


def test_buffer_shapes_and_copies(device):
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    buffer = device.buffer(x)
    np.testing.assert_array_equal(buffer.reshape(2, -1).numpy(), x.reshape(2, -1))
    buffer.reshape((24,)).contents[0] = 99
    assert buffer.numpy()[0, 0] == 99, "the memory is shared"
    with pytest.raises(ValueError, match="cannot reshape Buffer of size 24"):
        buffer.reshape(5, 5)
    assert np.array(buffer, dtype=np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="without copying"):
        buffer.__array__(np.float64, copy=False)
    assert np.from_dlpack(buffer)[0, 0] == 99
    with pytest.raises(TypeError, match="unhashable"):
        hash(buffer)
    buffer.fill(3)
    assert (buffer.contents == 3).all()
    other = device.empty(24, np.float32, StorageMode.PRIVATE)
    other.copy_from(x.reshape(-1))
    device.copy_buffer(other, buffer, src_offset=4, dst_offset=0, size_bytes=8)
    assert buffer.contents[:3].tolist() == [1, 2, 3]
    assert repr(other) == "Buffer(shape=(24,), dtype=float32, storage=private)"
    with pytest.raises(RuntimeError, match="src_offset"):
        device.copy_buffer(other, buffer, src_offset=1000)
    with pytest.raises(ValueError, match="different Device instances"):
        mtlpy_nb.Device().copy_buffer(other, buffer)


def test_released_buffer(device):
    buffer = device.buffer(4)
    view = buffer.contents
    buffer.release()
    view[:] = 1
    with pytest.raises(MetalError, match="was released"):
        buffer.numpy()
    assert repr(buffer) == "Buffer(shape=(4,), dtype=float32)"


# ---- textures ----


@pytest.mark.parametrize("name", ["rgba8Unorm", "r32Float", "rgba32Float"])
@pytest.mark.parametrize("private", [False, True])
def test_texture_round_trip(device, rng, name, private):
    info = utils.pixel_format_info(name)
    texture = device.empty_texture((5, 7), name, private=private)
    image = (rng.random(texture.shape) * 255).astype(info.dtype)
    texture.upload(image)
    np.testing.assert_array_equal(texture.numpy(), image)
    np.testing.assert_array_equal(texture.to_buffer(), image)
    other = device.empty_texture((5, 7), name)
    other.upload_from_buffer(device.buffer(image))
    np.testing.assert_array_equal(np.asarray(other), image)
    assert (texture.width, texture.height, texture.channels, texture.dims) == (7, 5, info.channels, 2)


def test_textures_that_are_refused(device):
    with pytest.raises(ValueError, match="Unknown pixel format: 'rgb8'"):
        device.empty_texture((4, 4), "rgb8")
    with pytest.raises(ValueError, match="1, 2, or 3 dims"):
        device.empty_texture((1, 2, 3, 4), "r32Float")
    assert device.empty_texture((4, 4, 4), "rgba8Unorm").shape == (4, 4, 4, 4)  # a volume, as in mtlpy
    with pytest.raises(ValueError, match="at least one of readable/writable"):
        device.empty_texture((4, 4), "r32Float", readable=False, writable=False)
    with pytest.raises(ValueError, match=r"Data shape \(4, 5\) does not match texture shape \(4, 4\)"):
        device.empty_texture((4, 4), "r32Float").upload(np.zeros((4, 5), np.float32))
    with pytest.raises(TypeError, match="doesn't match texture pixel_format"):
        device.blit_upload_texture(device.buffer(16), device.empty_texture((4, 4), "rgba8Unorm"))
    with pytest.raises(ValueError, match="Buffer has 16 bytes"):
        device.blit_upload_texture(device.buffer(4), device.empty_texture((4, 4), "r32Float"))
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(device.empty_texture((4, 4), "r32Float"), copy=False)


def test_types():
    assert utils.to_metal(np.float16) == "half"
    assert utils.to_numpy("ulong") == np.uint64
    assert utils.to_numpy(None) == utils.to_numpy(np.float64) == np.float32
    with pytest.raises(TypeError, match="Unknown Metal type string"):
        utils.to_numpy("float32")
    with pytest.raises(TypeError, match="No Metal equivalent for dtype: int8"):
        utils.to_metal(np.int8)
    assert utils.msl_storage_type(np.uint8) == "uchar"

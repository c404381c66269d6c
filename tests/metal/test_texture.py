# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import mtlpy_nb.metal as pm

FORMATS = [
    (pm.PixelFormat.RGBA8Unorm, np.uint8, 4),
    (pm.PixelFormat.R32Float, np.float32, 1),
    (pm.PixelFormat.RGBA32Float, np.float32, 4),
]

INVERT = """
#include <metal_stdlib>
using namespace metal;
kernel void invert(texture2d<float, access::read> source [[texture(0)]],
                   texture2d<float, access::write> out [[texture(1)]], uint2 p [[thread_position_in_grid]])
{
    out.write(1 - source.read(p), p);
}
"""


@pytest.fixture
def texture(device):
    def make(pixel_format=pm.PixelFormat.RGBA8Unorm, width=8, height=4, **properties):
        descriptor = pm.TextureDescriptor.texture2d_descriptor(pixel_format, width, height)
        descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
        for name, value in properties.items():
            setattr(descriptor, name, value)
        return device.new_texture(descriptor)

    return make


@pytest.mark.parametrize(("pixel_format", "dtype", "channels"), FORMATS)
def test_texels_go_in_and_come_out(texture, pixel_format, dtype, channels):
    made = texture(pixel_format)
    assert (made.width, made.height, made.depth) == (8, 4, 1)
    assert made.pixel_format is pixel_format
    assert made.texture_type is pm.TextureType.Type2D
    texels = np.arange(8 * 4 * channels).reshape(4, 8, channels).astype(dtype)
    made.upload(texels)
    out = np.zeros_like(texels)
    made.download(out)
    np.testing.assert_array_equal(out, texels)
    part = np.zeros((2, 3, channels), dtype)
    made.get_bytes(part, part.strides[0], pm.Origin(1, 2), pm.Size(3, 2, 1), 0)
    np.testing.assert_array_equal(part, texels[2:4, 1:4])


def test_the_three_forms_of_replace_region(texture):
    made = texture(pm.PixelFormat.R32Float)
    made.upload(np.zeros((4, 8), np.float32))
    one = np.ones((2, 2), np.float32)
    made.replace_region(one.tobytes(), 8, 0, 0, 2, 2)
    made.replace_region(pm.Origin(2, 0, 0), pm.Size(2, 2, 1), 0, (2 * one).tobytes(), 8)
    made.replace_region(pm.Region.make_2d(4, 2, 2, 2), 0, 0, 3 * one, 8, 0)
    out = np.zeros((4, 8), np.float32)
    made.download(out)
    expected = np.zeros((4, 8), np.float32)
    expected[:2, :2], expected[:2, 2:4], expected[2:, 4:6] = 1, 2, 3
    np.testing.assert_array_equal(out, expected)


def test_kernels_read_and_write_textures(queue, pipeline, texture):
    source, out = texture(), texture()
    texels = np.random.default_rng(1).integers(0, 256, (4, 8, 4), dtype=np.uint8)
    source.upload(texels)
    pm.dispatch(queue, pipeline(INVERT, "invert"), textures=[source, out], grid=(8, 4), threadgroup=(8, 4))
    result = np.zeros_like(texels)
    out.download(result)
    np.testing.assert_array_equal(result, 255 - texels)


def test_samplers_bound_by_the_host(device, queue, pipeline, texture, filled):
    source = """
    #include <metal_stdlib>
    using namespace metal;
    kernel void sample(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]],
                       uint i [[thread_position_in_grid]])
    {
        out[i] = t.sample(s, float2((i - 1.0f) / 2.0f, 0.5f)).x;
    }
    """
    made = texture(pm.PixelFormat.R32Float, 2, 1)
    made.upload(np.array([1, 3], np.float32))
    kernel = pipeline(source, "sample")
    results = {}
    for mode in ("ClampToEdge", "Repeat", "ClampToZero"):
        descriptor = pm.SamplerDescriptor.sampler_descriptor()
        descriptor.min_filter = descriptor.mag_filter = pm.SamplerMinMagFilter.Linear
        descriptor.s_address_mode = descriptor.t_address_mode = pm.SamplerAddressMode[mode]
        sampler = device.new_sampler_state(descriptor)
        out = device.new_buffer(5 * 4)
        pm.dispatch(queue, kernel, [out], [made], [sampler], grid=5, threadgroup=5)
        results[mode] = np.frombuffer(out, np.float32).tolist()
    # At -1/2, 0, 1/2, 1, 3/2 of the width.
    assert results["ClampToEdge"] == [1, 1, 2, 3, 3]
    assert results["Repeat"] == [2, 2, 2, 2, 2]
    assert results["ClampToZero"] == [0, 0.5, 2, 1.5, 0]


def test_bad_textures_are_refused(device, texture):
    with pytest.raises(pm.ValidationError, match="width is 0, must be 1 to 16384"):
        pm.TextureDescriptor.texture2d_descriptor(70, 0, 4)
    with pytest.raises(pm.ValidationError, match="height is 20000"):
        pm.TextureDescriptor().height = 20000
    descriptor = pm.TextureDescriptor()
    descriptor.pixel_format = 0
    with pytest.raises(pm.ValidationError, match="no pixel_format"):
        device.new_texture(descriptor)
    made = texture()
    with pytest.raises(pm.ValidationError, match="upload: data has 3 bytes, the region takes 128"):
        made.upload(b"abc")
    with pytest.raises(pm.ValidationError, match=r"\(6, 0, 0\) doesn't fit level 0 of \(8, 4, 1\)"):
        made.replace_region(bytes(64), 16, 6, 0, 4, 4)
    with pytest.raises(pm.ValidationError, match="bytes_per_row is 8, must be 16 to"):
        made.replace_region(bytes(64), 8, 0, 0, 4, 4)
    with pytest.raises(pm.ValidationError, match="level is 1, must be 0 to 0"):
        made.upload(bytes(128), level=1)
    with pytest.raises(pm.ValidationError, match="slice is -1"):
        made.download(bytearray(128), slice=-1)
    with pytest.raises(pm.ValidationError, match="writable"):
        made.download(bytes(128))


def test_private_textures_are_reached_by_blits(device, queue, texture, filled):
    made = texture(storage_mode=pm.StorageMode.Private)
    with pytest.raises(pm.ResourceError, match="private storage"):
        made.upload(bytes(128))
    texels = np.arange(128, dtype=np.uint8)
    out = device.new_buffer(200)
    pm.copy_to_texture(queue, filled(texels), 0, 0, 0, made)
    pm.copy_from_texture(queue, made, out, 8, 0, 0)
    np.testing.assert_array_equal(out.contents()[8:136], texels)
    with pytest.raises(pm.ValidationError, match="128 bytes at offset 100 don't fit the destination of 200 bytes"):
        pm.copy_from_texture(queue, made, out, 100, 0, 0)


def test_images_that_are_too_far_apart_are_refused(device) -> None:
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 4, 4)
    descriptor.texture_type = pm.TextureType.Type3D
    descriptor.depth = 3
    volume, buffer = device.new_texture(descriptor), device.new_buffer(4096)
    region, data = pm.Region((0, 0, 0), (4, 4, 3)), bytearray(4096)
    with pytest.raises(ValueError, match="bytes_per_image"):
        volume.replace_region(region, 0, 0, data, 16, 2**63 - 1)
    with pytest.raises(ValueError, match="bytes_per_image"):
        volume.get_bytes(data, 16, 2**63 - 1, region, 0, 0)
    encoder = device.new_command_queue().command_buffer().blit_command_encoder()
    with pytest.raises(ValueError, match="bytes_per_image"):
        encoder.copy_from_buffer_to_texture(buffer, 0, 16, 2**63 - 1, (4, 4, 3), volume, 0, 0, (0, 0, 0))


def test_memoryless_textures_take_no_memory_and_have_no_texels(texture):
    made = texture(
        width=16384, height=16384, storage_mode=pm.StorageMode.Memoryless, usage=pm.TextureUsage.RenderTarget
    )
    assert made.allocated_size == 0
    assert made.storage_mode is pm.StorageMode.Memoryless
    with pytest.raises(pm.ResourceError, match="the texture is memoryless"):
        made.download(bytearray(4))
    with pytest.raises(pm.MetalError, match="memoryless, of which there are no views"):
        made.new_texture_view(pm.PixelFormat.RGBA8Unorm)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"usage": pm.TextureUsage.ShaderRead}, "must be MTLTextureUsageRenderTarget alone"),
        ({"mipmap_level_count": 2}, "a memoryless texture has one level"),
        ({"texture_type": pm.TextureType.Type3D, "depth": 2}, "a memoryless texture is 2D"),
    ],
)
def test_memoryless_textures_are_for_drawing_only(texture, settings, message):
    with pytest.raises(pm.MetalError, match=message):
        texture(**{"storage_mode": pm.StorageMode.Memoryless, "usage": pm.TextureUsage.RenderTarget, **settings})

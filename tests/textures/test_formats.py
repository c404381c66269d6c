# SPDX-License-Identifier: MIT
"""Which formats textures have, which are refused by name, and what their usage allows."""

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm
from mtlpy_nb._pixel_formats import can_be_written
from mtlpy_nb.utils import PIXEL_FORMATS

COMPRESSED = [one for one in pm.PixelFormat if one.name.startswith(("BC", "PVRTC", "EAC", "ETC", "ASTC"))]
BC_ON_MACS = [one for one in COMPRESSED if one.name.startswith("BC")]


def test_every_other_format_has_a_name_here():
    values = {info.mtl_value for info in PIXEL_FORMATS.values()}
    left = {one.name for one in pm.PixelFormat if int(one) not in values} - {one.name for one in COMPRESSED}
    assert left <= {"Invalid", "Unspecialized"}
    assert len(BC_ON_MACS) > 10


@pytest.mark.parametrize("one", COMPRESSED, ids=lambda one: one.name)
def test_compressed_formats_are_refused_by_name(device, one):
    with pytest.raises(ValueError, match=f"Unknown pixel format: .*{one.name} is a compressed format"):
        device.empty_texture((8, 8), one.name.lower())
    descriptor = pm.TextureDescriptor.texture2d_descriptor(one, 8, 8)
    with pytest.raises(pm.ValidationError, match=f"pixelFormat is MTLPixelFormat{one.name}, a compressed format"):
        device._native.new_texture(descriptor)
    with pytest.raises(pm.ValidationError, match="no texture on a buffer"):
        device._native.minimum_linear_texture_alignment(one)


@pytest.mark.parametrize("name", PIXEL_FORMATS)
def test_writing_is_a_matter_of_the_format(device, name):
    texture = device.empty_texture((4, 4), name)
    assert texture.writable == can_be_written(name)
    assert texture.readable
    info = PIXEL_FORMATS[name]
    if can_be_written(name):
        assert device.empty_texture((4, 4), name, readable=False).readable is False
        return
    with pytest.raises(ValueError, match=f"kernels cannot write {name}"):
        device.empty_texture((4, 4), name, readable=False)
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat(info.mtl_value), 4, 4)
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    with pytest.raises(pm.ValidationError, match="kernels cannot write MTLPixelFormat"):
        device._native.new_texture(descriptor)
    scalar = info.msl_scalar_type
    clear = device.library(f"""
        #include <metal_stdlib>
        using namespace metal;
        kernel void clear(texture2d<{scalar}, access::write> t, uint2 p [[thread_position_in_grid]])
        {{
            t.write(0, p);
        }}
    """)["clear"]
    with pytest.raises(mtlpy_nb.ArgumentError, match=f"pixels of {name} can't be written by kernels"):
        clear(texture, grid=(4, 4))


def test_atomics_are_a_matter_of_format_and_usage(device):
    def has_atomics(*arguments, **options):
        return bool(device.empty_texture(*arguments, **options)._tex.usage & pm.TextureUsage.ShaderAtomic)

    for name in ("r32Uint", "r32Sint", "rg32Uint"):
        assert has_atomics((4, 4), name)
        assert not has_atomics((4, 4), name, writable=False)
        assert not has_atomics((6, 4, 4), name, kind="cube")
        assert has_atomics((4,), name, kind="buffer")
    assert not has_atomics((4, 4), "r32Float")
    assert device.buffer(np.zeros((4, 4), np.uint32)).texture("r32Uint")._tex.usage & pm.TextureUsage.ShaderAtomic


def test_kernels_keep_to_the_usage(device):
    twice = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void twice(texture2d<float, access::read> from, texture2d<float, access::write> to,
                          uint2 p [[thread_position_in_grid]])
        {
            to.write(2 * from.read(p), p);
        }
    """)["twice"]
    image = np.ones((4, 4), np.float32)
    readable = device.empty_texture((4, 4), "r32Float", writable=False)
    writable = device.empty_texture((4, 4), "r32Float", readable=False)
    readable.upload(image)
    twice(readable, writable, grid=(4, 4))
    np.testing.assert_array_equal(writable.download(), 2 * image)
    with pytest.raises(mtlpy_nb.ArgumentError, match="made with writable=False"):
        twice(readable, readable, grid=(4, 4))
    with pytest.raises(mtlpy_nb.ArgumentError, match="made with readable=False"):
        twice(writable, writable, grid=(4, 4))

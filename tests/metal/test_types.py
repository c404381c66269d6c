# SPDX-License-Identifier: MIT
import pickle
from enum import IntEnum, IntFlag

import numpy as np
import pytest

import mtlpy_nb.metal as pm


def test_size_is_a_tuple_of_its_members():
    size = pm.Size(3, depth=2)
    assert size == (3, 1, 2)
    assert tuple(size) == (3, 1, 2)
    assert size[0] == 3
    assert size[-1] == 2
    assert len(size) == 3
    assert size == pm.Size(3, 1, 2)
    assert size != (3, 1, 3)
    assert size != 3
    assert hash(size) == hash((3, 1, 2))
    assert repr(size) == "Size(3, 1, 2)"
    assert pm.Size() == (0, 0, 0)
    size.width = 7
    assert size.width == 7
    with pytest.raises(IndexError):
        size[3]


def test_the_other_value_types():
    assert pm.Origin(1, 2) == (1, 2, 0)
    assert pm.Range(3, 4) == (3, 4)
    assert pm.Range(length=2).location == 0
    region = pm.Region((1, 2), (3, 4))
    assert region.origin == (1, 2, 0)
    assert region.size == (3, 4, 1)
    assert region == pm.Region.make_2d(1, 2, 3, 4)


def test_negative_members_are_refused():
    with pytest.raises(pm.ValidationError, match=r"Size: width is -1, must be 0 to"):
        pm.Size(-1)
    with pytest.raises(pm.ValidationError, match=r"origin is \(-1, 0, 0\)"):
        pm.Region(-1, 4)
    with pytest.raises(TypeError):
        pm.Size("x")


def test_enums_are_integers_with_metals_values():
    assert issubclass(pm.PixelFormat, IntEnum)
    assert pm.PixelFormat.RGBA8Unorm == 70
    assert pm.TextureType.Type2D == 2
    assert pm.StorageMode.Private == 2
    assert pm.CommandBufferStatus.Completed == 4
    assert pm.DataType.Texture == 58
    assert pm.ResourceStorageModePrivate == 32
    assert pm.ResourceStorageModeMemoryless == 48
    assert pm.PixelFormat(70) is pm.PixelFormat.RGBA8Unorm
    assert pickle.loads(pickle.dumps(pm.PixelFormat.RGBA8Unorm)) is pm.PixelFormat.RGBA8Unorm


def test_option_sets_are_flags():
    assert issubclass(pm.TextureUsage, IntFlag)
    usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    descriptor = pm.TextureDescriptor()
    descriptor.usage = usage
    assert pm.TextureUsage(descriptor.usage) == usage


def test_none_members_answer_by_getattr():
    assert getattr(pm.DataType, "None") is pm.DataType.None_
    assert getattr(pm.BlitOption, "None") == 0


def test_integers_where_an_enum_is_expected():
    descriptor = pm.TextureDescriptor.texture2d_descriptor(70, np.int64(8), 8, False)
    assert descriptor.pixel_format is pm.PixelFormat.RGBA8Unorm
    with pytest.raises(TypeError):
        descriptor.pixel_format = 9999


def test_data_types_have_names_and_layouts():
    assert pm.data_type_name(pm.DataType.Float3) == "float3"
    assert pm.data_type_layout(pm.DataType.Float3) == (16, 16)
    assert pm.data_type_layout(pm.DataType.Half4x3) == (32, 8)
    assert pm.data_type_name(pm.DataType.Float4x3) == "float4x3"
    assert pm.data_type_layout(pm.DataType.UChar) == (1, 1)
    assert pm.data_type_layout(pm.DataType.Struct) == (0, 0)
    assert pm.pixel_format_bytes(pm.PixelFormat.RGBA32Float) == 16
    assert pm.pixel_format_bytes(pm.PixelFormat.BC1_RGBA) == 0


VALUES = [
    pm.Size(1, 2, 3),
    pm.Origin(1, 2, 3),
    pm.Range(1, 2),
    pm.ClearColor(0, 0, 0, 1),
    pm.Viewport(0, 0, 1, 1, 0, 1),
    pm.ScissorRect(0, 0, 1, 1),
    pm.SamplePosition(0, 0),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_nothing_is_no_value(value):
    assert value != None  # noqa: E711
    assert value != object()
    assert value == type(value)(*value)


def test_nothing_is_refused_in_lists_of_values():
    with pytest.raises(TypeError, match="set_sample_positions"):
        pm.RenderPassDescriptor().set_sample_positions([None])

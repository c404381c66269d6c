# SPDX-License-Identifier: MIT
"""Constants, tables and small functions: what programs read rather than call."""

import enum

import numpy as np
import pytest

import mtlpy_nb as mtlpy
from mtlpy_nb import buffer, surface, utils

NAMES = {
    "float": np.float32,
    "half": np.float16,
    "int": np.int32,
    "uint": np.uint32,
    "short": np.int16,
    "ushort": np.uint16,
    "long": np.int64,
    "ulong": np.uint64,
    "bool": np.bool_,
}
FORMATS = {
    "r8Unorm": (10, 1, np.uint8, True, "float"),
    "rgba8Unorm": (70, 4, np.uint8, True, "float"),
    "r8Uint": (13, 1, np.uint8, False, "uint"),
    "rgba8Uint": (73, 4, np.uint8, False, "uint"),
    "bgra8Unorm": (80, 4, np.uint8, True, "float"),
    "bgra8Unorm_srgb": (81, 4, np.uint8, True, "float"),
    "r16Uint": (23, 1, np.uint16, False, "uint"),
    "rgba16Uint": (113, 4, np.uint16, False, "uint"),
    "r16Float": (25, 1, np.float16, False, "float"),
    "rgba16Float": (115, 4, np.float16, False, "float"),
    "r32Float": (55, 1, np.float32, False, "float"),
    "rgba32Float": (125, 4, np.float32, False, "float"),
    "r32Uint": (53, 1, np.uint32, False, "uint"),
    "rgba32Uint": (123, 4, np.uint32, False, "uint"),
}


def test_names_at_the_top():
    names = {
        "Device", "Buffer", "Texture", "Sampler", "StorageMode", "operators", "list_devices", "Event", "SharedEvent",
        "SharedEventHandle", "Fence", "Queue", "BinaryArchive", "Surface", "Frame", "Heap", "Capture", "CaptureScope",
    }  # fmt: skip
    assert names <= set(mtlpy.__all__)
    assert all(hasattr(mtlpy, name) for name in names)
    assert isinstance(mtlpy.__version__, str)


def test_storage_modes():
    assert issubclass(mtlpy.StorageMode, enum.IntEnum)
    assert {mode.name: int(mode) for mode in mtlpy.StorageMode} == {"SHARED": 0, "MANAGED": 1, "PRIVATE": 2}
    assert utils.StorageMode is mtlpy.StorageMode


def test_constants():
    assert (utils.TEXTURE_USAGE_SHADER_READ, utils.TEXTURE_USAGE_SHADER_WRITE) == (1, 2)
    assert buffer._DLPACK_DEVICE == (8, 0)
    assert surface._DRAWABLE_FORMATS == {
        "bgra8Unorm": 80,
        "bgra8Unorm_srgb": 81,
        "rgb10a2Unorm": 90,
        "bgr10a2Unorm": 94,
        "rgba16Float": 115,
    }
    assert {"bgra8Unorm", "bgra8Unorm_srgb", "rgba16Float"} == surface._ZERO_COPY_FORMATS
    assert surface._SCALING == {"aspect": 0, "fill": 1, "stretch": 2, "center": 3}
    assert surface._COLORSPACES == {None: 0, "srgb": 1, "display_p3": 2, "linear_srgb": 3, "extended_linear_srgb": 4}


def test_tables_of_types():
    assert list(NAMES.items()) == utils._TABLE
    assert {np.dtype(scalar): name for name, scalar in NAMES.items()} == utils._NUMPY_TO_METAL
    assert {name: np.dtype(scalar) for name, scalar in NAMES.items()} == utils._METAL_TO_NUMPY
    stored = {
        np.uint8: "uchar", np.int8: "char", np.uint16: "ushort", np.int16: "short", np.uint32: "uint",
        np.int32: "int", np.float16: "half", np.float32: "float",
    }  # fmt: skip
    assert {np.dtype(t): name for t, name in stored.items()}.items() <= utils._STORAGE_TYPE.items()
    assert all(utils.msl_storage_type(t) == name for t, name in stored.items())
    exchanged = {
        np.float32: (2, 32), np.float16: (2, 16), np.int32: (0, 32), np.uint32: (1, 32), np.int16: (0, 16),
        np.uint16: (1, 16), np.int64: (0, 64), np.uint64: (1, 64), np.bool_: (6, 8),
    }  # fmt: skip
    assert {np.dtype(t): code for t, code in exchanged.items()}.items() <= utils._DLPACK_CODE.items()
    assert all(utils.to_dlpack_dtype(t) == code for t, code in exchanged.items())


@pytest.mark.parametrize("name", NAMES)
def test_names_of_types(name):
    assert utils.to_metal(NAMES[name]) == name
    assert utils.to_metal(np.dtype(NAMES[name])) == name
    assert utils.to_numpy(name) == NAMES[name]
    assert utils.to_numpy(NAMES[name]) == np.dtype(NAMES[name])
    assert isinstance(utils.to_numpy(name), np.dtype)


def test_types_without_a_name():
    assert utils.to_numpy(None) == utils.to_numpy(np.float64) == np.float32
    for unknown in ("float32", "double", ""):
        with pytest.raises(TypeError, match=f"Unknown Metal type string: '{unknown}'"):
            utils.to_numpy(unknown)
    for dtype in (np.uint8, np.int8, np.complex64, np.float64):
        with pytest.raises(TypeError, match=f"No Metal equivalent for dtype: {np.dtype(dtype)}"):
            utils.to_metal(dtype)
    with pytest.raises(TypeError, match="No MSL storage type for dtype: complex64"):
        utils.msl_storage_type(np.complex64)
    with pytest.raises(TypeError, match="No DLPack equivalent for dtype: datetime64"):
        utils.to_dlpack_dtype("M8[s]")


@pytest.mark.parametrize("name", FORMATS)
def test_pixel_formats(name):
    info, (value, channels, dtype, normalized, scalar) = utils.pixel_format_info(name), FORMATS[name]
    assert info == utils.PixelFormatInfo(value, channels, np.dtype(dtype), normalized, scalar)
    assert info._fields == ("mtl_value", "channels", "dtype", "normalized", "msl_scalar_type")
    assert (name, value, channels, dtype, normalized, scalar) in utils._PIXEL_FORMAT_TABLE
    assert utils._PIXEL_FORMATS[name] == info


def test_pixel_formats_that_there_are_not():
    for name in ("rgb8Unorm", "R8Unorm", ""):
        with pytest.raises(ValueError, match=rf"Unknown pixel format: '{name}'.*Supported: .*rgba8Unorm"):
            utils.pixel_format_info(name)


def test_sizes_of_shapes():
    assert utils.shape_size((2, 3, 4)) == 24
    assert utils.shape_size((5,)) == 5
    assert utils.shape_size((3, 0)) == 0

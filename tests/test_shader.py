# SPDX-License-Identifier: MIT
import re

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import shader, utils

TYPES = ["float", "half", "int", "uint", "short", "ushort", "long", "ulong", "bool"]
ONE_TYPE = [
    name
    for name in shader.__all__
    if name.endswith("_kernel") and name not in ("cast_kernel", "texture_to_buffer_kernel")
]


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device()


@pytest.mark.parametrize("name", ONE_TYPE)
def test_every_kernel_compiles_for_every_type(device, name):
    for t in TYPES:
        source = getattr(shader, name)(t)
        kernel = re.search(r"kernel void (\w+)", source)[1]
        plain = name.removesuffix("_kernel")
        assert kernel in (plain, f"{plain}_op")
        assert device.library(source).functions == (kernel,) or list(device.library(source).functions) == [kernel]


def test_a_reduction_round(device):
    x = device.buffer(np.arange(7, dtype=np.int32))
    out = device.empty(4, np.int32)
    n = device.buffer(np.array([7], np.uint32))
    for name, expected in [("sum", [1, 5, 9, 6]), ("max", [1, 3, 5, 6]), ("min", [0, 2, 4, 6])]:
        kernel = device.compile(getattr(shader, f"reduce_{name}_kernel")("int"), f"reduce_{name}")
        kernel.run([x, out, n], 4)
        np.testing.assert_array_equal(out.numpy(), expected)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_pixels_into_a_buffer(device, dims):
    shape = (3, 4, 5)[-dims:]
    pixels = np.random.default_rng(0).integers(0, 256, (*shape, 4), dtype=np.uint8)
    texture = device.texture(pixels, "rgba8Unorm")
    out = device.empty((*shape, 4), np.uint8)
    source = shader.texture_to_buffer_kernel(dims, "float", "uchar", 4, normalized=True)
    device.compile(source, "texture_to_buffer").run([out], shape[::-1], textures=[texture])
    np.testing.assert_array_equal(out.numpy(), pixels)


def test_texture_types():
    assert shader.texture_type(2, "half") == "texture2d<half, access::read_write>"
    assert shader.texture_type(1, "uint", "write") == "texture1d<uint, access::write>"
    with pytest.raises(ValueError, match="dims must be 1, 2, or 3, got 4"):
        shader.texture_type(4, "float")


def test_names_of_types_agree():
    assert {utils.to_metal(utils.to_numpy(t)) for t in TYPES} == set(TYPES)

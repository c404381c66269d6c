# SPDX-License-Identifier: MIT
"""A device for all tests of this folder, and kernels that read pixels of each kind of texture."""

import numpy as np
import pytest

import mtlpy_nb

_PLACES = {
    "1d": ("uint(p.x)", ""),
    "1d_array": ("uint(p.x), uint(p.y)", ""),
    "2d": ("uint2(p.xy), level", ""),
    "2d_array": ("uint2(p.xy), uint(p.z), level", ""),
    "3d": ("uint3(p.xyz), level", ""),
    "cube": ("uint2(p.xy), uint(p.z), level", ""),
    "cube_array": ("uint2(p.xy), uint(p.z) % 6, uint(p.z) / 6, level", ""),
}


def _source(kind: str, scalar: str) -> str:
    place, _ = _PLACES[kind]
    return f"""
#include <metal_stdlib>
using namespace metal;
kernel void read_pixels(texture{kind}<{scalar}, access::read> t, constant uint& level, constant uint3& size,
                        device {scalar}4* out, uint3 p [[thread_position_in_grid]])
{{
    out[(p.z * size.y + p.y) * size.x + p.x] = t.read({place});
}}
"""


@pytest.fixture(scope="session")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="session")
def read(device):
    """What kernels read of a level: (images, rows, columns, 4); the images of volumes are their depths."""
    kernels = {}

    def pixels(texture, level=0):
        key = texture.kind, texture.msl_scalar_type
        if key not in kernels:
            kernels[key] = device.library(_source(*key))["read_pixels"]
        spatial = texture.level_shape(level)[: -1 if texture.channels > 1 else None]
        rows = 1 if texture.dims == 1 else spatial[-2]
        images = int(np.prod(spatial, dtype=int)) // (rows * spatial[-1])
        if texture.kind == "1d_array":
            rows, images = images, 1
        size = np.array([spatial[-1], rows, images], np.uint32)
        out = np.zeros((images, rows, spatial[-1], 4), {"float": "f4", "int": "i4", "uint": "u4"}[key[1]])
        kernels[key](texture, np.uint32(level), size, out, grid=tuple(int(n) for n in size))
        return out

    return pixels

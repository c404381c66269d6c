# SPDX-License-Identifier: MIT
"""Runs a translated compute shader by Metal's own objects; resources go by the numbers of their bindings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np

import mtlpy_nb.metal as pm

from .translate import metal_source

FORMATS = {
    "rgba8": (pm.PixelFormat.RGBA8Unorm, np.uint8, 4),
    "rgba32f": (pm.PixelFormat.RGBA32Float, np.float32, 4),
    "r32f": (pm.PixelFormat.R32Float, np.float32, 1),
    "r32ui": (pm.PixelFormat.R32Uint, np.uint32, 1),
    "r32i": (pm.PixelFormat.R32Sint, np.int32, 1),
    "r8ui": (pm.PixelFormat.R8Uint, np.uint8, 1),
    "rgba8ui": (pm.PixelFormat.RGBA8Uint, np.uint8, 4),
    "rgba16ui": (pm.PixelFormat.RGBA16Uint, np.uint16, 4),
    "depth32f": (pm.PixelFormat.Depth32Float, np.float32, 1),
}
KINDS = {
    "1d": pm.TextureType.Type1D,
    "2d": pm.TextureType.Type2D,
    "2d_array": pm.TextureType.Type2DArray,
    "3d": pm.TextureType.Type3D,
    "cube": pm.TextureType.TypeCube,
}


@lru_cache(maxsize=1)
def device() -> Any:
    return pm.create_system_default_device()


class Image:
    """A texture with an array's texels: (slices or depth or faces,) height, width (, channels)."""

    def __init__(self, texels: np.ndarray, pixel_format: str, kind: str = "2d") -> None:
        self.format, self.dtype, self.channels = FORMATS[pixel_format]
        self.texels = np.ascontiguousarray(texels, self.dtype)
        shape = self.texels.shape[:-1] if self.channels > 1 else self.texels.shape
        descriptor = pm.TextureDescriptor()
        descriptor.texture_type = KINDS[kind]
        descriptor.pixel_format = self.format
        descriptor.width, descriptor.height = shape[-1], shape[-2]
        descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
        self.slices = 1
        if kind == "3d":
            descriptor.depth = shape[0]
        elif kind != "2d":
            self.slices = shape[0]
            descriptor.array_length = shape[0] if kind == "2d_array" else 1
        self.kind = kind
        self.texture = device().new_texture(descriptor)
        for index, part in enumerate(self._parts()):
            self.texture.upload(part, slice=index)

    def _parts(self) -> Any:
        return [self.texels] if self.kind in ("2d", "3d") else self.texels

    def read(self) -> np.ndarray:
        out = np.empty_like(self.texels)
        for index in range(self.slices):
            self.texture.download(out if self.kind in ("2d", "3d") else out[index], slice=index)
        return out


def sampler(*, linear: bool = False, repeat: bool = False, compare: Any = None) -> Any:
    descriptor = pm.SamplerDescriptor()
    descriptor.min_filter = descriptor.mag_filter = (
        pm.SamplerMinMagFilter.Linear if linear else pm.SamplerMinMagFilter.Nearest
    )
    address = pm.SamplerAddressMode.Repeat if repeat else pm.SamplerAddressMode.ClampToEdge
    descriptor.s_address_mode = descriptor.t_address_mode = descriptor.r_address_mode = address
    if compare is not None:
        descriptor.compare_function = compare
    return device().new_sampler_state(descriptor)


@cache
def pipeline(name: str, options: tuple[str, ...], constants: tuple[tuple[int, object], ...]) -> Any:
    library = device().new_library_with_source(metal_source(name, *options))
    return device().new_compute_pipeline_state(library.new_function("main0", dict(constants)))


def run(
    name: str,
    groups: tuple[int, ...],
    local: tuple[int, ...],
    buffers: Mapping[int, np.ndarray],
    textures: Mapping[int, Image] | None = None,
    samplers: Mapping[int, Any] | None = None,
    constants: Mapping[int, object] | None = None,
    options: tuple[str, ...] = (),
) -> None:
    """Run `shaders/NAME` on whole workgroups; arrays get back what the shader left in them."""
    state = pipeline(name, options, tuple((constants or {}).items()))
    kept = {index: device().new_buffer_with_data(np.ascontiguousarray(array)) for index, array in buffers.items()}
    commands = device().new_command_queue().command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(state)
        for index, buffer in kept.items():
            encoder.set_buffer(buffer, 0, index)
        for index, image in (textures or {}).items():
            encoder.set_texture(image.texture, index)
        for index, state_of in (samplers or {}).items():
            encoder.set_sampler_state(state_of, index)
        encoder.dispatch_threadgroups((*groups, 1, 1)[:3], (*local, 1, 1)[:3])
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed, commands.error
    for index, array in buffers.items():
        array[...] = np.frombuffer(bytes(kept[index].contents()), array.dtype).reshape(array.shape)

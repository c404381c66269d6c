# SPDX-License-Identifier: MIT
"""Runs a translated compute shader by Metal's own objects; resources go by the numbers of their bindings."""

from __future__ import annotations

import re
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
        descriptor.usage = pm.TextureUsage.ShaderRead
        if pixel_format != "depth32f":
            descriptor.usage |= pm.TextureUsage.ShaderWrite
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
    descriptor.support_argument_buffers = True
    descriptor.min_filter = descriptor.mag_filter = (
        pm.SamplerMinMagFilter.Linear if linear else pm.SamplerMinMagFilter.Nearest
    )
    address = pm.SamplerAddressMode.Repeat if repeat else pm.SamplerAddressMode.ClampToEdge
    descriptor.s_address_mode = descriptor.t_address_mode = descriptor.r_address_mode = address
    if compare is not None:
        descriptor.compare_function = compare
    return device().new_sampler_state(descriptor)


# How spirv-cross translates where a test does not say.
ALSO: tuple[str, ...] = ()


@cache
def pipeline(name: str, options: tuple[str, ...], constants: tuple[tuple[int, object], ...]) -> Any:
    library = device().new_library_with_source(metal_source(name, *options))
    function = library.new_function("main0", dict(constants))
    return device().new_compute_pipeline_state(function), function


def _in_one_buffer(
    function: Any, text: str, buffers: Mapping[int, Any], textures: Mapping[int, Image], samplers: Mapping[int, Any]
) -> Any:
    """Encode the argument buffer of descriptor set 0: of each kind of resource, in the order of their bindings."""
    encoder = function.new_argument_encoder(0)
    memory = device().new_buffer(encoder.encoded_length)
    encoder.set_argument_buffer(memory, 0)
    rest = {kind: iter(sorted(given.items())) for kind, given in
            (("buffer", buffers), ("texture", textures), ("sampler", samplers))}  # fmt: skip
    body = re.search(r"struct spvDescriptorSetBuffer0\s*{(.*?)}", text, re.DOTALL)
    assert body is not None
    for member in body[1].split(";")[:-1]:
        kind = next((word for word in ("texture", "sampler") if word in member), "buffer")
        (index,) = re.findall(r"\[\[id\((\d+)\)\]\]", member)
        count = re.search(r", (\d+)>|\]\]\[(\d+)\]", member)
        for element in range(int((count[1] or count[2]) if count else 1)):
            _, value = next(rest[kind])
            if kind == "texture":
                encoder.set_texture(value.texture, int(index) + element)
            elif kind == "sampler":
                encoder.set_sampler_state(value, int(index) + element)
            else:
                encoder.set_buffer(value, 0, int(index) + element)
    return memory


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
    options = options or ALSO
    state, function = pipeline(name, options, tuple((constants or {}).items()))
    kept = {index: device().new_buffer_with_data(np.ascontiguousarray(array)) for index, array in buffers.items()}
    commands = device().new_command_queue().command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(state)
        if "--msl-argument-buffers" in options:
            given = _in_one_buffer(function, metal_source(name, *options), kept, textures or {}, samplers or {})
            encoder.set_buffer(given, 0, 0)
        else:
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

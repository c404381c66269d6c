# SPDX-License-Identifier: MIT
"""Runs the text that OpenColorIO writes: its function over pixels, with the tables it asks for as textures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import PyOpenColorIO as ocio  # noqa: N813

import mtlpy_nb.metal as pm

KERNEL = """
#include <metal_stdlib>
using namespace metal;
{text}
kernel void colors(device float4* pixels [[buffer(0)]]{parameters}, uint i [[thread_position_in_grid]]) {{
    pixels[i] = Transformed({arguments}pixels[i]);
}}
"""


@lru_cache(maxsize=1)
def device() -> Any:
    return pm.create_system_default_device()


def on_metal(processor: Any, pixels: np.ndarray, optimization: Any = ocio.OPTIMIZATION_DEFAULT) -> np.ndarray:
    """Apply a processor to rows of four floats by the Metal that it writes."""
    shader = ocio.GpuShaderDesc.CreateShaderDesc(functionName="Transformed", resourcePrefix="table_")
    shader.setLanguage(ocio.GPU_LANGUAGE_MSL_2_0)
    processor.getOptimizedGPUProcessor(optimization).extractGpuShaderInfo(shader)
    parameters, arguments, bindings = "", "", []
    for table in [*shader.get3DTextures(), *shader.getTextures()]:
        made, kind = _texture(table)
        index = len(bindings)
        bindings.append((made, _sampler(table.interpolation)))
        parameters += f", {kind}<float> {table.textureName} [[texture({index})]]"
        parameters += f", sampler {table.samplerName} [[sampler({index})]]"
        arguments += f"{table.textureName}, {table.samplerName}, "
    text = KERNEL.format(text=shader.getShaderText(), parameters=parameters, arguments=arguments)
    function = device().new_library_with_source(text).new_function("colors")
    state = device().new_compute_pipeline_state(function)
    memory = device().new_buffer_with_data(np.ascontiguousarray(pixels, np.float32))
    commands = device().new_command_queue().command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(state)
        encoder.set_buffer(memory, 0, 0)
        for index, (texture, sampler) in enumerate(bindings):
            encoder.set_texture(texture, index)
            encoder.set_sampler_state(sampler, index)
        encoder.dispatch_threads((len(pixels), 1, 1), (64, 1, 1))
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed, commands.error
    return np.frombuffer(bytes(memory.contents()), np.float32).reshape(-1, 4)


def on_cpu(processor: Any, pixels: np.ndarray, optimization: Any = ocio.OPTIMIZATION_DEFAULT) -> np.ndarray:
    result = np.ascontiguousarray(pixels, np.float32).copy()
    processor.getOptimizedCPUProcessor(optimization).applyRGBA(result)
    return result


def _texture(table: Any) -> tuple[Any, str]:
    values = np.asarray(table.getValues(), np.float32)
    descriptor = pm.TextureDescriptor()
    descriptor.usage = pm.TextureUsage.ShaderRead
    if hasattr(table, "edgeLen"):
        kind, shape = "texture3d", (table.edgeLen,) * 3
        descriptor.texture_type, descriptor.depth = pm.TextureType.Type3D, table.edgeLen
    elif table.dimensions == ocio.GpuShaderDesc.TEXTURE_1D:
        kind, shape = "texture1d", (table.width,)
        descriptor.texture_type = pm.TextureType.Type1D
    else:
        kind, shape = "texture2d", (table.height, table.width)
        descriptor.texture_type = pm.TextureType.Type2D
    descriptor.width = shape[-1]
    if len(shape) > 1:
        descriptor.height = shape[-2]
    channels = values.size // int(np.prod(shape))
    if channels == 1:
        descriptor.pixel_format, texels = pm.PixelFormat.R32Float, values.reshape(shape)
    else:  # there is no format of three floats
        descriptor.pixel_format = pm.PixelFormat.RGBA32Float
        texels = np.ones((*shape, 4), np.float32)
        texels[..., :3] = values.reshape(*shape, 3)
    texture = device().new_texture(descriptor)
    texture.upload(np.ascontiguousarray(texels))
    return texture, kind


def _sampler(interpolation: Any) -> Any:
    descriptor = pm.SamplerDescriptor()
    nearest = interpolation in (ocio.INTERP_NEAREST, ocio.INTERP_TETRAHEDRAL)
    filtering = pm.SamplerMinMagFilter.Nearest if nearest else pm.SamplerMinMagFilter.Linear
    descriptor.min_filter = descriptor.mag_filter = filtering
    address = pm.SamplerAddressMode.ClampToEdge
    descriptor.s_address_mode = descriptor.t_address_mode = descriptor.r_address_mode = address
    return device().new_sampler_state(descriptor)

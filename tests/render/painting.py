# SPDX-License-Identifier: MIT
"""Draws that cover their targets, with what each fragment is in NumPy arrays."""

import numpy as np

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

// One triangle over all of the target, at the depth given; each instance on a layer of its own.
struct Corner {
    float4 position [[position]];
    uint layer [[render_target_array_index]];
};
vertex Corner cover(constant float& depth [[buffer(0)]], uint vertex_id [[vertex_id]], uint instance [[instance_id]])
{
    return {float4(vertex_id == 1 ? 3.0 : -1.0, vertex_id == 2 ? 3.0 : -1.0, depth, 1.0), instance};
}

// Points, one for each pixel of a list.
struct Dot {
    float4 position [[position]];
    float size [[point_size]];
};
vertex Dot dots(constant uint2* pixels [[buffer(0)]], constant float2& target_size [[buffer(1)]],
                uint vertex_id [[vertex_id]])
{
    const float2 place = (float2(pixels[vertex_id]) + 0.5) / target_size * 2.0 - 1.0;
    return {float4(place.x, -place.y, 0.0, 1.0), 1.0};
}

template <typename T> T of_pixel(constant T* values, constant uint& width, float4 position)
{
    return values[uint(position.y) * width + uint(position.x)];
}

fragment float4 paint(float4 position [[position]], constant float4* values [[buffer(0)]],
                      constant uint& width [[buffer(1)]])
{
    return of_pixel(values, width, position);
}
fragment uint4 paint_unsigned(float4 position [[position]], constant uint4* values [[buffer(0)]],
                              constant uint& width [[buffer(1)]])
{
    return of_pixel(values, width, position);
}
fragment int4 paint_signed(float4 position [[position]], constant int4* values [[buffer(0)]],
                           constant uint& width [[buffer(1)]])
{
    return of_pixel(values, width, position);
}

struct Two {
    float4 first [[color(0), index(0)]];
    float4 second [[color(0), index(1)]];
};
fragment Two paint_twice(float4 position [[position]], constant float4* values [[buffer(0)]],
                         constant uint& width [[buffer(1)]], constant float4* seconds [[buffer(2)]])
{
    return {of_pixel(values, width, position), of_pixel(seconds, width, position)};
}

struct Deep {
    float4 color [[color(0)]];
    float depth [[depth(any)]];
};
fragment Deep paint_deep(float4 position [[position]], constant float4* values [[buffer(0)]],
                         constant uint& width [[buffer(1)]])
{
    const float4 value = of_pixel(values, width, position);
    return {value, value.w};
}

fragment float4 add_half(float4 before [[color(0)]])
{
    return before + 0.5;
}
"""


class Painter:
    """Makes pipelines, passes and draws for the tests beside this file."""

    def __init__(self, device):
        self.device = device
        self.library = device.new_library_with_source(SOURCE)
        self.queue = device.new_command_queue()
        self.functions = {}

    def function(self, name):
        if name not in self.functions:
            self.functions[name] = self.library.new_function(name)
        return self.functions[name]

    def texture(self, pixel_format, width, height, **settings):
        descriptor = pm.TextureDescriptor()
        descriptor.pixel_format = pixel_format
        descriptor.width, descriptor.height = width, height
        descriptor.usage = pm.TextureUsage.RenderTarget
        if settings.get("storage_mode") != pm.StorageMode.Memoryless:
            descriptor.usage |= pm.TextureUsage.ShaderRead
        descriptor.storage_mode = pm.StorageMode.Shared
        for name, value in settings.items():
            setattr(descriptor, name, value)
        return self.device.new_texture(descriptor)

    def multisampled(self, pixel_format, width, height, samples, **settings):
        return self.texture(
            pixel_format,
            width,
            height,
            texture_type=pm.TextureType.Type2DMultisample,
            sample_count=samples,
            storage_mode=settings.pop("storage_mode", pm.StorageMode.Private),
            **settings,
        )

    def pipeline(self, fragment, formats=(), *, vertex="cover", depth=None, stencil=None, samples=1, **blending):
        """A pipeline that draws triangles, or dots; `blending`: settings of every colour attachment."""
        descriptor = pm.RenderPipelineDescriptor()
        descriptor.vertex_function = self.function(vertex)
        if fragment is not None:
            descriptor.fragment_function = self.function(fragment)
        for index, pixel_format in enumerate(formats):
            color = descriptor.color_attachment(index)
            color.pixel_format = pixel_format
            for name, value in blending.items():
                setattr(color, name, value)
        if depth is not None:
            descriptor.depth_attachment_pixel_format = depth
        if stencil is not None:
            descriptor.stencil_attachment_pixel_format = stencil
        descriptor.raster_sample_count = samples
        topologies = pm.PrimitiveTopologyClass
        descriptor.input_primitive_topology = topologies.Point if vertex == "dots" else topologies.Triangle
        return self.device.new_render_pipeline_state(descriptor)

    def pass_on(self, *colors, depth=None, stencil=None, load=pm.LoadAction.Load, store=pm.StoreAction.Store):
        """A pass that draws into textures."""
        descriptor = pm.RenderPassDescriptor.render_pass_descriptor()
        attachments = [descriptor.color_attachment(index) for index in range(len(colors))]
        targets = list(colors)
        if depth is not None:
            attachments.append(descriptor.depth_attachment)
            targets.append(depth)
        if stencil is not None:
            attachments.append(descriptor.stencil_attachment)
            targets.append(stencil)
        for attachment, texture in zip(attachments, targets, strict=True):
            attachment.texture = texture
            attachment.load_action = load
            attachment.store_action = store
        return descriptor

    def run(self, descriptor, draw):
        """Encode one pass with `draw(encoder)` and wait for it."""
        commands = self.queue.command_buffer()
        encoder = commands.render_command_encoder(descriptor)
        draw(encoder)
        encoder.end_encoding()
        commands.commit()
        commands.wait_until_completed()
        assert commands.status == pm.CommandBufferStatus.Completed, commands.error

    def cover(self, encoder, pipeline, values=None, seconds=None, *, depth=0.0, instances=1):
        """Draw over everything; `values`: of each pixel, rows first."""
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_bytes(np.float32(depth).tobytes(), 0)
        if values is not None:
            encoder.set_fragment_buffer(self.buffer(values), 0, 0)
            encoder.set_fragment_bytes(np.uint32(values.shape[1]).tobytes(), 1)
        if seconds is not None:
            encoder.set_fragment_buffer(self.buffer(seconds), 0, 2)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3, instances)

    def buffer(self, array):
        data = np.ascontiguousarray(array).tobytes()
        return self.device.new_buffer_with_data(data, len(data), 0)


def read(texture, dtype, components, *, level=0, slice=0):
    """A level's texels, rows first."""
    width, height = max(texture.width >> level, 1), max(texture.height >> level, 1)
    depth = max(texture.depth >> level, 1)
    shape = (depth, height, width, components) if depth > 1 else (height, width, components)
    texels = np.zeros(shape, dtype)
    texture.download(texels, level=level, slice=slice)
    return texels

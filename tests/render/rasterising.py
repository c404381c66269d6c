# SPDX-License-Identifier: MIT
"""Draws whose every vertex is given, and which samples they should cover by exact arithmetic."""

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")
if not hasattr(pm, "RenderPipelineDescriptor"):
    pytest.skip("this build draws nothing", allow_module_level=True)

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Corner {
    float4 position [[position]];
    float size [[point_size]];
    float4 value;
    float flat_value [[flat]];
    float even [[center_no_perspective]];
    float middle [[centroid_perspective]];
};

// Vertex v of the draw: four floats of a position, four of a value.
vertex Corner place(constant float4* positions [[buffer(0)]], constant float4* values [[buffer(1)]],
                    constant float& size [[buffer(2)]], uint v [[vertex_id]])
{
    const float4 value = values[v];
    return {positions[v], size, value, value.x, value.x, value.x};
}

struct Numbered { float4 position [[position]]; float4 numbers [[flat]]; };
vertex Numbered number(constant float4* positions [[buffer(0)]], uint v [[vertex_id]], uint i [[instance_id]],
                       uint bv [[base_vertex]], uint bi [[base_instance]])
{
    return {positions[v % 3], float4(v, i, bv, bi)};
}
fragment float4 numbers(Numbered in [[stage_in]]) { return in.numbers; }

struct Chosen {
    float4 position [[position]];
    uint layer [[render_target_array_index]];
    uint viewport [[viewport_array_index]];
};
vertex Chosen choose(constant float4* positions [[buffer(0)]], constant uint2* choices [[buffer(1)]],
                     uint v [[vertex_id]], uint i [[instance_id]])
{
    return {positions[v], choices[i].x, choices[i].y};
}
fragment float4 chosen(Chosen in [[stage_in]]) { return float4(in.layer, in.viewport, 1, 1); }

struct Cut { float4 position [[position]]; float distance [[clip_distance]] [2]; float4 value; };
vertex Cut cut(constant float4* positions [[buffer(0)]], constant float4* values [[buffer(1)]], uint v [[vertex_id]])
{
    return {positions[v], {values[v].x, values[v].y}, values[v]};
}
struct Whole { float4 position [[position]]; float4 value; };
fragment float4 whole(Whole in [[stage_in]]) { return in.value; }

struct Shaded {
    float4 position [[position]];
    float4 value;
    float flat_value [[flat]];
    float even [[center_no_perspective]];
    float middle [[centroid_perspective]];
};
fragment float4 value(Shaded in [[stage_in]]) { return in.value; }
fragment float4 kinds(Shaded in [[stage_in]])
{
    return float4(in.value.x, in.even, in.flat_value, in.middle);
}
fragment float4 window(Shaded in [[stage_in]]) { return in.position; }
fragment float4 slopes(Shaded in [[stage_in]])
{
    return float4(dfdx(in.value.x), dfdy(in.value.x), fwidth(in.value.x), 1);
}
fragment float4 sprite(Shaded in [[stage_in]], float2 at [[point_coord]]) { return float4(at, 1, 1); }
fragment float4 facts(Shaded in [[stage_in]], bool front [[front_facing]], uint id [[primitive_id]])
{
    return float4(front ? 1 : 2, id, 0, 1);
}
fragment float4 weights(Shaded in [[stage_in]], float3 at [[barycentric_coord]]) { return float4(at, 1); }
fragment float4 samples(Shaded in [[stage_in]], uint sample [[sample_id]]) { return float4(1 << sample, 0, 0, 1); }
fragment float4 covered(Shaded in [[stage_in]], uint mask [[sample_mask]]) { return float4(mask, 0, 0, 1); }
struct Masked { float4 color [[color(0)]]; uint mask [[sample_mask]]; };
fragment Masked masked(Shaded in [[stage_in]]) { return {float4(1), 5}; }

fragment float4 counting(Shaded in [[stage_in]], device atomic_uint* count [[buffer(0)]])
{
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return float4(1);
}
[[early_fragment_tests]] fragment float4 counting_early(Shaded in [[stage_in]],
                                                        device atomic_uint* count [[buffer(0)]])
{
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return float4(1);
}
fragment float4 holes(Shaded in [[stage_in]])
{
    if (int(in.position.x) % 2 == 0) discard_fragment();
    return float4(dfdx(in.value.x), 1, 1, 1);
}

vertex Whole lost_vertex(device float* data [[buffer(0)]], uint v [[vertex_id]])
{
    return {float4(v == 1 ? 3 : -1, v == 2 ? 3 : -1, 0, data[(1ul << 44) + v]), 0};
}
fragment float4 lost(Shaded in [[stage_in]], device float* data [[buffer(0)]])
{
    return data[(1ul << 44) + int(in.position.x)];
}
"""

# Metal's default positions, in sixteenths of a pixel.
SAMPLES = {
    1: [(8, 8)],
    2: [(12, 12), (4, 4)],
    4: [(6, 2), (14, 6), (2, 10), (10, 14)],
    8: [(9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)],
}


def read(texture, slice=0):
    """A texture's floats, rows first."""
    texels = np.zeros((texture.height, texture.width, 4), np.float32)
    texture.download(texels, level=0, slice=slice)
    return texels


class Painter:
    """What passes are made of."""

    def __init__(self):
        self.device = pm.create_system_default_device()
        self.queue = self.device.new_command_queue()
        self.library = self.device.new_library_with_source(SOURCE)
        self.functions = {}
        self.pipelines = {}

    def texture(self, pixel_format, width, height, **settings):
        descriptor = pm.TextureDescriptor()
        descriptor.pixel_format = pixel_format
        descriptor.width, descriptor.height = width, height
        descriptor.usage = pm.TextureUsage.RenderTarget | pm.TextureUsage.ShaderRead
        descriptor.storage_mode = pm.StorageMode.Shared
        for name, value in settings.items():
            setattr(descriptor, name, value)
        return self.device.new_texture(descriptor)

    def multisampled(self, pixel_format, width, height, samples):
        return self.texture(pixel_format, width, height, texture_type=pm.TextureType.Type2DMultisample,
                            sample_count=samples, storage_mode=pm.StorageMode.Private)  # fmt: skip

    def pass_on(self, color, depth=None):
        """A pass that clears and stores."""
        descriptor = pm.RenderPassDescriptor.render_pass_descriptor()
        attachments = [(descriptor.color_attachment(0), color)]
        if depth is not None:
            attachments.append((descriptor.depth_attachment, depth))
        for attachment, texture in attachments:
            attachment.texture = texture
            attachment.load_action = pm.LoadAction.Clear
            attachment.store_action = pm.StoreAction.Store
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

    def buffer(self, array):
        data = np.ascontiguousarray(array).tobytes()
        return self.device.new_buffer_with_data(data, len(data), 0)


@lru_cache(maxsize=1)
def shared_painter():
    return Painter()


class Rasteriser:
    """Draws into a square target of floats."""

    def __init__(self, side=32):
        self.painter = shared_painter()
        self.device = self.painter.device
        self.side = side
        self.library = self.painter.library
        self.functions = self.painter.functions
        self.pipelines = self.painter.pipelines

    def function(self, name):
        if name not in self.functions:
            self.functions[name] = self.library.new_function(name)
        return self.functions[name]

    def pipeline(self, fragment="value", vertex="place", *, samples=1, counts=False, depth=None, topology=None):
        """A pipeline for one colour of four floats; `counts`: fragments are added up."""
        key = fragment, vertex, samples, counts, depth, topology
        if key not in self.pipelines:
            descriptor = pm.RenderPipelineDescriptor()
            descriptor.vertex_function = self.function(vertex)
            if fragment:
                descriptor.fragment_function = self.function(fragment)
            color = descriptor.color_attachment(0)
            color.pixel_format = pm.PixelFormat.RGBA32Float
            if counts:
                color.blending_enabled = True
                color.destination_rgb_blend_factor = pm.BlendFactor.One
                color.destination_alpha_blend_factor = pm.BlendFactor.One
            if depth is not None:
                descriptor.depth_attachment_pixel_format = depth
            if topology is not None:
                descriptor.input_primitive_topology = topology
            descriptor.raster_sample_count = samples
            descriptor.label = f"{fragment} of {vertex}"
            self.pipelines[key] = self.device.new_render_pipeline_state(descriptor)
        return self.pipelines[key]

    def target(self, samples=1, **settings):
        format = pm.PixelFormat.RGBA32Float
        if samples > 1:
            return self.painter.multisampled(format, self.side, self.side, samples)
        return self.painter.texture(format, self.side, self.side, **settings)

    def draw(self, draw, *, samples=1, target=None, depth=None, prepare=None):
        """Run `draw(encoder)` over zeros; return the pixels, or of several samples their mean."""
        color = target or self.target(samples)
        descriptor = self.painter.pass_on(color, depth)
        descriptor.color_attachment(0).clear_color = pm.ClearColor(0, 0, 0, 0)
        resolved = color
        if samples > 1:
            resolved = self.target()
            descriptor.color_attachment(0).resolve_texture = resolved
            descriptor.color_attachment(0).store_action = pm.StoreAction.MultisampleResolve
        if prepare:
            prepare(descriptor)
        self.painter.run(descriptor, draw)
        return read(resolved)

    def clip(self, pixels, z=0.0, w=1.0):
        """Clip coordinates of places in the window, in pixels: (..., 2) to (..., 4), float32."""
        pixels = np.asarray(pixels, np.float64)
        w = np.broadcast_to(np.asarray(w, np.float64), pixels.shape[:-1])
        z = np.broadcast_to(np.asarray(z, np.float64), pixels.shape[:-1])
        x, y = 2 * pixels[..., 0] / self.side - 1, 1 - 2 * pixels[..., 1] / self.side
        return np.stack([x * w, y * w, z * w, w], -1).astype(np.float32)

    def primitives(
        self,
        kind,
        positions,
        values=None,
        *,
        fragment="value",
        vertex="place",
        samples=1,
        counts=False,
        size=1.0,
        state=None,
        depth=None,
        indices=None,
        instances=1,
        target=None,
        prepare=None,
    ):
        """Draw vertices at clip positions (n, 4) with values (n, 4)."""
        positions = np.ascontiguousarray(positions, np.float32).reshape(-1, 4)
        if values is None:
            values = np.ones((len(positions), 4))
        values = np.ascontiguousarray(values, np.float32)
        pipeline = self.pipeline(fragment, vertex, samples=samples, counts=counts,
                                 depth=depth.pixel_format if depth is not None else None)  # fmt: skip
        buffers = [self.painter.buffer(positions), self.painter.buffer(values)]

        def draw(encoder):
            encoder.set_render_pipeline_state(pipeline)
            for index, buffer in enumerate(buffers):
                encoder.set_vertex_buffer(buffer, 0, index)
            encoder.set_vertex_bytes(np.float32(size).tobytes(), 2)
            if state:
                state(encoder)
            if indices is None:
                encoder.draw_primitives(kind, 0, len(positions), instances)
            else:
                type = pm.IndexType.UInt16 if indices.dtype == np.uint16 else pm.IndexType.UInt32
                encoder.draw_indexed_primitives(kind, len(indices), type, self.painter.buffer(indices), 0, instances)

        return self.draw(draw, samples=samples, target=target, depth=depth, prepare=prepare)


def snapped(clip, side):
    """Where a vertex is in the window, rounded to 1/256 pixel: exact."""
    x, y, _, w = (Fraction(float(number)) for number in clip)
    window = (x / w + 1) * side / 2, (1 - y / w) * side / 2
    return tuple(Fraction(round(number * 256), 256) for number in window)


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_inside(triangle, place):
    """The top-left rule, y downwards."""
    a, b, c = triangle
    area = cross(a, b, c)
    if area == 0:
        return False
    if area < 0:
        b, c = c, b
    for p, q in ((a, b), (b, c), (c, a)):
        side = cross(p, q, place)
        is_top_left = q[1] < p[1] or (q[1] == p[1] and q[0] > p[0])
        if side < 0 or (side == 0 and not is_top_left):
            return False
    return True


def coverage_of(triangle, side, samples=1):
    """Bits of covered samples for each pixel, rows first."""
    covered = np.zeros((side, side), int)
    xs, ys = ([p[axis] for p in triangle] for axis in (0, 1))
    for y in range(max(0, int(min(ys)) - 1), min(side, int(max(ys)) + 2)):
        for x in range(max(0, int(min(xs)) - 1), min(side, int(max(xs)) + 2)):
            for sample, (sx, sy) in enumerate(SAMPLES[samples]):
                if is_inside(triangle, (x + Fraction(sx, 16), y + Fraction(sy, 16))):
                    covered[y, x] |= 1 << sample
    return covered


def weights_at(triangle, place):
    """Barycentric coordinates."""
    a, b, c = triangle
    area = cross(a, b, c)
    return cross(b, c, place) / area, cross(c, a, place) / area, cross(a, b, place) / area


def leaves_diamond(line, x, y):
    """Whether a line leaves the diamond of a pixel; its ends are thought to lie a trifle further left and up."""
    trifle = Fraction(1, 1 << 40)
    ends = [(p[0] - trifle - x - Fraction(1, 2), p[1] - trifle**2 - y - Fraction(1, 2)) for p in line]
    if sum(abs(number) for number in ends[1]) < Fraction(1, 2):
        return False
    begin, end = Fraction(0), Fraction(1)
    for sx in (1, -1):
        for sy in (1, -1):  # sx x + sy y < 1/2
            at_start, at_end = (sx * p[0] + sy * p[1] - Fraction(1, 2) for p in ends)
            if at_start >= 0 and at_end >= 0:
                return False
            if at_start != at_end:
                meets = at_start / (at_start - at_end)
                if at_start >= 0:
                    begin = max(begin, meets)
                elif at_end >= 0:
                    end = min(end, meets)
    return begin < end

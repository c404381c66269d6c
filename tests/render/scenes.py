# SPDX-License-Identifier: MIT
"""Small scenes that each show a few of the things that a render pass can do, for pictures that are kept.

A scene is a function of a Stage that returns its picture, rows first, in RGBA of 8 bits.
"""

import numpy as np

import mtlpy_nb.metal as pm

from .painting import Painter, read

SIDE = 64
COLOR, DEPTH, STENCIL = pm.PixelFormat.RGBA8Unorm, pm.PixelFormat.Depth32Float, pm.PixelFormat.Stencil8

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct In {
    float4 position [[attribute(0)]];
    float4 color [[attribute(1)]];
    float2 place [[attribute(2)]];
};
struct Out {
    float4 position [[position]];
    float size [[point_size]];
    float4 color;
    float4 steady [[center_no_perspective]];
    float4 whole [[flat]];
    float2 place;
};
struct Instanced {
    float4 position [[attribute(0)]];
    float4 color [[attribute(1)]];
    float2 place [[attribute(2)]];
    float4 turn [[attribute(3)]];
    float4 tint [[attribute(4)]];
};

vertex Out scene(In in [[stage_in]])
{
    return {in.position, in.place.x, in.color, in.color, in.color, in.place};
}
vertex Out instances(Instanced in [[stage_in]])
{
    const float2 turned(in.position.x * in.turn.x - in.position.y * in.turn.y,
                        in.position.x * in.turn.y + in.position.y * in.turn.x);
    return {float4(turned + in.turn.zw, in.position.zw), 1, in.color * in.tint, in.color, in.tint, in.place};
}

fragment float4 smooth_color(Out in [[stage_in]]) { return in.color; }
fragment float4 three_ways(Out in [[stage_in]])
{
    return in.place.x < 1 ? in.color : in.place.x < 2 ? in.steady : in.whole;
}
fragment float4 two_sided(Out in [[stage_in]], bool isFront [[front_facing]])
{
    return isFront ? in.color : float4(0.5, 0.5, 0.5, 1);
}
fragment float4 disc(Out in [[stage_in]], float2 where [[point_coord]])
{
    if (length(where - 0.5) > 0.5) discard_fragment();
    return in.color;
}
fragment float4 textured(Out in [[stage_in]], texture2d<float> picture [[texture(0)]], sampler s [[sampler(0)]])
{
    return picture.sample(s, in.place) * in.color;
}
fragment float4 layers(Out in [[stage_in]], texture3d<float> block [[texture(0)]], sampler s [[sampler(0)]])
{
    const float2 tile = floor(in.place * 2);
    return block.sample(s, float3(fract(in.place * 2), (tile.x + 2 * tile.y + 0.5) / 4));
}
"""


def corners(positions, colors, places=None):
    """Vertices as the functions fetch them: float4 position, float4 colour, float2 place."""
    positions = np.atleast_2d(np.float32(positions))
    out = np.zeros((len(positions), 10), np.float32)
    out[:, 3] = 1
    out[:, : positions.shape[1]] = positions
    out[:, 4:8] = colors
    if places is not None:
        out[:, 8:] = places
    return out


def perspective(points, *, turn=(0.0, 0.0), move=(0.0, 0.0, 0.0), near=0.5, far=8.0, zoom=1.6):
    """Points turned about y, then about x, moved, and seen from the origin along z."""
    a, b = turn
    about_y = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    at = np.asarray(points, float) @ about_y.T @ about_x.T + move
    z = (at[:, 2] - near) * far / (far - near)
    return np.float32(np.column_stack([zoom * at[:, 0], zoom * at[:, 1], z, at[:, 2]]))


CUBE = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
# Each face's corners so that two triangles 0 1 2, 2 1 3 show it, clockwise from outside.
FACES = [(2, 3, 0, 1), (7, 6, 5, 4), (6, 2, 4, 0), (3, 7, 1, 5), (6, 7, 2, 3), (0, 1, 4, 5)]
HUES = np.float32(
    [
        [0.9, 0.3, 0.2, 1],
        [0.2, 0.7, 0.3, 1],
        [0.25, 0.4, 0.9, 1],
        [0.95, 0.8, 0.2, 1],
        [0.7, 0.3, 0.8, 1],
        [0.2, 0.8, 0.8, 1],
    ]
)


def cube(**view):
    at = perspective(CUBE, **view)
    order = [face[i] for face in FACES for i in (0, 1, 2, 2, 1, 3)]
    places = np.tile(np.float32([[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]]), (6, 1))
    return corners(at[order], HUES.repeat(6, axis=0), places)


class Stage:
    """What scenes share: a device, pipelines, and one pass."""

    def __init__(self, device):
        self.painter = Painter(device)
        self.device = device
        self.library = device.new_library_with_source(SOURCE)
        self.pipelines = {}

    def pipeline(self, fragment, *, vertex="scene", depth=False, stencil=False, samples=1, blending=()):
        key = fragment, vertex, depth, stencil, samples, blending
        if key in self.pipelines:
            return self.pipelines[key]
        form = pm.RenderPipelineDescriptor()
        form.vertex_function = self.library.new_function(vertex)
        form.fragment_function = self.library.new_function(fragment) if fragment else None
        form.raster_sample_count = samples
        color = form.color_attachment(0)
        color.pixel_format = COLOR
        for name, value in blending:
            setattr(color, name, value)
        if not fragment:
            color.write_mask = 0
        if depth:
            form.depth_attachment_pixel_format = DEPTH
        if stencil:
            form.stencil_attachment_pixel_format = STENCIL
        vertices = form.vertex_descriptor
        formats = [(0, 0, 4), (16, 0, 4), (32, 0, 2)] + ([(0, 1, 4), (16, 1, 4)] if vertex == "instances" else [])
        for index, (offset, buffer, count) in enumerate(formats):
            attribute = vertices.attribute(index)
            attribute.format = pm.VertexFormat.Float4 if count == 4 else pm.VertexFormat.Float2
            attribute.offset, attribute.buffer_index = offset, buffer
        vertices.layout(0).stride = 40
        if vertex == "instances":
            vertices.layout(1).stride = 32
            vertices.layout(1).step_function = pm.VertexStepFunction.PerInstance
        self.pipelines[key] = self.device.new_render_pipeline_state(form)
        return self.pipelines[key]

    def tests(self, compare=pm.CompareFunction.Less, *, writes=True, stencil=None, passes=None):
        form = pm.DepthStencilDescriptor()
        form.depth_compare_function, form.depth_write_enabled = compare, writes
        if stencil is not None:
            for face in (form.front_face_stencil, form.back_face_stencil):
                face.stencil_compare_function = stencil
                face.depth_stencil_pass_operation = passes or pm.StencilOperation.Keep
        return self.device.new_depth_stencil_state(form)

    def vertices(self, encoder, array):
        encoder.set_vertex_buffer(self.painter.buffer(array), 0, 0)

    def show(self, draw, *, depth=False, stencil=False, samples=1, clear=(0.1, 0.1, 0.15, 1)):
        """The picture of one pass, drawn by `draw(encoder)`."""
        target = self.painter.texture(COLOR, SIDE, SIDE)
        form = pm.RenderPassDescriptor()
        color = form.color_attachment(0)
        color.texture, color.load_action, color.clear_color = target, pm.LoadAction.Clear, clear
        color.store_action = pm.StoreAction.Store
        if samples > 1:
            color.texture = self.painter.multisampled(COLOR, SIDE, SIDE, samples)
            color.resolve_texture, color.store_action = target, pm.StoreAction.MultisampleResolve
        for attachment, wanted, pixel_format in (
            (form.depth_attachment, depth, DEPTH),
            (form.stencil_attachment, stencil, STENCIL),
        ):
            if not wanted:
                continue
            make = self.painter.texture if samples == 1 else self.painter.multisampled
            settings = [samples] if samples > 1 else []
            attachment.texture = make(pixel_format, SIDE, SIDE, *settings, storage_mode=pm.StorageMode.Memoryless)
            attachment.load_action = pm.LoadAction.Clear
        self.painter.run(form, draw)
        return read(target, np.uint8, 4)


def triangles_in_perspective(stage):
    """Three large triangles that go through each other, nearest shown; one reaches behind the viewer."""
    at = perspective(
        [
            [-2, -1, 0],
            [2, -1, 0],
            [0, 1.6, 0],
            [-1, -1.5, -2],
            [1.8, 0.4, -1],
            [-1.2, 1, 1.6],
            [-2, 0.2, -4],
            [2, 0, 3],
            [2, 0.9, 3],
        ],
        move=(0, 0, 3),
    )
    points = corners(at, HUES[[0, 0, 3, 1, 5, 1, 2, 2, 4]])

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color", depth=True))
        encoder.set_depth_stencil_state(stage.tests())
        stage.vertices(encoder, points)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 9)

    return stage.show(draw, depth=True)


def blended_squares(stage):
    """Squares over each other: mixed by alpha, added, multiplied, and the largest of both."""
    factor, operation = pm.BlendFactor, pm.BlendOperation
    kinds = [
        (factor.SourceAlpha, factor.OneMinusSourceAlpha, operation.Add),
        (factor.One, factor.One, operation.Add),
        (factor.DestinationColor, factor.Zero, operation.Add),
        (factor.One, factor.One, operation.Max),
    ]

    def draw(encoder):
        for i, (source, destination, combine) in enumerate(kinds):
            blending = (
                ("blending_enabled", True),
                ("source_rgb_blend_factor", source),
                ("destination_rgb_blend_factor", destination),
                ("rgb_blend_operation", combine),
            )
            encoder.set_render_pipeline_state(stage.pipeline("smooth_color", blending=blending))
            x, y = -1 + i % 2, -1 + i // 2
            for j, hue in enumerate(HUES[:3]):
                low, high = np.float32([x, y]) + 0.08 + 0.2 * j, np.float32([x, y]) + 0.5 + 0.2 * j
                square = [low, [low[0], high[1]], [high[0], low[1]], high]
                stage.vertices(encoder, corners(square, np.float32([*hue[:3], 0.5])))
                encoder.draw_primitives(pm.PrimitiveType.TriangleStrip, 0, 4)

    return stage.show(draw, clear=(0.35, 0.3, 0.4, 1))


def smoothed_edges(stage):
    """Thin rays with 4 samples, resolved: their edges have shades between."""
    rays = []
    for angle in np.arange(11) * 2 * np.pi / 11 + 0.1:
        x, y = np.cos(angle), np.sin(angle)
        rays += [[0, 0], [x - 0.07 * y, y + 0.07 * x], [x + 0.07 * y, y - 0.07 * x]]
    hues = np.resize(HUES, (11, 4)).repeat(3, axis=0)

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color", samples=4))
        stage.vertices(encoder, corners(np.float32(rays) * 0.95, hues))
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 33)

    return stage.show(draw, samples=4)


def lines_and_points(stage):
    """Lines of all directions, a strip of them, and points of five sizes that a function makes round."""
    angles = np.arange(12) * 2 * np.pi / 12
    star = [point for a in angles for point in ([-0.5, 0.5], [-0.5 + 0.42 * np.cos(a), 0.5 + 0.42 * np.sin(a)])]
    wave = [[-0.9 + 0.1 * i, -0.5 + 0.3 * np.sin(i)] for i in range(19)]
    points = [[x, 0.49] for x in (0.05, 0.17, 0.34, 0.56, 0.84)]

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color"))
        stage.vertices(encoder, corners(star, np.resize(HUES, (24, 4))))
        encoder.draw_primitives(pm.PrimitiveType.Line, 0, 24)
        stage.vertices(encoder, corners(wave, np.resize(HUES, (19, 4))))
        encoder.draw_primitives(pm.PrimitiveType.LineStrip, 0, 19)
        encoder.set_render_pipeline_state(stage.pipeline("disc"))
        sizes = np.column_stack([[1, 2, 4, 7, 11], np.zeros(5)])
        stage.vertices(encoder, corners(points, HUES[:5], sizes))
        encoder.draw_primitives(pm.PrimitiveType.Point, 0, 5)

    return stage.show(draw)


def wireframe(stage):
    """A cube as its lines: hidden ones on the left, only faces that look here on the right."""

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color"))
        encoder.set_triangle_fill_mode(pm.TriangleFillMode.Lines)
        stage.vertices(encoder, cube(turn=(0.7, 0.5), move=(0, 0, 5)))
        for x, cull in ((-16, pm.CullMode.None_), (16, pm.CullMode.Back)):
            encoder.set_viewport(x, 0, SIDE, SIDE)
            encoder.set_cull_mode(cull)
            encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 36)

    return stage.show(draw)


def textured_cube(stage):
    """A floor to the horizon and a cube on it, in a checked texture whose levels have hues of their own."""
    levels = 6
    form = pm.TextureDescriptor.texture2d_descriptor(COLOR, 32, 32, True)
    picture = stage.device.new_texture(form)
    for level in range(levels):
        size = 32 >> level
        y, x = np.mgrid[:size, :size]
        checks = ((x * 8 // max(size, 8) + y * 8 // max(size, 8)) % 2)[..., None]
        texels = np.uint8(255 * (0.35 + 0.65 * checks) * np.array([*HUES[level][:3], 1]))
        texels[..., 3] = 255
        picture.replace_region(texels.tobytes(), size * 4, 0, 0, size, size, level=level)
    sampler = pm.SamplerDescriptor()
    sampler.min_filter = sampler.mag_filter = pm.SamplerMinMagFilter.Linear
    sampler.mip_filter = pm.SamplerMipFilter.Linear
    sampler.s_address_mode = sampler.t_address_mode = pm.SamplerAddressMode.Repeat
    floor = perspective([[-40, -1.2, 0.6], [40, -1.2, 0.6], [-40, -1.2, 40], [40, -1.2, 40]], near=0.3, far=50)
    places = np.float32([[-20, 0], [20, 0], [-20, 20], [20, 20]])

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("textured", depth=True))
        encoder.set_depth_stencil_state(stage.tests())
        encoder.set_fragment_texture(picture, 0)
        encoder.set_fragment_sampler_state(stage.device.new_sampler_state(sampler), 0)
        stage.vertices(encoder, corners(floor, 1, places))
        encoder.draw_primitives(pm.PrimitiveType.TriangleStrip, 0, 4)
        box = cube(turn=(0.6, 0.35), move=(0, 0.2, 4.5), near=0.3, far=50)
        box[:, 4:8] = 1
        stage.vertices(encoder, box)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 36)

    return stage.show(draw, depth=True)


def outline_by_stencil(stage):
    """A cube marks the stencil; a larger one is drawn where there is no mark."""
    always, differs = pm.CompareFunction.Always, pm.CompareFunction.NotEqual

    def draw(encoder):
        encoder.set_stencil_reference_value(1)
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color", depth=True, stencil=True))
        encoder.set_cull_mode(pm.CullMode.Back)
        mark = stage.tests(stencil=always, passes=pm.StencilOperation.Replace)
        encoder.set_depth_stencil_state(mark)
        stage.vertices(encoder, cube(turn=(0.5, 0.4), move=(0, 0, 5)))
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 36)
        encoder.set_depth_stencil_state(stage.tests(always, writes=False, stencil=differs))
        larger = cube(turn=(0.5, 0.4), move=(0, 0, 5), zoom=1.85)
        larger[:, 4:8] = 1
        stage.vertices(encoder, larger)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 36)

    return stage.show(draw, depth=True, stencil=True)


def instances(stage):
    """One triangle five times five, turned and coloured by what each instance fetches."""
    triangle = corners(
        [[0, 0.18], [-0.13, -0.1], [0.13, -0.1]], np.float32([[1, 1, 1, 1], [0.6, 0.6, 0.6, 1], [0.8, 0.8, 0.8, 1]])
    )
    of_each = np.zeros((25, 8), np.float32)
    for i in range(25):
        angle = i * 2 * np.pi / 25
        of_each[i, :4] = np.cos(angle), np.sin(angle), -0.8 + 0.4 * (i % 5), 0.8 - 0.4 * (i // 5)
        of_each[i, 4:] = HUES[i % 6]

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color", vertex="instances"))
        stage.vertices(encoder, triangle)
        encoder.set_vertex_buffer(stage.painter.buffer(of_each), 0, 1)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3, 24, 1)

    return stage.show(draw)


def restarted_strips(stage):
    """Zigzags of triangles and of lines in one buffer of indices each, begun anew by the largest index."""
    rows = np.float32([[-0.9 + 0.3 * i, 0.9 - 0.24 * j] for j in range(8) for i in range(7)])
    indices = []
    for band in (0, 2, 4):
        for i in range(7):
            indices += [band * 7 + i, (band + 1) * 7 + i]
        indices.append(0xFFFF)
    lines = [i for row in (6, 7) for i in [*range(row * 7, row * 7 + 7), 0xFFFF]]

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("smooth_color"))
        stage.vertices(encoder, corners(rows, np.resize(HUES, (56, 4))))
        for kind, order in ((pm.PrimitiveType.TriangleStrip, indices), (pm.PrimitiveType.LineStrip, lines)):
            order = np.uint16(order)
            encoder.draw_indexed_primitives(kind, len(order), pm.IndexType.UInt16, stage.painter.buffer(order), 0)

    return stage.show(draw)


def faces_and_culling(stage):
    """Triangles of both windings: all, without the back ones, without the front ones; then the other way round."""
    both = [[-0.8, -0.7], [-0.5, 0.7], [-0.1, -0.7], [0.1, -0.7], [0.8, -0.7], [0.5, 0.7]]

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("two_sided"))
        stage.vertices(encoder, corners(both, HUES[[0, 1, 2, 3, 4, 5]]))
        culls = (pm.CullMode.None_, pm.CullMode.Back, pm.CullMode.Front)
        for row, winding in enumerate((pm.Winding.Clockwise, pm.Winding.CounterClockwise)):
            encoder.set_front_facing_winding(winding)
            for column, cull in enumerate(culls):
                encoder.set_viewport(column * SIDE / 3, row * SIDE / 2, SIDE / 3, SIDE / 2)
                encoder.set_cull_mode(cull)
                encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)

    return stage.show(draw)


def planes_of_a_block(stage):
    """Four planes of a 3D texture, each drawn into by a pass of its own, then seen beside each other."""
    block = stage.painter.texture(COLOR, 16, 16, texture_type=pm.TextureType.Type3D, depth=4)
    for plane in range(4):
        form = pm.RenderPassDescriptor()
        color = form.color_attachment(0)
        color.texture, color.depth_plane = block, plane
        color.load_action, color.store_action = pm.LoadAction.Clear, pm.StoreAction.Store
        color.clear_color = (*(HUES[plane][:3] * 0.3).tolist(), 1)
        angle = plane * np.pi / 8
        shape = [[0.8 * np.cos(angle + i * 2 * np.pi / 3), 0.8 * np.sin(angle + i * 2 * np.pi / 3)] for i in range(3)]

        def triangle(encoder, shape=shape, plane=plane):
            encoder.set_render_pipeline_state(stage.pipeline("smooth_color"))
            stage.vertices(encoder, corners(shape, HUES[plane]))
            encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)

        stage.painter.run(form, triangle)

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("layers"))
        encoder.set_fragment_texture(block, 0)
        encoder.set_fragment_sampler_state(stage.device.new_sampler_state(pm.SamplerDescriptor()), 0)
        square = corners([[-1, 1], [1, 1], [-1, -1], [1, -1]], 1, np.float32([[0, 0], [1, 0], [0, 1], [1, 1]]))
        stage.vertices(encoder, square)
        encoder.draw_primitives(pm.PrimitiveType.TriangleStrip, 0, 4)

    return stage.show(draw)


def ways_of_interpolation(stage):
    """The same leaning square with colours in perspective, without it, and of one vertex alone; cut by a scissor."""
    square = perspective([[-1, -1, -1.2], [1, -1, 2], [-1, 1, -1.2], [1, 1, 2]], move=(0, 0, 2.4))

    def draw(encoder):
        encoder.set_render_pipeline_state(stage.pipeline("three_ways"))
        for i in range(3):
            encoder.set_viewport(0, i * SIDE / 3, SIDE, SIDE / 3)
            encoder.set_scissor_rect(4 * i, 1 + i * SIDE // 3, SIDE - 8 * i, SIDE // 3 - 2)
            stage.vertices(encoder, corners(square, HUES[[0, 1, 2, 3]], np.float32([i + 0.5, 0])))
            encoder.draw_primitives(pm.PrimitiveType.TriangleStrip, 0, 4)

    return stage.show(draw)


SCENES = [
    triangles_in_perspective,
    blended_squares,
    smoothed_edges,
    lines_and_points,
    wireframe,
    textured_cube,
    outline_by_stencil,
    instances,
    restarted_strips,
    faces_and_culling,
    planes_of_a_block,
    ways_of_interpolation,
]

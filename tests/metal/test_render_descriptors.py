# SPDX-License-Identifier: MIT
"""What render passes and pipelines are described by: each setting keeps what it is told, and refuses what it cannot."""

import gc
import weakref

import pytest

import mtlpy_nb.metal as pm


def settings(kind):
    """Names of properties that can be set."""
    return [name for name, member in vars(kind).items() if isinstance(member, property) and member.fset is not None]


MADE = {
    pm.RenderPipelineDescriptor: pm.RenderPipelineDescriptor.render_pipeline_descriptor,
    pm.RenderPassDescriptor: pm.RenderPassDescriptor.render_pass_descriptor,
    pm.VertexDescriptor: pm.VertexDescriptor.vertex_descriptor,
    pm.DepthStencilDescriptor: pm.DepthStencilDescriptor.depth_stencil_descriptor,
    pm.StencilDescriptor: pm.StencilDescriptor.stencil_descriptor,
}


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_both_ways_of_making_one(kind):
    assert type(MADE[kind]()) is kind
    assert type(kind()) is kind


def test_a_colour_of_a_pipeline_begins_as_metal_says():
    colour = pm.RenderPipelineDescriptor().color_attachment(0)
    assert colour.pixel_format == pm.PixelFormat.Invalid
    assert not colour.blending_enabled
    assert (colour.source_rgb_blend_factor, colour.destination_rgb_blend_factor) == (pm.BlendFactor.One, 0)
    assert (colour.rgb_blend_operation, colour.write_mask) == (pm.BlendOperation.Add, pm.ColorWriteMaskAll)


VALUES = [
    (pm.RenderPipelineColorAttachmentDescriptor, "pixel_format", pm.PixelFormat.RGBA16Float),
    (pm.RenderPipelineColorAttachmentDescriptor, "blending_enabled", True),
    (pm.RenderPipelineColorAttachmentDescriptor, "source_rgb_blend_factor", pm.BlendFactor.SourceAlpha),
    (pm.RenderPipelineColorAttachmentDescriptor, "destination_rgb_blend_factor", pm.BlendFactor.OneMinusSourceAlpha),
    (pm.RenderPipelineColorAttachmentDescriptor, "rgb_blend_operation", pm.BlendOperation.ReverseSubtract),
    (pm.RenderPipelineColorAttachmentDescriptor, "source_alpha_blend_factor", pm.BlendFactor.BlendAlpha),
    (pm.RenderPipelineColorAttachmentDescriptor, "destination_alpha_blend_factor", pm.BlendFactor.Source1Alpha),
    (pm.RenderPipelineColorAttachmentDescriptor, "alpha_blend_operation", pm.BlendOperation.Max),
    (pm.RenderPipelineColorAttachmentDescriptor, "write_mask", pm.ColorWriteMaskRed | pm.ColorWriteMaskAlpha),
    (pm.RenderPipelineDescriptor, "label", "sky"),
    (pm.RenderPipelineDescriptor, "depth_attachment_pixel_format", pm.PixelFormat.Depth32Float),
    (pm.RenderPipelineDescriptor, "stencil_attachment_pixel_format", pm.PixelFormat.Stencil8),
    (pm.RenderPipelineDescriptor, "raster_sample_count", 4),
    (pm.RenderPipelineDescriptor, "sample_count", 2),
    (pm.RenderPipelineDescriptor, "alpha_to_coverage_enabled", True),
    (pm.RenderPipelineDescriptor, "alpha_to_one_enabled", True),
    (pm.RenderPipelineDescriptor, "rasterization_enabled", False),
    (pm.RenderPipelineDescriptor, "input_primitive_topology", pm.PrimitiveTopologyClass.Triangle),
    (pm.RenderPipelineDescriptor, "support_indirect_command_buffers", True),
    (pm.VertexAttributeDescriptor, "format", pm.VertexFormat.UChar4Normalized_BGRA),
    (pm.VertexAttributeDescriptor, "offset", 12),
    (pm.VertexAttributeDescriptor, "buffer_index", 30),
    (pm.VertexBufferLayoutDescriptor, "stride", 20),
    (pm.VertexBufferLayoutDescriptor, "step_function", pm.VertexStepFunction.PerInstance),
    (pm.VertexBufferLayoutDescriptor, "step_rate", 3),
    (pm.RenderPassColorAttachmentDescriptor, "clear_color", (0.25, 0.5, 0.75, 1.0)),
    (pm.RenderPassColorAttachmentDescriptor, "load_action", pm.LoadAction.Clear),
    (pm.RenderPassColorAttachmentDescriptor, "store_action", pm.StoreAction.MultisampleResolve),
    (pm.RenderPassColorAttachmentDescriptor, "store_action_options", 1),
    (pm.RenderPassColorAttachmentDescriptor, "level", 2),
    (pm.RenderPassColorAttachmentDescriptor, "slice", 5),
    (pm.RenderPassColorAttachmentDescriptor, "depth_plane", 7),
    (pm.RenderPassColorAttachmentDescriptor, "resolve_level", 1),
    (pm.RenderPassColorAttachmentDescriptor, "resolve_slice", 3),
    (pm.RenderPassColorAttachmentDescriptor, "resolve_depth_plane", 4),
    (pm.RenderPassDepthAttachmentDescriptor, "clear_depth", 0.5),
    (pm.RenderPassDepthAttachmentDescriptor, "depth_resolve_filter", pm.MultisampleDepthResolveFilter.Max),
    (pm.RenderPassStencilAttachmentDescriptor, "clear_stencil", 200),
    (pm.RenderPassStencilAttachmentDescriptor, "stencil_resolve_filter", 1),
    (pm.RenderPassDescriptor, "render_target_width", 64),
    (pm.RenderPassDescriptor, "render_target_height", 32),
    (pm.RenderPassDescriptor, "render_target_array_length", 6),
    (pm.RenderPassDescriptor, "default_raster_sample_count", 4),
    (pm.DepthStencilDescriptor, "depth_compare_function", pm.CompareFunction.LessEqual),
    (pm.DepthStencilDescriptor, "depth_write_enabled", True),
    (pm.DepthStencilDescriptor, "label", "near first"),
    (pm.StencilDescriptor, "stencil_compare_function", pm.CompareFunction.NotEqual),
    (pm.StencilDescriptor, "stencil_failure_operation", pm.StencilOperation.Zero),
    (pm.StencilDescriptor, "depth_failure_operation", pm.StencilOperation.Invert),
    (pm.StencilDescriptor, "depth_stencil_pass_operation", pm.StencilOperation.IncrementWrap),
    (pm.StencilDescriptor, "read_mask", 0x0F),
    (pm.StencilDescriptor, "write_mask", 0xF0),
]


@pytest.mark.parametrize(("kind", "name", "value"), VALUES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_a_setting_keeps_what_it_is_told(kind, name, value):
    descriptor = kind()
    assert getattr(descriptor, name) != value
    setattr(descriptor, name, value)
    assert getattr(descriptor, name) == value


OBJECTS = {
    "texture", "resolve_texture", "vertex_function", "fragment_function", "vertex_descriptor",
    "vertex_linked_functions", "fragment_linked_functions", "binary_archives", "visibility_result_buffer",
    "rasterization_rate_map", "depth_attachment", "stencil_attachment", "front_face_stencil", "back_face_stencil",
    "max_vertex_amplification_count",
}  # fmt: skip


def test_no_setting_is_left_out_here():
    told = {(kind, name) for kind, name, _ in VALUES}
    shared = {name for _, name, _ in VALUES}
    kinds = {kind for kind, _, _ in VALUES}
    assert [
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name in settings(kind)
        if (kind, name) not in told and name not in OBJECTS and name not in shared
    ] == []


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: pm.RenderPipelineDescriptor().color_attachment(8), "index is 8, must be 0 to 7"),
        (lambda: pm.RenderPassDescriptor().color_attachment(-1), "index is -1"),
        (lambda: pm.VertexDescriptor().attribute(31), "index is 31, must be 0 to 30"),
        (lambda: pm.VertexDescriptor().layout(31), "index is 31"),
        (lambda: setattr(pm.RenderPipelineDescriptor(), "raster_sample_count", 3), "must be 1, 2, 4 or 8"),
        (lambda: setattr(pm.RenderPassDepthAttachmentDescriptor(), "clear_depth", 1.5), "clear_depth is 1.5"),
        (lambda: setattr(pm.RenderPassDepthAttachmentDescriptor(), "clear_depth", float("nan")), "clear_depth is"),
        (lambda: setattr(pm.StencilDescriptor(), "read_mask", 1 << 32), "read_mask is"),
        (lambda: setattr(pm.RenderPipelineColorAttachmentDescriptor(), "write_mask", 16), "write_mask is 16"),
        (lambda: setattr(pm.VertexAttributeDescriptor(), "buffer_index", 31), "buffer_index is 31"),
        (lambda: pm.ClearColor(float("inf"), 0, 0, 1), "red is inf"),
        (lambda: pm.ScissorRect(0, -1, 2, 2), "y is -1"),
        (lambda: pm.SamplePosition(1.0, 0), "less than 1"),
        (lambda: pm.RenderPassDescriptor().set_sample_positions([(0, 0)] * 3), "3 positions"),
    ],
)
def test_what_metal_does_not_have_is_refused(make, error):
    with pytest.raises(pm.ValidationError, match=error):
        make()


def test_values_are_like_tuples():
    colour = pm.ClearColor(1, 0.5, 0.25)
    assert tuple(colour) == colour == (1.0, 0.5, 0.25, 1.0)
    assert pm.Viewport(0, 0, 4, 3) == (0.0, 0.0, 4.0, 3.0, 0.0, 1.0)
    assert tuple(pm.ScissorRect(1, 2, 3, 4)) == (1, 2, 3, 4)
    assert pm.ClearColor() == (0, 0, 0, 1)
    assert repr(pm.ScissorRect(1, 2, 3, 4)) == "ScissorRect(1, 2, 3, 4)"
    colour.green = 0
    assert colour.green == 0


def test_a_descriptor_of_a_pass_holds_its_textures(device):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 4, 4, False)
    descriptor.usage = pm.TextureUsage.RenderTarget
    render_pass = pm.RenderPassDescriptor()
    render_pass.color_attachment(0).texture = device.new_texture(descriptor)
    assert render_pass.color_attachments[0].texture.width == 4
    render_pass.color_attachment(0).texture = None
    assert render_pass.color_attachment(0).texture is None


def test_settings_of_objects_are_taken_away_by_none(device):
    pipeline = pm.RenderPipelineDescriptor()
    assert pipeline.vertex_descriptor is None or isinstance(pipeline.vertex_descriptor, pm.VertexDescriptor)
    vertices = pm.VertexDescriptor()
    vertices.attribute(2).format = pm.VertexFormat.Float3
    pipeline.vertex_descriptor = vertices
    assert pipeline.vertex_descriptor.attribute(2).format == pm.VertexFormat.Float3
    pipeline.vertex_descriptor = None
    pipeline.vertex_function = pipeline.fragment_function = None
    assert pipeline.fragment_function is None
    stencil = pm.StencilDescriptor()
    stencil.read_mask = 3
    state = pm.DepthStencilDescriptor()
    state.front_face_stencil = state.back_face_stencil = stencil
    assert (state.front_face_stencil.read_mask, state.back_face_stencil.read_mask) == (3, 3)
    state.front_face_stencil = None
    assert state.front_face_stencil.read_mask == 0xFFFFFFFF
    made = device.new_depth_stencil_state(state)
    assert made.device is device


def test_the_same_attachment_is_the_same_object():
    pipeline = pm.RenderPipelineDescriptor()
    assert pipeline.color_attachment(1) is pipeline.color_attachments[1] is pipeline.color_attachments.object(1)


def test_reset_forgets():
    pipeline = pm.RenderPipelineDescriptor()
    pipeline.label = "x"
    pipeline.color_attachment(0).pixel_format = pm.PixelFormat.R8Unorm
    pipeline.reset()
    assert (pipeline.label, pipeline.color_attachment(0).pixel_format) == ("", pm.PixelFormat.Invalid)
    vertices = pm.VertexDescriptor()
    vertices.layout(0).stride = 4
    vertices.reset()
    assert vertices.layout(0).stride == 0


@pytest.mark.parametrize("kind", [*MADE, pm.RenderPassColorAttachmentDescriptor], ids=lambda kind: kind.__name__)
def test_descriptors_go_with_their_last_reference(kind):
    gc.disable()
    try:
        made = kind()
        gone = weakref.ref(made)
        del made
        assert gone() is None
    finally:
        gc.enable()

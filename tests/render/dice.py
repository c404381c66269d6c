# SPDX-License-Identifier: MIT
"""Random settings of descriptors and calls of encoders, most of them right, so that what comes behind is reached."""

import random

import numpy as np

import mtlpy_nb.metal as pm

COLORS = [pm.PixelFormat.RGBA8Unorm, pm.PixelFormat.RGBA16Float, pm.PixelFormat.R32Float, pm.PixelFormat.RG8Unorm]
INTEGERS = [pm.PixelFormat.RGBA8Uint, pm.PixelFormat.R32Uint]
ODD_NUMBERS = [float("nan"), float("inf"), float("-inf"), -1e30, 0.0, 1e-40, 3e38]

# Vertices that draws find in their buffers.
VERTICES = 32


KINDS = {
    pm.PrimitiveTopologyClass.Point: [pm.PrimitiveType.Point],
    pm.PrimitiveTopologyClass.Line: [pm.PrimitiveType.Line, pm.PrimitiveType.LineStrip],
    pm.PrimitiveTopologyClass.Triangle: [pm.PrimitiveType.Triangle, pm.PrimitiveType.TriangleStrip],
}


class Dice:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # What all pipelines and draws of a scene have.
        self.topology = self.random.choice([*KINDS, pm.PrimitiveTopologyClass.Triangle])

    def kind(self):
        return self.rarely(lambda: self.any(pm.PrimitiveType), self.random.choice(KINDS[self.topology]))

    def small(self):
        return self.random.randint(-2, 20)

    def number(self):
        return self.random.choice(ODD_NUMBERS) if self.random.random() < 0.3 else self.random.uniform(-20, 40)

    def any(self, enumeration):
        return self.random.choice(list(enumeration))

    def chance(self, part):
        return self.random.random() < part

    def rarely(self, odd, usual):
        """`odd()` once in a while, else what is usual."""
        return odd() if self.chance(0.02) else usual

    def some(self, **makers):
        """Settings, each there or not."""
        return {name: make() for name, make in makers.items() if self.chance(0.4)}

    # ---- descriptors ----

    def texture(self, place, width, height, samples):
        usual = {"depth": pm.PixelFormat.Depth32Float, "stencil": pm.PixelFormat.Stencil8}
        settings = {
            "pixel_format": self.rarely(
                lambda: self.any(pm.PixelFormat), usual.get(place) or self.random.choice(COLORS)
            ),
            "width": self.rarely(self.small, width),
            "height": self.rarely(self.small, height),
        }
        if samples > 1:
            settings["texture_type"] = pm.TextureType.Type2DMultisample
            settings["sample_count"] = samples
            settings["storage_mode"] = pm.StorageMode.Private
        odd = {
            "texture_type": lambda: self.any(pm.TextureType),
            "sample_count": lambda: self.random.choice([2, 3, 4, 8]),
            "mipmap_level_count": self.small,
            "array_length": self.small,
            "depth": self.small,
            "usage": lambda: self.random.randint(0, 31),
            "storage_mode": lambda: self.any(pm.StorageMode),
        }
        for name, make in odd.items():
            if self.chance(0.01):
                settings[name] = make()
        return settings

    def attachment(self):
        actions = [pm.StoreAction.Store, pm.StoreAction.DontCare]
        settings = {
            "load_action": self.any(pm.LoadAction),
            "store_action": self.rarely(lambda: self.any(pm.StoreAction), self.random.choice(actions)),
        }
        for name in "level", "slice", "depth_plane":
            settings[name] = self.rarely(self.small, 0)
        return settings

    def blending(self):
        return self.some(
            blending_enabled=lambda: True,
            source_rgb_blend_factor=lambda: self.any(pm.BlendFactor),
            destination_rgb_blend_factor=lambda: self.any(pm.BlendFactor),
            source_alpha_blend_factor=lambda: self.any(pm.BlendFactor),
            destination_alpha_blend_factor=lambda: self.any(pm.BlendFactor),
            rgb_blend_operation=lambda: self.any(pm.BlendOperation),
            alpha_blend_operation=lambda: self.any(pm.BlendOperation),
            write_mask=lambda: self.rarely(self.small, self.random.randint(0, 15)),
        )

    def attribute(self, index):
        formats = [
            pm.VertexFormat.Float4,
            pm.VertexFormat.UChar4Normalized,
            pm.VertexFormat.Half4,
            pm.VertexFormat.Float2,
            pm.VertexFormat.Short3Normalized,
            pm.VertexFormat.UInt1010102Normalized,
        ]
        return {
            "format": self.rarely(
                lambda: self.any(pm.VertexFormat),
                pm.VertexFormat.Float4 if self.chance(0.6) else self.random.choice(formats),
            ),
            "offset": self.rarely(lambda: self.random.choice([3, 20, 400]), 16 * index),
            "buffer_index": self.rarely(lambda: self.random.choice([1, 30, 31]), 0),
        }

    def layout(self):
        steps = [pm.VertexStepFunction.PerVertex] * 6 + [pm.VertexStepFunction.PerInstance]
        return {
            "stride": self.rarely(lambda: self.random.choice([-1, 0, 4, 7, 12, 5000]), 32),
            "step_function": self.rarely(lambda: self.any(pm.VertexStepFunction), self.random.choice(steps)),
            "step_rate": self.rarely(self.small, 1),
        }

    def face(self):
        return self.some(
            stencil_compare_function=lambda: self.any(pm.CompareFunction),
            stencil_failure_operation=lambda: self.any(pm.StencilOperation),
            depth_failure_operation=lambda: self.any(pm.StencilOperation),
            depth_stencil_pass_operation=lambda: self.any(pm.StencilOperation),
            read_mask=lambda: self.rarely(self.small, self.random.randint(0, 255)),
            write_mask=lambda: self.random.randint(0, 255),
        )

    def commands(self):
        return {
            "command_types": self.rarely(
                lambda: self.random.randint(0, 255), pm.IndirectCommandTypeDraw | pm.IndirectCommandTypeDrawIndexed
            ),
            "inherit_buffers": self.chance(0.5),
            "inherit_pipeline_state": self.chance(0.5),
            "max_vertex_buffer_bind_count": self.rarely(self.small, 4),
            "max_fragment_buffer_bind_count": self.rarely(self.small, 4),
        }

    # ---- calls ----

    def viewport(self):
        usual = lambda low, high: self.rarely(self.number, self.random.uniform(low, high))  # noqa: E731
        near = self.random.random()
        return (usual(-4, 4), usual(-4, 4), usual(0, 24), usual(0, 24), usual(0, near), usual(near, 1))

    def scissor(self):
        return tuple(self.rarely(self.small, self.random.randint(0, 4)) for _ in range(4))

    def state(self):
        """A call that changes how draws are drawn."""
        number, small = self.number, self.small
        return self.random.choice(
            [
                lambda: ("set_viewport", *self.viewport()),
                lambda: ("set_viewports", [self.viewport() for _ in range(self.random.randint(0, 3))]),
                lambda: ("set_scissor_rect", *self.scissor()),
                lambda: ("set_scissor_rects", [self.scissor() for _ in range(self.random.randint(0, 3))]),
                lambda: ("set_cull_mode", self.any(pm.CullMode)),
                lambda: ("set_front_facing_winding", self.any(pm.Winding)),
                lambda: ("set_triangle_fill_mode", self.any(pm.TriangleFillMode)),
                lambda: ("set_depth_clip_mode", self.any(pm.DepthClipMode)),
                lambda: ("set_depth_bias", number(), number(), number()),
                lambda: ("set_blend_color", number(), number(), number(), number()),
                lambda: ("set_stencil_reference_value", self.random.randint(-1, 300)),
                lambda: ("set_stencil_reference_values", self.random.randint(0, 255), self.random.randint(0, 255)),
                lambda: (
                    "set_visibility_result_mode",
                    self.any(pm.VisibilityResultMode),
                    8 * self.rarely(small, self.random.randint(0, 3)),
                ),
                lambda: ("set_vertex_buffer_offset", self.random.choice([0, 4, 16, 32, 1000, 5000]), 0),
                lambda: ("memory_barrier", *(self.rarely(small, self.random.randint(1, 3)) for _ in range(3))),
                lambda: ("set_color_store_action", self.any(pm.StoreAction), self.random.randint(0, 8)),
            ]
        )()

    def draw(self, indices, arguments):
        """A call that draws; `indices` and `arguments`: buffers of what indices() and arguments() gave."""
        kind, number = self.kind(), self.random.randint
        count = self.rarely(self.small, number(1, 24))
        start, copies = self.rarely(self.small, number(0, 8)), self.rarely(self.small, number(1, 3))
        first = self.rarely(self.small, number(0, 2))
        far = [-(2**31), 2**31 - 1, 2**40, -7]
        base = self.random.choice(far) if self.chance(0.1) else number(-2, 6)
        width = self.any(pm.IndexType)
        offset = self.rarely(self.small, 4 * number(0, 10))
        at = self.rarely(self.small, 4 * number(0, 8))
        return self.random.choice(
            [
                ("draw_primitives", kind, start, count),
                ("draw_primitives", kind, start, count, copies, first),
                ("draw_primitives_instanced", kind, start, count, copies),
                ("draw_indexed_primitives", kind, count, width, indices, offset),
                ("draw_indexed_primitives", kind, count, width, indices, offset, copies, base, first),
                ("draw_indexed_primitives_instanced", kind, count, width, indices, offset, copies),
                ("draw_primitives_indirect", kind, arguments, at),
                ("draw_indexed_primitives_indirect", kind, width, indices, offset, arguments, at),
            ]
        )

    # ---- what is in buffers ----

    def points(self):
        """Places and colours of vertices, some of them no places at all."""
        values = np.float32([[self.random.gauss(0, 1) for _ in range(8)] for _ in range(VERTICES)])
        values[:, 3] = [self.random.choice([1, 1, 1, 0, -1, 1e-30]) for _ in range(VERTICES)]
        for odd in np.nan, np.inf, -np.inf, 3e38, -1e20:
            if self.chance(0.3):
                values[self.random.randrange(VERTICES), self.random.randrange(8)] = odd
        return values

    def indices(self):
        """Read as 16 and as 32 bits: most in reach, some that begin strips anew, some far out."""
        values = np.array([self.random.randrange(VERTICES) for _ in range(96)], np.uint16)
        for odd in (0xFFFF, 0xFFFF, 0xFFFE, 40, 1000):
            if self.chance(0.5):
                values[self.random.randrange(96)] = odd
        if self.chance(0.5):
            values[1::2] = 0  # 32-bit indices that are small
        return values

    def arguments(self):
        """Counts of indirect draws: none so large that they would take long."""
        return np.array([self.random.randint(0, 24) for _ in range(16)], np.uint32)

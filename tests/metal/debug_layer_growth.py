# SPDX-License-Identifier: MIT
"""What test_debug_layer.py runs with MTL_DEBUG_LAYER=1: thousands of textures, one after the other."""

from __future__ import annotations

import mmap

import mtlpy_nb.metal as pm

device = pm.create_system_default_device()
queue = device.new_command_queue()
queue.label = "queue"
descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R8Unorm, 1, 1)
target = pm.RenderPassDescriptor()
target.color_attachment(0).load_action = pm.LoadAction.Clear


def draw_into_new_ones(count):
    for _ in range(count):
        target.color_attachment(0).texture = device.new_texture(descriptor)
        commands = queue.command_buffer()
        commands.render_command_encoder(target).end_encoding()
        commands.commit()
        commands.wait_until_completed()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE


draw_into_new_ones(1000)
before = resident()
draw_into_new_ones(20000)
print(resident() - before)

# SPDX-License-Identifier: MIT
"""What the scenes of debug_layer_program.py share: a device, and things with labels."""

from __future__ import annotations

import mtlpy_nb.metal as pm

device = pm.create_system_default_device()
queue = device.new_command_queue()
queue.label = "main"

SCENES = []


def scene(function):
    SCENES.append(function)
    return function


def buffer(label, options=0, length=4096):
    made = device.new_buffer(length, options)
    if label:
        made.label = label
    return made


def command_buffer(label="frame"):
    made = queue.command_buffer()
    made.label = label
    return made


def compute(commands, label="work", concurrent=False):
    kind = pm.DispatchType.Concurrent if concurrent else pm.DispatchType.Serial
    encoder = commands.compute_command_encoder(kind)
    encoder.label = label
    return encoder


def run(commands):
    commands.commit()
    commands.wait_until_completed()

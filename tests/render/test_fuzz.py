# SPDX-License-Identifier: MIT
"""Descriptors and calls with any values at all: a clear error or a picture, and the device goes on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb.metal as pm

from .fuzzing import Player
from .painting import read


@pytest.fixture(scope="module")
def player():
    return Player(pm.create_system_default_device())


def test_any_scene_is_refused_or_drawn(player):
    outcomes = set()

    @settings(max_examples=40, derandomize=True, deadline=None, database=None)
    @given(st.integers(0, 1 << 32))
    def test(seed):
        outcomes.add(player.play(seed))

    test()
    assert pm.CommandBufferStatus.Completed in outcomes  # not all was refused


def test_the_device_draws_after_all_that(player, painter):
    target = painter.texture(pm.PixelFormat.RGBA8Unorm, 5, 3)
    pipeline = painter.pipeline("paint", [target.pixel_format])
    values = np.ones((3, 5, 4), np.float32)
    painter.run(painter.pass_on(target), lambda encoder: painter.cover(encoder, pipeline, values))
    assert (read(target, np.uint8, 4) == 255).all()

# SPDX-License-Identifier: MIT
"""Scenes against pictures that are kept in `references`: none of them changes by accident.

MTLPY_REWRITE_REFERENCES=1 in the environment draws them anew; look at each before it is kept.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from .scenes import SCENES, Stage, pm

REFERENCES = Path(__file__).with_name("references")
REWRITES = os.environ.get("MTLPY_REWRITE_REFERENCES") == "1"

# Steps of 255 that a channel may be off, and the part of the pixels that may be off by more: edges of other devices.
STEPS = 2
ELSEWHERE = 0.02


@pytest.fixture(scope="module")
def stage():
    return Stage(pm.create_system_default_device())


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_scene_looks_as_it_did(stage, scene):
    picture = scene(stage)
    path = REFERENCES / f"{scene.__name__}.png"
    if REWRITES:
        REFERENCES.mkdir(exist_ok=True)
        Image.fromarray(picture[..., :3]).save(path, optimize=True)
    kept = np.asarray(Image.open(path).convert("RGB")).astype(int)
    assert kept.shape == (*picture.shape[:2], 3)
    off = np.abs(picture[..., :3].astype(int) - kept).max(axis=2) > STEPS
    allowed = 0 if pm.is_software(stage.device) else ELSEWHERE
    assert off.mean() <= allowed, f"{off.sum()} pixels differ, the first at {np.argwhere(off)[0].tolist()}"


def test_every_picture_has_its_scene_and_is_small():
    names = {scene.__name__ for scene in SCENES}
    assert {path.stem for path in REFERENCES.glob("*.png")} == names
    assert max(path.stat().st_size for path in REFERENCES.glob("*.png")) < 8000

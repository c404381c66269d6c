# SPDX-License-Identifier: MIT
"""GLSL that uses much of the language at once, translated in many of the ways that spirv-cross has, compiles."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .translate import metal_source

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "stages"))

from stage_functions import compile_with

SHADERS = {
    "samplers_of_all_kinds.frag": ["--msl-argument-buffers", "--msl-swizzle-texture-samples"],
    "many_inputs.frag": ["--msl-argument-buffers", "--msl-framebuffer-fetch", "--msl-force-native-arrays"],
    "dual_source.frag": ["--msl-texture-buffer-native", "--msl-check-discarded-frag-stores"],
    "skinning.vert": ["--msl-argument-buffers", "--msl-capture-output", "--msl-no-clip-distance-user-varying"],
    "subgroup_operations.comp": ["--msl-fixed-subgroup-size 32", "--msl-version 20300"],
    "narrow_and_wide.comp": ["--msl-version 20300", "--msl-invariant-float-math"],
    "storage_images.comp": ["--msl-texture-buffer-native", "--msl-version 30000"],
    "nested_blocks.comp": ["--msl-argument-buffers", "--msl-dispatch-base", "--msl-force-native-arrays"],
}


@pytest.mark.parametrize(
    ("shader", "options"),
    [(shader, each) for shader in SHADERS for each in ["--msl-decoration-binding", *SHADERS[shader]]],
)
def test_compiles(shader: str, options: str) -> None:
    text = metal_source(shader, *options.split())
    # The specialisation constants of nested_blocks.comp that have no other use give its workgroup's size.
    done = compile_with(text, "--kernel", "main0", "--constant", "0=8", "-o", "/dev/null")
    assert done.returncode == 0, done.stderr

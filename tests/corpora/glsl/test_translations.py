# SPDX-License-Identifier: MIT
"""The same GLSL in other translations: older Metal, resources in argument buffers, arrays as C has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from . import compute, test_compute, translate

BINDING = "--msl-decoration-binding"
VERSIONS = ["10000", "10100", "10200", "20000", "20100", "20200", "20300", "20400", "30000", "30100"]
OF_ALL_VERSIONS = ["shared_matrices", "arrays_and_functions", "std430_structs"]
TRANSLATIONS = {
    "argument buffers": (
        ("--msl-argument-buffers",),
        ["std430_structs", "std140_uniform", "shared_matrices", "atomics", "blur_image", "texture_sampling",
         "integer_images", "descriptor_arrays"],
    ),
    "argument buffers with all that is declared": (
        ("--msl-argument-buffers", "--msl-force-active-argument-buffer-resources"), ["std140_uniform", "atomics"],
    ),
    "arguments in device memory": (
        ("--msl-argument-buffers", "--msl-device-argument-buffer", "0"), ["std430_structs", "texture_sampling"],
    ),
    "native arrays": (
        (BINDING, "--msl-force-native-arrays"),
        ["arrays_and_functions", "std430_structs", "packing", "texture_kinds", "specialization_constants"],
    ),
    "floats that do not vary": ((BINDING, "--msl-invariant-float-math"), ["matrices", "noise", "ray_march"]),
    "a size of subgroups": ((BINDING, "--msl-fixed-subgroup-size", "32"), ["subgroups"]),
}  # fmt: skip


def check(monkeypatch: pytest.MonkeyPatch, test: str, options: tuple[str, ...]) -> list[str]:
    """Run a test on another translation; gives the names of the shaders that it has run."""
    names: list[str] = []

    def run(name: str, *arguments: Any, **resources: Any) -> None:
        names.append(name)
        compute.run(name, *arguments, **resources)

    monkeypatch.setattr(compute, "ALSO", options)
    monkeypatch.setattr(test_compute, "run", run)
    function = getattr(test_compute, f"test_{test}")
    takes_numbers = "rng" in function.__code__.co_varnames[: function.__code__.co_argcount]
    function(*([np.random.default_rng(7)] if takes_numbers else []))
    return names


@pytest.mark.parametrize("version", VERSIONS)
def test_older_metal(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    for test in OF_ALL_VERSIONS:
        check(monkeypatch, test, (BINDING, "--msl-version", version))


@pytest.mark.parametrize(
    ("name", "test"), [(name, test) for name, (_, tests) in TRANSLATIONS.items() for test in tests]
)
def test_translation(monkeypatch: pytest.MonkeyPatch, name: str, test: str) -> None:
    options = TRANSLATIONS[name][0]
    for shader in check(monkeypatch, test, options):
        usual = translate.metal_source(shader, BINDING)
        assert translate.metal_source(shader, *options) != usual, f"{name} changes nothing of {shader}"


def test_matrices_in_shared_memory_are_wrapped_before_metal_3() -> None:
    wrapped = ["spvStorageMatrix" in translate.metal_source("shared_matrices.comp", BINDING, "--msl-version", version)
               for version in ("20400", "30000")]  # fmt: skip
    assert wrapped == [True, False]

# SPDX-License-Identifier: MIT
"""Each kind of transform that OpenColorIO has code for, by the Metal that it writes and by its CPU path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import PyOpenColorIO as ocio  # noqa: N813
import pytest

from .shaders import on_cpu, on_metal

CONFIG = ocio.Config.CreateFromBuiltinConfig("studio-config-v4.0.0_aces-v2.0_ocio-v2.5")
LINEAR = "ACES2065-1"
ENCODED = [name for name in CONFIG.getColorSpaceNames() if not name.startswith(("Linear", "ACES2065", "Raw"))]


@pytest.fixture(scope="module")
def pixels() -> np.ndarray:
    rng = np.random.default_rng(11)
    usual, wide = rng.uniform(0, 1, (200, 4)), rng.uniform(-0.1, 4, (56, 4))
    return np.concatenate([usual, wide]).astype(np.float32)


def agree(transform: Any, pixels: np.ndarray, relative: float = 1e-4, absolute: float = 1e-5) -> np.ndarray:
    processor = transform if isinstance(transform, ocio.Processor) else CONFIG.getProcessor(transform)
    wanted = on_cpu(processor, pixels, ocio.OPTIMIZATION_LOSSLESS)
    got = on_metal(processor, pixels, ocio.OPTIMIZATION_LOSSLESS)
    np.testing.assert_allclose(got, wanted, rtol=relative, atol=absolute)
    return wanted


@pytest.mark.parametrize("name", ENCODED)
def test_color_space_both_ways(pixels: np.ndarray, name: str) -> None:
    agree(CONFIG.getProcessor(LINEAR, name), pixels)
    agree(CONFIG.getProcessor(name, LINEAR), np.clip(pixels, 0, 1))


@pytest.mark.parametrize(
    ("display", "view"),
    [
        ("sRGB - Display", "ACES 2.0 - SDR 100 nits (Rec.709)"),
        ("Rec.2100-PQ - Display", "ACES 2.0 - HDR 4000 nits (Rec.2020)"),
        ("Rec.2100-HLG - Display", "ACES 2.0 - HDR 1000 nits (P3 D65)"),
    ],
)
def test_tone_mapped_view(pixels: np.ndarray, display: str, view: str) -> None:
    """Tables in textures of one dimension, searched in loops, and functions of a dozen parameters."""
    agree(ocio.DisplayViewTransform(src=LINEAR, display=display, view=view), pixels, 2e-3, 2e-4)


def grading(style: Any) -> dict[str, Callable[[], Any]]:
    def primary() -> Any:
        value = ocio.GradingPrimary(style)
        value.gamma = ocio.GradingRGBM(1.1, 0.9, 1.05, 1.02)
        value.saturation, value.pivot = 1.3, 0.2
        value.lift = ocio.GradingRGBM(0.02, -0.01, 0.03, 0.01)
        value.contrast = ocio.GradingRGBM(1.2, 0.9, 1.1, 1.05)
        value.offset = ocio.GradingRGBM(0.01, 0.02, -0.02, 0.01)
        return ocio.GradingPrimaryTransform(value, style, False)

    def tone() -> Any:
        value = ocio.GradingTone(style)
        value.midtones = ocio.GradingRGBMSW(1.4, 0.8, 1.1, 1.2, value.midtones.start, value.midtones.width)
        value.shadows = ocio.GradingRGBMSW(1.2, 1.1, 0.8, 0.9, value.shadows.start, value.shadows.width)
        value.scontrast = 1.3
        return ocio.GradingToneTransform(value, style, False)

    def curves() -> Any:
        value = ocio.GradingRGBCurve(style)
        bent = ocio.GradingBSplineCurve([-1.0, -0.9, 0.0, 0.1, 0.5, 0.4, 1.0, 1.1, 3.0, 2.5])
        value.red, value.master = bent, bent
        return ocio.GradingRGBCurveTransform(value, style, False)

    return {"primary": primary, "tone": tone, "curves": curves}


@pytest.mark.parametrize("style", ["LOG", "LIN", "VIDEO"])
@pytest.mark.parametrize("kind", ["primary", "tone", "curves"])
def test_grading(pixels: np.ndarray, style: str, kind: str) -> None:
    transform = grading(getattr(ocio, f"GRADING_{style}"))[kind]()
    wanted = agree(transform, pixels, 3e-4, 3e-5)
    assert np.abs(wanted - pixels).max() > 0.01


FIXED = {
    "glow": (ocio.FIXED_FUNCTION_ACES_GLOW_10, ()),
    "red modifier": (ocio.FIXED_FUNCTION_ACES_RED_MOD_10, ()),
    "dark to dim": (ocio.FIXED_FUNCTION_ACES_DARK_TO_DIM_10, ()),
    "gamut compression": (ocio.FIXED_FUNCTION_ACES_GAMUT_COMP_13, (1.147, 1.264, 1.312, 0.815, 0.803, 0.88, 1.2)),
    "surround": (ocio.FIXED_FUNCTION_REC2100_SURROUND, (0.78,)),
    "hsv": (ocio.FIXED_FUNCTION_RGB_TO_HSV, ()),
    "xyY": (ocio.FIXED_FUNCTION_XYZ_TO_xyY, ()),
    "uvY": (ocio.FIXED_FUNCTION_XYZ_TO_uvY, ()),
    "Luv": (ocio.FIXED_FUNCTION_XYZ_TO_LUV, ()),
}


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("direction", [ocio.TRANSFORM_DIR_FORWARD, ocio.TRANSFORM_DIR_INVERSE], ids=["there", "back"])
def test_fixed_function(pixels: np.ndarray, name: str, direction: Any) -> None:
    style, parameters = FIXED[name]
    given = pixels[:200]  # some of these have no meaning for what is negative
    agree(ocio.FixedFunctionTransform(style, list(parameters), direction), given, 3e-4, 3e-5)


CURVES = {
    "exponent": lambda: ocio.ExponentTransform([1.2, 0.8, 2.2, 1]),
    "mirrored exponent": lambda: ocio.ExponentTransform([1.2, 0.8, 2.2, 1], ocio.NEGATIVE_MIRROR),
    "exponent with a line": lambda: ocio.ExponentWithLinearTransform([2.4, 2.2, 1.8, 1], [0.055, 0.1, 0.02, 0]),
    "logarithm": lambda: ocio.LogAffineTransform(
        logSideSlope=[0.3, 0.2, 0.25], logSideOffset=[0.5, 0.4, 0.6], linSideSlope=[1, 1.1, 1.2],
        linSideOffset=[0.01, 0.02, 0.03],
    ),
    "camera": lambda: ocio.LogCameraTransform(
        linSideBreak=[0.01, 0.02, 0.03], logSideSlope=[0.3] * 3, linSideOffset=[0.05] * 3, linearSlope=[5.0] * 3
    ),
    "range": lambda: ocio.RangeTransform(0.1, 0.9, 0.0, 2.0),
    "ASC CDL": lambda: ocio.CDLTransform(slope=[1.2, 0.9, 1.1], offset=[0.05, -0.1, 0], power=[1.3, 0.8, 1], sat=1.4),
    "exposure and contrast": lambda: ocio.ExposureContrastTransform(
        style=ocio.EXPOSURE_CONTRAST_LINEAR, exposure=1.2, contrast=1.3, gamma=0.9, pivot=0.18
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CURVES)
def test_curve(pixels: np.ndarray, name: str) -> None:
    wanted = agree(CURVES[name](), pixels)
    assert np.abs(wanted - pixels).max() > 0.01


@pytest.mark.parametrize("length", [17, 1024, 10000], ids=["short", "one row", "several rows of a texture"])
def test_table_of_one_dimension(pixels: np.ndarray, length: int) -> None:
    table = ocio.Lut1DTransform(length, inputHalfDomain=False)
    at = np.linspace(0, 1, length)
    values = np.stack([at**0.5, at**1.5, np.sin(at)], 1).astype(np.float32)
    table.setData(values.reshape(-1))
    agree(table, np.clip(pixels, 0, 1), 1e-4, 3e-4)


@pytest.mark.parametrize("interpolation", [ocio.INTERP_LINEAR, ocio.INTERP_TETRAHEDRAL], ids=["eight", "four corners"])
def test_table_of_three_dimensions(pixels: np.ndarray, interpolation: Any) -> None:
    table = ocio.Lut3DTransform(9)
    table.setInterpolation(interpolation)
    table.setData(np.random.default_rng(5).uniform(0, 1, 9**3 * 3).astype(np.float32))
    agree(table, np.clip(pixels, 0, 1), 1e-3, 3e-3 if interpolation == ocio.INTERP_LINEAR else 1e-5)

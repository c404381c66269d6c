# SPDX-License-Identifier: MIT
"""Formats whose blocks only their own library can read: random blocks, read by it (package gguf) and by the kernels."""

from __future__ import annotations

import re

import gguf
import numpy as np
import pytest
from gguf.quants import dequantize

from .launch import Array, Launcher, check, dims, folder

# Where the halves lie that scale a block; all other bytes are free.
SCALES = {
    "q2_K": (80, 82), "q3_K": (108,), "q5_K": (0, 2), "q5_1": (0, 2), "tq2_0": (64,),
    "iq1_s": (0,), "iq2_xxs": (0,), "iq2_xs": (0,), "iq2_s": (0,), "iq3_xxs": (0,), "iq3_s": (0,), "iq4_nl": (0,),
    "iq4_xs": (0,), "iq1_m": (), "mxfp4": (),
}  # fmt: skip


def random_blocks(rng: np.random.Generator, name: str, rows: int, columns: int) -> tuple[Array, Array]:
    """Make rows of blocks, and the numbers that they hold."""
    kind = gguf.GGMLQuantizationType[name.upper()]
    each, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = rng.integers(0, 256, (rows, columns // each, size), np.uint8)
    for place in SCALES[name]:
        blocks[..., place : place + 2] = (
            rng.uniform(0.01, 0.1, blocks.shape[:2]).astype(np.float16)[..., None].view(np.uint8)
        )
    if name == "iq1_m":  # four bits of the scale in each of four words; these are the uppermost
        blocks[..., 55] = blocks[..., 55] & 0x0F | 0x20
    if name == "mxfp4":  # an exponent
        blocks[..., 0] = rng.integers(120, 130, blocks.shape[:2])
    table = blocks.reshape(rows, -1)
    return table, dequantize(table, kind)


@pytest.mark.parametrize("name", SCALES)
def test_get_rows(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    table, numbers = random_blocks(rng, name, 9, 512)
    rows, out = np.array([3, 0, 8, 3], np.int32), np.zeros((4, 512), np.float32)
    sizes = {"ne00t": 32, "ne00": 512, "nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes}
    sizes |= dims("1", rows) | dims("", out) | {"ne10": 4}
    got = ggml(f"kernel_get_rows_{name}", sizes, [table, rows, out], groups=(4, 1, 1), threads=(32, 1, 1))
    assert np.abs(numbers).max() > 0.1
    check(got, numbers[rows], 1e-6, 1e-6)


def _launch_constant(kind: str, name: str) -> int:
    """Rows of a SIMD-group (`N_R0`), SIMD-groups of a threadgroup (`N_SG`)."""
    header = (folder() / "ggml-metal" / "ggml-metal-impl.h").read_text()
    found = re.search(rf"#define {kind}_{name.upper()}\s+(\d+)", header)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("name", [name for name in SCALES if name != "q5_1"])
def test_matrix_by_vectors(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    rows, columns, count = 21, 512, 2
    table, numbers = random_blocks(rng, name, rows, columns)
    y, out = rng.standard_normal((count, columns)).astype(np.float32), np.zeros((count, rows), np.float32)
    size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[name.upper()]][1]
    nr0, nsg = _launch_constant("N_R0", name), _launch_constant("N_SG", name)
    sizes = dims("1", y) | {"ne00": columns, "ne01": rows, "ne02": 1, "ne0": rows, "ne1": count, "r2": 1, "r3": 1}
    sizes |= {"nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes, "nb00": size, "nr0": nr0}
    constants = {"FC_mul_mv_nsg": nsg, "FC_mul_mv_ne12": 1, "FC_mul_mv_r2": 1, "FC_mul_mv_r3": 1}
    launch = {"groups": (-(-rows // (nr0 * nsg)), count, 1), "threads": (32, nsg, 1), "shared": 8192}
    got = ggml(f"kernel_mul_mv_{name}_f32", sizes, [table, y, out], **launch, **constants)
    check(got, y @ numbers.T, 1e-3, 1e-4 * float((np.abs(y) @ np.abs(numbers).T).max()))


@pytest.mark.parametrize("name", ["iq2_xs", "iq1_m", "mxfp4", "q3_K"])
def test_matrix_by_matrix(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    rows, columns, count = 70, 256, 37
    table, numbers = random_blocks(rng, name, rows, columns)
    y, out = rng.standard_normal((count, columns)).astype(np.float32), np.zeros((count, rows), np.float32)
    sizes = dims("1", y) | {"ne00": columns, "ne02": 1, "ne0": rows, "ne1": count, "r2": 1, "r3": 1}
    sizes |= {"nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes}
    constants = {"bc_inp": False, "bc_out": True, "ne12": 1, "r2": 1, "r3": 1}
    launch = {"groups": (-(-count // 32), -(-rows // 64), 1), "threads": (128, 1, 1), "shared": 8192}
    flags = {f"FC_mul_mm_{key}": value for key, value in constants.items()}
    got = ggml(f"kernel_mul_mm_{name}_f32", sizes, [table, y, out], **launch, **flags)
    assert (np.abs(got - y @ numbers.T) <= 2.0**-9 * (np.abs(y) @ np.abs(numbers).T)).all()

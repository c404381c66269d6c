# SPDX-License-Identifier: MIT
"""Scaled dot product attention, for one query and in tiles."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import agree, empty, random
from .test_matrices import struct
from .test_rows import softmax

NO_OPTIONS = {"has_mask": False, "do_causal": False, "has_sinks": False}


def attention(q, k, v, scale, is_causal=False, mask=None):
    scores = np.einsum("bhqd,bhkd->bhqk", q.astype(np.float64), k.astype(np.float64)) * scale
    rows, columns = scores.shape[-2:]
    if is_causal:
        scores = np.where(np.arange(columns) <= np.arange(rows)[:, None] + columns - rows, scores, -np.inf)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ v.astype(np.float64)


def queries_keys_values(rng, kind, heads, rows, columns, size):
    made = [random(rng, kind, (1, h, n, size), -1, 1) for h, n in ((heads, rows), (2, columns), (2, columns))]
    memory, values = zip(*made, strict=True)
    # Heads of queries share those of keys.
    return memory, [values[0], *(np.repeat(x, heads // 2, 1) for x in values[1:])]


@pytest.mark.parametrize(
    ("kind", "absolute", "is_causal"), [("float", 1e-5, False), ("half", 2e-3, True), ("bfloat16_t", 1e-2, False)]
)
def test_attention_of_single_queries(kernel, rng, kind, absolute, is_causal):
    rows, columns, size = 2, 77, 64
    memory, (q, k, v) = queries_keys_values(rng, kind, 4, rows, columns, size)
    out = empty(q.shape, kind)
    run = kernel(
        "sdpa_vector", "sdpa_vector", kind, 64, 64, has_mask=False, query_transposed=False, do_causal=is_causal,
        bool_mask=False, float_mask=False, has_sinks=False,
    )  # fmt: skip
    head = columns * size
    run(
        queries=memory[0], keys=memory[1], values=memory[2], out=out, gqa_factor=2, N=columns, k_head_stride=head,
        k_seq_stride=size, v_head_stride=head, v_seq_stride=size, scale=0.125, grid=(4 * 1024, rows, 1),
        threadgroup=(1024, 1, 1),
    )  # fmt: skip
    agree(out, attention(q, k, v, 0.125, is_causal), kind, 2, absolute)


def test_attention_of_single_queries_with_a_mask(kernel, rng):
    rows, columns, size = 1, 50, 64
    memory, (q, k, v) = queries_keys_values(rng, "float", 2, rows, columns, size)
    mask = rng.integers(0, 2, (2, rows, columns)).astype(np.bool_)
    out = empty(q.shape, "float")
    run = kernel(
        "sdpa_vector", "sdpa_vector", "float", 64, 64, has_mask=True, query_transposed=False, do_causal=False,
        bool_mask=True, float_mask=False, has_sinks=False,
    )  # fmt: skip
    head = columns * size
    run(
        queries=memory[0], keys=memory[1], values=memory[2], out=out, gqa_factor=1, N=columns, k_head_stride=head,
        k_seq_stride=size, v_head_stride=head, v_seq_stride=size, scale=0.125, bmask=mask, mask_kv_seq_stride=1,
        mask_q_seq_stride=columns, mask_head_stride=rows * columns, grid=(2 * 1024, rows, 1), threadgroup=(1024, 1, 1),
    )  # fmt: skip
    agree(out, attention(q, k, v, 0.125, mask=mask[None]), "float", 2, 1e-5)


def test_attention_in_two_passes(kernel, rng):
    columns, size, blocks = 300, 64, 32
    memory, (q, k, v) = queries_keys_values(rng, "float", 4, 1, columns, size)
    partial, sums, highest = empty((4, blocks, size), "float"), empty((4, blocks), "float"), empty((4, blocks), "float")
    run = kernel(
        "sdpa_vector", "sdpa_vector_2pass_1", "float", 64, 64, has_mask=False, query_transposed=False, do_causal=False,
        bool_mask=False, float_mask=False, has_sinks=False, blocks=blocks,
    )  # fmt: skip
    head = columns * size
    run(
        queries=memory[0], keys=memory[1], values=memory[2], out=partial, sums=sums, maxs=highest, N=columns,
        k_head_stride=head, k_seq_stride=size, v_head_stride=head, v_seq_stride=size, scale=0.125,
        grid=(2 * 32, 2, blocks), threadgroup=(32, 2, 1),
    )  # fmt: skip
    out = empty(q.shape, "float")
    kernel("sdpa_vector", "sdpa_vector_2pass_2", "float", 64)(
        partial, sums, highest, out, blocks, grid=(4 * 1024, 1, 1), threadgroup=(1024, 1, 1)
    )
    agree(out, attention(q, k, v, 0.125), "float", 2, 1e-5)


@pytest.mark.parametrize(("kind", "absolute", "is_causal"), [("float", 1e-5, False), ("half", 3e-3, True)])
def test_attention_in_tiles(kernel, rng, kind, absolute, is_causal):
    rows, columns, size, heads = 45, 70, 64, 2
    memory, (q, k, v) = queries_keys_values(rng, kind, heads, rows, columns, size)
    out = empty(q.shape, kind)
    run = kernel(
        "steel_attention", "attention", kind, 32, 32, 64, 64, 4, 1, kind, "float", align_Q=False, align_K=False,
        has_mask=False, do_causal=is_causal, has_sinks=False, save_lse=False,
    )  # fmt: skip
    strides = {"Q": rows, "K": columns, "V": columns, "O": rows}
    params = struct(
        run, "params", B=1, H=heads, D=size, qL=rows, kL=columns, gqa_factor=1, scale=0.125, NQ=2, NK=3, NQ_aligned=1,
        NK_aligned=2, qL_rem=rows - 32, kL_rem=columns - 64, qL_off=columns - rows,
        **{f"{name}_strides": [heads * n * size, n * size, size] for name, n in strides.items()},
    )  # fmt: skip
    run(
        Q=memory[0], K=memory[1], V=memory[2], O=out, params=params, grid=(2 * 32, heads * 4, 1), threadgroup=(32, 4, 1)
    )
    agree(out, attention(q, k, v, 0.125, is_causal), kind, 2, absolute)


def test_scaled_copy_and_causal_mask(kernel, rng):
    memory, values = random(rng, "float", (1, 2, 9, 16))
    out = empty((2, 4, 16), "float")
    kernel("sdpa_blocked", "sdpa_blocked_scale_copy", "float")(
        memory, out, 0.25, np.array([288, 144, 16], np.int64), 2, 4, 16, 5, grid=(16, 4, 2)
    )
    agree(out, values[0, :, 5:] * 0.25, "float")
    scores, plain = random(rng, "float", (8, 20))
    kernel("sdpa_blocked", "sdpa_blocked_causal_mask", "float")(scores, 4, 20, grid=(4, 8))
    hidden = np.zeros((8, 20), bool)
    hidden[:, 16:] = np.arange(4) > (np.arange(8) % 4)[:, None]
    np.testing.assert_array_equal(scores[hidden], np.finfo(np.float32).min)
    np.testing.assert_array_equal(scores[~hidden], plain[~hidden])

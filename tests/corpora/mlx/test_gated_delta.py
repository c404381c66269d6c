# SPDX-License-Identifier: MIT
"""The gated delta rule: a state that is decayed, corrected by what it missed, and asked, step by step and in chunks."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import agree, empty, random

HEADS, SIZE = 2, 32


def delta_rule(q, k, v, state, g, beta):
    """The same with float64: outputs, last state, and the state before each step."""
    outputs, states = [], []
    for t in range(q.shape[0]):
        states.append(state)
        state = state * g[t][:, None, None]
        missed = (v[t] - np.einsum("hvk,hk->hv", state, k[t])) * beta[t][:, None]
        state = state + np.einsum("hv,hk->hvk", missed, k[t])
        outputs.append(np.einsum("hvk,hk->hv", state, q[t]))
    return np.array(outputs), state, np.array(states)


def inputs(rng, kind, steps):
    made = [random(rng, kind, (steps, HEADS, SIZE), -0.3, 0.3) for _ in range(3)]
    state = rng.uniform(-1, 1, (HEADS, SIZE, SIZE)).astype(np.float32)
    gates = [random(rng, kind, (steps, HEADS), 0.5, 1) for _ in range(2)]
    memory = [*(m for m, _ in made), state, *(m for m, _ in gates)]
    values = [*(x for _, x in made), state, *(x for _, x in gates)]
    return memory, [x.astype(np.float64) for x in values]


@pytest.mark.parametrize(("kind", "absolute"), [("float", 1e-5), ("bfloat16_t", 1e-2)])
def test_gated_delta_step_by_step(kernel, rng, kind, absolute):
    steps = 10
    memory, values = inputs(rng, kind, steps)
    y, state = empty((steps, HEADS, SIZE), kind), empty((HEADS, SIZE, SIZE), "float")
    kept = empty((HEADS, 3, SIZE, SIZE), "float")
    run = kernel("gated_delta_update", "gated_delta_seq", kind, 32, 32, 2, 2, 4, save_state=True)
    run(*memory, y, state, steps, kept, grid=(32, SIZE, HEADS), threadgroup=(32, 4, 1))
    outputs, last, states = delta_rule(*values)
    agree(y, outputs, kind, 2, absolute)
    agree(state, last, "float", 4, 1e-5)
    agree(kept, states[::4].swapaxes(0, 1), "float", 4, 1e-5)


@pytest.mark.parametrize(("kind", "absolute"), [("float", 2e-5), ("half", 5e-3)])
@pytest.mark.parametrize("steps", [16, 21])
def test_gated_delta_in_chunks(kernel, rng, kind, absolute, steps):
    memory, values = inputs(rng, kind, steps)
    y, state = empty((steps, HEADS, SIZE), kind), empty((HEADS, SIZE, SIZE), "float")
    run = kernel("gated_delta_update", "gated_delta_fused_chunk", kind, 32, 32, 2, 2, 8)
    run(*memory, y, state, steps, grid=(32, SIZE // 8, HEADS), threadgroup=(32, 4, 1))
    outputs, last, _ = delta_rule(*values)
    agree(y, outputs, kind, 4, absolute)
    agree(state, last, "float", 8, 2e-5 if kind == "float" else 5e-3)

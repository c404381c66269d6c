# SPDX-License-Identifier: MIT
"""Kernels that carry a state from token to token: RWKV's and Mamba's."""

from __future__ import annotations

import numpy as np
import pytest

from .launch import Array, Launcher, check

HEAD = 64


def inputs(rng: np.random.Generator, names: str, tokens: int, heads: int) -> list[Array]:
    return [rng.uniform(-0.5, 0.5, (tokens, heads, HEAD)).astype(np.float32) for _ in names]


def run(ggml: Launcher, name: str, arrays: list[Array], state: Array, sequences: int) -> tuple[Array, Array]:
    """Give what the tokens become and the states at the end."""
    tokens, heads, _ = arrays[0].shape
    out = np.zeros(arrays[0].size + state.size, np.float32)
    kernel = ggml.library[name]
    given = [a.reshape(-1) for a in (*arrays, state)]
    numbers = (sequences, tokens, heads * HEAD, heads)
    kernel(*given, out, *numbers, grid=sequences * heads * HEAD, threadgroup=HEAD)
    ggml.ran.add(name)
    return out[: arrays[0].size].reshape(arrays[0].shape), out[arrays[0].size :].reshape(state.shape)


@pytest.mark.parametrize("sequences", [1, 2])
def test_rwkv6(ggml: Launcher, rng: np.random.Generator, sequences: int) -> None:
    tokens, heads = 6, 2
    k, v, r, decay = inputs(rng, "kvrd", tokens, heads)
    decay = decay + np.float32(0.5)
    first = rng.uniform(-1, 1, (heads, HEAD)).astype(np.float32)
    state = rng.uniform(-1, 1, (sequences, heads, HEAD, HEAD)).astype(np.float32)
    kernel_arrays = [k, v, r, np.broadcast_to(first, (1, heads, HEAD)).copy(), decay]
    out = np.zeros(k.size + state.size, np.float32)
    given = [a.reshape(-1) for a in (*kernel_arrays, state)]
    ggml.library["kernel_rwkv_wkv6_f32"](
        *given, out, sequences, tokens, heads * HEAD, heads, grid=sequences * heads * HEAD, threadgroup=HEAD
    )
    wanted, s = np.zeros(k.shape), state.astype(float)
    for t in range(tokens):
        now = s[t * sequences // tokens]
        kv = k[t][:, :, None] * v[t][:, None, :].astype(float)
        wanted[t] = np.einsum("hi,hij->hj", r[t], first[:, :, None] * kv + now)
        now[...] = now * decay[t][:, :, None] + kv
    check(out[: k.size].reshape(k.shape), wanted, 1e-4, 1e-4)
    check(out[k.size :].reshape(state.shape), s, 1e-4, 1e-4)


@pytest.mark.parametrize("sequences", [1, 2])
def test_rwkv7(ggml: Launcher, rng: np.random.Generator, sequences: int) -> None:
    tokens, heads = 6, 2
    r, w, k, v, a, b = inputs(rng, "rwkvab", tokens, heads)
    state = rng.uniform(-1, 1, (sequences, heads, HEAD, HEAD)).astype(np.float32)
    got, end = run(ggml, "kernel_rwkv_wkv7_f32", [r, w, k, v, a, b], state, sequences)
    wanted, s = np.zeros(r.shape), state.astype(float)
    for t in range(tokens):
        now = s[t * sequences // tokens]
        along = np.einsum("hj,hij->hi", a[t], now)
        now[...] = now * w[t][:, None] + v[t][:, :, None] * k[t][:, None] + along[:, :, None] * b[t][:, None]
        wanted[t] = np.einsum("hij,hj->hi", now, r[t])
    check(got, wanted, 1e-4, 1e-4)
    check(end, s, 1e-4, 1e-4)


@pytest.mark.parametrize("states", [32, 64, 128])
def test_state_space_scan(ggml: Launcher, rng: np.random.Generator, states: int) -> None:
    """A threadgroup for each channel of each head; its SIMD-groups take turns with the tokens."""
    dim, heads, groups, tokens, sequences = 3, 4, 2, 7, 2
    s = rng.uniform(-1, 1, (sequences, heads, dim, states)).astype(np.float32)
    x, dt = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in
             ((sequences, tokens, heads, dim), (sequences, tokens, heads)))  # fmt: skip
    a = -rng.uniform(0.1, 1, (heads, 1)).astype(np.float32)
    b, c = (rng.uniform(-1, 1, (sequences, tokens, groups, states)).astype(np.float32) for _ in range(2))
    ids = np.array([1, 0], np.int32)
    sizes = {"d_state": states, "d_inner": dim, "n_head": heads, "n_group": groups, "n_seq_tokens": tokens}
    sizes |= {"n_seqs": sequences, "K": 1, "s_off": x.nbytes, "ne30": 1, "nb31": a.strides[0], "nb0": 4}
    for number, array in enumerate((s, x, dt)):
        sizes |= {f"nb{number}{axis}": stride for axis, stride in enumerate(reversed(array.strides))}
    for number, array in ((4, b), (5, c)):
        sizes |= {f"nb{number}{axis}": stride for axis, stride in enumerate(reversed(array.strides))}
    sizes |= {"ns12": heads * dim, "ns21": heads, "ns42": groups * states, "ns52": groups * states}
    out = np.zeros(x.size + s.size, np.float32)
    arrays = [s, x, dt, a, b, c, ids, out]
    memory = (32 + 2) * 4 * (states // 32)
    launch = {"groups": (dim, heads, sequences), "threads": (states, 1, 1), "shared": memory}
    got = ggml("kernel_ssm_scan_f32", sizes, arrays, **launch)
    state, wanted = s[ids].astype(float), np.zeros(x.shape)
    group = np.arange(heads) // (heads // groups)
    for t in range(tokens):
        step = np.log1p(np.exp(dt[:, t].astype(float)))[..., None]
        grown = state * np.exp(step * a)[..., None]
        state = grown + b[:, t, group][:, :, None] * (x[:, t] * step)[..., None]
        wanted[:, t] = (state * c[:, t, group][:, :, None]).sum(-1)
    check(got[: x.size].reshape(x.shape), wanted, 1e-4, 1e-4)
    check(got[x.size :].reshape(state.shape), state, 1e-4, 1e-4)

# SPDX-License-Identifier: MIT
"""A small convolutional network forward, and a step of training it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .operations import convolve, pool

Array = np.ndarray


def weights(rng: np.random.Generator) -> list[Array]:
    shapes = [
        (8, 1, 5, 5),
        (8, 8, 5, 5),
        (8,),
        (8,),
        (8,),
        (8,),
        (16, 8, 3, 3),
        (16, 16, 3, 3),
        (16 * 3 * 3, 10),
        (10,),
    ]
    return [(rng.standard_normal(s) / np.sqrt(max(1, np.prod(s[1:])))).astype(np.float32) for s in shapes]


def lazily(x: Any, w: list[Any]) -> Any:
    """Digits of 28 by 28: convolutions in pairs, normalised and pooled, then a matrix."""
    x = x.conv2d(w[0]).relu().conv2d(w[1]).relu()
    x = x.batchnorm(w[2], w[3], w[4], (w[5] * w[5] + 1).rsqrt()).max_pool2d((2, 2))
    x = x.conv2d(w[6]).relu().conv2d(w[7]).relu().max_pool2d((2, 2))
    return x.flatten(1).linear(w[8], w[9])


def eagerly(x: Array, w: list[Array]) -> Array:
    x = np.maximum(convolve(np.maximum(convolve(x, w[0]), 0), w[1]), 0)
    scale, shift, mean, deviation = (v.reshape(-1, 1, 1) for v in w[2:6])
    x = (x - mean) * scale / np.sqrt(deviation * deviation + 1) + shift
    x = pool(x, 2).max((-1, -2))
    x = np.maximum(convolve(np.maximum(convolve(x, w[6]), 0), w[7]), 0)
    return pool(x, 2).max((-1, -2)).reshape(len(x), -1) @ w[8] + w[9]


def test_forward_pass(tensor: Any, made: list[tuple[str, str]], rng: np.random.Generator) -> None:
    x, w = rng.standard_normal((4, 1, 28, 28)).astype(np.float32), weights(rng)
    first = len(made)
    got = lazily(tensor(x), [tensor(v) for v in w]).log_softmax().numpy()
    scores = eagerly(x, w)
    scores -= scores.max(1, keepdims=True)
    np.testing.assert_allclose(got, scores - np.log(np.exp(scores).sum(1, keepdims=True)), rtol=1e-3, atol=1e-4)
    assert len(made) - first >= 6


def test_step_of_training_lowers_the_loss(tensor: Any, rng: np.random.Generator) -> None:
    """Gradients by tinygrad, compared with what the loss does when a weight moves."""
    x, labels = rng.standard_normal((6, 12)).astype(np.float32), np.array([0, 1, 2, 0, 1, 2], np.int32)
    first, second = (rng.standard_normal(s).astype(np.float32) / 3 for s in ((12, 16), (16, 3)))

    def loss(a: Array, b: Array) -> float:
        scores = np.tanh(x @ a) @ b
        scores = scores - scores.max(1, keepdims=True)
        return float((np.log(np.exp(scores).sum(1)) - scores[np.arange(6), labels]).mean())

    a, b = tensor(first).is_param_(), tensor(second).is_param_()
    value = ((tensor(x) @ a).tanh() @ b).sparse_categorical_crossentropy(tensor(labels))
    value.backward()
    gradient = a.grad.numpy()
    np.testing.assert_allclose(value.item(), loss(first, second), rtol=1e-5)
    for i, j in ((0, 0), (3, 7), (11, 15)):
        step = np.zeros_like(first)
        step[i, j] = 1e-2
        slope = (loss(first + step, second) - loss(first - step, second)) / 2e-2
        np.testing.assert_allclose(gradient[i, j], slope, rtol=2e-2, atol=2e-4)
    assert loss(first - 0.5 * gradient, second) < loss(first, second)

# SPDX-License-Identifier: MIT
"""Random numbers: torch's counter-based generator against one in Python, and the distributions."""

from __future__ import annotations

import numpy as np
from scipy import stats


def philox(seed, index, rounds=10):
    """Four words for a seed and a place; as torch's headers count the rounds, the last one is left out."""
    words = [0, 0, index >> 32, index & 0xFFFFFFFF]
    key = [seed >> 32, seed & 0xFFFFFFFF]
    for _ in range(rounds - 1):
        first, second = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        words = [
            (second >> 32) ^ words[1] ^ key[0],
            second & 0xFFFFFFFF,
            (first >> 32) ^ words[3] ^ key[1],
            first & 0xFFFFFFFF,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words


def test_words_are_those_of_philox(over):
    indices = np.arange(500, dtype=np.float32)
    got = over("c10::metal::philox4::rand(0x123456789abcL, long(a) * 0x10000001L)", indices, result="uint4")
    want = [philox(0x123456789ABC, int(i) * 0x10000001) for i in indices]
    np.testing.assert_array_equal(got, want)


def test_distributions(over):
    indices = np.arange(20000, dtype=np.float32)
    uniform = over("c10::metal::rand(42, long(a))", indices)
    want = [np.float32(philox(42, int(i))[0] & 0x7FFFFFFF) * np.float32(4.6566127342e-10) for i in indices]
    np.testing.assert_array_equal(uniform, np.array(want, np.float32))
    assert stats.kstest(uniform, "uniform").pvalue > 1e-3
    assert stats.kstest(over("c10::metal::randn(7, long(a))", indices), "norm").pvalue > 1e-3
    pairs = over("box_muller_from_philox(c10::metal::philox4::rand(7, long(a)).xy)", indices, result="float2")
    assert stats.kstest(pairs.ravel(), "norm").pvalue > 1e-3
    whole = over("c10::metal::randint64(3, long(a), -5, 20)", indices, result="long")
    assert set(whole.tolist()) == set(range(-5, 20))

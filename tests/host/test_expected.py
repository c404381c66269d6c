# SPDX-License-Identifier: MIT

"""Branches that nearly all threads take: what stands behind one runs without asking whether anybody is there."""

from __future__ import annotations

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, HostKernel

# Slot 0 is what the kernel writes, slot 1 a place for each thread, or -1 for all threads of some strips.
KERNELS = {
    "words here and there": "if (LIKELY(at >= 0)) device<int>(0)[at] = i;",
    "bytes here and there": "if (LIKELY(at >= 0)) device<uchar>(0)[at] = (uchar)i;",
    "halfwords of every eighth": "if (LIKELY(at >= 0)) device<ushort>(0)[8 * i] = (ushort)at;",
    "bytes side by side": "if (LIKELY(at >= 0)) device<uchar>(0)[i] = (uchar)at;",
    "one place of all": "if (LIKELY(at >= 0)) device<int>(0)[7] |= 5;",
    "one place of nearly all": "if (LIKELY(at >= 0)) device<int>(0)[(uint)i / 64] |= 5;",
    "a clamped place": "if (LIKELY(at >= 0)) { int j = i < 1 ? 1 : i; device<int>(0)[i] = device<int>(1)[j - 1]; }",
}


@pytest.mark.parametrize("body", KERNELS.values(), ids=KERNELS)
def test_strips_where_nobody_is(body, tmp_path_factory):
    kernel = HostKernel(
        f"""#define LIKELY(x) __builtin_expect(x, 1)
KERNEL(test) {{ int i = gid(), at = device<int>(1)[i]; {body} }}""",
        tmp_path_factory.getbasetemp(),
    )
    random = np.random.default_rng(7)
    places = random.permutation(256).astype(np.int32)
    places[64:128] = -1
    places[192:] = -1
    out = random.integers(0, 1 << 30, 1024, np.int32)
    for mapping, width in ((ROWS, 32), (LINEAR, 8)):
        kernel.check([out, places], 256, 64, mapping, width)

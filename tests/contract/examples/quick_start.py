# SPDX-License-Identifier: MIT
"""Sums, functions and conversions of whole arrays."""

import mtlpy
import numpy as np

device = mtlpy.Device()
prices = device.buffer(np.array([1.5, 2.0, 4.0, 8.0], dtype=np.float32))
amounts = device.buffer(np.array([2, 1, 3, 1], dtype=np.float32))

total = prices * amounts
print(total.contents)
assert total.contents.tolist() == [3, 2, 12, 8]
assert mtlpy.operators.sum(total) == 25
assert mtlpy.operators.mean(amounts) == 1.75
assert mtlpy.operators.sqrt(device.buffer(np.array([9.0], np.float32))).contents[0] == 3

rounded = (prices + 0.5).astype(np.int32)
assert rounded.dtype == np.int32
assert rounded.contents.tolist() == [2, 2, 4, 8]
assert (prices > 2.0).contents.tolist() == [False, False, True, True]
assert (10.0 - prices).contents.tolist() == [8.5, 8, 6, 2]

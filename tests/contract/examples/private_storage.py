# SPDX-License-Identifier: MIT
"""Memory of the device's own: filled and read by copies."""

import mtlpy
import numpy as np

device = mtlpy.Device()
data = device.buffer(np.arange(10, dtype=np.float32), storage=mtlpy.StorageMode.PRIVATE)
data *= 3
snapshot = data.contents
try:
    snapshot[0] = 1
except ValueError as error:
    print("as it should be:", error)
else:
    raise AssertionError("a snapshot was written")
shared = data.to_storage(mtlpy.StorageMode.SHARED)
shared.contents[0] = 7
assert shared.contents.tolist() == [7, *(3.0 * i for i in range(1, 10))]
assert data.contents[0] == 0

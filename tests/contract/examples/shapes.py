# SPDX-License-Identifier: MIT
"""Shapes are Python's: memory is flat, and shared by all that is made of it."""

import mtlpy
import numpy as np

device = mtlpy.Device()
image = device.buffer(np.arange(24, dtype=np.float32).reshape(4, 6))
assert image.shape == (4, 6)
assert image.contents.shape == (24,)
assert image.numpy().shape == (4, 6)
assert (image * 2).shape == (4, 6)

strip = image.reshape(2, 12)
strip.contents[0] = 100
assert np.asarray(image)[0, 0] == 100
assert np.array(image, dtype=np.float64).dtype == np.float64
assert (image + device.buffer(np.ones(24, np.float32))).shape == (4, 6)

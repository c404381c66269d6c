# SPDX-License-Identifier: MIT
"""Kernels compiled once, shipped in a file, and loaded by a program that starts later."""

import os
import tempfile

import mtlpy
import numpy as np

source = "kernel void one(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }"
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "kernels.metallib")
    builder = mtlpy.Device(cache_path=False)
    archive = builder.binary_archive(path)
    builder.compile(source, "one", archive=archive)
    archive.save()

    with mtlpy.Device(cache_path=os.path.join(folder, "cache.metallib")) as device:
        pipeline = device.compile(source, "one", archive=device.binary_archive(path))
        x = device.empty(8, np.float32)
        pipeline.run([x], 8)
        assert (x.contents == 1).all()
        assert device.pipeline_cache_size == 1
    assert os.path.exists(device.pipeline_cache_path)

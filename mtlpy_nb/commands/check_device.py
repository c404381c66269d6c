# SPDX-License-Identifier: MIT
"""Whether there is a device, and whether a kernel gives the right result on it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np

from .. import _native as mtl
from ..device import Device, list_devices
from ..errors import MetalError
from .finding import Finding, fault, good, warning

__all__ = ["examine_device", "examine_kernel", "self_test"]

_PATIENCE = 120  # seconds
# A texture, threadgroup memory and a barrier: what a first notebook uses. STAMP makes it new to every cache.
_SOURCE = """
#include <metal_stdlib>
using namespace metal;
// STAMP
kernel void self_test(texture2d<float, access::read> picture, device const float* x, device float* y,
                      uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup float shared[64];
    shared[t] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = 2 * shared[63 - t] + picture.read(uint2(i % 16, i / 16)).r;
}
"""
_PROGRAM = "import json; from mtlpy_nb.commands.check_device import self_test; print(json.dumps(self_test()))"
_REPORT = "this is a fault of mtlpy_nb's: please report it, with what `mtlpy-nb doctor --json` prints"


def examine_device() -> Finding:
    """List the devices, and say how many threads the software device has."""
    names = list_devices()
    if not names:
        return fault("device", "there is no Metal device", "on a Mac: is this a virtual machine without a GPU?")
    try:
        device = Device(cache_path=False)
    except MetalError as error:
        return fault("device", str(error), _REPORT, names=names)
    others = f" (of {len(names)}: {', '.join(names)})" if len(names) > 1 else ""
    facts = {"name": device.name, "names": names, "is_software": device.is_software}
    if not device.is_software:
        return good("device", f"{device.name}{others}", **facts)
    threads = facts["threads"] = mtl.thread_count()
    wanted = os.environ.get("MTLPY_NUM_THREADS")
    if wanted is not None and wanted != str(threads):
        text = f"{device.name}; MTLPY_NUM_THREADS is {wanted!r}, which is no number of threads, so it is not followed"
        return warning("device", text, "set it to a number from 1 to 1024, or unset it", **facts)
    wanted = os.environ.get("MTLPY_SOFTWARE_DEVICES")
    if wanted and wanted != str(len(names)):
        text = (
            f"{device.name}; MTLPY_SOFTWARE_DEVICES is {wanted!r}, which is no number of devices, so it is not followed"
        )
        return warning("device", text, "set it to a number from 1 to 64, or unset it", **facts)
    return good("device", f"{device.name}{others}", **facts)


def self_test() -> dict[str, object]:
    """Compile and run a kernel; give whether the result is right, and the seconds it took."""
    start = time.perf_counter()
    device = Device(cache_path=False)
    kernel = device.library(_SOURCE.replace("STAMP", f"{os.getpid()} {time.time_ns()}"))["self_test"]
    x = np.arange(256, dtype=np.float32)
    picture = (x / 256).reshape(16, 16)
    y = kernel(picture, x, np.zeros_like(x), grid=256, threadgroup=64)
    expected = 2 * x.reshape(4, 64)[:, ::-1].reshape(-1) + picture.reshape(-1)
    return {"is_right": bool((y == expected).all()), "seconds": round(time.perf_counter() - start, 3)}


def examine_kernel() -> Finding:
    """Run a kernel in a process of its own, so that one that kills its process does not end the examination."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return fault("kernel", f"the test kernel had not ended after {_PATIENCE} s", _REPORT)
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return fault("kernel", f"the process that ran the test kernel was ended by {name}", _REPORT, log=done.stderr)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        said = lines[-1] if lines else f"exit code {done.returncode}"
        return fault("kernel", f"the test kernel does not run: {said}", _REPORT, log=done.stderr)
    result = json.loads(done.stdout)
    if not result["is_right"]:
        return fault("kernel", "the test kernel runs, but its result is wrong", _REPORT, **result)
    return good("kernel", f"compiles and runs, and its result is right ({result['seconds']:.2f} s)", **result)

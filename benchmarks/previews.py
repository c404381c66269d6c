#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the preview of a large image takes, and how much memory beyond the image's own.

    python benchmarks/previews.py [--json FILE]

Each image has a process of its own, so that one's memory is not counted for another. The first preview of a process
also imports Pillow; it is told apart. The image's own pages are touched before.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mtlpy_nb

SIDE = 16384
REPEAT = 7


def _texture(pixel_format: str, private: bool = False) -> Callable[[], object]:
    """A texture of which every pixel has been written: by copies of one row of noise."""

    def make() -> object:
        device = mtlpy_nb.Device(cache_path=False)
        texture = device.empty_texture((SIDE, SIDE), pixel_format, private=private)
        rng = np.random.default_rng(1)
        rows = rng.random((64, SIDE, texture.channels), np.float32)
        rows = (rows * 255).astype(np.uint8) if texture.dtype == np.uint8 else rows.astype(texture.dtype)
        staging = device._native.new_buffer_with_data(rows.reshape(-1).view(np.uint8))
        row_bytes = rows[0].nbytes
        buffer = device._queue.command_buffer()
        encoder = buffer.blit_command_encoder()
        for y in range(0, SIDE, 64):
            encoder.copy_from_buffer_to_texture(staging, 0, row_bytes, 0, (SIDE, 64, 1), texture._tex, 0, 0, (0, y, 0))
        encoder.end_encoding()
        buffer.commit()
        buffer.wait_until_completed()
        return texture

    return make


def _array() -> object:
    return np.random.default_rng(1).random((SIDE, SIDE), np.float32)


CASES: dict[str, Callable[[], object]] = {
    "texture, rgba8Unorm": _texture("rgba8Unorm"),
    "texture, r32Float": _texture("r32Float"),
    "texture, rgba16Float": _texture("rgba16Float"),
    "private texture, rgba8Unorm": _texture("rgba8Unorm", private=True),
    "array, float32": _array,
}


def measure(name: str) -> dict[str, float]:
    """Times in milliseconds, the first apart; the growth of the process's largest size in megabytes.

    The processor's time is what other programs on the machine do not change.
    """
    image = CASES[name]()
    forget_peak()
    before = peak()
    times, processor = [], []
    for _ in range(REPEAT):
        start, began = time.perf_counter(), time.process_time()
        mtlpy_nb.show(image)
        times.append((time.perf_counter() - start) * 1e3)
        processor.append((time.process_time() - began) * 1e3)
    return {
        "first ms": round(times[0], 1),
        "median ms": round(statistics.median(times[1:]), 1),
        "slowest ms": round(max(times[1:]), 1),
        "processor median ms": round(statistics.median(processor[1:]), 1),
        "extra MB": round((peak() - before) / 1e6, 1),
    }


def forget_peak() -> None:
    """Begin anew with the process's largest size, where the system can: making the image may have taken more."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> float:
    """The process's largest size in bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        assert found is not None
        return float(found[1]) * 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--only", choices=CASES, help="measure one, in this process, and print it as JSON")
    arguments = parser.parse_args()
    if arguments.only:
        print(json.dumps(measure(arguments.only)))
        return
    load = os.getloadavg()[0]  # with more than the processors, times of the clock are others' too
    results = {}
    for name in CASES:
        run = subprocess.run([sys.executable, __file__, "--only", name], stdout=subprocess.PIPE, check=True)
        results[name] = json.loads(run.stdout)
        print(f"{SIDE} x {SIDE} {name:30}", "  ".join(f"{key} {value:6.1f}" for key, value in results[name].items()))
    if arguments.json:
        machine = {"device": mtlpy_nb.Device().name, "numpy": np.__version__, "load before": round(load, 1)}
        record = {"machine": machine, "images": results}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a capture of many dispatches on pictures of 3840 x 2160 pixels costs, and how quickly its file is looked at, by
a program and in the capture view: what the view asks of Python for a step, all pictures of what is bound included.

    python benchmarks/capture.py [--dispatches N] [--folder FOLDER] [--json FILE]

The last two cases change every pixel with every dispatch, so a tenth as many are run: their figures grow in proportion.
The processor's time is what other programs on the machine do not change.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import mtlpy_nb

if TYPE_CHECKING:
    from mtlpy_nb.notebook.widgets.capture.answers import Answers

HEIGHT, WIDTH = 2160, 3840
_STEPS = 12
_SIDE = 320  # pixels of a picture in the view
SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void brush(texture2d<float, access::read_write> target, constant int& n, uint2 p [[thread_position_in_grid]])
{
    target.write(float4(n % 256 / 255.0, 0.5, p.x / 128.0, 1), uint2((n * 37) % 3700, (n * 53) % 2000) + p);
}
kernel void brighten(texture2d<float, access::read> source, texture2d<float, access::write> target,
                     uint2 p [[thread_position_in_grid]])
{
    target.write(float4(source.read(p).rgb + 1 / 255.0, 1), p);
}
"""


def gradients() -> np.ndarray:
    y, x = np.indices((HEIGHT, WIDTH))
    return np.stack([x * 255 // WIDTH, y * 255 // HEIGHT, (x + y) % 256, np.full_like(x, 255)], -1).astype(np.uint8)


def noise() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 4), dtype=np.uint8)


def brushing(device: mtlpy_nb.Device) -> Callable[[int], object]:
    """Each dispatch changes a part of 128 x 128 pixels of one picture."""
    kernel, picture = device.library(SOURCE)["brush"], device.texture(gradients())
    return lambda i: kernel(picture, i, grid=(128, 128))


def brightening(device: mtlpy_nb.Device, pixels: np.ndarray) -> Callable[[int], object]:
    """Each dispatch changes all of one of two pictures."""
    kernel = device.library(SOURCE)["brighten"]
    pair = device.texture(pixels), device.empty_texture((HEIGHT, WIDTH), "rgba8Unorm")
    return lambda i: kernel(pair[i % 2], pair[1 - i % 2], grid=(WIDTH, HEIGHT))


CASES: dict[str, tuple[int, Callable[[mtlpy_nb.Device], Callable[[int], object]]]] = {
    "a part of a picture": (1, brushing),
    "all of a smooth picture": (10, lambda device: brightening(device, gradients())),
    "all of a picture of noise": (10, lambda device: brightening(device, noise())),
}


def seconds_of(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(name: str, dispatches: int, folder: Path) -> dict[str, float]:
    divisor, prepare = CASES[name]
    count = max(4, dispatches // divisor)
    device = mtlpy_nb.Device(cache_path=False)
    run = prepare(device)
    run(0)
    began = time.process_time()
    plain = seconds_of(lambda: [run(i) for i in range(count)])
    plain_processor = time.process_time() - began
    path = folder / "big.metalcapture"
    began, start = time.process_time(), time.perf_counter()
    with device.start_capture(path):
        for i in range(count):
            run(i)
    captured, processor = time.perf_counter() - start, time.process_time() - began
    start = time.perf_counter()
    file = mtlpy_nb.capture.load(path)
    loading = time.perf_counter() - start
    last = list(file.dispatches[-1].textures.values())[-1]
    found = {
        "dispatches": count,
        "ms without": round(plain / count * 1e3, 2),
        "ms captured": round(captured / count * 1e3, 2),
        "processor ms without": round(plain_processor / count * 1e3, 2),
        "processor ms captured": round(processor / count * 1e3, 2),
        "file MB": round(path.stat().st_size / 1e6, 1),
        "file MB a dispatch": round(path.stat().st_size / 1e6 / count, 3),
        "load s": round(loading, 2),
        "picture s": round(seconds_of(lambda: last.after), 2),
        "history of a pixel s": round(seconds_of(lambda: file.history(last, (1000, 1000))), 2),
        "what one changed s": round(seconds_of(lambda: file.dispatches[count // 2].changed[0].count), 2),
    }
    file.close()
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as another:
        found |= another.submit(look_through, path).result()
    path.unlink()
    return found


def look_through(path: Path) -> dict[str, float]:
    """Step through a file as the view does; in a process of its own, for its memory is told, too."""
    from mtlpy_nb.notebook.widgets.capture.answers import Answers

    before = peak_memory()
    began = time.process_time()
    answers = Answers(mtlpy_nb.capture.load(path))
    said, _ = answers.answer({"ask": "list"})
    opened = time.process_time() - began
    numbers = [row["number"] for row in said["rows"] if "number" in row]
    middle = len(numbers) // 2
    in_turn = [step(answers, number) for number in numbers[middle : middle + _STEPS]]
    leaps = [step(answers, number) for number in numbers[:: max(len(numbers) // _STEPS, 1)]]
    return {
        "processor s to open the view": round(opened, 2),
        "processor ms a step, median": round(statistics.median(in_turn) * 1e3),
        "processor ms a step, most": round(max(in_turn) * 1e3),
        "processor ms a leap, median": round(statistics.median(leaps) * 1e3),
        "processor ms a leap, most": round(max(leaps) * 1e3),
        "MB of memory for looking": round(peak_memory() - before),
    }


def step(answers: Answers, number: int) -> float:
    """Ask what the view asks when a command is chosen; gives the processor's seconds."""
    began = time.process_time()
    said, _ = answers.answer({"ask": "command", "number": number})
    for item, thing in enumerate(said["things"]):
        if "levels" in thing:
            question = {"ask": "pictures", "number": number, "item": item, "level": thing["level"], "side": _SIDE}
            found, _ = answers.answer(question)
            assert "error" not in found, found["error"]
    return time.process_time() - began


def peak_memory() -> float:
    """Megabytes that the process has had at most; getrusage tells its parent's where that had more."""
    return float(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dispatches", type=int, default=1000)
    parser.add_argument("--folder", type=Path, help="where captures are written meanwhile; default: a temporary one")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]  # with more than the processors, times of the clock are others' too
    results = {}
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for name in CASES:
            results[name] = measure(name, arguments.dispatches, Path(folder))
            print(name, *(f"{key} {value}" for key, value in results[name].items()), sep="\n    ")
    if arguments.json:
        machine = {"device": mtlpy_nb.Device().name, "numpy": np.__version__, "load before": round(load, 1)}
        arguments.json.write_text(json.dumps({"machine": machine, "captures": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many pictures a second live views show in JupyterLab, in a Chromium without a window, and whether they lag.

    python benchmarks/live.py [--size PIXELS] [--seconds N] [--json FILE]

It needs what the browser's tests need: Chromium, and the extras `test` and `notebooks`. An animation that may show 60
pictures a second plays; then a slider of `explore` is moved 60 times a second. Of each: pictures a second, the time
from one picture to the next, how far behind the last picture is when the moving ends, and the processor's time that the
notebook's kernel took for a picture, which other programs on the machine do not change.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_ROOT))
from tests.browser.page import NotebookPage  # noqa: E402
from tests.browser.server import Server, find_chromium  # noqa: E402

_PATIENCE = 120_000  # milliseconds
_MOVES = 60  # of the slider, a second

_SETUP = '''import time
import numpy as np
import mtlpy_nb
from mtlpy_nb import animate, explore, output
library = mtlpy_nb.default_device().library("""
#include <metal_stdlib>
using namespace metal;
// Smooth, as most pictures are.
kernel void plasma(texture2d<float, access::write> o, constant float& time, uint2 p [[thread_position_in_grid]])
{{
    float2 q = float2(p) / 64;
    float v = sin(q.x + time) + sin(q.y * 1.3 + time * 0.7) + sin(length(q - 4) * 2 - time * 2);
    o.write(float4(0.5 + 0.5 * cos(v * float3(2, 3, 4) + float3(0, 1, 2)), 1), p);
}}
// Nothing about it is smaller than its bytes.
kernel void noise(texture2d<float, access::write> o, constant float& time, uint2 p [[thread_position_in_grid]])
{{
    uint s = p.x * 747796405u + p.y * 2891336453u + uint(time * 1000) * 12345u;
    s ^= s >> 16; s *= 0x7feb352du; s ^= s >> 15; s *= 0x846ca68bu; s ^= s >> 16;
    o.write(float4(s & 255, (s >> 8) & 255, (s >> 16) & 255, 255) / 255, p);
}}
""")
# All of the kernel but its beginning.
def spent(): return time.process_time()'''
_ANIMATE = 'view = animate(library["{name}"], size=({size}, {size}), fps=60); began = spent(); view'
_EXPLORE = (
    'view = explore(library["{name}"], output(({size}, {size}, 4), "rgba8Unorm"), time=(0.0, 10.0, 0.01)); '
    "began = spent(); view"
)
_SPENT = "print(f'{{(spent() - began) / max(view._screen.number, 1) * 1e3:.2f}} ms')"

# Notes when each picture was drawn.
_WATCH = """canvas => {
    window.drawn = [];
    new MutationObserver(() => drawn.push(performance.now())).observe(canvas, {attributeFilter: ['data-number']});
}"""
# Moves a slider `count` times, and waits until the picture of the last place is drawn.
_MOVE = """async ([handle, count, interval]) => {
    const slider = handle.closest('.noUi-target').noUiSlider;
    for (let i = 1; i <= count; ++i) {
        slider.set(10 * i / count);
        await new Promise(resolve => setTimeout(resolve, interval));
    }
    const end = performance.now();
    for (let last = -1; last !== drawn.length;) {
        last = drawn.length;
        await new Promise(resolve => setTimeout(resolve, 1500));
    }
    return end;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=512, help="pixels of a side")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    found = measure(arguments.size, arguments.seconds)
    if arguments.json:
        machine = {"processors": os.cpu_count(), "load before": round(load, 1)}
        arguments.json.write_text(
            json.dumps({"machine": machine, "size": arguments.size, "views": found}, indent=1) + "\n"
        )


def measure(size: int, seconds: int) -> dict[str, dict[str, Any]]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_PATIENCE)
    found = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        try:
            tab = browser.new_page(viewport={"width": 1100, "height": 900})
            tab.set_default_timeout(_PATIENCE)
            page = NotebookPage(tab, server, Path(folder))
            tab.goto(f"{server.url}/lab?reset")
            tab.wait_for_function("window.jupyterapp && jupyterapp.restored.then(() => true)")
            for name in ("plasma", "noise"):
                for kind, cell in (("animate", _ANIMATE), ("explore", _EXPLORE)):
                    cells = (text.format(name=name, size=size) for text in (_SETUP, cell, _SPENT))
                    page.open(page.write_notebook(f"{kind}-{name}.ipynb", *cells))
                    page.run(0)
                    page.run(1)
                    figures = found[f"{kind}, {name}"] = _watched(page, kind, seconds)
                    print(
                        f"{kind}, {name}",
                        *(f"{key} {value}" for key, value in figures.items()),
                        sep="\n    ",
                        flush=True,
                    )
                    page.close()
        finally:
            browser.close()
            server.close()
    return found


def _watched(page: NotebookPage, kind: str, seconds: int) -> dict[str, Any]:
    tab, output = page.page, page.output(1)
    canvas = output.locator("canvas")
    canvas.wait_for()
    canvas.evaluate(_WATCH)
    if kind == "animate":
        play = output.get_by_role("button").filter(has_text=re.compile("Play|Pause"))
        play.click()
        tab.wait_for_timeout(seconds * 1000)
        play.click()
        end = tab.evaluate("performance.now()")
        tab.wait_for_timeout(1500)
    else:
        handle = output.locator(".noUi-handle").first.element_handle()
        end = tab.evaluate(_MOVE, [handle, seconds * _MOVES, 1000 / _MOVES])
    page.run(2)
    times = tab.evaluate("drawn")
    apart = [b - a for a, b in itertools.pairwise(times)]
    half = len(apart) // 2
    return {
        "pictures": len(times),
        "pictures a second": round(1000 * (len(times) - 1) / (times[-1] - times[0]), 1),
        "ms apart, median": round(statistics.median(apart), 1),
        "ms apart, of the first half": round(statistics.median(apart[:half]), 1),
        "ms apart, of the second half": round(statistics.median(apart[half:]), 1),
        "ms from the end to the last picture": round(times[-1] - end, 1),
        "kernel's processor ms a picture": float(page.output(2).inner_text().split()[0]),
    }


if __name__ == "__main__":
    main()

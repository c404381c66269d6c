#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many pictures a second live views show in JupyterLab, in a Chromium without a window, and whether they lag.

    python benchmarks/live.py [--size PIXELS] [--seconds N] [--json FILE]

It needs what the browser's tests need: Chromium, and the extras `test` and `notebooks`. First an empty widget is asked
for as many bytes as such a picture has, and for none, again and again: no view can be faster than that. Then an
animation that may show 60 pictures a second plays, and a slider of `explore` is moved 60 times a second. Of each:
pictures a second, the time from one picture to the next, how far behind the last picture is when the moving ends, and
the processor's time for a picture of all that takes part.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_ROOT), str(_ROOT / "benchmarks")]
from unwatched import Chromium, processor_times  # noqa: E402

from tests.browser.page import NotebookPage  # noqa: E402
from tests.browser.server import Server  # noqa: E402

_PATIENCE = 120_000  # milliseconds
_MOVES = 60  # of the slider, a second
_SETTLES = 1.5  # seconds before and after what is measured

_SETUP = '''import anywidget
import numpy as np
import mtlpy_nb
from mtlpy_nb import animate, explore, output
library = mtlpy_nb.default_device().library("""
#include <metal_stdlib>
using namespace metal;
// Smooth, as most pictures are.
kernel void plasma(texture2d<float, access::write> o, constant float& time, uint2 p [[thread_position_in_grid]])
{
    float2 q = float2(p) / 64;
    float v = sin(q.x + time) + sin(q.y * 1.3 + time * 0.7) + sin(length(q - 4) * 2 - time * 2);
    o.write(float4(0.5 + 0.5 * cos(v * float3(2, 3, 4) + float3(0, 1, 2)), 1), p);
}
// Nothing about it is smaller than its bytes.
kernel void noise(texture2d<float, access::write> o, constant float& time, uint2 p [[thread_position_in_grid]])
{
    uint s = p.x * 747796405u + p.y * 2891336453u + uint(time * 1000) * 12345u;
    s ^= s >> 16; s *= 0x7feb352du; s ^= s >> 15; s *= 0x846ca68bu; s ^= s >> 16;
    o.write(float4(s & 255, (s >> 8) & 255, (s >> 16) & 255, 255) / 255, p);
}
""")

class Loop(anywidget.AnyWidget):
    _esm = """export default { render({ model, el }) {
        const canvas = document.createElement('canvas');
        el.append(canvas);
        let number = 0;
        model.on('msg:custom', () => { canvas.dataset.number = ++number; if (window.looping) model.send({}); });
        window.loop = () => { window.looping = true; model.send({}); model.send({}); };
    } }"""

    def __init__(self, size):
        super().__init__()
        data = np.random.default_rng(0).integers(0, 256, size, np.uint8)
        self.on_msg(lambda *_: self.send({}, buffers=[data] if size else None))'''
_CELLS = {
    "loop": "Loop({bytes})",
    "animate": 'view = animate(library["{name}"], size=({size}, {size}), fps=60); view',
    "explore": 'view = explore(library["{name}"], output(({size}, {size}, 4), "rgba8Unorm"), time=(0.0, 10.0, 0.01)); '
    "view",
}

# Does by itself what is measured, and notes when each picture was drawn.
_WORK = """([kind, seconds, moves, settles]) => {
    const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
    const after = milliseconds => new Promise(resolve => setTimeout(resolve, Math.max(milliseconds, 0)));
    window.drawn = [];
    window.found = null;
    new MutationObserver(() => drawn.push(performance.now()))
        .observe(panel.querySelector('canvas'), {attributeFilter: ['data-number']});
    const work = {
        async loop() { loop(); await after(seconds * 1000); window.looping = false; },
        async animate() {
            const play = [...panel.querySelectorAll('button')].find(button => /Play/.test(button.textContent));
            play.click();
            await after(seconds * 1000);
            play.click();
        },
        async explore() {
            const slider = panel.querySelector('.noUi-target').noUiSlider, begun = performance.now();
            for (let i = 1; i <= seconds * moves; ++i) {
                slider.set(10 * i / (seconds * moves));
                await after(begun + i * 1000 / moves - performance.now());
            }
        },
    };
    (async () => {
        await after(settles * 1000);
        await work[kind]();
        const end = performance.now();
        for (let last = -1; last !== drawn.length;) {
            last = drawn.length;
            await after(settles * 1000);
        }
        window.found = {drawn, end};
    })();
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=512, help="pixels of a side")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--only", default="", help="a word of the names of those to measure")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    found = measure(arguments.size, arguments.seconds, arguments.only)
    if arguments.json:
        machine = {"processors": os.cpu_count(), "load before": round(load, 1)}
        arguments.json.write_text(
            json.dumps({"machine": machine, "size": arguments.size, "views": found}, indent=1) + "\n"
        )


def measure(size: int, seconds: int, only: str = "") -> dict[str, dict[str, Any]]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_PATIENCE)
    cases = [("loop", "no bytes", 0), ("loop", "a picture's bytes", size * size * 3)]
    cases += [(kind, name, 0) for name in ("plasma", "noise") for kind in ("animate", "explore")]
    found = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        chromium = Chromium(playwright, server, Path(folder))
        try:
            page = chromium.connect()
            page.page.goto(f"{server.url}/lab?reset")
            page.page.wait_for_function("window.jupyterapp && jupyterapp.restored.then(() => true)")
            for kind, name, count in cases:
                title = f"{kind}, {name}"
                if only not in title:
                    continue
                cell = _CELLS[kind].format(name=name, size=size, bytes=count)
                page.open(page.write_notebook(f"{kind}-{name.replace(' ', '-')}.ipynb", _SETUP, cell))
                page.run(0)
                page.run(1)
                page, found[title] = _watched(chromium, page, kind, seconds)
                print(title, *(f"{key} {value}" for key, value in found[title].items()), sep="\n    ", flush=True)
                page.close()
        finally:
            chromium.close()
            server.close()
    return found


def _watched(chromium: Chromium, page: NotebookPage, kind: str, seconds: int) -> tuple[NotebookPage, dict[str, Any]]:
    page.output(1).locator("canvas").wait_for()
    page.page.evaluate(_WORK, [kind, seconds, _MOVES, _SETTLES])
    chromium.let_go()
    before = processor_times()
    time.sleep(seconds + 2 * _SETTLES)
    after = processor_times()
    page = chromium.connect()
    page.page.wait_for_function("window.found")
    found = page.page.evaluate("found")
    times = found["drawn"]
    apart = [b - a for a, b in itertools.pairwise(times)]
    half = len(apart) // 2
    spent = {name: round((after[name] - before.get(name, 0.0)) / len(times), 1) for name in after}
    return page, {
        "pictures": len(times),
        "pictures a second": round(1000 * (len(times) - 1) / (times[-1] - times[0]), 1),
        "ms apart, median": round(statistics.median(apart), 1),
        "ms apart, of the first half": round(statistics.median(apart[:half]), 1),
        "ms apart, of the second half": round(statistics.median(apart[half:]), 1),
        "ms from the end to the last picture": round(times[-1] - found["end"], 1),
        "processor ms a picture": round(sum(spent.values()), 1),
        **{f"processor ms a picture, {name}": value for name, value in sorted(spent.items()) if value >= 0.1},
    }


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Cells that show live views, and what a person does with them."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from .page import NotebookPage

SETUP = '''import numpy as np
import mtlpy_nb
from mtlpy_nb import TextureView, animate, explore, output
device = mtlpy_nb.default_device()
library = device.library("""
#include <metal_stdlib>
using namespace metal;
kernel void level(texture2d<float, access::write> o, constant float& red, constant int& green,
                  uint2 p [[thread_position_in_grid]]) { o.write(float4(red, float(green) / 255, 0, 1), p); }
kernel void clock(texture2d<float, access::write> o, constant uint& frame, constant float2& mouse,
                  uint2 p [[thread_position_in_grid]]) {
    o.write(float4(float(frame % 256) / 255, mouse / 64, 1), p);
}
""")'''
EXPLORE = (
    'played = explore(library["level"], output((16, 16, 4), "rgba8Unorm"), red=(0.0, 1.0), green=(0, 255)); played'
)
ANIMATE = 'clock = animate(library["clock"], size=(64, 64)); clock'
VIEW = """image = np.arange(256, dtype=np.float32).reshape(16, 16)
texture = device.texture(image)
view = TextureView(texture); view"""
TIMING = """timing = mtlpy_nb.TimingView()
library["level"](output((16, 16, 4), "rgba8Unorm"), 0.5, 3)
timing"""

_PIXELS = "canvas => [...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data]"


def canvas(page: NotebookPage, number: int) -> Locator:
    """Give the canvas of the view that a cell shows, when a picture is on it."""
    found = page.output(number).locator("canvas")
    expect(found).to_be_visible()
    expect(found).to_have_attribute("data-number", re.compile(r"\d"))
    return found


def wait_for_pixel(page: NotebookPage, number: int, test: str) -> None:
    """Wait until the pixel in the middle of a canvas is as `test`, in JavaScript, says."""
    handle = canvas(page, number).element_handle()
    page.page.wait_for_function(f"canvas => (([r, g, b, a]) => {test})(({_PIXELS})(canvas))", arg=handle)


def press(page: NotebookPage, number: int, *keys: str) -> None:
    """Press keys on the last slider of a view."""
    slider = page.output(number).locator(".noUi-handle").last
    slider.focus()
    for key in keys:
        slider.press(key)


def play_button(page: NotebookPage, number: int) -> Locator:
    """Give the button that plays and pauses an animation."""
    return page.output(number).get_by_role("button").filter(has_text=re.compile("Play|Pause"))


def drag(page: NotebookPage, number: int, end: float, steps: int) -> None:
    """Move the last slider of a view with the mouse, to some part of its length."""
    page.output(number).locator(".noUi-handle").last.hover()
    box = page.output(number).locator(".noUi-base").last.bounding_box()
    assert box is not None
    mouse = page.page.mouse
    mouse.down()
    mouse.move(box["x"] + end * box["width"], box["y"] + box["height"] / 2, steps=steps)
    mouse.up()

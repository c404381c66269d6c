# SPDX-License-Identifier: MIT
"""Buttons, menus and sliders of the timing view and the texture view, in JupyterLab."""

import json

from playwright.sync_api import expect

from .views import SETUP, canvas, press, wait_for_pixel

TIMING = "timing = mtlpy_nb.TimingView(); timing"
THREE = 'for _ in range(3): library["level"](output((16, 16, 4), "rgba8Unorm"), 0.5, 3)'
LAYERS = """pixels = np.zeros((2, 16, 16, 4), np.uint8)
pixels[0] = 255, 0, 0, 255
pixels[1] = 50, 100, 0, 255
layers = device.empty_texture((2, 16, 16), "rgba8Unorm", kind="2d_array", mipmaps=True)
layers.upload(pixels)
layers.generate_mipmaps()
TextureView(layers)"""


def test_the_list_of_timings_is_live(lab, server):
    page = lab
    page.open(page.write_notebook("timings.ipynb", SETUP, TIMING, THREE))
    page.run(0)
    page.run(1)
    view = page.output(1)
    button = view.get_by_role("button")
    calls = view.locator("tbody tr").first.locator("td").nth(1)
    expect(view).to_contain_text("nothing has run yet")
    page.run(2)
    expect(view.locator("tbody tr")).to_have_count(1)
    expect(view.locator("tbody td").first).to_have_text("level")
    expect(calls).to_have_text("3")
    expect(view.locator("tbody polyline")).to_be_visible()
    button.filter(has_text="Stop").click()
    expect(button.filter(has_text="Start")).to_be_visible()
    page.run(2)
    expect(calls).to_have_text("3")
    button.filter(has_text="Start").click()
    expect(button.filter(has_text="Stop")).to_be_visible()
    page.run(2)
    expect(calls).to_have_text("6")
    page.screenshot("timing-view")
    button.filter(has_text="JSON").click()
    expect(view).to_contain_text("written: timing.json")
    assert json.loads((server.folder / "timing.json").read_text())["level"]["calls"] == 6
    button.filter(has_text="Trace").click()
    expect(view).to_contain_text("written: trace.json")
    assert len(json.loads((server.folder / "trace.json").read_text())["traceEvents"]) == 6
    button.filter(has_text="Reset").click()
    expect(view.locator("tbody:visible")).to_have_count(0)


def test_slice_channel_range_and_level_of_a_texture(lab):
    page = lab
    page.open(page.write_notebook("layers.ipynb", SETUP, LAYERS))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "r === 255 && g === 0")
    press(page, 1, "End")
    wait_for_pixel(page, 1, "r === 50 && g === 100")
    page.output(1).locator("select").select_option("g")
    wait_for_pixel(page, 1, "r === 100 && g === 100 && b === 100")
    page.output(1).get_by_role("checkbox").click()
    white = page.output(1).locator("input[type=number]").last
    expect(white).to_be_enabled()
    white.fill("0.2")
    white.press("Enter")
    wait_for_pixel(page, 1, "r === 255")
    expect(canvas(page, 1)).to_have_attribute("width", "16")
    level = page.output(1).locator(".noUi-handle").first
    level.focus()
    level.press("ArrowRight")
    expect(canvas(page, 1)).to_have_attribute("width", "8")
    page.screenshot("texture-view-controls")

# SPDX-License-Identifier: MIT
"""The capture view in JupyterLab: a person finds the dispatch that went wrong by looking."""

import json

import pytest
from playwright.sync_api import expect

from .capture_view import CaptureView
from .test_looks import _CONTRASTS

SETUP = """%load_ext mtlpy_nb
import numpy as np
import mtlpy_nb
device = mtlpy_nb.default_device()
picture = np.zeros((32, 48), np.float32)
picture[16, 24] = 25
source = device.texture(picture)
rows, result = device.empty_texture((32, 48), "r32Float"), device.empty_texture((32, 48), "r32Float")
scratch = device.buffer(np.arange(12, dtype=np.float32))"""
KERNELS = """%%metal
kernel void blur_rows(texture2d<float, access::read> source, texture2d<float, access::write> rows,
                      uint2 p [[thread_position_in_grid]])
{
    float sum = 0;
    for (int i = -2; i <= 2; ++i) sum += source.read(uint2(clamp(int(p.x) + i, 0, 47), p.y)).x;
    rows.write(sum / 5, p);
}
kernel void blur_columns(texture2d<float, access::read> rows, texture2d<float, access::write> result,
                         uint2 p [[thread_position_in_grid]])
{
    float sum = 0;
    for (int i = -2; i <= 2; ++i) sum += rows.read(uint2(clamp(int(p.x) + i, 0, 47), p.y)).x;
    result.write(sum / 5, p);
}
kernel void add_one(device float* values, uint i [[thread_position_in_grid]]) { values[i] += 1; }"""
CAPTURED = """%%metal_capture
with device.capture_scope("blur"):
    blur_rows(source, rows, grid=(48, 32))
    blur_columns(rows, result, grid=(48, 32))
add_one(scratch)"""
SIZE = (48, 32)
_LEAST = 4.5  # as WCAG 2 has it for text


@pytest.fixture
def view(lab):
    lab.open(lab.write_notebook("capture.ipynb", SETUP, KERNELS, CAPTURED))
    for number in range(3):
        lab.run(number)
    made = CaptureView(lab, 2)
    made.is_at(0)
    return made


def test_a_person_finds_the_dispatch_that_went_wrong(lab, view):
    expect(view.commands).to_have_count(3)
    expect(view.list).to_contain_text("scope 'blur'")
    expect(view.list).to_contain_text("threadgroup")
    expect(view.element.locator(".mc-details")).to_contain_text("grid 48 x 32")
    assert view.names()[0] == "rows"  # what changed comes first
    expect(view.thing("rows")).to_contain_text("5 of 1536 pixels changed, in row 16, columns 22 to 26")
    after = view.colours("rows", "after", SIZE)
    assert [i for i, colour in enumerate(after) if colour == [255, 255, 255]] == [16 * 48 + x for x in range(22, 27)]
    assert [255, 255, 255] not in view.colours("rows", "before", SIZE)
    assert [view.is_marked("rows", side) for side in ("before", "after")] == [False, True]
    view.element.get_by_text("Source", exact=True).click()
    expect(view.element.locator(".mc-source pre")).to_contain_text("kernel void blur_rows")

    # Nothing but the point's own row has changed: the second pass went along the row again.
    view.press("ArrowDown")
    view.is_at(1)
    expect(view.thing("result")).to_contain_text("9 of 1536 pixels changed, in row 16, columns 20 to 28")
    view.hover("result", "after", SIZE, (24, 16))
    expect(view.thing("result").locator(".mc-reading")).to_have_text("[16, 24]: 0.0 \u2192 5.0")
    view.hover("rows", "before", SIZE, (23, 16))
    expect(view.thing("rows").locator(".mc-reading")).to_have_text("[16, 23]: 5.0")
    expect(view.thing("rows")).to_contain_text("the same")

    view.click("rows", "before", SIZE, (25, 16))
    expect(view.history).to_contain_text("rows[16, 25]")
    assert view.moments() == [["0", "blur_rows 48 x 32", "5.0"], ["1", "blur_columns 48 x 32", "5.0"]]
    for theme in ("Light", "Dark"):
        lab.theme(theme)
        faint = [(text, ratio) for text, ratio in view.element.evaluate(_CONTRASTS) if ratio < _LEAST]
        view.element.screenshot(path=lab.screenshots / f"capture-view-{theme.lower()}.png")
        assert faint == [], theme
    view.history.get_by_role("button", name="blur_rows").click()
    view.is_at(0)
    view.choose(2)
    expect(view.thing("values")).to_contain_text("12 of 12 elements changed")
    expect(view.thing("values").locator("tbody tr").nth(3)).to_have_text("[3]3.04.0")
    view.element.get_by_role("searchbox").fill("columns")
    expect(view.commands).to_have_count(1)
    view.press("Home")
    view.is_at(1)


def test_by_keys_alone(lab, view):
    view.press("End")
    view.is_at(2)
    view.press("Home")
    view.is_at(0)
    view.picture("rows", "after").focus()
    keys = lab.page.keyboard
    for key in ["Shift+ArrowRight"] * 3 + ["ArrowLeft"] * 5 + ["Shift+ArrowDown"] + ["ArrowDown"] * 6:
        keys.press(key)
    reading = view.thing("rows").locator(".mc-reading")
    expect(reading).to_have_text("[16, 24]: 0.0 \u2192 5.0")
    view.is_at(0)  # neither the list nor JupyterLab has heard of these keys
    keys.press("Enter")
    expect(view.history).to_contain_text("rows[16, 24]")
    part = "root => root.metalCapture.details.things[0].pictures.view"
    keys.press("c")
    assert view.element.evaluate(part) == [21, 15, 7, 3]
    expect(reading).to_have_text("[16, 24]: 0.0 \u2192 5.0")
    keys.press("0")
    assert view.element.evaluate(part) == [0, 0, 48, 32]


def test_of_many_steps_only_the_last_is_asked(lab):
    many = "%%metal_capture\nfor i in range(300): add_one(scratch)"
    lab.open(lab.write_notebook("many.ipynb", SETUP, KERNELS, many))
    for number in range(3):
        lab.run(number)
    view = CaptureView(lab, 2)
    view.is_at(0)
    assert view.commands.count() < 100  # of 300: those that are seen
    view.list.evaluate("""list => {
        const view = list.closest('.metal-capture').metalCapture, send = view.model.send.bind(view.model);
        view.asked = [];
        view.model.send = question => { view.asked.push(question); send(question); };
        for (let i = 0; i < 250; ++i) list.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown'}));
    }""")
    view.is_at(250)
    expect(view.thing("values")).to_contain_text("12 of 12 elements changed")
    asked = view.element.evaluate("root => root.metalCapture.asked")
    assert [question["number"] for question in asked if question["ask"] == "command"] == [1, 250]
    # What the first command shows may still be on its way; of those that were passed over nothing is asked.
    assert {question["number"] for question in asked if "number" in question} <= {0, 1, 250}


def test_opened_again_and_exported(lab, view, server):
    page = lab.output(2).locator("table", has=lab.page.locator("th", has_text="threadgroup"))
    expect(page).to_be_hidden()  # what is kept for where no kernel runs
    expect(lab.output(2).locator(".jp-OutputArea-executeResult .jp-OutputPrompt:visible")).to_have_count(0)
    view.press("ArrowDown")
    view.is_at(1)
    is_told = "root => root.metalCapture.model.get('selected') === 1"
    lab.page.wait_for_function(is_told, arg=view.element.element_handle())
    lab.save()
    lab.page.evaluate("""async () => {
        for (const widget of [...jupyterapp.shell.widgets('main')]) widget.dispose();
    }""")
    lab.open("capture.ipynb")
    again = CaptureView(lab, 2)
    again.is_at(1)
    expect(again.thing("result")).to_contain_text("9 of 1536 pixels changed")

    saved = json.loads((server.folder / "capture.ipynb").read_text())
    forms = [set(output["data"]) for output in saved["cells"][2]["outputs"]]
    assert forms == [{"application/vnd.jupyter.widget-view+json", "text/plain"}, {"text/html", "text/plain"}]

    page = lab.page.evaluate("""async () => {
        const token = document.cookie.match(/_xsrf=([^;]+)/)[1];
        return (await fetch(`/nbconvert/html/capture.ipynb?_xsrf=${token}`)).text();
    }""")
    assert "widget-view" not in page
    assert page.count('alt="difference"') == 3
    exported = lab.page.context.browser.new_page()
    exported.set_content(page)
    expect(exported.get_by_text("9 of 1536 pixels changed")).to_be_visible()
    exported.screenshot(path=lab.screenshots / "capture-exported.png", full_page=True)
    exported.close()


def test_record_and_stop(lab):
    lab.open(lab.write_notebook("record.ipynb", SETUP, KERNELS, "mtlpy_nb.CaptureView(device)", "add_one(scratch);"))
    for number in range(3):
        lab.run(number)
    view = CaptureView(lab, 2)
    expect(view.element).to_contain_text("Press Record, run cells, press Stop.")
    kept = lab.output(2).get_by_text("nothing is captured yet")
    expect(kept).to_have_count(1)
    expect(kept).to_be_hidden()
    view.element.get_by_role("button", name="Record").click()
    stop = view.element.get_by_role("button", name="Stop")
    expect(stop).to_be_enabled()
    lab.run(3)
    lab.run(3)
    stop.click()
    expect(view.commands).to_have_count(2)
    view.is_at(0)
    expect(view.thing("values")).to_contain_text("12 of 12 elements changed")
    expect(stop).to_be_disabled()
    expect(kept).to_be_hidden()
    view.element.get_by_role("button", name="Record").click()
    expect(stop).to_be_enabled()
    stop.click()
    expect(view.commands).to_have_count(0)


def test_a_file_that_is_opened_where_nothing_was_captured(lab):
    kept = CAPTURED.replace("%%metal_capture", "%%metal_capture kept.metalcapture")
    lab.open(lab.write_notebook("keep.ipynb", SETUP, KERNELS, kept))
    for number in range(3):
        lab.run(number)
    lab.close()
    lab.open(lab.write_notebook("kept.ipynb", "import mtlpy_nb\nmtlpy_nb.capture.load('kept.metalcapture')"))
    lab.run(0)
    view = CaptureView(lab, 0)
    view.is_at(0)
    view.press("ArrowDown")
    view.is_at(1)
    view.hover("result", "after", SIZE, (24, 16))
    expect(view.thing("result").locator(".mc-reading")).to_have_text("[16, 24]: 0.0 \u2192 5.0")


def test_in_notebook(notebook7):
    """All that the view is made of, in a front end that is not JupyterLab."""
    notebook7.visit(notebook7.write_notebook("capture7.ipynb", SETUP, KERNELS, CAPTURED))
    for number in range(3):
        notebook7.run(number)
    view = CaptureView(notebook7, 2)
    view.is_at(0)
    kept = notebook7.output(2).locator("table", has=notebook7.page.locator("th", has_text="threadgroup"))
    expect(kept).to_be_hidden()
    expect(view.thing("rows")).to_contain_text("5 of 1536 pixels changed, in row 16, columns 22 to 26")
    view.press("ArrowDown")
    view.is_at(1)
    view.hover("result", "after", SIZE, (24, 16))
    expect(view.thing("result").locator(".mc-reading")).to_have_text("[16, 24]: 0.0 \u2192 5.0")
    view.click("result", "after", SIZE, (24, 16))
    expect(view.history).to_contain_text("result[16, 24]")
    view.picture("result", "after").focus()
    notebook7.page.keyboard.press("c")
    view.is_at(1)  # the key was the view's
    notebook7.screenshot("capture-view-notebook7")
    notebook7.save()
    notebook7.end_kernel()
    notebook7.visit("capture7.ipynb")
    expect(kept).to_be_visible()
    expect(notebook7.page.get_by_text("model not found")).to_be_hidden()

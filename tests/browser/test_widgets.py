# SPDX-License-Identifier: MIT
"""Widgets in a real browser: sliders, the pointer, an animation, and what stays without a kernel."""

import io
import json
import re

import numpy as np
from nbconvert import HTMLExporter
from PIL import Image
from playwright.sync_api import expect
from settling import eventually

from .views import ANIMATE, EXPLORE, SETUP, TIMING, VIEW, canvas, drag, play_button, press, wait_for_pixel


def test_a_slider_changes_the_picture(lab):
    page = lab
    page.open(page.write_notebook("explore.ipynb", SETUP, EXPLORE, "played.values"))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "r === 128 && g === 128")
    press(page, 1, "Home")
    wait_for_pixel(page, 1, "r === 128 && g === 0")
    press(page, 1, "End", "ArrowLeft")
    wait_for_pixel(page, 1, "r === 128 && g === 254")
    page.run(2)
    expect(page.output(2)).to_contain_text("{'red': 0.5, 'green': 254}")
    page.screenshot("explore")


def test_an_animation_plays_pauses_steps_and_is_recorded(lab, server):
    page = lab
    page.open(page.write_notebook("animate.ipynb", SETUP, ANIMATE, "clock.frame, clock.mouse, clock.recorded"))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "r === 0")
    button = page.output(1).get_by_role("button")
    step = button.filter(has_text="Step")
    play = play_button(page, 1)
    record = button.filter(has_text=re.compile("Record|Stop"))
    step.click()
    wait_for_pixel(page, 1, "r === 1")
    record.click()
    play.click()
    wait_for_pixel(page, 1, "r >= 8")
    canvas(page, 1).hover(position={"x": 10, "y": 10})
    wait_for_pixel(page, 1, "g < 128 && b < 128 && r >= 12")
    expect(play).to_have_text("Pause")
    play.click()
    expect(play).to_have_text("Play")
    record.click()
    words = page.output(1).get_by_text(re.compile(r"frame \d+; \d+ pictures in animation-\d+\.png"))
    expect(words).to_be_visible()
    count, name = re.search(r"(\d+) pictures in (.*)", words.inner_text()).groups()
    with Image.open(server.folder / name) as film:
        assert film.is_animated
        assert film.n_frames <= int(count)  # pictures that are the same are one, shown for longer
    page.run(2)
    expect(page.output(2)).to_contain_text("PosixPath('animation-")
    page.screenshot("animate")


# Pictures take as long to draw as the test wants.
_HOLD = """() => {
    const soon = window.requestAnimationFrame;
    const held = new Promise(resolve => { window.drawOn = () => { window.requestAnimationFrame = soon; resolve(); }; });
    window.requestAnimationFrame = draw =>
        draw.name === 'paintLatest' ? (held.then(() => soon.call(window, draw)), 0) : soon.call(window, draw);
}"""


def test_a_browser_that_lags_gets_no_queue_of_pictures(lab):
    page = lab
    page.open(page.write_notebook("lags.ipynb", SETUP, ANIMATE, *["print('frame', clock.frame, 'at last')"] * 4))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "r === 0")
    play = play_button(page, 1)
    page.page.evaluate(_HOLD)
    play.click()
    seen = []
    for number in range(2, 6):
        page.run(number)  # behind all that the browser has asked for
        expect(page.output(number)).to_contain_text("at last")
        seen.append(int(page.output(number).inner_text().split()[1]))
    assert seen[-1] <= 2  # one that is being drawn, one that has come meanwhile
    page.page.evaluate("drawOn()")
    wait_for_pixel(page, 1, "r >= 8")
    play.click()


def test_a_slider_that_is_dragged_leaves_pictures_out_but_not_the_last(lab):
    page = lab
    page.open(page.write_notebook("dragged.ipynb", SETUP, EXPLORE, "print('number', played._screen.number, 'at last')"))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "g === 128")
    page.page.evaluate(_HOLD)
    drag(page, 1, 0.0, steps=100)
    drag(page, 1, 1.1, steps=100)
    page.run(2)
    expect(page.output(2)).to_contain_text("at last")
    assert int(page.output(2).inner_text().split()[1]) <= 1 + 2  # the first, and two on their way
    page.page.evaluate("drawOn()")
    wait_for_pixel(page, 1, "g === 255")
    drag(page, 1, 0.0, steps=100)
    wait_for_pixel(page, 1, "g === 0")


def test_the_value_under_the_pointer_and_zoom(lab):
    page = lab
    page.open(page.write_notebook("view.ipynb", SETUP, VIEW, "texture.upload(image + 1000)"))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "a === 255")
    area = canvas(page, 1)
    width = area.bounding_box()["width"]
    area.hover(position={"x": width * 3.5 / 16, "y": width * 2.5 / 16})
    expect(page.output(1)).to_contain_text("x 3, y 2: 35")
    page.run(2)
    area.hover(position={"x": width * 4.5 / 16, "y": width * 2.5 / 16})
    expect(page.output(1)).to_contain_text("x 4, y 2: 1036")
    page.execute("texture.upload(image + 2000)")  # and the pointer rests
    expect(page.output(1)).to_contain_text("x 4, y 2: 2036")
    frame = page.output(1).locator(".mtlpy-screen")
    frame.focus()
    for _ in range(3):
        frame.press("+")
    assert area.bounding_box()["width"] > width * 1.9
    frame.press("0")
    assert abs(area.bounding_box()["width"] - width) < 1
    page.screenshot("texture-view")


def test_a_kernel_of_a_widget_that_does_not_end_is_stopped(lab, server):
    page = lab
    spin = """import pathlib, threading, time
spin = device.library('''
kernel void spin(device float* x, device int* begun, constant bool& endless) {
    if (endless) begun[0] = 1;
    while (endless) x[0] += 1;
    x[0] = 3;
}''')["spin"]
begun = device.buffer(np.zeros(1, np.int32))
seen = begun.numpy()
def tell():
    while not seen[0]: time.sleep(0.01)
    pathlib.Path("spin-begun").touch()
threading.Thread(target=tell, daemon=True).start()
explore(spin, np.zeros((4, 4), np.float32), begun, grid=1)"""
    page.open(page.write_notebook("endless-widget.ipynb", SETUP, spin, "print('goes on', begun.numpy()[0])"))
    page.run(0)
    page.run(1)
    canvas(page, 1)
    box = page.output(1).get_by_role("checkbox")
    box.click()
    begun = server.folder / "spin-begun"
    eventually(begun.exists)  # a busy front end does not say that the kernel of the device has begun
    page.toolbar("interrupt").click()
    expect(page.output(1)).to_contain_text("spin was stopped")
    page.run(2)
    expect(page.output(2)).to_contain_text("goes on 1")


FAILING = """def picture(red):
    if red > 0.9: raise ValueError("too red to be shown")
    return np.full((16, 16), red)
explore(picture, red=(0.0, 1.0))"""
FAILING_LATER = """def later(frame):
    if frame == 3: raise ValueError("no fourth picture")
    return np.full((16, 16), frame / 4)
animate(later, size=(16, 16))"""


def test_an_error_in_a_callback_appears_in_the_cell_once(lab):
    page = lab
    page.open(page.write_notebook("fails.ipynb", SETUP, FAILING, FAILING_LATER, "print('goes on')"))
    for number in range(3):
        page.run(number)
    wait_for_pixel(page, 1, "r === 128")
    slider = page.output(1).locator(".noUi-handle")
    slider.focus()
    outputs = page.page.locator(".jp-Cell-outputArea")
    message = outputs.get_by_text("too red to be shown")
    for key in ("End", "ArrowLeft", "ArrowLeft", "End"):
        slider.press(key)
        expect(message).to_have_count(1)
    expect(page.output(1)).to_contain_text("too red to be shown")
    wait_for_pixel(page, 1, "r === 128")  # the last picture stays
    slider.press("Home")
    wait_for_pixel(page, 1, "r === 0")
    expect(message).to_have_count(0)
    drag(page, 1, 1.1, steps=60)
    expect(message).to_have_count(1)
    drag(page, 1, 0.5, steps=60)
    wait_for_pixel(page, 1, "r > 115 && r < 140")
    expect(message).to_have_count(0)

    play = play_button(page, 2)
    play.click()
    expect(page.output(2)).to_contain_text("no fourth picture")
    expect(play).to_have_text("Play")
    page.run(3)
    expect(outputs.get_by_text("no fourth picture")).to_have_count(1)


def test_widgets_in_notebook(notebook7):
    """The same in a front end that is not JupyterLab."""
    page = notebook7
    page.visit(page.write_notebook("explore7.ipynb", SETUP, EXPLORE, ANIMATE, VIEW))
    page.run(0)
    page.run(1)
    wait_for_pixel(page, 1, "r === 128 && g === 128")
    press(page, 1, "End")
    wait_for_pixel(page, 1, "r === 128 && g === 255")
    page.run(2)  # each when it is looked at: what is out of sight is not on the page
    button = page.output(2).get_by_role("button")
    play = play_button(page, 2)
    record = button.filter(has_text=re.compile("Record|Stop"))
    button.filter(has_text="Step").click()
    wait_for_pixel(page, 2, "r === 1")
    record.click()
    play.click()
    wait_for_pixel(page, 2, "r >= 4")
    play.click()
    expect(play).to_have_text("Play")
    record.click()
    expect(page.output(2)).to_contain_text(re.compile(r"\d+ pictures in animation-\d+\.png"))
    page.run(3)
    area = canvas(page, 3)
    width = area.bounding_box()["width"]
    area.hover(position={"x": width * 3.5 / 16, "y": width * 2.5 / 16})
    expect(page.output(3)).to_contain_text("x 3, y 2: 35")


def prompts_of_what_stays(page, number):
    """Those beside outputs that are the values of cells."""
    return page.output(number).locator(".jp-OutputArea-executeResult .jp-OutputPrompt:visible")


def check_what_stays(page):
    """A notebook whose kernel has gone: pictures instead of views, and no word of what is missing."""
    for number in range(1, 5):
        expect(prompts_of_what_stays(page, number)).to_have_count(1)
    for number in range(1, 4):
        expect(page.output(number).locator("img")).to_be_visible()
        expect(page.output(number).locator("canvas")).to_have_count(0)
    expect(page.output(4).locator("table")).to_be_visible()
    missing = page.page.get_by_text("model not found")
    expect(missing).to_have_count(4)  # the front end has found that out, and says so
    for number in range(4):
        expect(missing.nth(number)).to_be_hidden()


def test_a_notebook_that_is_opened_again(lab):
    page = lab
    page.open(page.write_notebook("again.ipynb", SETUP, EXPLORE, ANIMATE, VIEW, TIMING))
    for number in range(5):
        page.run(number)
    for number in range(1, 4):
        expect(canvas(page, number)).to_be_visible()
        expect(page.output(number).locator("img")).to_be_hidden()
    for number in range(1, 5):
        expect(prompts_of_what_stays(page, number)).to_have_count(0)
    tables = page.output(4).locator("table")
    expect(tables).to_have_count(2)
    expect(tables.nth(0)).to_be_visible()
    expect(tables.nth(1)).to_be_hidden()
    page.screenshot("views")
    page.save()
    page.close()
    page.open("again.ipynb")
    check_what_stays(page)
    page.screenshot("views-opened-again")
    page.run(0)
    page.run(1)
    expect(canvas(page, 1)).to_be_visible()
    expect(page.output(1).locator("img")).to_be_hidden()


def test_a_cell_that_is_run_again_closes_its_view(lab):
    page = lab
    page.open(page.write_notebook("rerun.ipynb", SETUP, EXPLORE, "old = played", "old.widget.comm, played.values"))
    for number in (0, 1, 2):
        page.run(number)
    wait_for_pixel(page, 1, "r === 128")
    page.run(1)
    wait_for_pixel(page, 1, "r === 128")
    page.run(3)
    expect(page.output(3)).to_contain_text("(None, {'red': 0.5")
    slider = page.output(1).locator(".noUi-handle").first
    slider.focus()
    slider.press("End")
    wait_for_pixel(page, 1, "r === 255")


def test_a_notebook_that_is_opened_again_in_notebook(notebook7):
    page = notebook7
    page.visit(page.write_notebook("again7.ipynb", SETUP, EXPLORE, ANIMATE, VIEW, TIMING))
    for number in range(5):
        page.run(number)
    expect(canvas(page, 3)).to_be_visible()
    expect(prompts_of_what_stays(page, 3)).to_have_count(0)
    page.save()
    page.end_kernel()
    page.visit("again7.ipynb")
    check_what_stays(page)
    page.screenshot("views-opened-again-notebook7")


def check_pictures_without_widgets(page, path):
    """A viewer that knows no widgets and takes no styles, as those of code's hosts are."""
    outputs = [output for cell in json.loads(path.read_text())["cells"] for output in cell["outputs"]]
    forms = [output["data"] for output in outputs if "data" in output]
    body = []
    for data in forms:
        if "text/html" in data:
            body.append(
                re.sub(r"<style>.*?</style>| class=\"[^\"]*\"", "", "".join(data["text/html"]), flags=re.DOTALL)
            )
        elif "image/png" in data:
            body.append(f'<img src="data:image/png;base64,{data["image/png"]}">')
    page.set_content("".join(body))
    pictures = page.locator("img")
    expect(pictures).to_have_count(3)
    for number in range(3):
        expect(pictures.nth(number)).to_be_visible()
        assert pictures.nth(number).bounding_box()["width"] >= 64
        assert pictures.nth(number).evaluate("image => image.naturalWidth") > 0  # it could be read


def test_a_page_without_a_kernel_shows_pictures(lab, browser, server):
    page = lab
    name = page.write_notebook("static.ipynb", SETUP, EXPLORE, ANIMATE, VIEW)
    page.open(name)
    for number in range(4):
        page.run(number)
    page.save()
    body, _ = HTMLExporter().from_filename(str(server.folder / name))
    static = browser.new_page()
    static.set_content(body)
    pictures = static.locator("img")
    expect(pictures).to_have_count(3)
    for number in range(3):
        box = pictures.nth(number).bounding_box()
        shown = Image.open(io.BytesIO(pictures.nth(number).screenshot())).convert("RGB")
        assert box["width"] >= 64
        assert np.asarray(shown).max() > 0
    check_pictures_without_widgets(static, server.folder / name)
    static.close()

# SPDX-License-Identifier: MIT
"""The first minutes with a notebook, as a person has them in JupyterLab."""

import re

import numpy as np
from playwright.sync_api import expect
from settling import eventually

SETUP = (
    "%load_ext mtlpy_nb\nimport numpy as np\nfrom mtlpy_nb import output\nramp = np.zeros((8, 8, 4), np.float32)\n"
    + ("ramp[..., 0] = np.arange(8) / 8\nramp[..., 3] = 1")
)
INVERT = """%%metal invert(ramp, output.like(ramp))
kernel void invert(texture2d<float, access::read> source,
                   texture2d<float, access::write> result,
                   uint2 position [[thread_position_in_grid]])
{
    float4 colour = source.read(position);
    result.write(float4(1 - colour.rgb, 1), position);
}"""
WRONG = INVERT.replace("1 - colour.rgb", "1 - color.rgb")


def inverted():
    """The picture that the cell shows: 8 x 8 pixels, enlarged."""
    row = np.stack([1 - np.arange(8) / 8, np.ones(8), np.ones(8)], axis=-1)
    return np.broadcast_to(np.round(row * 255), (8, 8, 3))


def check_picture(picture):
    pixels = np.asarray(picture.convert("RGB")).astype(int)
    factor = pixels.shape[0] // 8
    assert pixels.shape == (8 * factor, 8 * factor, 3)
    assert factor > 1
    centres = pixels[factor // 2 :: factor, factor // 2 :: factor]
    assert np.abs(centres - inverted()).max() <= 1
    assert (pixels == np.repeat(np.repeat(centres, factor, axis=0), factor, axis=1)).all()


def test_a_mistake_mended(lab):
    lab.open(lab.write_notebook("mistake.ipynb", SETUP, WRONG))
    lab.run(0)
    lab.run(1)
    shown = lab.output(1)
    expect(shown).to_contain_text("use of undeclared identifier 'color'")
    lines = shown.inner_text().split("\n")
    source = next(line for line in lines if "result.write" in line)
    under = lines[lines.index(source) + 1]
    assert re.search(r"\^~+", under).span() == (source.index("color"), source.index("color") + len("color"))
    assert "Traceback" not in shown.inner_text()
    assert re.search(r"\b7\b", source)[0] == "7"
    colours = lab.colours_of(shown)
    plain = next(colour for text, colour in colours if "result.write" in text)
    assert next(colour for text, colour in colours if "^" in text) != plain
    assert next(colour for text, colour in colours if text.startswith("error:")) != plain
    lab.screenshot("error-light")
    lab.theme("Dark")
    lab.screenshot("error-dark")

    lab.rewrite(1, INVERT)
    lab.run(1)
    expect(shown).not_to_contain_text("undeclared")
    check_picture(lab.picture(1))
    lab.screenshot("mended-dark")
    lab.theme("Light")
    lab.screenshot("mended-light")


def test_completion(lab):
    lab.open(lab.write_notebook("completion.ipynb", SETUP, "%%metal\nkernel void f(uint i [[thread_position_in_g"))
    lab.run(0)
    lab.go_to(1)
    lab.page.keyboard.press("Tab")
    choices = lab.page.locator(".jp-Completer:visible .jp-Completer-match")
    expect(choices).to_have_text(["thread_position_in_grid"])
    lab.page.keyboard.press("Enter")
    expect(lab.editor(1)).to_contain_text("[[thread_position_in_grid")
    lab.page.keyboard.type("]], device flo")
    lab.page.keyboard.press("Tab")
    expect(choices.filter(has_text=re.compile("^float4$"))).to_be_visible()
    lab.screenshot("completion-light")
    lab.page.keyboard.type("at4")
    expect(choices.first).to_have_text(re.compile("^float4"))
    lab.page.keyboard.press("Enter")
    assert lab.text(1).split("\n")[1].endswith("device float4")


def test_inspection(lab):
    lab.open(lab.write_notebook("inspection.ipynb", SETUP, INVERT, "invert"))
    lab.run(0)
    lab.run(1)
    lab.go_to(2)
    lab.page.keyboard.press("Shift+Tab")
    tooltip = lab.page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("invert")
    expect(tooltip).to_contain_text("texture2d<float, access::read> source")
    lab.screenshot("inspection-light")
    lab.page.keyboard.press("Escape")
    lab.rewrite(1, "%%metal\nkernel void f(device float* x) { *x = clamp(")
    lab.page.keyboard.press("Shift+Tab")
    expect(tooltip).to_contain_text(re.compile(r"(\w+) clamp\(\1 \w+, \1 \w+, \1 \w+\)"))
    lab.screenshot("inspection-body-light")


ENDLESS = """%%metal
kernel void spin(device uint* x, device uint* begun, uint i [[thread_position_in_grid]])
{
    begun[0] = 1;
    while (x[i] == 0) { x[i] = 0; }
}"""
RUN_IT = """import mtlpy_nb, pathlib, threading, time
begun = mtlpy_nb.default_device().buffer(np.zeros(1, np.uint32))
seen = begun.numpy()
def tell():
    while not seen[0]: time.sleep(0.01)
    pathlib.Path("session-spin-begun").touch()
threading.Thread(target=tell, daemon=True).start()
spin(np.zeros(1, np.uint32), begun, grid=1)"""


def test_stop_restart_and_run_all(lab, server):
    lab.open(lab.write_notebook("endless.ipynb", SETUP, ENDLESS, INVERT, RUN_IT, "1 + 1"))
    for number in range(3):
        lab.run(number)
    lab.start(3)
    eventually((server.folder / "session-spin-begun").exists)  # the kernel of the device runs
    lab.toolbar("interrupt").click()
    lab.wait(3)
    expect(lab.output(3)).to_contain_text("KeyboardInterrupt: spin was stopped")
    expect(lab.output(3)).not_to_contain_text("kernel.py")  # nothing of ours between the cell and what happened
    lab.screenshot("stopped-light")
    lab.run(2)
    check_picture(lab.picture(2))

    lab.rewrite(3, "print('not again')")
    lab.toolbar("restart-and-run").click()
    lab.page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(lab.cell(4).locator(".jp-InputPrompt")).to_have_text("[5]:")
    expect(lab.output(3)).to_have_text("not again")
    expect(lab.output(4)).to_contain_text("2")
    check_picture(lab.picture(2))


def test_in_notebook_7(notebook7):
    page = notebook7
    page.visit(page.write_notebook("first7.ipynb", SETUP, WRONG, INVERT))
    for number in range(3):
        page.run(number)
    expect(page.output(1)).to_contain_text("use of undeclared identifier 'color'")
    check_picture(page.picture(2))
    page.screenshot("session-notebook7-light")
    page.theme("Dark")
    page.screenshot("session-notebook7-dark")

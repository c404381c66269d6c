# SPDX-License-Identifier: MIT
"""Views that two browsers show, or one of them twice: whichever goes, the other goes on."""

import pytest
from playwright.sync_api import expect

from .views import ANIMATE, EXPLORE, SETUP, canvas, play_button, press, wait_for_pixel

CLEAR = "jupyterapp.shell.currentWidget.content.widgets[{}].model.clearExecution()"


@pytest.fixture
def both(lab, notebook7):
    """JupyterLab, and Notebook 7 with the same notebook and the same kernel."""

    def run(name, *cells):
        lab.open(lab.write_notebook(name, *cells))
        for number in range(len(cells)):
            lab.run(number)
        lab.save()
        notebook7.visit(name)
        return lab, notebook7

    return run


def test_a_view_goes_on_where_another_page_has_closed_it(both):
    lab, other = both("two.ipynb", SETUP, EXPLORE)
    for page in (lab, other):
        wait_for_pixel(page, 1, "r === 128 && g === 128")
    press(other, 1, "Home")
    for page in (lab, other):
        wait_for_pixel(page, 1, "g === 0")
    other.page.evaluate(CLEAR.format(1))
    expect(other.output(1).locator("canvas")).to_have_count(0)
    for value in range(1, 6):
        press(lab, 1, "ArrowRight")
        wait_for_pixel(lab, 1, f"g === {value}")


def goes_on(lab):
    """The animation of cell 1 shows some pictures more, and can be paused."""
    frame = int(canvas(lab, 1).get_attribute("data-number"))
    lab.page.wait_for_function(
        "([canvas, number]) => Number(canvas.dataset.number) >= number",
        arg=[canvas(lab, 1).element_handle(), frame + 8],
    )
    play_button(lab, 1).click()
    expect(play_button(lab, 1)).to_have_text("Play")


@pytest.mark.parametrize("leave", ["goto", "close"])
def test_an_animation_goes_on_where_another_page_has_gone(both, leave):
    lab, other = both("two-play.ipynb", SETUP, ANIMATE, "clock.is_on_a_page")
    play_button(other, 1).click()
    for page in (lab, other):
        wait_for_pixel(page, 1, "r >= 4")
    other.page.goto("about:blank") if leave == "goto" else other.page.close()
    goes_on(lab)
    lab.run(2)
    expect(lab.output(2)).to_contain_text("True")


def test_an_animation_goes_on_whose_requests_were_left_to_a_page_that_has_gone(lab):
    gone = "import time\nclock._screen._paced_by, clock._screen._paced_at = 'gone', time.perf_counter() + 0.5"
    lab.open(lab.write_notebook("passed.ipynb", SETUP, ANIMATE))
    lab.run(0)
    lab.run(1)
    play_button(lab, 1).click()
    wait_for_pixel(lab, 1, "r >= 4")
    lab.execute(gone)
    goes_on(lab)

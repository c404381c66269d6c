# SPDX-License-Identifier: MIT
"""What goes to the browser, how much of it at a time, and what is asked of Python for it."""

import io

import numpy as np
import pytest
from PIL import Image

from mtlpy_nb import show
from mtlpy_nb.notebook.widgets.screen import Screen

PIXELS = np.random.default_rng(3).integers(0, 256, (200, 300, 3), np.uint8)


class Page:
    """A screen whose messages are kept, and what a browser says to it."""

    def __init__(self):
        self.asked = 0
        self.screen = Screen(self.draw)
        self.sent = []
        self.screen.send = lambda content, buffers=None: self.sent.append((content, buffers))

    def draw(self):
        self.asked += 1
        self.screen.put(show(PIXELS, zoom=1))

    def say(self, kind, **message):
        self.screen._handle_custom_msg({"kind": kind, **message}, [])

    def drawn(self, number=None):
        self.say("drawn", drawn={"number": self.screen.number if number is None else number, "ago": 0})


@pytest.fixture
def page():
    made = Page()
    yield made
    made.screen.close()


def test_nothing_is_sent_that_no_page_shows(page):
    page.screen.want()
    assert page.sent == []
    page.say("look")
    ((content, _),) = page.sent
    assert (content["kind"], content["number"], content["width"], content["height"]) == ("picture", 1, 300, 200)


def test_both_ways_give_the_same_picture(page):
    page.say("look")
    packed = plain = None
    for _ in range(30):
        page.screen.put(show(PIXELS, zoom=1))
        page.drawn()
        content, (data,) = page.sent[-1]
        if "pixels" in content:
            plain = np.frombuffer(data, np.uint8).reshape(*content["pixels"][::-1], 3)
        else:
            packed = np.asarray(Image.open(io.BytesIO(data)))
    np.testing.assert_array_equal(packed, PIXELS)
    np.testing.assert_array_equal(plain, PIXELS)


def test_two_are_on_their_way_and_the_rest_is_drawn_once(page):
    page.say("look")
    for _ in range(10):
        page.screen.want()
    assert page.asked == 2
    page.drawn(1)
    assert page.asked == 3
    page.drawn()
    assert page.asked == 3


def test_a_page_that_is_opened_anew_gets_the_last_picture_and_goes_on(page):
    page.say("look")
    for _ in range(3):
        page.screen.want()
    page.say("look")
    assert page.sent[-1][0]["number"] == page.screen.number == 2
    page.drawn()
    assert page.asked == 3, "what was wanted meanwhile"


def test_a_page_that_has_gone_is_not_waited_for(page):
    page.screen.views = 1
    for _ in range(4):
        page.screen.want()
    assert page.asked == 2
    page.screen.views = 0
    page.screen.want()
    page.screen.want()
    assert page.asked == 4
    assert len(page.sent) == 2


def test_words_alone_are_sent_without_a_picture(page):
    page.say("look")
    page.screen.put(show(np.zeros(0)))
    content, buffers = page.sent[-1]
    assert "no elements" in content["words"]
    assert buffers is None


def test_a_picture_that_was_made_a_file_is_sent_as_one(page):
    preview = show(PIXELS, zoom=1)
    png = preview.png()
    page.screen.put(preview)
    page.say("look")
    assert page.sent[-1][1] == [png]


@pytest.mark.parametrize(
    "message", ["hello", None, {}, {"kind": "drawn", "drawn": None}, {"kind": "tick", "drawn": None}]
)
def test_what_says_nothing_does_nothing(page, message):
    page.screen._handle_custom_msg(message, [])
    assert (page.sent, page.asked) == ([], 0)

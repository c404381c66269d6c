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

    def comes(self, page="a page", views=1):
        self.say("views", page=page, views=views)

    def look(self, page="a page"):
        """A view is on that page now, and has no picture yet."""
        self.comes(page)
        self.say("look")

    def tick(self, page, **message):
        self.say("tick", page=page, drawn={"number": self.screen.number, "ago": 0}, **message)

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
    page.look()
    ((content, _),) = page.sent
    assert (content["kind"], content["number"], content["width"], content["height"]) == ("picture", 1, 300, 200)


def test_both_ways_give_the_same_picture(page):
    page.look()
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
    page.look()
    for _ in range(10):
        page.screen.want()
    assert page.asked == 2
    page.drawn(1)
    assert page.asked == 3
    page.drawn()
    assert page.asked == 3


def test_a_page_that_is_opened_anew_gets_the_last_picture_and_goes_on(page):
    page.look()
    for _ in range(3):
        page.screen.want()
    page.look()
    assert page.sent[-1][0]["number"] == page.screen.number == 2
    page.drawn()
    assert page.asked == 3, "what was wanted meanwhile"


def test_a_page_that_has_gone_is_not_waited_for(page):
    page.comes()
    for _ in range(4):
        page.screen.want()
    assert page.asked == 2
    page.comes(views=0)
    page.screen.want()
    page.screen.want()
    assert page.asked == 4
    assert len(page.sent) == 2


def test_one_page_of_two_goes_and_the_other_still_gets_pictures(page):
    page.look("one")
    page.look("another")
    page.comes("one", views=0)
    assert page.screen.is_seen
    page.screen.want()
    assert page.sent[-1][0]["number"] == page.screen.number == 1
    page.drawn()
    page.comes("one", views=0)  # it may say so again
    page.screen.want()
    assert page.sent[-1][0]["number"] == 2
    page.comes("another", views=0)
    page.screen.want()
    assert page.sent[-1][0]["number"] == 2
    assert not page.screen.is_seen


def test_a_page_that_sleeps_does_not_keep_another(page):
    page.look("asleep")
    page.look("awake")
    for number in range(1, 6):
        page.screen.want()
        assert page.sent[-1][0]["number"] == number
        page.drawn()  # by one of them


def test_two_pages_ask_for_the_pictures_of_one(page):
    ticked = []
    page.screen.on_tick(lambda *pointer: ticked.append(pointer))
    page.screen.rate = 1e-3  # the pages are faster, whatever the machine does
    page.screen.ticking = True
    for _ in range(3):
        page.tick("one")
        page.tick("another")
        assert page.sent[-1][0] == {"kind": "passed", "page": "another"}
    assert len(ticked) == len(page.sent) == 3
    page.screen.rate = 1e9
    page.tick("another")
    assert len(ticked) == 4, "the first one is late"


def test_the_pointer_is_where_it_moved_last(page):
    ticked = []
    page.screen.on_tick(lambda *pointer: ticked.append(pointer))
    page.screen.rate = 1e9
    page.screen.ticking = True
    page.tick("one", place=[0.25, 0.5], pressed=True)
    page.tick("another", place=None, pressed=False)
    page.tick("another", place=[0.75, 0.5], pressed=False)
    assert ticked == [((0.25, 0.5), True), ((0.25, 0.5), True), ((0.75, 0.5), False)]


def test_an_answer_names_the_view_that_asked(page):
    page.screen.on_ask(lambda x, y: f"{x}, {y}")
    page.say("ask", x=0.5, y=0.25, by="a view")
    assert page.sent == [({"kind": "answer", "words": "0.5, 0.25", "by": "a view"}, None)]


def test_words_alone_are_sent_without_a_picture(page):
    page.look()
    page.screen.put(show(np.zeros(0)))
    content, buffers = page.sent[-1]
    assert "no elements" in content["words"]
    assert buffers is None


def test_a_picture_that_was_made_a_file_is_sent_as_one(page):
    preview = show(PIXELS, zoom=1)
    png = preview.png()
    page.screen.put(preview)
    page.look()
    assert page.sent[-1][1] == [png]


@pytest.mark.parametrize(
    "message", ["hello", None, {}, {"kind": "drawn", "drawn": None}, {"kind": "tick", "drawn": None}]
)
def test_what_says_nothing_does_nothing(page, message):
    page.screen._handle_custom_msg(message, [])
    assert (page.sent, page.asked) == ([], 0)

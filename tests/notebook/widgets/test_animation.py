# SPDX-License-Identifier: MIT
"""`animate`: what a kernel is told, how time goes, films."""

import io
import time

import numpy as np
import pytest
from PIL import Image

from mtlpy_nb import ArgumentError, ValidationError, animate, output
from mtlpy_nb.notebook.widgets.film import Film


@pytest.fixture
def animation(kernels):
    made = animate(kernels["waves"], size=(64, 32), fps=20)
    yield made
    made.close()


def pixel(preview):
    return Image.open(io.BytesIO(preview.png())).convert("RGB").getpixel((1, 1))


def test_a_kernel_is_told_time_frame_and_mouse(animation):
    assert pixel(animation.snapshot()) == (0, 0, 128)  # the mouse is in the middle: 32 of 64
    assert pixel(animation.at(0.2)) == (51, 4, 128)
    assert pixel(animation.at(0.6)) == (153, 12, 128)
    assert (animation.time, animation.frame) == (0, 0), "nothing has moved"


def test_the_picture_has_the_size(animation):
    width, height = Image.open(io.BytesIO(animation.snapshot().png())).size
    assert (width // 64, height // 32, width % 64) == (width // 64, width // 64, 0)


def test_steps_are_one_picture_each(animation):
    animation.step()
    animation.step()
    assert (animation.frame, animation.time) == (2, pytest.approx(0.1))
    assert pixel(animation.snapshot()) == pixel(animation.at(0.1))


def test_it_plays_while_the_browser_asks(animation, browser):
    page = browser(animation)
    page.open()
    page.say(kind="tick", place=[0.5, 0.5], pressed=False)
    assert animation.frame == 0, "it does not play yet"
    animation.play()
    for number in range(1, 4):
        page.draw()
        page.say(kind="tick", place=[0.25, 1.0], pressed=True)
        assert (animation.frame, animation._screen.number) == (number, number + 1)
    assert animation.mouse == (16.0, 32.0)
    assert pixel(animation.snapshot())[1:] == (3, 64)
    animation.pause()
    page.say(kind="tick", place=None, pressed=False)
    assert animation.frame == 3


def test_buttons(animation):
    animation._play.value = True
    assert animation.is_playing
    assert animation._play.description == "Pause"
    animation._step.click()
    assert not animation.is_playing
    assert animation._play.value is False
    assert animation.frame == 1


def test_time_goes_as_the_clock_does(animation, browser, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("mtlpy_nb.notebook.widgets.animation.time.perf_counter", lambda: clock[0])
    animation.play()
    for passed in (0, 0.5, 0.25):
        clock[0] += passed
        browser(animation).say(kind="tick", place=None, pressed=False)
    assert animation.time == pytest.approx(0.05 + 0.5 + 0.25), "the first picture is one frame's time later"
    animation.pause()
    clock[0] += 60
    animation.play()
    browser(animation).say(kind="tick", place=None, pressed=False)
    assert animation.time == pytest.approx(0.85), "a pause takes no time"


def test_words_of_the_time_come_now_and_then(animation, browser, monkeypatch):
    clock = [time.perf_counter() + 1]
    monkeypatch.setattr("mtlpy_nb.notebook.widgets.animation.time.perf_counter", lambda: clock[0])
    animation.play()
    told = []
    for _ in range(20):
        clock[0] += 0.05
        browser(animation).say(kind="tick", place=None, pressed=False)
        told.append(animation._told_words.value)
    assert 3 <= len(set(told)) <= 6
    animation.pause()
    assert animation._told_words.value == "1.00 s, frame 20"


def test_a_buffer_as_the_picture(kernels):
    animation = animate(kernels["ramp"], size=(10, 5))
    shown = np.asarray(Image.open(io.BytesIO(animation.at(1.0).png())).convert("RGB"))
    assert (shown[..., 2] == 255).all()
    assert len(np.unique(shown[..., 0])) == 10
    assert len(np.unique(shown[..., 1])) == 5


def test_a_function_with_a_state(kernels):
    state = np.zeros((4, 4), np.float32)

    def step(frame):
        state[frame % 4] += 1
        return state

    animation = animate(step, size=(4, 4))
    animation.step()
    assert (state.sum(axis=1) == [4, 4, 0, 0]).all()


def test_an_image_called_frame_is_no_number(kernels):
    animation = animate(kernels["paint"], size=(8, 8))
    assert animation._told == {"time"}
    assert pixel(animation.at(0.2)) == (51, 0, 0)


def test_arguments_of_ones_own(kernels):
    animation = animate(kernels["waves"], size=(8, 8), mouse=(64.0, 0.0), time=0.5)
    assert pixel(animation.at(3.0)) == (128, 90, 255)
    told = animate(lambda scale, time, offset: np.full((4, 4), scale * time + offset), 2.0, size=(4, 4), offset=1.0)
    assert told._told == {"time"}


def test_an_error_stops_it_and_is_shown_once(browser):
    calls = []

    def step(frame):
        calls.append(frame)
        if frame == 2:
            raise RuntimeError("no third picture")
        return np.zeros((4, 4))

    animation = animate(step, size=(4, 4))
    page = browser(animation)
    page.open()
    animation.play()
    for _ in range(5):
        page.draw()
        page.say(kind="tick", place=None, pressed=False)
    assert calls == [0, 1, 2]
    assert "no third picture" in animation._error.value
    assert not animation.is_playing
    assert animation.frame == 1


def test_ctrl_c_stops_it_where_it_is(browser):
    def step(frame):
        if frame == 2:
            raise KeyboardInterrupt("step was stopped")
        return np.zeros((4, 4))

    animation = animate(step, size=(4, 4))
    animation.step()
    animation.play()
    with pytest.raises(KeyboardInterrupt):
        browser(animation).say(kind="tick", place=None, pressed=False)
    assert "step was stopped" in animation._error.value
    assert not animation.is_playing
    assert animation.frame == 1


def test_pictures_of_several_sizes_are_no_film(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    animation = animate(lambda frame: np.zeros((4 + 4 * frame, 4)), size=(4, 4))
    animation._record.value = True
    animation.step()
    animation.step()
    animation._record.value = False
    assert "the pictures have different sizes" in animation._error.value
    assert animation.recorded == []
    assert list(tmp_path.iterdir()) == []
    assert animation._told_words.value.endswith("frame 2"), "and no word of writing"


def test_that_a_film_is_written_is_told_before(animation, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told, save = [], Film.save
    monkeypatch.setattr(Film, "save", lambda film: (told.append(animation._told_words.value), save(film))[1])
    animation._record.value = True
    animation.step()
    animation._record.value = False
    assert [words.partition("; ")[2] for words in told] == ["writing 1 picture"]


@pytest.mark.parametrize(("name", "kind"), [("film.png", "PNG"), ("film.apng", "PNG"), ("film.gif", "GIF")])
def test_films(animation, tmp_path, name, kind):
    path = animation.record(tmp_path / name, 0.5)
    with Image.open(path) as film:
        assert (film.format, film.n_frames, film.info["loop"]) == (kind, 10, 0)
        assert film.info["duration"] == 50
        for i in (0, 3, 9):
            film.seek(i)
            expected = pixel(animation.at(i / 20))
            assert np.abs(np.subtract(film.convert("RGB").getpixel((1, 1)), expected)).max() <= (kind == "GIF") * 8
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_the_record_button_keeps_what_plays(animation, browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "animation-1.png").write_bytes(b"mine")
    page = browser(animation)
    page.open()
    animation._record.value = True
    animation.play()
    for _ in range(3):
        page.draw()
        page.say(kind="tick", place=None, pressed=False)
    animation._record.value = False
    assert [path.name for path in animation.recorded] == ["animation-2.png"]
    with Image.open(animation.recorded[0]) as film:
        assert film.n_frames == 3
    assert (tmp_path / "animation-1.png").read_bytes() == b"mine"
    assert animation._told_words.value.endswith("frame 3; 3 pictures in animation-2.png")
    page.draw()
    page.say(kind="tick", place=None, pressed=False)
    animation.pause()  # there still is time to read where the film is
    assert animation._told_words.value.endswith("frame 4; 3 pictures in animation-2.png")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda k: animate(3), TypeError, "animate: expected a Kernel or a function, got int"),
        (lambda k: animate(k, size=5), ArgumentError, "size is 5, must be (width, height)"),
        (lambda k: animate(k, size=(5.5, 5)), ArgumentError, "size is (5.5, 5), must be (width, height)"),
        (lambda k: animate(k, size=(0, 5)), ValidationError, "size is (0, 5), must be at least 1 x 1"),
        (lambda k: animate(k, fps=0), ValidationError, "fps is 0, must be above 0"),
        (lambda k: animate(k, fps="x"), ArgumentError, "fps is the text 'x', must be a number"),
        (lambda k: animate(k, nothing=1), ArgumentError, "has no argument 'nothing'"),
        (lambda k: animate(k, size=(4, 4)).at(float("nan")), ValidationError, "t is nan, must be finite"),
        (lambda k: animate(k, size=(4, 4)).record("a.mp4", 1), ValidationError, "must end in .png, .apng or .gif"),
        (lambda k: animate(k, size=(4, 4)).record("a.gif", 1e6), ValidationError, "must be 1 to 3000"),
        (lambda k: animate(k, output((4, 4, 4), "rgba8Unorm"), out=1), ArgumentError, "out is given twice"),
        (lambda k: animate(k, 1, 2, 3, 4, 5), ArgumentError, "waves takes 4 arguments, 5 were given"),
    ],
)
def test_wrong_calls(kernels, tmp_path, monkeypatch, call, error, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as raised:
        call(kernels["waves"])
    assert message in str(raised.value)
    assert list(tmp_path.iterdir()) == []

# SPDX-License-Identifier: MIT
"""`explore`: which controls a kernel gets, and what moving them does."""

import gc
import io
import threading
import time
import weakref

import ipywidgets
import numpy as np
import pytest
from PIL import Image

from mtlpy_nb import ArgumentError, explore, output, show


def result(playground):
    return np.asarray(playground.result)


@pytest.fixture
def playground(kernels, image):
    made = explore(kernels["blend"], image, output.like(image), mix=(0.0, 2.0), radius=(1, 20))
    yield made
    made.close()


def test_each_scalar_argument_has_a_control(playground):
    assert {name: type(widget) for name, widget in playground.controls.items()} == {
        "mix": ipywidgets.FloatSlider,
        "radius": ipywidgets.IntSlider,
        "flip": ipywidgets.Checkbox,
    }
    mix, radius = playground.controls["mix"], playground.controls["radius"]
    assert (mix.min, mix.max, mix.step) == (0, 2, 0.01)
    assert (radius.min, radius.max, radius.step) == (1, 20, 1)
    assert playground.values == {"mix": 1.0, "radius": 11, "flip": False}


def test_sliders_begin_below_each_other(playground):
    mix, radius = playground.controls["mix"], playground.controls["radius"]
    assert mix.style.description_width == radius.style.description_width == "7ch"


def test_a_long_name_leaves_the_sliders_their_room():
    controls = explore(lambda a, the_name_of_this_one_is_long: np.ones((2, 2)), a=1.0, the_name_of_this_one_is_long=1.0)
    assert {widget.style.description_width for widget in controls.controls.values()} == {"initial"}


def test_a_range_that_is_not_given(kernels, image):
    controls = explore(kernels["blend"], image, output.like(image)).controls
    assert (controls["mix"].min, controls["mix"].max) == (0, 1)
    assert (controls["radius"].min, controls["radius"].max) == (0, 100)
    assert controls["flip"].value is False


def test_moving_a_control_runs_the_kernel(playground, browser, image):
    np.testing.assert_allclose(result(playground), image + 11)
    browser(playground).draw()
    playground.controls["radius"].value = 7
    np.testing.assert_allclose(result(playground), image + 7)
    browser(playground).draw()
    playground.controls["flip"].value = True
    np.testing.assert_array_equal(result(playground), -image)
    assert playground._screen.number == 3


def test_the_picture_is_of_the_result(playground, browser):
    browser(playground).draw()
    playground.controls["radius"].value = 3
    put, shown = playground._screen.picture, show(playground.result)
    np.testing.assert_array_equal(*(np.asarray(Image.open(io.BytesIO(one.png()))) for one in (put, shown)))
    assert put.text == shown.text


def test_without_a_page_each_value_is_computed(playground, image):
    for radius in (3, 7):
        playground.controls["radius"].value = radius
        np.testing.assert_allclose(result(playground), image + radius)


def test_pictures_are_left_out_while_the_browser_draws(playground, browser, image):
    browser(playground).comes()
    for radius in range(1, 20):
        playground.controls["radius"].value = radius
    assert playground._screen.number == 3, "two are on their way"
    browser(playground).draw()
    assert playground._screen.number == 4
    np.testing.assert_allclose(result(playground), image + 19)
    browser(playground).draw()
    assert playground._screen.number == 4, "nothing has changed since"


def test_an_answer_to_an_older_picture_counts_for_nothing(playground, browser):
    browser(playground).comes()
    for radius in (2, 3):
        playground.controls["radius"].value = radius
    browser(playground).say(kind="drawn", drawn={"number": 1, "ago": 0})
    playground.controls["radius"].value = 4
    assert playground._screen.number == 3


@pytest.mark.parametrize(
    ("given", "value", "kind"),
    [
        (5, 5, ipywidgets.IntSlider),
        (-4, -4, ipywidgets.IntSlider),
        (0, 0, ipywidgets.IntSlider),
        ([2, 3, 5], 2, ipywidgets.Dropdown),
        ({"small": 2, "large": 9}, 2, ipywidgets.Dropdown),
        ((0, 100, 10), 50, ipywidgets.IntSlider),
        (ipywidgets.BoundedIntText(4, 0, 9), 4, ipywidgets.BoundedIntText),
    ],
)
def test_what_stands_for_a_control(kernels, image, given, value, kind):
    control = explore(kernels["blend"], image, output.like(image), radius=given).controls["radius"]
    assert type(control) is kind
    assert control.value == value


def test_a_number_is_where_a_slider_begins(kernels, image):
    controls = explore(kernels["blend"], image, output.like(image), 0.25, radius=-4).controls
    assert (controls["mix"].min, controls["mix"].value, controls["mix"].max) == (0, 0.25, 0.5)
    assert (controls["radius"].min, controls["radius"].value, controls["radius"].max) == (-8, -4, 0)


def test_the_slider_of_a_number_keeps_to_the_type(kernels):
    controls = explore(kernels["narrow"], output((4, 4), np.uint8), pair=(1.0, 2.0), level=200).controls
    assert (controls["level"].min, controls["level"].value, controls["level"].max) == (0, 200, 255)


def test_a_fixed_number_has_none(kernels, image):
    playground = explore(kernels["blend"], image, output.like(image), ipywidgets.fixed(0.5), radius=ipywidgets.fixed(2))
    assert list(playground.controls) == ["flip"]
    np.testing.assert_allclose(result(playground), image * 0.5 + 2)


def test_vectors_are_given(kernels):
    playground = explore(kernels["narrow"], output((4, 4), np.uint8), pair=(1.0, 2.0), level=(0, 255, 5))
    assert list(playground.controls) == ["level"]
    assert (result(playground) == playground.values["level"]).all()


def test_an_array_that_the_kernel_writes_is_not_changed(kernels, image):
    before = image.copy()
    playground = explore(kernels["invert"], image)
    np.testing.assert_allclose(result(playground), 1 - before)
    playground.refresh()
    np.testing.assert_allclose(result(playground), 1 - before)
    np.testing.assert_array_equal(image, before)


def test_a_function_of_ones_own(image, browser):
    playground = explore(lambda x, power, shift=0: x**power + shift, image, power=(1, 3), shift=[0, 1])
    assert list(playground.controls) == ["power", "shift"]
    browser(playground).draw()
    playground.controls["shift"].value = 1
    np.testing.assert_array_equal(result(playground), image**2 + 1)


def test_a_number_of_a_function(image):
    playground = explore(lambda x, power, shift: x**power + shift, image, power=2, shift=ipywidgets.fixed(0.5))
    assert list(playground.controls) == ["power"]
    assert type(playground.controls["power"]) is ipywidgets.IntSlider
    np.testing.assert_array_equal(result(playground), image**2 + 0.5)


def test_an_error_appears_once_and_goes(image, browser):
    def divide(x, by):
        if by == 2:
            raise ValueError("by <two> is not for me")
        return x / by

    playground = explore(divide, image, by=(1, 3, 2))
    shown = playground._screen.picture
    page = browser(playground)
    page.draw()
    playground.controls["by"].min, playground.controls["by"].step = 0, 1
    playground.controls["by"].value = 2
    assert "by &lt;two&gt; is not for me" in playground._error.value
    assert playground._screen.picture is shown, "the last picture stays"
    playground.controls["by"].value = 1
    assert playground._error.value == ""


def test_ctrl_c_is_shown_and_ends_the_cell(image):
    def divide(x, by):
        if by == 2:
            raise KeyboardInterrupt("divide was stopped")
        return x / by

    playground = explore(divide, image, by=[1, 2, 3])
    with pytest.raises(KeyboardInterrupt, match="divide was stopped"):
        playground.controls["by"].value = 2
    assert "divide was stopped" in playground._error.value
    playground.controls["by"].value = 3
    assert playground._error.value == ""


def test_a_function_is_called_once_at_a_time(image):
    overlapping, busy = [], threading.Lock()
    together = threading.Barrier(4)

    def slow(x):
        if not busy.acquire(blocking=False):
            overlapping.append(threading.get_ident())
            return x
        time.sleep(0.01)
        busy.release()
        return x

    playground = explore(slow, image)

    def work():
        together.wait()
        playground.refresh()
        playground.snapshot()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlapping == []
    assert playground._screen.number == 5


def test_closing_lets_go_of_all_but_widgets_that_were_given(image):
    mine = ipywidgets.IntSlider(3, 0, 9)
    playground = explore(lambda x, power, shift: x**power + shift, image, power=(1, 3), shift=mine)
    playground.close()
    assert mine.comm is not None
    assert playground._repr_mimebundle_()[0].keys() == {"image/png", "text/html", "text/plain"}, (
        "the last picture stays"
    )
    gone = weakref.ref(playground)
    del playground
    gc.collect()
    assert gone() is None
    mine.value = 4
    mine.close()


def test_one_that_fails_leaves_no_screen(image):
    def refuse(x):
        raise ValueError("no picture")

    known = set(ipywidgets.Widget.get_manager_state()["state"])
    with pytest.raises(ValueError, match="no picture"):
        explore(refuse, image)
    left = ipywidgets.Widget.get_manager_state()["state"].items()
    assert [state for name, state in left if name not in known and state["model_module"] == "anywidget"] == []


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"mix": (2, 1)}, "mix is (2, 1), must be (least, most)"),
        ({"mix": (0, float("inf"))}, "mix is (0, inf), must be"),
        ({"mix": (0, 1, 0)}, "mix has the step 0, must be above 0"),
        ({"mix": (0, 1, float("inf"))}, "mix has the step inf, must be above 0"),
        ({"mix": []}, "mix is empty"),
        ({"mix": float("nan")}, "mix is nan, must be a finite number"),
        ({"radius": (1, 1.5)}, "radius is 1.5, but constant int& radius takes whole numbers"),
        ({"radius": (1, float("inf"))}, "radius is inf, but constant int& radius takes whole numbers"),
        ({"radius": 2**40}, "radius is 1099511627776, but int holds"),
        ({"radius": (0, 2**40)}, "radius is 1099511627776, but int holds"),
        ({"radius": 1.5}, "radius is 1.5, must be a whole number"),
        ({"nothing": 3}, "has no argument 'nothing'"),
        ({"a": 3}, "a is given twice"),
    ],
)
def test_wrong_controls(kernels, image, named, message):
    with pytest.raises(ArgumentError) as raised:
        explore(kernels["blend"], image, output.like(image), **named)
    assert message in str(raised.value)


def test_too_many_arguments(kernels, image):
    with pytest.raises(ArgumentError, match="blend takes 5 arguments, 6 were given"):
        explore(kernels["blend"], image, image, 1, 1, True, 3)


def test_what_is_no_kernel():
    with pytest.raises(TypeError, match="explore: expected a Kernel or a function, got int"):
        explore(3)
    with pytest.raises(TypeError, match="grid and threadgroup are for a Kernel"):
        explore(lambda: 1, grid=3)


def test_a_grid_of_ones_own(kernels, image):
    playground = explore(kernels["blend"], image, output.like(image), mix=(0, 1), radius=(1, 3), grid=8)
    assert (result(playground)[1:] == 0).all() or not np.allclose(result(playground)[1:], image[1:] + 2)
    np.testing.assert_allclose(result(playground)[0], image[0] * playground.values["mix"] + 2)


def test_where_there_are_no_widgets_it_is_a_picture(playground):
    data, metadata = playground._repr_mimebundle_()
    assert data.keys() == {"image/png", "text/html", "text/plain"}
    assert data["image/png"] in data["text/html"]
    assert data["text/plain"].startswith("Buffer(shape=(8, 8), dtype=float32)")
    assert metadata["image/png"] == {"width": 512, "height": 512}


def test_a_snapshot_is_of_now(playground, browser, image):
    browser(playground).comes()
    playground.controls["radius"].value = 2  # the first picture is on its way still
    preview = playground.snapshot()
    np.testing.assert_allclose(result(playground), image + 2)
    assert preview.png() == show(playground.result).png()
    assert Image.open(io.BytesIO(preview.png())).size == (512, 512)

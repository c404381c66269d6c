# SPDX-License-Identifier: MIT
"""Pictures of a live view travel packed where that is sooner."""

import pytest

from mtlpy_nb.notebook.widgets.packing import Packing

SIZE = 512 * 512 * 3


def seen(packing, packed, plain, count, size=SIZE):
    """Which pictures were packed, where each way takes so many seconds."""
    ways = []
    for _ in range(count):
        ways.append(packing.choose(size))
        packing.took(ways[-1], size, packed if ways[-1] else plain)
    return ways


def test_on_one_machine_bytes_travel_as_they_are():
    packing = Packing()
    assert seen(packing, 0.03, 0.01, 8) == [True] * 8, "the safe way first"
    seen(packing, 0.03, 0.01, 100)
    assert seen(packing, 0.03, 0.01, 1000).count(True) < 50


def test_over_a_slow_line_they_are_packed():
    packing = Packing()
    seen(packing, 0.3, 1.0, 100)
    assert seen(packing, 0.3, 1.0, 1000).count(False) < 50


def test_a_line_that_becomes_slow():
    packing = Packing()
    seen(packing, 0.03, 0.01, 100)
    seen(packing, 0.03, 0.2, 2000)
    assert seen(packing, 0.03, 0.2, 500).count(False) < 50


def test_a_small_gain_is_no_reason_to_change():
    packing = Packing()
    assert seen(packing, 0.030, 0.029, 1000).count(False) < 50


@pytest.mark.parametrize(("size", "packed"), [(1 << 16, False), ((1 << 23) + 1, True)])
def test_sizes_for_which_nothing_is_tried(size, packed):
    packing = Packing()
    assert set(seen(packing, 1.0, 1.0, 100, size)) == {packed}

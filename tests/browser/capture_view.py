# SPDX-License-Identifier: MIT
"""What a person does with the capture view, and what they see of it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from .page import NotebookPage

# Of the picture on a canvas: colours of the middles of an image's pixels, row by row.
_COLOURS = """(canvas, [width, height]) => {
    const context = canvas.getContext('2d'), found = [];
    for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x)
            found.push([...context.getImageData(
                Math.floor((x + 0.5) * canvas.width / width), Math.floor((y + 0.5) * canvas.height / height), 1, 1
            ).data].slice(0, 3));
    return found;
}"""
# How many of its pixels are orange, the colour of marks.
_MARKED = """canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const isOrange = (red, green, blue) => red > 200 && Math.abs(green - 140) < 40 && blue < 80;
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += isOrange(...data.slice(i, i + 3));
    return count;
}"""

# Its layout is at rest: each frame may change it, and be followed by another that does.
_AT_REST = """async canvas => {
    const box = () => JSON.stringify(canvas.getBoundingClientRect()), frame = () => new Promise(requestAnimationFrame);
    for (let before = null, same = 0; same < 3; await frame()) {
        same = box() === before ? same + 1 : 0;
        before = box();
    }
}"""


class CaptureView:
    """The view that a cell shows."""

    def __init__(self, page: NotebookPage, cell: int) -> None:
        self._page = page
        self.element = page.output(cell).locator(".metal-capture")
        expect(self.element).to_be_visible()
        self.list = self.element.get_by_role("listbox", name="Commands")
        self.reading = self.element.locator(".mc-reading")
        self.history = self.element.locator(".mc-history")

    # ---- the list ----

    @property
    def commands(self) -> Locator:
        """The commands that are on the page."""
        return self.list.get_by_role("option")

    def choose(self, number: int) -> None:
        """Click a command."""
        self.list.locator(f"[data-number='{number}']").click()
        self.is_at(number)

    def press(self, *keys: str) -> None:
        """Press keys on the list."""
        self.list.focus()
        for key in keys:
            self._page.page.keyboard.press(key)

    def is_at(self, number: int) -> None:
        """Wait until that command is chosen and shown."""
        expect(self.list.locator("[aria-selected=true]")).to_have_attribute("data-number", str(number))
        expect(self.element.locator(".mc-command")).to_have_text(re.compile(rf"^{number}: "))

    # ---- what is bound ----

    def thing(self, name: str) -> Locator:
        """The part about one thing that is bound."""
        return self.element.locator(f"[data-name='{name}']")

    def names(self) -> list[str]:
        """Names of what is bound, in the order in which they are shown."""
        return self.element.locator(".mc-thing").evaluate_all("things => things.map(thing => thing.dataset.name)")

    def picture(self, name: str, side: str) -> Locator:
        """A picture of it, when it is there."""
        canvas = self.thing(name).locator(f"canvas[data-side={side}]")
        expect(canvas).to_be_visible()
        return canvas

    def colours(self, name: str, side: str, size: tuple[int, int]) -> list[list[int]]:
        """Colours of a picture whose image has that width and height."""
        return self.picture(name, side).evaluate(_COLOURS, list(size))

    def is_marked(self, name: str, side: str) -> bool:
        """Whether something is framed on a picture in gray."""
        return bool(self.picture(name, side).evaluate(_MARKED))

    def at(
        self, name: str, side: str, size: tuple[int, int], pixel: tuple[int, int]
    ) -> tuple[Locator, dict[str, float]]:
        """Where on a picture a pixel is, as what hovering and clicking take."""
        canvas = self.picture(name, side)
        canvas.scroll_into_view_if_needed()
        canvas.evaluate(_AT_REST)
        box = canvas.bounding_box()
        assert box is not None
        across, down = (
            (place + 0.5) * extent / count
            for place, extent, count in zip(pixel, (box["width"], box["height"]), size, strict=True)
        )
        return canvas, {"x": across, "y": down}

    def hover(self, name: str, side: str, size: tuple[int, int], pixel: tuple[int, int]) -> None:
        """Point at a pixel."""
        canvas, position = self.at(name, side, size, pixel)
        canvas.hover(position=position)

    def click(self, name: str, side: str, size: tuple[int, int], pixel: tuple[int, int]) -> None:
        """Click a pixel."""
        canvas, position = self.at(name, side, size, pixel)
        canvas.click(position=position)

    def moments(self) -> list[list[str]]:
        """Rows of the history: a command's number and name, and the value after it."""
        rows = self.history.locator("tbody tr")
        return rows.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.innerText))")

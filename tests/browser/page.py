# SPDX-License-Identifier: MIT
"""What a person does with a notebook in the browser, and what they see."""

from __future__ import annotations

import base64
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from .server import Server

_METADATA = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}
_PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"

_SLOW = re.compile(r"(took [\d.]+ms|is taking too long) to activate")

_READY = """async widget => {
    await widget.context.ready;
    await widget.context.sessionContext?.ready;
    await widget.content.ready;
}"""
_OPEN = f"""async ([path, factory]) => {{
    await ({_READY})(await jupyterapp.commands.execute('docmanager:open', {{path, factory}}));
}}"""
# Of every piece of text in the lines of an editor: where it is, and its looks.
_TOKENS = """editor => [...editor.querySelectorAll('.cm-line')].flatMap((line, number) => {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const style = getComputedStyle(walker.currentNode.parentElement);
        found.push([number, walker.currentNode.data, style.color, style.fontWeight]);
    }
    return found;
})"""

_COLOURS = """area => {
    const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode())
        found.push([walker.currentNode.data, getComputedStyle(walker.currentNode.parentElement).color]);
    return found;
}"""


@dataclass(frozen=True)
class Token:
    """A piece of text of an editor's line `line`, as it is drawn."""

    line: int
    text: str
    colour: str
    weight: str


class Tokens(list[Token]):
    """All of an editor."""

    def colour(self, word: str, line: int | None = None) -> str:
        """Give the colour of the first `word`, which may be a part of what is drawn in one colour."""
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)" if word[-1].isalnum() else re.escape(word))
        for token in self:
            if line in (None, token.line) and pattern.search(token.text):
                return token.colour
        raise AssertionError(f"no {word!r} in {[token.text for token in self]}")


class NotebookPage:
    """A front end with one notebook in it."""

    def __init__(self, page: Page, server: Server, screenshots: Path) -> None:
        self.page = page
        self._server = server
        self.screenshots = screenshots
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self._listen(f"{error}\n{error.stack}"))
        page.on("console", lambda message: self._listen(message.text))

    def _listen(self, text: str) -> None:
        # Our extension's name, or its address in a traceback; JupyterLab also tells what a busy machine takes long for.
        if "mtlpy-nb" in text and not _SLOW.search(text):
            self.complaints.append(text)

    # ---- documents ----

    def write_notebook(self, name: str, *cells: str | tuple[str, str]) -> str:
        """Put a notebook of code cells in the server's folder; a pair is a kind of cell and its text."""
        pairs = [("code", cell) if isinstance(cell, str) else cell for cell in cells]
        made = [
            {"cell_type": kind, "id": f"cell-{i}", "metadata": {}, "source": text}
            | ({"outputs": [], "execution_count": None} if kind == "code" else {})
            for i, (kind, text) in enumerate(pairs)
        ]
        document = {"cells": made, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
        (self._server.folder / name).write_text(json.dumps(document))
        return name

    def open(self, name: str, factory: str = "Notebook") -> None:
        """Open a document in JupyterLab."""
        self.page.evaluate(_OPEN, [name, factory])

    def visit(self, name: str) -> None:
        """Go to the notebook's own page, as Notebook has it."""
        self.page.goto(f"{self._server.url}/notebooks/{name}")
        self.page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context")
        self.page.evaluate(f"({_READY})(jupyterapp.shell.currentWidget)")
        self.editor(0).wait_for()

    def save(self) -> None:
        """Save the notebook that is in front."""
        self.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        self.page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")

    def end_kernel(self) -> None:
        """End the kernel of the notebook that is in front."""
        self.page.evaluate("jupyterapp.shell.currentWidget.context.sessionContext.shutdown()")

    def close(self) -> None:
        """Close all documents of JupyterLab, unsaved, and end their kernels; nothing if the test went elsewhere."""
        if self.page.is_closed():
            return
        self.page.evaluate("""async () => {
            for (const widget of [...(window.jupyterapp?.shell.widgets('main') ?? [])]) {
                await widget.context?.sessionContext?.shutdown();
                widget.dispose();
            }
        }""")

    # ---- cells ----

    def cell(self, number: int) -> Locator:
        """Give the cell of that number, from 0."""
        return self.page.locator(f"{_PANEL} .jp-Notebook .jp-Cell").nth(number)

    def editor(self, number: int) -> Locator:
        """Give what of a cell is typed into."""
        return self.cell(number).locator(".cm-content").first

    def text(self, number: int) -> str:
        """Give a cell's text."""
        return "\n".join(self.editor(number).evaluate("e => [...e.querySelectorAll('.cm-line')].map(l => l.innerText)"))

    def tokens(self, number: int) -> Tokens:
        """Give a cell's text as it is drawn."""
        return drawn(self.editor(number))

    def go_to(self, number: int, key: str = "Control+End") -> None:
        """Put the cursor in a cell, at its end unless `key` moves it elsewhere."""
        self.editor(number).click()
        self.page.keyboard.press(key)

    def rewrite(self, number: int, text: str) -> None:
        """Replace all that a cell says."""
        self.editor(number).click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def start(self, number: int) -> None:
        """Run a cell, and don't wait for it."""
        self.editor(number).click()
        self.page.keyboard.press("Control+Enter")

    def run(self, number: int) -> None:
        """Run a cell, and wait until it is done."""
        prompt = self.cell(number).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        self.start(number)
        expect(prompt).not_to_have_text(before)
        self.wait(number)

    def wait(self, number: int) -> None:
        """Wait until a cell that has been started is done."""
        expect(self.cell(number).locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))

    def execute(self, code: str) -> None:
        """Run code of no cell, and wait until it is done."""
        self.page.evaluate(
            "async code => { await jupyterapp.shell.currentWidget.context.sessionContext.session.kernel"
            ".requestExecute({code}).done; }",
            code,
        )

    # ---- what they show ----

    def output(self, number: int) -> Locator:
        """Give the area of a cell's outputs."""
        return self.cell(number).locator(".jp-Cell-outputArea")

    def picture(self, number: int) -> Image.Image:
        """Give the picture that a cell shows, having seen that it is on the page."""
        image = self.output(number).locator("img")
        expect(image).to_be_visible()
        self.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=image.element_handle())
        data = image.get_attribute("src").removeprefix("data:image/png;base64,")
        return Image.open(io.BytesIO(base64.b64decode(data)))

    def colours_of(self, area: Locator) -> list[tuple[str, str]]:
        """Give the pieces of text in an area, each with its colour."""
        return [(text, colour) for text, colour in area.evaluate(_COLOURS)]

    # ---- the whole ----

    def toolbar(self, name: str) -> Locator:
        """Give a button of the notebook's toolbar."""
        return self.page.locator(f"{_PANEL} .jp-NotebookPanel-toolbar [data-jp-item-name='{name}']")

    def theme(self, name: str) -> None:
        """Choose a theme: Light or Dark."""
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", f"JupyterLab {name}"
        )
        light = str(name == "Light").lower()
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light && !document.querySelector('#jupyterlab-splash')",
            arg=light,
        )

    def screenshot(self, name: str) -> None:
        """Keep a picture of the page, for people to look at."""
        self.page.screenshot(path=self.screenshots / f"{name}.png")


def drawn(editor: Locator) -> Tokens:
    """Give an editor's text as it is drawn."""
    return Tokens(Token(*values) for values in editor.evaluate(_TOKENS))

# SPDX-License-Identifier: MIT
"""Metal outside of code cells: files, Markdown, exported pages."""

import json

from playwright.sync_api import expect

from .page import drawn

KERNEL = "kernel void fill(device float4* x, uint i [[thread_position_in_grid]])\n{\n    x[i] = 1;  // one\n}\n"


def test_a_metal_file_in_the_text_editor(lab, server):
    (server.folder / "fill.metal").write_text(KERNEL)
    lab.open("fill.metal", "Editor")
    tokens = drawn(lab.page.locator(".jp-FileEditor .cm-content"))
    plain = tokens.colour("x", line=0)
    different = {tokens.colour(word) for word in ("kernel", "float4", "[[thread_position_in_grid]]", "// one")}
    assert plain not in different
    assert len(different) == 4
    expect(lab.page.locator("#jp-main-statusbar")).to_contain_text("Metal")
    lab.screenshot("file-light")


def test_a_fenced_block_in_markdown(lab):
    lab.open(lab.write_notebook("fenced.ipynb", ("markdown", f"```metal\n{KERNEL}```\n\n`kernel void`")))
    block = lab.cell(0).locator(".jp-RenderedMarkdown pre code")
    expect(block.locator("span", has_text="kernel").first).to_be_visible()
    colours = {text.strip(): colour for text, colour in lab.colours_of(block)}
    assert len({colours["kernel"], colours["void"], colours["[[thread_position_in_grid]]"], colours["// one"]}) == 4


def test_export_to_html(lab):
    """The server, too, reads the line of configuration that makes nbconvert colour Metal."""
    lab.write_notebook("export.ipynb", f"%%metal\n{KERNEL}", "kernel = 1")
    page = lab.page.evaluate("""async () => {
        const token = document.cookie.match(/_xsrf=([^;]+)/)[1];
        return (await fetch(`/nbconvert/html/export.ipynb?_xsrf=${token}`)).text();
    }""")
    assert '<span class="k">kernel</span>' in page
    assert '<span class="n">kernel</span>' in page


def test_a_saved_notebook_says_nothing_of_us(lab, server):
    lab.open(lab.write_notebook("saved.ipynb", "%%metal\nkernel void f() {}"))
    lab.go_to(0)
    lab.page.keyboard.insert_text(" // changed")
    lab.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    cell = json.loads((server.folder / "saved.ipynb").read_text())["cells"][0]
    assert "".join(cell["source"]) == "%%metal\nkernel void f() {} // changed"
    assert "mtlpy" not in json.dumps(cell["metadata"]).lower()

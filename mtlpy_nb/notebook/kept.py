# SPDX-License-Identifier: MIT
"""What stays on a page of a live view: hidden while it lives, seen where no kernel runs.

Those are two outputs of a cell, since a front end shows only one form of each: of a live form whose kernel has gone it
says that there is no model, whatever other forms stand beside it.
"""

from __future__ import annotations

import html
from uuid import uuid4

from .picture import Bundle, Preview, words_html

__all__ = ["kept", "kept_picture", "new_name"]


def new_name() -> str:
    """Name what stays of a view, so that the live one can hide it."""
    return f"metal-view-{uuid4().hex[:12]}"


def kept(name: str, body: str) -> str:
    """Give as HTML what stays of a view.

    JupyterLab and Notebook say above it that no model was found; that is a text alone in its place, and hidden. (What
    a live view says in words is a text alone, too, but further down.)
    """
    missing = ".jp-OutputArea-output.jupyter-widgets:not(:has(*))"
    above = f".jp-OutputArea-child:has(+ .jp-OutputArea-child .{name}) > {missing}"
    return f'<style>{above} {{ display: none; }}</style><div class="{name}">{body}</div>'


def kept_picture(name: str, preview: Preview) -> Bundle:
    """Give all forms of a picture that stays."""
    data, metadata = preview._repr_mimebundle_()
    body = data.get("text/html")
    if body is None and "image/png" in data:
        source = f"data:image/png;base64,{data['image/png']}"
        alt = html.escape(preview.text, quote=True)
        body = f'<img src="{source}" width="{preview.width}" height="{preview.height}" alt="{alt}">'
    data["text/html"] = kept(name, words_html(preview.text) if body is None else body)
    return data, metadata

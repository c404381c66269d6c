# SPDX-License-Identifier: MIT
"""One command of a capture as a picture: what it changed, before, after and where the two differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....capture import Command
from ...drawing import draw_sheet_of
from ...look import Look
from ...picture import Preview
from ...planes import ArrayPlane, Plane, Thinning
from ...scale import Scale
from .items import Bound, bound_things, image_of, may_have_changed
from .pictures import Part, Pictures

__all__ = ["changed_things", "snapshot_of"]

_SIDE = 256
_MOST = 4  # things that changed


def snapshot_of(command: Command) -> Preview:
    """Picture what a command changed; in words alone where that is nothing."""
    words = [f"{command.number}: {command.title}"]
    if command.error:
        words.append(command.error)
    planes: list[Plane] = []
    labels: list[str] = []
    for name, found in changed_things(command):
        words.append("; ".join([f"{name}: {found.words[0]}", *found.words[1:], *found.notes]))
        if len(planes) >= 3 * _MOST:
            continue
        part = Part.all(found.image)
        drawn = (found.before(part, _SIDE), found.after(part, _SIDE), found.difference(part, _SIDE))
        for pixels, side in zip(drawn, ("before", "after", "difference"), strict=True):
            if pixels is not None:
                planes.append(ArrayPlane(pixels, Thinning()))
                labels.append(f"{name} {side}")
    if not planes:
        return Preview("\n".join(words if len(words) > 1 else [*words, "it changed nothing"]))
    scales = [Scale(0.0, 255.0, Look(), plane.meaning) for plane in planes]
    pixels, screen = draw_sheet_of(planes, scales, labels, columns=3 if len(planes) % 3 == 0 else None)
    return Preview("\n".join(words), np.asarray(pixels), screen)


def changed_things(command: Command) -> Iterator[tuple[str, Pictures]]:
    """Read what a command changed, one thing or level after the other, with its name."""
    for item in bound_things(command):
        if not isinstance(item, Bound):
            continue
        levels = item.resource.levels if item.resource is not None and item.resource.kind == "texture" else 1
        for level in range(levels):
            if may_have_changed(item, level):
                pictures = Pictures(image_of(item, level))
                if pictures.image.changed:
                    yield f"{item.name} level {level}" if level else item.name, pictures

# SPDX-License-Identifier: MIT
"""What the capture view in a browser asks, and the answers: plain words and numbers, and the bytes of pictures.

A question is a dict with ``ask``; an answer has the same ``id``, ``kind`` as what was asked, and what is said below.
Nothing is read from the file but what is asked for.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ....capture import CaptureFile, Command, Moment
from ....capture._history import follow
from ...pixels import Pixels
from .items import Bound, Image, bound_things, image_of, may_have_changed, slices_of
from .pictures import Part, Pictures, encoded
from .rows import binding_of, details_of, rows_of

__all__ = ["Answers"]

_KEPT_BYTES = 1 << 28  # of what was looked at last
_KEPT_PICTURES = 32
_KEPT_HISTORIES = 16  # each view of a capture goes on with its last
_SMALLEST, _LARGEST = 16, 1024  # pixels of a picture's longer side
_PATIENCE = 0.1  # seconds that a part of a history may take
_MOST_CHANGES = 40  # elements of a buffer that are listed


class Answers:
    """Answers about one capture."""

    def __init__(self, file: CaptureFile) -> None:
        self.file = file
        self._seen: OrderedDict[tuple[Any, ...], Pictures] = OrderedDict()
        self._pngs: OrderedDict[Hashable, bytes] = OrderedDict()
        self._histories: OrderedDict[Hashable, Iterator[Moment]] = OrderedDict()  # that are not at their end
        self._kinds: dict[str, Callable[[Mapping[str, Any]], tuple[dict[str, Any], list[bytes]]]] = {
            "list": lambda _: (rows_of(self.file), []),
            "command": self._command,
            "source": self._source,
            "pictures": self._pictures,
            "value": self._value,
            "history": self._begin_history,
            "more": self._more_history,
            "forget": self._forget,
        }

    def answer(self, question: Any) -> tuple[dict[str, Any], list[bytes]]:
        """Answer a question; one that cannot be answered with ``error``, in words."""
        if not isinstance(question, dict):
            return {"kind": "error", "error": f"a question is a dict, got {type(question).__name__}"}, []
        kind = question.get("ask")
        buffers: list[bytes] = []
        known = self._kinds.get(kind) if isinstance(kind, str) else None
        try:
            if known is None:
                raise ValueError(f"nothing answers {kind!r:.60}")
            said, buffers = known(question)
        # What is wrong with the file, or the question, is to be read in the view, which goes on.
        except Exception as error:
            said = {"error": str(error) or type(error).__name__}
        return {**said, "kind": kind, "id": question.get("id")}, buffers

    # ---- answers ----

    def _command(self, question: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        command = self._of(question)
        things = [_thing(item) for item in bound_things(command)]
        return {**details_of(command), "things": things}, []

    def _source(self, question: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        from ...colours import html

        kernel = self._of(question).pipeline
        if kernel is None:
            raise ValueError("only kernels have a source")
        return {"html": html(kernel.source, "metal"), "line": kernel.line}, []

    def _pictures(self, question: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        """Before, after and the difference of a part, reduced to `side` pixels."""
        found = self._looked_at(question)
        image = found.image
        view = question.get("view")
        part = Part.all(image) if view is None else Part(*(int(n) for n in view)).within(image)
        side = min(max(int(question.get("side", _SMALLEST)), _SMALLEST), _LARGEST)
        before, after = image.contents
        drawn: list[bytes | None] = [self._drawn(found, before, found.before, part, side), None, None]
        if image.after is not None and image.after is not image.before:
            drawn[1] = self._drawn(found, after, found.after, part, side)
        if image.changed:
            drawn[2] = encoded(found.difference(part, side))
        said: dict[str, Any] = {
            "size": [image.width, image.height],
            "view": [part.x, part.y, part.width, part.height],
            "is_known": image.after is not None,
            "is_same": image.after is image.before,
            "words": found.words,
            "notes": found.notes,
            "bounds": image.bounds,
            "slice": image.first // max(image.width * image.height, 1) if image.is_texture else 0,
            "shown": [png is not None for png in drawn],
        }
        if not image.is_texture:
            said["changes"] = _changes(image)
        return said, [png for png in drawn if png is not None]

    def _drawn(
        self, found: Pictures, content: int | None, draw: Callable[[Part, int], Pixels | None], part: Part, side: int
    ) -> bytes | None:
        """Draw a picture, unless that was done before: what one command left is what the next one found."""
        key = found.key(content, part, side)
        png = self._pngs.get(key)
        if png is None:
            pixels = draw(part, side)
            if pixels is None:
                return None
            png = self._pngs[key] = encoded(pixels)
            if len(self._pngs) > _KEPT_PICTURES:
                self._pngs.popitem(last=False)
        return png

    def _value(self, question: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        """One pixel or element, before and after."""
        image = self._looked_at(question).image
        x, y = int(question["x"]), int(question["y"])
        if not image.holds(x, y):
            raise ValueError("there is nothing at this place")
        after = None if image.after is None else image.after[y, x]
        return {
            "x": x,
            "y": y,
            "index": _index(image.index(x, y)),
            "before": _text(image.before[y, x]),
            "after": None if after is None else _text(after),
            "is_changed": bool(image.mask[y, x]),
        }, []

    def _begin_history(self, question: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        bound = self._bound(question)
        x, y = int(question["x"]), int(question["y"])
        image = self._looked_at(question).image
        if not image.holds(x, y):
            raise ValueError("there is nothing at this place")
        if bound.resource is None:
            raise ValueError(f"{bound.name} is bytes that were given with the command, which no command changes")
        index = image.index(x, y)
        moments = follow(self.file, bound, index, _whole(question, "level")).moments
        self._histories[question.get("id")] = moments
        if len(self._histories) > _KEPT_HISTORIES:
            self._histories.popitem(last=False)
        said, _ = self._more_history({"of": question.get("id")})
        return {**said, "name": bound.name, "index": _index(index), "x": x, "y": y}, []

    def _more_history(self, question: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        """Go on with a history, for a moment."""
        name = question.get("of")
        moments = self._histories.get(name, iter(()))
        rows: list[dict[str, Any]] = []
        end = time.monotonic() + _PATIENCE
        for moment in moments:
            rows.append(_moment(moment))
            if time.monotonic() > end:
                break
        following = next(moments, None)
        if following is not None:
            self._histories[name] = chain([following], moments)
        else:
            self._histories.pop(name, None)
        return {"rows": rows, "is_done": following is None, "of": name}, []

    def _forget(self, _: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        """Let go of the contents that were read: a view has gone; another reads them again."""
        self._seen.clear()
        self._pngs.clear()
        return {}, []

    # ---- what they are about ----

    def _of(self, question: Mapping[str, Any]) -> Command:
        number = _whole(question, "number")
        if number >= len(self.file.commands):
            raise ValueError(f"command {number} is none of the {len(self.file.commands)} there are")
        return self.file.commands[number]

    def _bound(self, question: Mapping[str, Any]) -> Bound:
        things, item = bound_things(self._of(question)), _whole(question, "item")
        found = things[item] if item < len(things) else None
        if not isinstance(found, Bound):
            raise ValueError(f"item {item} of the command is no buffer or texture")
        return found

    def _looked_at(self, question: Mapping[str, Any]) -> Pictures:
        """Read what a question is about, unless that was done just before."""
        part = question.get("slice")
        key = (_whole(question, "number"), _whole(question, "item"), _whole(question, "level"), part)
        found = self._seen.get(key)
        if found is None:
            bound = self._bound(question)
            if isinstance(bound.resource, type(None)) or bound.resource.kind == "buffer":
                image = image_of(bound)
            else:
                image = image_of(bound, _whole(question, "level"), None if part is None else int(part))
            found = Pictures(image)
            self._keep(key, found)
        self._seen.move_to_end(key)
        return found

    def _keep(self, key: tuple[Any, ...], found: Pictures) -> None:
        self._seen[key] = found
        total = sum(kept.image.nbytes for kept in self._seen.values())
        while total > _KEPT_BYTES and len(self._seen) > 1:
            total -= self._seen.popitem(last=False)[1].image.nbytes


def _whole(question: Mapping[str, Any], name: str) -> int:
    number = question.get(name, 0)
    if type(number) is not int or number < 0:
        raise ValueError(f"{name} is {number!r:.60}, must be a whole number from 0 on")
    return number


def _thing(item: object) -> dict[str, Any]:
    """Say what one thing is that is bound; what can be looked at has ``levels``."""
    found = binding_of(item)
    if not isinstance(item, Bound):
        return found
    is_texture = item.resource is not None and item.resource.kind == "texture"
    levels = item.resource.levels if is_texture and item.resource is not None else 1
    changed = [level for level in range(levels) if may_have_changed(item, level)]
    first = changed[0] if changed else 0
    slices = slices_of(item.resource, first) if is_texture and item.resource is not None else 1
    return {**found, "levels": levels, "level": first, "slices": slices, "is_changed": bool(changed)}


def _changes(image: Image) -> dict[str, Any]:
    """List the first elements that changed, or the first there are."""
    places = np.flatnonzero(image.mask)
    if not places.size:
        places = np.arange(image.count)
    rows = []
    for place in places[:_MOST_CHANGES]:
        y, x = divmod(int(place), image.width)
        after = None if image.after is None else _text(image.after[y, x])
        rows.append([_index(image.index(x, y)), _text(image.before[y, x]), after])
    return {"rows": rows, "more": max(int(places.size) - _MOST_CHANGES, 0)}


def _moment(moment: Moment) -> dict[str, Any]:
    return {
        "number": moment.command.number,
        "title": moment.command.title,
        "before": _text(moment.before),
        "after": None if moment.after is None else _text(moment.after),
        "is_changed": moment.is_changed,
        "is_written": moment.is_written,
    }


def _index(index: tuple[int, ...]) -> str:
    return ", ".join(map(str, index))


def _text(value: Any) -> str:
    """Write a number, or the numbers of a pixel, with all digits that its type has."""
    array = np.asarray(value)
    if array.dtype.names or array.dtype.kind == "V" or array.size == 1:
        one = array.reshape(-1)[0] if array.size else ""
        return str(one)
    return f"({', '.join(map(str, array.reshape(-1)))})"

# SPDX-License-Identifier: MIT
"""The reference has every public name, and every public name says what it is and takes."""

from __future__ import annotations

import enum
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import Validator

import mtlpy_nb

from .pages import ROOT

_API = ROOT / "docs" / "api"
# Modules that a program imports names from. Their `__all__` is what is public.
_INNER = [f"mtlpy_nb.{name}" for name in mtlpy_nb.__all__ if inspect.ismodule(getattr(mtlpy_nb, name))]
_MODULES = ["mtlpy_nb", "mtlpy_nb.metal", "mtlpy_nb.timing", "mtlpy_nb.profile", *_INNER]
_SPECIAL = ("__call__", "__getitem__", "__setitem__", "__delitem__", "__contains__")
# No docstring; parameters that have no words, that there are not, or in another order than the signature's.
_FAULTS = ("GL08", "PR01", "PR02", "PR03", "PR10")


def _directives() -> Iterator[str]:
    """Give the full name of everything that a directive of the reference's pages asks autodoc for."""
    for page in sorted(_API.glob("*.rst")):
        module = ""
        text = page.read_text(encoding="utf-8")
        for kind, name, options in re.findall(r"^\.\. (\w+):: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            if kind in ("currentmodule", "automodule"):
                module = name
            if kind == "automodule":
                yield name
            if kind == "automodule" and ":members:" in options:
                excluded = re.findall(r":exclude-members: (.*)", options)
                names = set(importlib.import_module(name).__all__) - {n.strip() for n in "".join(excluded).split(",")}
                yield from (f"{name}.{each}" for each in names)
            elif kind.startswith("auto"):
                yield name if name.startswith("mtlpy_nb.") else f"{module}.{name}"


_IN_REFERENCE = set(_directives())


@pytest.mark.parametrize("module", _MODULES)
def test_every_public_name_is_in_the_reference(module):
    public = importlib.import_module(module)
    named = {getattr(importlib.import_module(n.rpartition(".")[0]), n.rpartition(".")[2]) for n in _classes()}
    missing = []
    for name in public.__all__:
        thing = getattr(public, name)
        if inspect.ismodule(thing):
            continue
        known = f"{module}.{name}" in _IN_REFERENCE or (inspect.isclass(thing) and thing in named)
        if not known:
            missing.append(name)
    assert missing == [], f"add them to a page of docs/api: `.. autoclass:: {module}.NAME` or `.. autofunction:: ...`"


def _classes() -> list[str]:
    """Give the names in the reference that are classes."""
    found = []
    for name in _IN_REFERENCE:
        module, _, last = name.rpartition(".")
        if inspect.isclass(getattr(importlib.import_module(module), last, None)):
            found.append(name)
    return found


def _is_native(thing: Any) -> bool:
    return getattr(thing, "__module__", "") == "mtlpy_nb._native" or type(thing).__module__ == "nanobind"


def _documented() -> Iterator[tuple[str, Any]]:
    """Give name and object of everything public that is written in Python."""
    for module in _MODULES:
        for name in importlib.import_module(module).__all__:
            thing = getattr(importlib.import_module(module), name)
            if _is_native(thing) or not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            yield f"{module}.{name}", thing
            if inspect.isclass(thing) and not issubclass(thing, enum.Enum):
                yield from (
                    (f"{module}.{name}.{key}", member)
                    for part in thing.__mro__
                    if part.__module__.startswith("mtlpy_nb.") and not _is_native(part)
                    for key, member in vars(part).items()
                    if (not key.startswith("_") or key in _SPECIAL)
                    and (inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod)))
                )


def _faults(thing: Any) -> list[str]:
    """Say what numpydoc finds wrong, of what we ask for."""
    if isinstance(thing, (classmethod, staticmethod)):
        thing = thing.__func__
    if not inspect.getdoc(thing):
        return ["no docstring"]
    if isinstance(thing, property) or _is_made_by_others(thing):
        return []
    checked = Validator(get_doc_object(thing))
    faults = checked.parameter_mismatches
    few = len(checked.signature_parameters) < 2 and not checked.doc_all_parameters
    # What a function of one parameter does, its summary says.
    return [text for code, text in faults if code in _FAULTS and not (few and code == "PR01")]


def _is_made_by_others(thing: Any) -> bool:
    """Whether it is a class whose docstring has no parameters: programs get its objects from us, or it has attributes.

    The reference shows no signature for such a class.
    """
    return inspect.isclass(thing) and not re.search(r"^Parameters\n-+$", inspect.getdoc(thing) or "", re.MULTILINE)


def test_docstrings_tell_every_parameter():
    faults = [f"{name}: {fault}" for name, thing in _documented() for fault in _faults(thing)]
    assert faults == [], "\n".join(faults)


def test_native_functions_and_methods_have_words():
    metal = importlib.import_module("mtlpy_nb.metal")
    silent = []
    for name in metal.__all__:
        thing = getattr(metal, name)
        if inspect.isclass(thing) and not issubclass(thing, enum.Enum):
            silent += [
                f"{name}.{key}"
                for key, member in vars(thing).items()
                if not key.startswith("_") and type(member).__name__ in ("nb_method", "nb_func") and not _words(member)
            ]
        if callable(thing) and not inspect.isclass(thing) and not _words(thing):
            silent.append(name)
        if inspect.isclass(thing) and not thing.__doc__:
            silent.append(name)
    assert silent == []


def _words(native: Any) -> str:
    """Give what a native function's docstring says behind its signatures."""
    lines = (native.__doc__ or "").splitlines()
    return "\n".join(line for line in lines if not re.match(r"[\w.]+\(.*\) -> |Overloaded|\d+\. ``", line)).strip()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Does it.", r"Parameters \{'[ab]', '[ab]'\} not documented"),
        ("Do it.\n\nParameters\n----------\na : int\n    One.\nc : int\n    Two.", r"Unknown parameters \{'c'\}"),
        ("Do it.\n\nParameters\n----------\nb : int\n    One.\na : int\n    Two.", "Wrong parameters order"),
        ("", "no docstring"),
    ],
)
def test_faults_are_found(text, fault):
    def function(a: int, b: int) -> None: ...

    function.__doc__ = text
    assert any(re.match(fault, found) for found in _faults(function))

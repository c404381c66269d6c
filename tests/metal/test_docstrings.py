# SPDX-License-Identifier: MIT
"""`help(x)` and `x?` say what each public thing is: no name of mtlpy_nb.metal is without words."""

import enum
import importlib
import inspect

import pytest

import mtlpy_nb.metal as pm

MODULES = ["mtlpy_nb.metal"] + [
    f"mtlpy_nb.metal.{name}" for name in ("enums", "types", "compute", "graphics", "advanced", "shader")
]
CLASSES = [
    name for name in pm.__all__ if inspect.isclass(getattr(pm, name)) and not issubclass(getattr(pm, name), enum.Enum)
]


def words(thing):
    """The text of a method, a property or a function; of a native one without its signature."""
    getter = thing.fget if isinstance(thing, property) else thing
    native = getattr(getter, "__nb_signature__", None)
    if native is not None:
        return " ".join(text for _, text, _ in native if text)
    return inspect.getdoc(getter) or ""


def own(kind):
    """What the class itself adds, but for what the language calls."""
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


@pytest.mark.parametrize("name", MODULES)
def test_modules_say_what_they_are_for(name):
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip()


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_and_all_of_its_members_have_words(name):
    kind = getattr(pm, name)
    assert (kind.__doc__ or "").strip()
    if issubclass(kind, BaseException):
        return
    silent = [member for member, value in own(kind).items() if not words(value).strip()]
    assert silent == []


def test_functions_and_enumerations_have_words():
    things = {name: getattr(pm, name) for name in pm.__all__ if name not in CLASSES}
    kinds = {name: kind for name, kind in things.items() if inspect.isclass(kind)}
    functions = {name: function for name, function in things.items() if callable(function) and name not in kinds}
    assert len(kinds) > 30
    assert len(functions) > 2
    assert [name for name, kind in kinds.items() if not (kind.__doc__ or "").strip()] == []
    assert [name for name, function in functions.items() if not words(function).strip()] == []


def test_words_end_as_sentences_do():
    """So that two of them, one after the other, can be read."""
    broken = []
    for name in CLASSES:
        if issubclass(getattr(pm, name), BaseException):
            continue
        for member, value in own(getattr(pm, name)).items():
            native = getattr(value.fget if isinstance(value, property) else value, "__nb_signature__", ())
            broken += [f"{name}.{member}" for _, text, _ in native if text and not text.rstrip().endswith((".", ":"))]
    assert broken == []

# SPDX-License-Identifier: MIT
"""Every name of PyMetal's is there, and takes the same arguments in the same order."""

import ast
import enum
import inspect
import re

import pytest

import mtlpy_nb.metal as pm

from . import pymetal_names as table


def members(text):
    return [(name, int(value)) for name, value in re.findall(r"(\w+)=(\d+)", text)]


def lines(text):
    return [part.strip() for row in text.split("\n") for part in row.split("|") if part.strip()]


def parameters(text):
    """Names with their defaults, as text; without `self`."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found = []
    for part in parts:
        match = re.match(r"\s*(\w+)[^=]*(?:=\s*(.+))?$", part)
        if match and match.group(1) != "self":
            found.append(match.groups())
    return found


def overloads(function):
    for signature, _, defaults in function.__nb_signature__:
        inside = re.search(r"\((.*)\)\s*->", signature, re.DOTALL).group(1)
        yield (
            [
                (name, None if default is None else defaults[int(default[1:])])
                if default is None or re.fullmatch(r"\\\d+", default)
                else (name, default)
                for name, default in parameters(inside)
            ],
            {name for name, default in parameters(inside) if default is not None},
        )


def accepts(function, wanted):
    """Whether an overload has these parameters in this order, with these defaults, and no others that are needed."""
    for given, optional in overloads(function):
        names = [name for name, _ in given]
        if names[: len(wanted)] != [name for name, _ in wanted] or set(names[len(wanted) :]) - optional:
            continue
        defaults = dict(given)
        if all(
            default is None or (name in optional and defaults[name] == ast.literal_eval(default))
            for name, default in wanted
        ):
            return True
    return False


ALL = [(owner, line) for owner, text in table.CLASSES.items() for line in lines(text)]
CALLS = [(owner, line) for owner, line in ALL if not line.startswith(".")]
PROPERTIES = [(owner, line) for owner, line in ALL if line.startswith(".")]


@pytest.mark.parametrize(("owner", "call"), CALLS, ids=lambda value: str(value).split("(")[0])
def test_a_method_takes_the_same_arguments(owner, call):
    name, inside = re.fullmatch(r"(?:static )?(\w+)\((.*)\)", call, re.DOTALL).groups()
    kind = getattr(pm, owner)
    assert accepts(getattr(kind, name), parameters(inside)), f"{owner}.{call}"
    if call.startswith("static "):
        assert "self" not in getattr(kind, name).__nb_signature__[0][0]


@pytest.mark.parametrize(("owner", "line"), PROPERTIES)
def test_a_property_can_be_read_and_set_as_it_can_in_pymetal(owner, line):
    name = line.strip(".= ")
    found = getattr(getattr(pm, owner), name)
    assert isinstance(found, property)
    if line.endswith("="):
        assert found.fset is not None, f"{owner}.{name} cannot be set"


@pytest.mark.parametrize("call", lines(table.FUNCTIONS))
def test_functions_of_the_module(call):
    name, inside = re.fullmatch(r"(\w+)\((.*)\)", call).groups()
    assert accepts(getattr(pm, name), parameters(inside))


@pytest.mark.parametrize("name", table.ENUMS)
def test_enumerations_have_the_same_members_and_are_numbers(name):
    kind = getattr(pm, name)
    assert issubclass(kind, enum.IntEnum)
    for member, value in members(table.ENUMS[name]):
        found = getattr(kind, member)
        assert isinstance(found, kind)
        assert found == value == int(found) == found.value, f"{name}.{member}"


@pytest.mark.parametrize(("name", "value"), members(table.CONSTANTS))
def test_constants(name, value):
    assert getattr(pm, name) == value
    assert type(getattr(pm, name)) is int
    assert getattr(pm.enums, name) == value
    assert name in pm.__all__


@pytest.mark.parametrize("module", table.MODULES)
def test_submodules_have_the_same_objects(module):
    part = getattr(pm, module)
    for name in table.MODULES[module].split():
        assert name in part.__all__
        if module != "shader":
            assert getattr(part, name) is getattr(pm, name)
            assert name in pm.__all__


def test_all_enumerations_are_in_their_module():
    assert set(table.ENUMS) <= set(pm.enums.__all__)
    assert all(getattr(pm.enums, name) is getattr(pm, name) for name in pm.enums.__all__)


def test_the_exceptions_are_one_family():
    for name in table.EXCEPTIONS.split():
        assert issubclass(getattr(pm, name), pm.MetalError)
    assert issubclass(pm.MetalError, RuntimeError)
    assert issubclass(pm.ValidationError, ValueError)


def test_all_names_are_exported():
    assert set(table.CLASSES) <= set(pm.__all__)


@pytest.mark.parametrize(("name", "base"), table.BASES.items())
def test_descriptors_derive_from_what_they_share(name, base):
    assert issubclass(getattr(pm, name), getattr(pm, base))


@pytest.mark.parametrize("call", lines(table.SHADER))
def test_what_shader_takes(call):
    path, inside = re.fullmatch(r"([\w.]+)\((.*)\)", call).groups()
    found = pm.shader
    for part in path.split("."):
        found = getattr(found, part)
    given = {
        name: parameter.default for name, parameter in inspect.signature(found).parameters.items() if name != "self"
    }
    wanted = [part.strip().partition("=") for part in inside.split(",") if part.strip()]
    assert list(given) == [name.lstrip("*") for name, _, _ in wanted]
    for name, _, default in wanted:
        expected = ast.literal_eval(default) if default else inspect.Parameter.empty
        assert given[name.lstrip("*")] == expected

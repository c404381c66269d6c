# SPDX-License-Identifier: MIT
"""Every module, class, function and property of mtlpy 0.6 is there, and takes what it takes there.

What is here may take more: parameters of our own come behind mtlpy's or by name only, and have defaults.
"""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import mtlpy_nb as mtlpy
from mtlpy_nb.pipeline import _WAIT_UNSET


def entries():
    module = None
    for line in Path(__file__).with_name("signatures.txt").read_text().splitlines():
        if line.startswith("["):
            module = line.strip("[]")
        elif line and not line.startswith("#"):
            yield module, line


ENTRIES = list(entries())
KNOWN = {"StorageMode": mtlpy.StorageMode, "_WAIT_UNSET": _WAIT_UNSET}


def found(module, path):
    """Give the class or module that a name is in, and what it stands for there: a property as such."""
    owner = importlib.import_module(f"mtlpy_nb.{module}")
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    assert hasattr(owner, name), f"mtlpy_nb.{module}.{path} is missing"
    return owner, inspect.getattr_static(owner, name)


def parameters(text):
    """Read `(self, size, *, wait=True)`: name, kind and default of each."""
    arguments = ast.parse(f"def f{text}: ...").body[0].args
    kinds = inspect.Parameter
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    for i, argument in enumerate(positional):
        default = arguments.defaults[i - first] if i >= first else None
        yield argument.arg, kinds.POSITIONAL_OR_KEYWORD, default
    if arguments.vararg:
        yield arguments.vararg.arg, kinds.VAR_POSITIONAL, None
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield argument.arg, kinds.KEYWORD_ONLY, default
    if arguments.kwarg:
        yield arguments.kwarg.arg, kinds.VAR_KEYWORD, None


def value(default):
    return eval(compile(ast.Expression(default), "signatures.txt", "eval"), dict(KNOWN))


def check_signature(thing, text):
    wanted, ours = list(parameters(text)), list(inspect.signature(thing).parameters.values())
    for i, (name, kind, default) in enumerate(wanted):
        if kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD):
            matching = [p for p in ours if p.name == name]
            assert matching, f"parameter {name} is missing from {ours}"
            parameter = matching[0]
        else:
            parameter = ours[i]
            assert parameter.name == name
        assert parameter.kind == kind
        if default is not None:
            assert parameter.default == value(default), name
    names = {name for name, _, _ in wanted}
    for extra in ours:
        if extra.name not in names:
            optional = extra.default is not inspect.Parameter.empty
            assert optional or extra.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD), extra


def check_property(owner, path, thing):
    name = path.rpartition(".")[2]
    is_slot = inspect.isdatadescriptor(thing)
    assert is_slot or name in getattr(owner, "__annotations__", {}), f"{path} is not an attribute of instances"


@pytest.mark.parametrize(("module", "line"), ENTRIES, ids=[f"{m}.{re.split('[( ]', e + ' ')[0]}" for m, e in ENTRIES])
def test_as_mtlpy_declares_it(module, line):
    if line.startswith("class "):
        name, bases = re.fullmatch(r"class (\w+)\((.*)\)", line).groups()
        _, thing = found(module, name)
        assert inspect.isclass(thing)
        assert not bases or bases.rpartition(".")[2] in [base.__name__ for base in thing.__mro__]
    elif line.startswith("property "):
        path = line.removeprefix("property ")
        check_property(*found(module, path)[:1], path, found(module, path)[1])
    else:
        path, text = re.fullmatch(r"([\w.]+)(\(.*\))", line).groups()
        _, thing = found(module, path)
        assert callable(thing)
        check_signature(thing, text)


def test_the_list_is_whole():
    """So that a slip in reading it does not make the tests pass."""
    modules = {module for module, _ in ENTRIES}
    assert modules >= {"binary_archive", "buffer", "device", "operators", "pipeline", "shader", "surface", "sync"}
    assert len(ENTRIES) > 180


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("(self, a, b=1)", "lambda self, a, b=2: 0"),
        ("(self, a)", "lambda self, b: 0"),
        ("(self, *, a=1)", "lambda self, a=1: 0"),
        ("(self, a)", "lambda self, a, b: 0"),
        ("(self, *a)", "lambda self, a: 0"),
    ],
)
def test_differences_are_seen(ours, theirs):
    with pytest.raises(AssertionError):
        check_signature(eval(theirs), ours)

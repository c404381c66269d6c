# SPDX-License-Identifier: MIT
"""The generator judged by itself: its kernels are legal, end, and do not depend on the order of threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass

from hypothesis import given, settings

from . import batch, memory, threads
from . import syntax as s
from .choices import Seeded
from .kernels import programs
from .metal_text import metal_text
from .reference import Reference
from .scope import Features


def outcome(program: s.Program, launch: s.Launch, *, backwards: bool = False) -> dict[str, list]:
    buffers = memory.initial(program.kernel, launch)
    Reference(program.kernel).execute(launch, buffers, backwards=backwards)
    return buffers


@settings(max_examples=60)
@given(programs())
def test_outcome_depends_on_no_order(program):
    for launch in program.launches:
        assert outcome(program, launch) == outcome(program, launch, backwards=True), metal_text(program.kernel)


@settings(max_examples=60)
@given(programs(Features(simd=True)))
def test_shuffles_read_from_threads_that_are_there(program):
    for launch in program.launches:
        outcome(program, launch)


def test_threads_of_a_simdgroup_part_before_some_exchanges(monkeypatch):
    parted: Counter[str] = Counter()
    answers = threads._answers

    def counted(waiting, unfinished, count):
        found = answers(waiting, unfinished, count)
        operations = {index // 32: waiting[index].operation for index in found if waiting[index].operation}
        for group in {index // 32 for index in unfinished - found.keys()} & operations.keys():
            parted[operations[group].partition("_")[0]] += 1
        return found

    monkeypatch.setattr(threads, "_answers", counted)
    for seed in range(60):
        program = batch.program(Seeded(seed), Features())
        for launch in program.launches:
            outcome(program, launch)
    assert parted["simd"] > 20


@settings(max_examples=30)
@given(programs())
def test_kernel_builds_again_from_its_repr(program):
    assert eval(repr(program), vars(s)) == program


def nodes(node: object):
    yield node
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif is_dataclass(node):
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


def test_every_construct_is_generated():
    seen: Counter[str] = Counter()

    for seed in range(batch.USUAL):
        kinds = set()
        for node in nodes(batch.program(Seeded(seed), Features())):
            kinds.add(type(node).__name__)
            if isinstance(node, (s.Builtin, s.Scalar)):
                kinds.add(node.name)
            if isinstance(node, s.For) and any(isinstance(n, s.Barrier) for n in nodes(node.body)):
                kinds.add("barrier in a loop")
            if isinstance(node, s.If) and any(isinstance(n, s.Barrier) for n in nodes((node.then, node.otherwise))):
                kinds.add("barrier in a branch")
            if isinstance(node, s.Switch) and any(isinstance(n, s.Barrier) for n in nodes(node.cases)):
                kinds.add("barrier in a switch")
            if isinstance(node, s.SharedArray) and node.atomic:
                kinds.add("counters of the threadgroup")
                kinds.add(f"counters of {node.element}")
            if isinstance(node, s.Simd) and "fill" in node.operation:
                kinds.add("shuffle with filling data")
            if isinstance(node, s.Parameter):
                kinds.add(f"{node.kind} parameter")
        seen.update(kinds)
    wanted = {
        "If", "For", "While", "DoWhile", "Switch", "Break", "Continue", "Return", "Barrier", "Atomic", "DeclareArray",
        "Simd",
        "Call", "CallStatement", "Conditional", "Builtin", "Swizzle", "Member", "Struct", "SharedArray", "FillArray",
        "DeclarePointer", "MatrixTimes", "ArrayArgument",
        "barrier in a loop", "barrier in a branch", "barrier in a switch", "counters of the threadgroup",
        "counters of int", "counters of uint", "shuffle with filling data",
        "reference parameter", "thread parameter", "thread const parameter", "threadgroup const parameter",
        "device const parameter", "constant parameter", *(type_.name for type_ in s.SCALARS),
    }  # fmt: skip
    assert {kind for kind in wanted if seen[kind] < 3} == set()

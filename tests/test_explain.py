# SPDX-License-Identifier: MIT
"""kernel.explain(): each finding is there where its cause is, on its line, and gone where the cause is taken out."""

from __future__ import annotations

import json
import re
import xml.dom.minidom
from dataclasses import dataclass, field

import numpy as np
import pytest

from mtlpy_nb import Explanation, MetalError, output

HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"


@dataclass(frozen=True)
class Case:
    """A kernel with a finding on its line marked HERE, and texts that replace the cause by something harmless."""

    kind: str
    source: str
    cause: str
    harmless: str
    reason: str = ""
    facts: dict[str, object] = field(default_factory=dict)


CASES = {
    "gather_by_data": Case(
        "gather",
        """kernel void f(device const float* a, device const uint* index, device float* out,
                        uint i [[thread_position_in_grid]])
        { out[i] = a[index[i]]; /* HERE */ }""",
        "a[index[i]]",
        "a[i]",
        facts={"stride": None, "size": 4, "subject": "a"},
    ),
    "gather_with_a_stride": Case(
        "gather",
        """kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]])
        { out[i] = a[i * 32]; /* HERE */ }""",
        "a[i * 32]",
        "a[i + 32]",
        facts={"stride": 128, "size": 4, "subject": "a"},
    ),
    "gather_in_a_function": Case(
        "gather",
        """float at(device const float* table, uint place)
        {
            return table[place]; /* HERE */
        }
        kernel void f(device const float* a, device const uint* index, device float* out,
                      uint i [[thread_position_in_grid]])
        { out[i] = at(a, index[i]); }""",
        "at(a, index[i])",
        "at(a, i)",
        facts={"subject": "a"},
    ),
    "gather_from_a_private_array": Case(
        "gather",
        """kernel void f(device const float* a, device const uint* index, device float* out,
                        uint i [[thread_position_in_grid]])
        {
            float own[8];
            for (int k = 0; k < 8; ++k) own[k] = a[i + k];
            out[i] = own[index[i] & 7]; /* HERE */
        }""",
        "own[index[i] & 7]",
        "own[7]",
        facts={"subject": "thread"},
    ),
    "scatter": Case(
        "scatter",
        """kernel void f(device const float* a, device const uint* index, device float* out,
                        uint i [[thread_position_in_grid]])
        { out[index[i]] = a[i]; /* HERE */ }""",
        "out[index[i]]",
        "out[i]",
        facts={"stride": None, "size": 4, "subject": "out"},
    ),
    "narrow_scatter": Case(
        "scalar",
        """kernel void f(device const uint* index, device uchar* out, uint i [[thread_position_in_grid]])
        { out[index[i]] = uchar(i); /* HERE */ }""",
        "out[index[i]]",
        "out[i]",
        "narrow",
    ),
    "atomic": Case(
        "scalar",
        """kernel void f(device const uint* index, device atomic_uint* bins, uint i [[thread_position_in_grid]])
        { atomic_fetch_add_explicit(&bins[index[i]], 1, memory_order_relaxed); /* HERE */ }""",
        "&bins[index[i]]",
        "&bins[0]",
        "atomic",
        {"subject": "add"},
    ),
    "division": Case(
        "scalar",
        """kernel void f(device const long* a, device const long* b, device long* out,
                        uint i [[thread_position_in_grid]])
        { out[i] = a[i] / b[i]; /* HERE */ }""",
        "a[i] / b[i]",
        "a[i] * b[i]",
        "division",
    ),
    "texture_gather": Case(
        "scalar",
        """kernel void f(texture2d<float> t, device float* out, uint i [[thread_position_in_grid]])
        {
            constexpr sampler s(filter::nearest);
            out[i] = t.gather(s, float2(i, 0)).x; /* HERE */
        }""",
        "gather(s, float2(i, 0))",
        "read(uint2(i, 0))",
        "texture",
        {"subject": "gather"},
    ),
    "message": Case(
        "scalar",
        """#include <metal_logging>
        kernel void f(device float* x, uint i [[thread_position_in_grid]])
        {
            if (x[i] < 0) os_log_default.log("negative: %f", x[i]); /* HERE */
            x[i] = 0;
        }""",
        'os_log_default.log("negative: %f", x[i])',
        "x[i] += 1",
        "call",
        {"subject": "log"},
    ),
    "uneven_loop": Case(
        "loop",
        """kernel void f(device const int* n, device int* out, uint i [[thread_position_in_grid]])
        {
            int x = n[i], turns = 0;
            while (x != 1) { x = x % 2 ? 3 * x + 1 : x / 2; ++turns; } /* HERE */
            out[i] = turns;
        }""",
        "while (x != 1) {",
        "for (int k = 0; k < 9; ++k) {",
    ),
    "barrier": Case(
        "barrier",
        """kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]],
                        uint local [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]])
        {
            threadgroup float shared[256];
            float own = sqrt(a[i]);
            shared[local] = own;
            threadgroup_barrier(mem_flags::mem_threadgroup); /* HERE */
            out[i] = own + shared[n - 1 - local];
        }""",
        "threadgroup_barrier(mem_flags::mem_threadgroup);",
        "",
        "pieces",
    ),
    "barrier_that_some_do_not_reach": Case(
        "barrier",
        """kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]],
                        uint local [[thread_position_in_threadgroup]])
        {
            threadgroup float shared[256];
            shared[local] = a[i];
            if (a[i] < 0) return;
            threadgroup_barrier(mem_flags::mem_threadgroup); /* HERE */
            out[i] = shared[255 - local];
        }""",
        "if (a[i] < 0) return;",
        "",
        "apart",
        {"cause_line": 8},
    ),
    "spill": Case(
        "spill",
        """using State = float4x4;
        float sum(float x) { return x; }
        float sum(float4x4 m) { return dot(m[0] + m[1] + m[2] + m[3], float4(1)); }
        kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]])
        {
            State p = State(a[i]), q = State(a[i + 1]), r = State(a[i + 2]);
            q += p;
            for (int n = 0; n < 1000; ++n) { /* HERE */
                float x = a[i + n];
                p = p * x + q;
                q = q * x + r;
                r = r * x - p;
            }
            out[i] = sum(p) + sum(q) + sum(r);
        }""",
        "using State = float4x4;",
        "using State = float;",
        "loop",
    ),
    "reload": Case(
        "reload",
        """kernel void f(device const float* a, device float* out, constant int& n, uint i [[thread_position_in_grid]])
        {
            float total = 0;
            for (int k = 0; k < n; ++k)
                out[i] += a[k]; /* HERE */
            out[i] += total;
        }""",
        "out[i] += a[k];",
        "total += a[k];",
    ),
    "general_texture": Case(
        "texture",
        """kernel void f(texture2d<float> t, device float* out, uint i [[thread_position_in_grid]])
        { out[i] = t.read(uint2(i, 0)).x; /* HERE */ }""",
        "t.read(uint2(i, 0)).x",
        "float(t.get_width())",
        "general",
        {"subject": "read"},
    ),
}


def explained(device, source, *args, **sizes) -> Explanation:
    return device.library(HEADER + source)["f"].explain(*args, **sizes)


def of_kind(explanation, kind, reason=""):
    return [f for f in explanation.findings if f.kind == kind and f.reason in (reason, f.reason if not reason else "")]


@pytest.mark.parametrize("name", CASES)
def test_a_finding_is_there_with_its_cause_and_not_without(device, name):
    case = CASES[name]
    found = of_kind(explained(device, case.source), case.kind, case.reason)
    assert len(found) == 1
    line = 1 + (HEADER + case.source).split("HERE")[0].count("\n")
    assert found[0].line == line
    assert {name: getattr(found[0], name) for name in case.facts} == case.facts
    assert found[0].text
    assert found[0].advice
    assert case.source.count(case.cause) == 1
    without = case.source.replace(case.cause, case.harmless)
    assert not of_kind(explained(device, without), case.kind, case.reason)


def test_a_kernel_without_any(device):
    explanation = explained(
        device,
        """kernel void f(device const float* a, device float* out, constant float& k,
                         uint i [[thread_position_in_grid]])
        {
            float by = k * k;
            out[i] = a[i] * by;
        }""",
    )
    assert explanation.findings == ()
    assert explanation.summary == f"vector code {explanation.width} wide; nothing found that costs time"
    codes = {line.text.strip(): line.code for line in explanation.lines}
    assert codes["float by = k * k;"] == "once"
    assert codes["out[i] = a[i] * by;"] == "vector"
    assert codes["{"] == ""


def test_what_a_thread_keeps_across_a_barrier(device):
    source = CASES["barrier"].source
    (more,) = of_kind(explained(device, source), "barrier")
    (less,) = of_kind(explained(device, source.replace("own + shared", "shared")), "barrier")
    assert (more.reads - less.reads, more.size - less.size) == (1, 4)


def test_threadgroup_memory_is_read_again_for_a_reason(device):
    source = """kernel void f(device float* x, uint i [[thread_position_in_grid]],
                  uint local [[thread_position_in_threadgroup]])
    {
        threadgroup float shared[256];
        shared[local] = x[i];
        for (uint k = 128; k > 0; k /= 2) {
            threadgroup_barrier(mem_flags::mem_threadgroup);
            if (local < k) shared[local] += shared[local + k];
        }
        if (local == 0) x[i] = shared[0];
    }"""
    assert not of_kind(explained(device, source), "reload")


def test_a_private_array_is_kept_across_a_barrier(device):
    source = CASES["barrier"].source
    array = source.replace("float own = sqrt(a[i]);", "float own[4] = {a[i], 1, 2, 3};").replace(
        "shared[local] = own;", "shared[local] = own[local & 3];"
    )
    array = array.replace("own + shared[n - 1 - local]", "own[n - local & 3] + shared[n - 1 - local]")
    (barrier,) = of_kind(explained(device, array), "barrier")
    assert barrier.size >= 16


# ---- measured ----

COLLATZ = CASES["uneven_loop"].source


def rounds(n: int) -> int:
    turns = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        turns += 1
    return turns


def test_occupancy_is_what_counting_by_hand_gives(device):
    n = np.arange(1, 257, dtype=np.int32)
    explanation = explained(device, COLLATZ, n, output.like(n))
    (loop,) = of_kind(explanation, "loop")
    turns = np.array([rounds(int(k)) for k in n]).reshape(-1, explanation.width)
    # A thread that is done before the first round does not come into the loop at all.
    assert loop.threads == turns.sum()
    assert loop.times == turns.max(axis=1).sum()
    assert loop.occupancy == pytest.approx(turns.sum() / (turns.max(axis=1).sum() * explanation.width))
    assert f"{loop.occupancy:.0%}" in explanation.summary
    assert explanation.is_measured


def test_a_call_without_waiting_is_waited_for(device):
    n = np.full(1 << 14, 27, np.int32)
    turns = np.zeros_like(n)
    (loop,) = of_kind(explained(device, COLLATZ, n, turns, wait=False), "loop")
    assert loop.threads == n.size * rounds(27)
    np.testing.assert_array_equal(turns, rounds(27))


def test_threads_that_do_the_same_fill_a_loop(device):
    n = np.full(256, 27, np.int32)
    (loop,) = of_kind(explained(device, COLLATZ, n, output.like(n)), "loop")
    assert loop.occupancy == 1
    assert loop.threads == 256 * rounds(27)


def test_each_explanation_counts_from_zero(device):
    kernel = device.library(HEADER + COLLATZ)["f"]
    n = np.full(64, 6, np.int32)
    counts = {of_kind(kernel.explain(n, output.like(n)), "loop")[0].threads for _ in range(3)}
    assert counts == {64 * rounds(6)}


def test_the_run_changes_what_a_call_changes(device):
    kernel = device.library(HEADER + "kernel void f(device int* x, uint i [[thread_position_in_grid]]) { x[i] += 1; }")
    x = np.zeros(100, np.int32)
    kernel["f"].explain(x)
    np.testing.assert_array_equal(x, 1)
    kernel["f"].explain()
    np.testing.assert_array_equal(x, 1)


def test_operations_of_single_threads_are_counted(device):
    index = np.arange(200, dtype=np.uint32) % 7
    bins = np.zeros(7, np.uint32)
    explanation = explained(device, CASES["atomic"].source, index, bins, grid=200)
    (atomic,) = of_kind(explanation, "scalar", "atomic")
    assert atomic.threads == 200
    assert "200 times" in atomic.text
    np.testing.assert_array_equal(bins, np.bincount(index, minlength=7))


@pytest.mark.parametrize(
    ("dtype", "pixel_format", "threads"), [(np.float32, "r32Float", 0), (np.uint16, "r16Unorm", 64)]
)
def test_a_texture_of_an_uncommon_format_is_told_when_it_is_met(device, dtype, pixel_format, threads):
    texture = device.texture(np.ones((1, 64), dtype), pixel_format)
    explanation = explained(device, CASES["general_texture"].source, texture, output(64, np.float32))
    (read,) = of_kind(explanation, "texture")
    assert read.threads == threads
    assert read.is_costly == bool(threads)
    assert ("texture" in explanation.summary) == bool(threads)


def test_no_run_no_counts(device):
    (loop,) = of_kind(explained(device, COLLATZ), "loop")
    assert (loop.times, loop.threads, loop.occupancy) == (None, None, None)
    n = np.empty(0, np.int32)
    (loop,) = of_kind(explained(device, COLLATZ, n, output.like(n)), "loop")
    assert (loop.times, loop.threads, loop.occupancy) == (0, 0, None)


# ---- where it applies ----


def test_wrong_arguments_are_refused_as_in_a_call(device):
    kernel = device.library(HEADER + COLLATZ)["f"]
    with pytest.raises(MetalError) as of_call:
        kernel(1, 2, 3)
    with pytest.raises(type(of_call.value)) as of_explain:
        kernel.explain(1, 2, 3)
    assert str(of_explain.value) == str(of_call.value)


def test_another_device_says_so(device, monkeypatch):
    kernel = device.library(HEADER + COLLATZ)["f"]
    monkeypatch.setattr(type(device), "is_software", property(lambda self: False))
    with pytest.raises(MetalError, match=r"explain\(\) tells what the software device's compiler knows, and .* Xcode"):
        kernel.explain()


def test_function_constants_and_macros_are_the_kernels_own(device):
    source = """constant int stride [[function_constant(0)]];
    kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]])
    { out[i] = a[i * stride]; }"""
    kernel = device.library(HEADER + source)["f"]
    (gather,) = kernel.specialize(stride=8).explain().findings
    assert gather.stride == 32
    assert kernel.specialize(stride=1).explain().findings == ()
    with pytest.raises(MetalError, match="needs a value for its function constant stride"):
        kernel.explain()


def test_stage_input(device):
    source = """struct Input { float4 place [[attribute(0)]]; };
    kernel void f(Input input [[stage_in]], device const float* table, device float* out,
                  uint i [[thread_position_in_grid]])
    { out[i] = table[uint(input.place.x)]; }"""
    kernel = device.library(HEADER + source)["f"]
    table, place = np.arange(64, dtype=np.float32), np.zeros((64, 4), np.float32)
    for explanation in (kernel.explain(), kernel.explain(table, output(64, np.float32), place=place)):
        assert [f.subject for f in of_kind(explanation, "gather")] == ["table"]


def test_the_line_of_an_included_file(device):
    headers = {"table.h": "float at(device const float* a, uint i)\n{\n    return a[i * 9];\n}\n"}
    source = """#include "table.h"
    kernel void f(device const float* a, device float* out, uint i [[thread_position_in_grid]])
    { out[i] = at(a, i); }"""
    explanation = device.library(HEADER + source, includes=headers)["f"].explain()
    (gather,) = of_kind(explanation, "gather")
    assert (gather.file, gather.line) == ("table.h", 3)


def test_ordinary_code_is_left_as_it_was(device):
    """Explaining changes neither the code that calls run, nor what a library keeps."""
    kernel = device.library(HEADER + CASES["barrier"].source)["f"]
    from mtlpy_nb import _native as mtl

    before = mtl.assembly_text(kernel._prepared().pipeline)
    kernel.explain()
    assert mtl.explanation(kernel._prepared().pipeline) is None
    assert mtl.assembly_text(kernel._prepared().pipeline) == before
    assert ".loc" not in before


# ---- shown ----


def shown(device) -> Explanation:
    case = CASES["gather_by_data"]
    return explained(device, f"// one\n{case.source}\n")


def test_text(device):
    explanation = shown(device)
    text = str(explanation)
    assert text.startswith(f"f: vector code {explanation.width} wide; 1 gather in line 6\n")
    margin, _ = next(line for line in text.splitlines() if "HERE" in line).split("|", 1)
    assert margin.split() == ["vector", "6"]
    assert "^ a gather from a: the places of neighbouring threads are not known to follow one another" in text
    assert re.search(r"^ +\|\s+Make the index grow by 1 .*\.$", text, re.MULTILINE)
    assert "not measured" in text


def test_dict_is_plain(device):
    data = json.loads(json.dumps(shown(device).to_dict()))
    assert data["findings"][0]["kind"] == "gather"
    assert data["findings"][0]["line"] == 6
    assert {"file": "program_source", "number": 6, "code": "vector"}.items() <= data["lines"][-1].items()


def test_html(device):
    page = xml.dom.minidom.parseString(shown(device)._repr_html_().replace("&hellip;", "..."))
    words = " ".join(node.data for node in _texts(page))
    assert "1 gather in line 6" in words
    assert "a gather from a: the places" in words
    assert len(page.getElementsByTagName("tr")) == len(shown(device).lines) + 1


def test_html_escapes_the_source(device):
    source = """kernel void f(device int* x, uint i [[thread_position_in_grid]])
    { x[i] = x[i] < 3 && true; /* <script>alert(1)</script> */ }"""
    assert "<script>" not in explained(device, source)._repr_html_()


def _texts(node):
    for child in node.childNodes:
        if child.nodeType == child.TEXT_NODE:
            yield child
        yield from _texts(child)

# SPDX-License-Identifier: MIT
"""``%metal_time`` and ``%%metal_time`` in a real shell."""

from __future__ import annotations

import re
import threading
import time

import pytest
from IPython.core.completer import provisionalcompleter

from mtlpy_nb import Timing, _recording

from .conftest import Notebook
from .shown import plain

SOURCE = """%%metal -o lib
kernel void add(device const float* a, device const float* b, device float* out, uint i [[thread_position_in_grid]])
{
    out[i] = a[i] + b[i];
}
kernel void forever(device float* x) { while (true) x[0] += 1; }
kernel void wild(device float* x, uint i [[thread_position_in_grid]]) { x[i + 1000000000000ul] = 1; }
"""
ONE_LINE = re.compile(
    r"^(?P<name>.*): [\d.]+ (?:s|ms|µs|ns) \([^)]* to [^)]*\) on the device \(n = (?P<n>\d+)\), "
    r"[\d.]+ (?:s|ms|µs|ns) overhead(?:, (?:[\d.]+|under 0\.001) GB/s)?(?:, (?:[\d.]+|under 0\.001) GFLOP/s)?$"
)


@pytest.fixture(scope="module")
def cells():
    made = Notebook()
    made.run(SOURCE)
    made.run("x = np.ones(256, np.float32); n = 256")
    return made


@pytest.fixture(autouse=True)
def nobody_looks_afterwards():
    before = _recording.recorders
    yield
    assert _recording.recorders == before


def test_expression_gives_a_timing_of_one_line(cells):
    timing = cells.run("%metal_time add(x, x, output.like(x))")
    assert isinstance(timing, Timing)
    match = ONE_LINE.match(repr(timing))
    assert match is not None
    assert match["name"] == "add(x, x, output.like(x))"
    assert int(match["n"]) == timing.n >= 5


def test_timing_is_shown_and_can_be_kept(cells):
    shown = cells.see("%metal_time --repeat 5 add(x, x, output.like(x))")
    assert ONE_LINE.match(plain(shown).strip().removeprefix("Out[0]: "))
    assert cells.run("kept = %metal_time -r 5 add(x, x, output.like(x))\nkept.n") == 5
    assert "Out" not in cells.see("%metal_time -r 5 add(x, x, output.like(x));")


TWO = "%metal_time -r 2 add(x, x, output.like(x))\n%metal_time -r 2 add(x, 2 * x, output.like(x))"
FIRST, SECOND = "add(x, x, output.like(x))", "add(x, 2 * x, output.like(x))"


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        (TWO, [FIRST, SECOND]),
        (f"{TWO}\nkept = 1", [FIRST, SECOND]),
        ("for _ in range(2):\n    %metal_time -r 2 add(x, x, output.like(x))", [FIRST, FIRST]),
        ("def f():\n    %metal_time -r 2 add(x, x, output.like(x))\nf(); f()", [FIRST, FIRST]),
        (f"if x[0]:\n    kept = %metal_time -r 2 {FIRST}\n%metal_time -r 2 {SECOND}", [SECOND]),
        (f"%metal_time -r 2 {FIRST};\n%metal_time -r 2 {SECOND}", [SECOND]),
        (f"%%metal_profile\n{TWO}", [FIRST, SECOND]),
        (f"%%metal_capture\n{TWO}", [FIRST, SECOND]),
    ],
)
def test_none_of_several_in_a_cell_is_lost(cells, cell, names):
    found = cells.outputs(cell)
    found = found[:-1] if cell.startswith("%%") else found  # the magic's own
    assert [ONE_LINE.match(data["text/plain"])["name"] for data in found] == names


@pytest.mark.parametrize(
    ("how", "names"),
    [("all", [FIRST, SECOND]), ("last", [FIRST, SECOND]), ("last_expr_or_assign", [FIRST, SECOND]), ("none", [])],
)
def test_each_is_shown_once_whatever_ipython_shows_by_itself(how, names):
    made = Notebook()
    made.run(SOURCE)
    made.run("x = np.ones(256, np.float32)")
    shown = []
    made.shell.display_formatter.ipython_display_formatter.for_type(Timing, lambda timing: shown.append(timing.name))
    made.shell.ast_node_interactivity = how
    made.run(TWO)
    assert shown == names
    made.run("%unload_ext mtlpy_nb")
    assert made.shell.ast_transformers == []


def test_braces_and_quotes_reach_the_expression(cells):
    timing = cells.run("""%metal_time -r 2 {"sum": add(x, x, output.like(x))}["sum"]""")
    assert timing.name == """{"sum": add(x, x, output.like(x))}["sum"]"""


def test_rates_of_what_is_given(cells):
    timing = cells.run("%metal_time -r 5 --bytes 3*x.nbytes --flops '2 * n' add(x, x, output.like(x))")
    assert (timing.bytes, timing.bytes_from, timing.flops) == (3 * 1024, "as given", 512)
    assert repr(timing).endswith("GFLOP/s")


def test_cell_is_timed_whole(cells):
    timing = cells.run("%%metal_time -r 3\ntwice = add(x, x, output.like(x))\nadd(twice, x, output.like(x))")
    assert timing.name == "twice = add(x, x, output.like(x)) ..."
    assert [(k.name, k.calls) for k in timing.kernels] == [("add", 2)]
    assert cells.run("float(twice.numpy()[0])") == 2, "what it assigns stays"


def test_warmup_runs_are_apart(cells):
    cells.run("counter = np.zeros(1, np.float32); one = np.ones(1, np.float32)")
    timing = cells.run("%metal_time -r 4 -w 3 add(counter, one, counter)")
    assert (timing.n, len(timing.warmup)) == (4, 3)
    assert cells.run("float(counter[0])") == 7, "4 measured and 3 before"


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("%metal_time", "%metal_time takes an expression that calls kernels"),
        ("%metal_time add(x", "%metal_time takes one Python expression"),
        ("%metal_time await add(x, x, x, wait=False)", "%metal_time takes one Python expression"),
        ("%metal_time 1 + 1", "%metal_time: 1 + 1: nothing ran on the device"),
        (
            "%metal_time --repeat many add(x)",
            "%metal_time: option --repeat takes a number from 1 to 1000000, got 'many'",
        ),
        ("%metal_time -r 0 add(x)", "%metal_time: option -r takes a number from 1"),
        ("%metal_time --bytes lots add(x)", "%metal_time --bytes takes a number or an expression of one"),
        ("%metal_time --flops -1 add(x)", "%metal_time --flops takes a number that is not negative, got -1"),
        ("%metal_time --loud add(x)", "%metal_time has no option '--loud'"),
        ("%%metal_time add(x)\nadd(x)", "%%metal_time times the cell's lines and takes only options"),
        ("%%metal_time\nawait add(x, x, x, wait=False)", "instead of awaiting a call, write .wait()"),
        ("%%metal_time\nadd(x,\n", "%%metal_time takes lines of Python: '(' was never closed"),
    ],
)
def test_slips_are_one_message(cells, cell, words):
    shown = plain(cells.see(cell))
    assert shown.startswith("UsageError: ")
    assert words in shown
    assert ".py" not in shown


def test_failing_expression_shows_itself_and_none_of_ours(cells):
    shown = plain(cells.see("%metal_time add(x, x)"))
    assert "----> 1 add(x, x)" in shown
    assert "missing: out" in shown
    assert "mtlpy_nb/" not in shown
    shown = plain(cells.see("%%metal_time\nadd(x, x, output.like(x))\nadd(x, x)"))
    assert "----> 2 add(x, x)" in shown
    assert "run_cell_magic" not in shown
    shown = plain(cells.see("%%metal_time\nadd(x, x, output.like(x))\nnothing_of_that_name(x)"))
    assert "----> 2 nothing_of_that_name(x)" in shown
    assert "NameError" in shown
    assert "mtlpy_nb/" not in shown


@pytest.mark.parametrize("how", ["wild(x)", "wild(x, wait=False)"])
def test_kernel_that_fails_while_it_is_timed(cells, how):
    assert "ExecutionError: kernel wild" in plain(cells.see(f"%metal_time {how}"))
    assert cells.run("%metal_time -r 2 add(x, x, output.like(x))").n == 2, "the device goes on"


@pytest.mark.alone
@pytest.mark.parametrize("how", ["forever(x, grid=1)", "[forever(x, grid=1, wait=False) for _ in range(2)]"])
@pytest.mark.timeout(60)
def test_interrupt_ends_timing_and_kernel(cells, how):
    import _thread

    def interrupt() -> None:
        time.sleep(0.5)
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    shown = plain(cells.see(f"%metal_time {how}"))
    thread.join()
    assert "KeyboardInterrupt" in shown
    assert cells.run("%metal_time -r 2 add(x, x, output.like(x))").n == 2


def test_help_shows_the_options(cells):
    shown = plain(cells.see("%metal_time?"))
    for option in ("--repeat", "--warmup", "--bytes", "--flops"):
        assert option in shown


@pytest.mark.parametrize("start", ["%metal_time ", "%%metal_time -r 3 "])
def test_options_are_completed_and_python_after_them(cells, start):
    def completed(text: str) -> list[str]:
        with provisionalcompleter():
            return [found.text for found in cells.shell.Completer.completions(text, len(text))]

    assert completed(f"{start}--re") == ["--repeat"]
    assert set(completed(f"{start}--")) >= {"--repeat", "--warmup", "--bytes", "--flops"}
    assert "lib" in completed(f"{start}li")


def test_unloading_takes_it_away():
    made = Notebook()
    made.shell.run_line_magic("unload_ext", "mtlpy_nb")
    assert "metal_time" not in made.shell.magics_manager.magics["line"]
    assert "metal_time" not in made.shell.magics_manager.magics["cell"]

# SPDX-License-Identifier: MIT
"""The stop button and Ctrl-C: in a kernel that never ends, in waits, in a compilation that never ends."""

import pytest

import mtlpy_nb

from .shown import plain

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="a Mac's GPU ends endless kernels by its own clock"),
    pytest.mark.timeout(120),
]

KERNELS = """
kernel void endless(device float* a, uint i [[thread_position_in_grid]])
{
    a[i] += 1;
    while (((volatile device float*)a)[0] >= 0) {}
}
kernel void more(device float* x, uint i [[thread_position_in_grid]]) { x[i] += 1; }
"""
# Doubles with each of 22 levels, which no compiler finishes.
BOMB = """
template <int A, int B> struct T { enum { v = T<A - 1, B * 2 + 1>::v + T<A - 1, B * 2>::v }; };
template <int B> struct T<0, B> { enum { v = 1 }; };
kernel void bomb(device int* x) { x[0] = T<22, 0>::v; }
"""
# Says when a kernel has begun to write and the cell waits in the package (or in the loop), for the button to be pressed
# then: what is started with wait=False and not waited for is not the button's.
BEGUN = """
import sys, threading, time
def begun(values):
    def waits():
        frame = sys._current_frames()[threading.main_thread().ident]
        return frame.f_code.co_filename.endswith(("kernel.py", "_plain_call.py", "handle.py", "selectors.py"))
    def watch():
        while values[0] == 0 or not waits():
            time.sleep(0.01)
        time.sleep(0.1)
        print("begun", flush=True)
    threading.Thread(target=watch).start()
"""


@pytest.fixture
def buffer(jupyter):
    """A buffer that a kernel adds to, and the check that all still works."""
    jupyter.run(BEGUN)
    jupyter.run(f"%%metal\n{KERNELS}")
    jupyter.run("more(np.zeros(1, np.float32)); endless.max_threads_per_threadgroup  # both are compiled")
    jupyter.run("values = mtlpy_nb.default_device().buffer(np.arange(4, dtype=np.float32)); live = values.contents")
    yield
    before = jupyter.run("before = values.numpy().copy(); before")
    assert before.startswith("array([")
    assert "True" in jupyter.run("bool((more(values).numpy() == before + 1).all())")


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize(
    ("code", "stopped"),
    [
        ("begun(live); endless(values)", "endless was stopped"),
        ("h = endless(values, wait=False); begun(live); h.wait()", "what it waited for was stopped"),
        ("h = endless(values, wait=False); begun(live); h.wait(timeout=1000)", "what it waited for was stopped"),
        ("h = endless(values, wait=False); begun(live); more(values)", "more was stopped"),
    ],
)
def test_calls_and_waits(jupyter, buffer, code, stopped, times):
    if times == 2:
        # The second press finds the cell still running: behind its end ipykernel loses the reply.
        code = f"try:\n    {code}\nfinally:\n    time.sleep(5)"
    reply = jupyter.messages(code, interrupts=times, when="begun")[-1][1]
    assert (reply["status"], reply["ename"]) == ("error", "KeyboardInterrupt")
    if times == 1:
        assert reply["evalue"] == stopped
        shown = "\n".join(reply["traceback"])
        assert "mtlpy_nb/" not in shown, "none of the package's own frames"
    assert "array([1., 2., 3., 4.]" in jupyter.run("values.numpy()"), "what the kernel wrote until then is there"


def test_by_a_message(jupyter, buffer):
    reply = jupyter.messages("begun(live); endless(values)", interrupts=1, when="begun", by_message=True)[-1][1]
    assert (reply["ename"], reply["evalue"]) == ("KeyboardInterrupt", "endless was stopped")


def test_await(jupyter, buffer):
    reply = jupyter.messages("h = endless(values, wait=False); begun(live); await h", interrupts=1, when="begun")[-1][1]
    # ipykernel cancels what is awaited instead of raising KeyboardInterrupt.
    assert (reply["status"], reply["ename"]) == ("error", "CancelledError")
    assert "True" in jupyter.run("h.done()")


def test_the_expression_of_a_cell(jupyter, buffer):
    code = f"%%metal (begun(live), endless(values))\n{KERNELS}"
    reply = jupyter.messages(code, interrupts=1, when="begun")[-1][1]
    assert (reply["ename"], reply["evalue"]) == ("KeyboardInterrupt", "endless was stopped")
    shown = "\n".join(reply["traceback"])
    assert "<%%metal>" in shown
    assert "run_cell_magic" not in shown
    assert "mtlpy_nb/" not in shown


def test_an_array_is_as_it_was(jupyter, buffer):
    jupyter.run("array = np.arange(4, dtype=np.float32)")
    jupyter.messages("print('begun'); endless(array)", interrupts=1, when="begun")
    assert "array([0., 1., 2., 3.]" in jupyter.run("array")


def test_a_compilation_that_never_ends(jupyter, buffer):
    # Once only: a second signal would find the cell at its end, where ipykernel loses the reply.
    code = f"print('begun')\nget_ipython().run_cell_magic('metal', 'more(values)', '''{BOMB}''')"
    reply = jupyter.messages(code, interrupts=1, when="begun")[-1][1]
    assert (reply["status"], reply["ename"]) == ("error", "KeyboardInterrupt")
    assert "NameError" in jupyter.run("bomb")


def test_a_compilation_within_python(jupyter, buffer):
    code = f"source = '''{BOMB}'''\nprint('begun')\nmtlpy_nb.default_device().library(source)"
    reply = jupyter.messages(code, interrupts=1, when="begun")[-1][1]
    assert reply["ename"] == "KeyboardInterrupt"
    assert "mtlpy_nb/" not in "\n".join(reply["traceback"])


def test_a_header_that_never_ends(jupyter, buffer):
    """The header and the kernels that include it stay as they were."""
    jupyter.run("%%metal --header level.h\n#define LEVELS 1")
    jupyter.run(f'%%metal\n#include "level.h"\n{BOMB.replace("T<22", "T<LEVELS")}')
    code = "print('begun')\nget_ipython().run_cell_magic('metal', '--header level.h', '#define LEVELS 22')"
    reply = jupyter.messages(code, interrupts=1, when="begun")[-1][1]
    assert (reply["status"], reply["ename"]) == ("error", "KeyboardInterrupt")
    assert "array([2]" in jupyter.run("bomb(np.zeros(1, np.int32), grid=1)")
    jupyter.run('%%metal\n#include "level.h"\nkernel void levels(device int* x) { x[0] = LEVELS; }')
    assert "array([1]" in jupyter.run("levels(np.zeros(1, np.int32), grid=1)")


def test_ctrl_c_in_a_terminal(notebook):
    notebook.run(f"%%metal\n{KERNELS}")
    notebook.run("import mtlpy_nb; values = mtlpy_nb.default_device().buffer(np.zeros(4, np.float32))")
    notebook.run(BEGUN.replace('print("begun", flush=True)', "__import__('_thread').interrupt_main()"))
    seen = plain(notebook.see("begun(values.contents); endless(values)"))
    assert "KeyboardInterrupt: endless was stopped" in seen
    assert "mtlpy_nb/" not in seen
    assert notebook.run("more(values).numpy()").tolist() == [2, 2, 2, 2]

# SPDX-License-Identifier: MIT
"""What is alive, how large it is, what it is called, and which line made it."""

import gc
import inspect
import threading

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import live_objects
from mtlpy_nb import metal as pm

pytestmark = pytest.mark.alone

SOURCE = "kernel void one(device float* x) { x[0] = 1; }"


@pytest.fixture
def device():
    gc.collect()
    return mtlpy_nb.Device(cache_path=False)


def made_here():
    gc.collect()
    return [item for item in live_objects() if item.file == __file__]


def line():
    return inspect.currentframe().f_back.f_lineno


MAKERS = {
    "Buffer": lambda d: d.buffer(10),
    "Texture": lambda d: d.empty_texture((8, 8), "rgba8Unorm"),
    "Heap": lambda d: d.heap(1 << 20),
    "Sampler": lambda d: d.sampler(),
    "Queue": lambda d: d.queue(),
    "Event": lambda d: d.event(),
    "SharedEvent": lambda d: d.shared_event(),
    "Fence": lambda d: d.fence(),
    "BinaryArchive": lambda d: d.binary_archive(),
    "Library": lambda d: d.library(SOURCE),
    "Pipeline": lambda d: d.compile(SOURCE, "one"),
    "CommandBuffer": lambda d: d.command_buffer(),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_every_kind_is_listed_while_it_lives(kind):
    def here():
        return [item.function for item in made_here() if item.kind == kind]

    device = mtlpy_nb.Device(cache_path=False)
    made = MAKERS[kind](device)
    assert here().count("<lambda>") == 1
    del made, device
    assert here() == []


def test_the_line_and_the_function_that_made_it(device):
    made = [device.buffer(1), line()]
    (item,) = [item for item in made_here() if item.kind == "Buffer"]
    assert (item.line, item.function) == (made[1], inspect.currentframe().f_code.co_name)
    assert item.source == "made = [device.buffer(1), line()]"
    assert item.place.endswith(f"test_live_objects.py:{made[1]}")


def test_metals_own_objects_too():
    native = pm.create_system_default_device()
    buffer, at = native.new_buffer(100), line()
    assert [(item.kind, item.line) for item in made_here() if item.kind == "Buffer"] == [("Buffer", at)]
    assert made_here()[0].object() is buffer


def test_an_array_keeps_a_buffer_alive(device):
    contents = device.buffer(np.zeros(1 << 20, np.float32)).contents
    assert [item.size for item in made_here() if item.kind == "Buffer"] == [4 << 20]
    del contents
    assert not [item for item in made_here() if item.kind == "Buffer"]


def test_a_view_is_no_buffer_of_its_own(device):
    buffer = device.buffer(100)
    part = buffer[10:20]
    assert len([item for item in made_here() if item.kind == "Buffer"]) == 1
    del buffer
    assert len([item for item in made_here() if item.kind == "Buffer"]) == 1
    assert part.size == 10


def test_the_list_holds_nothing(device):
    buffer = device.buffer(10)
    (item,) = [item for item in made_here() if item.kind == "Buffer"]
    assert item.object() is buffer._buf
    del buffer
    assert item.object() is None
    assert not [item for item in made_here() if item.kind == "Buffer"]


def test_sizes_are_what_the_device_counts(device):
    def counted():
        return settled_size(device), live_objects().size

    before = counted()
    made = [device.buffer(n) for n in (1, 1024, 1025, 100_000)]
    made += [device.empty_texture((100, 100), "rgba8Unorm"), device.empty(100, "float", mtlpy_nb.StorageMode.MANAGED)]
    counts, listed = counted()
    assert listed - before[1] == counts - before[0] >= sum(item.nbytes for item in made[:4])
    del made
    assert counted() == before


def test_nothing_of_many_calls_is_left(device):
    kernel = device.library(SOURCE)["one"]
    kernel(np.zeros(4, np.float32), grid=1)
    before = settled_size(device), len(live_objects())
    for _ in range(200):
        kernel(np.zeros(10_000, np.float32), grid=1)
        kernel(np.zeros(10_000, np.float32), grid=1, wait=False).wait()
    assert (settled_size(device), len(live_objects())) == before


def test_handles_of_work_that_nobody_waited_for(device):
    kernel = device.library(SOURCE)["one"]
    buffer = device.buffer(10)
    handle = kernel(buffer, grid=1, wait=False)
    handle.wait()
    assert [item.kind for item in made_here() if item.kind == "CommandBuffer"] == ["CommandBuffer"]
    del handle


LABELLED = ["Buffer", "Texture", "Heap", "Queue", "Event", "SharedEvent", "Fence", "BinaryArchive", "CommandBuffer"]


@pytest.mark.parametrize("kind", LABELLED)
def test_labels(device, kind):
    made = MAKERS[kind](device)
    assert made.label == ""
    made.label = "a name of its own"
    assert made.label == "a name of its own"
    assert "a name of its own" in [item.label for item in live_objects().of_kind(kind)]
    for wrong in (None, 3, b"bytes"):
        with pytest.raises(TypeError, match=rf"{kind}\.label must be a str, got"):
            made.label = wrong
    assert made.label == "a name of its own"


def test_the_label_of_a_part_is_the_buffers(device):
    buffer = device.buffer(10)
    buffer[2:4].label = "shared"
    assert buffer.label == "shared"


def test_a_table_has_a_line_for_each_place(device):
    leaked = []
    for _ in range(7):
        leaked.append(device.buffer(1 << 18))
    one = device.buffer(1 << 20)
    one.label = "the <largest> of all"
    text = str(live_objects())
    assert text == repr(live_objects())
    rows = text.splitlines()
    assert rows[1].split() == ["count", "kind", "memory", "label", "made", "at", "by"]
    assert rows[2].split()[:4] == ["7", "Buffer", "7.0", "MiB"]
    assert rows[2].endswith("leaked.append(device.buffer(1 << 18))")
    assert rows[3].split()[:4] == ["1", "Buffer", "4.0", "MiB"]
    assert "the <largest> of all" in rows[3]
    assert text.splitlines()[0].split(",")[0] == f"{len(live_objects())} objects"
    html = live_objects()._repr_html_()
    assert "the &lt;largest&gt; of all" in html
    assert html.count("<tr>") == sum(not row.startswith("...") for row in rows[1:])


def test_an_empty_table():
    assert str(mtlpy_nb.LiveObjects([])) == "0 objects, 0 B"
    assert mtlpy_nb.LiveObjects([])._repr_html_() == "<p>0 objects, 0 B</p>"


def test_it_is_a_sequence(device):
    made = [device.buffer(1000), device.buffer(1 << 20)]
    found = live_objects().of_kind("Buffer")
    assert found[0].size >= found[-1].size
    assert isinstance(found[:1], mtlpy_nb.LiveObjects)
    assert len(found[:1]) == 1
    assert found.size == sum(item.size for item in found)
    del made


def test_many_threads_make_and_drop(device):
    def work():
        for _ in range(200):
            device.buffer(10).label = "from a thread"
            live_objects()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "from a thread" not in [item.label for item in live_objects()]


def test_a_cell_of_a_notebook_is_named(device):
    shell = InteractiveShell.instance()
    name = "/tmp/ipykernel_12/3456.py"
    shell.compile._filename_map = {**getattr(shell.compile, "_filename_map", {}), name: 5}
    code = compile("kept = device.buffer(10)", name, "exec")
    names = {"device": device}
    exec(code, names)
    (item,) = [item for item in live_objects() if item.file == name]
    assert item.place == "Cell In[5]:1"

# SPDX-License-Identifier: MIT
"""Shared events of two processes: devices and processors of both signal and wait, whatever way the handle went."""

import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import SharedEventHandle

from . import peers
from .conftest import shared_memory

METHODS = ["fork", "spawn", "forkserver"]
FOLDER = str(Path(__file__).parent.parent)
pytestmark = [
    pytest.mark.alone,
    pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def event(device):
    event = device.shared_event()
    event.label = "mine"
    return event


def started(method, function, *arguments):
    process = multiprocessing.get_context(method).Process(target=function, args=arguments)
    process.start()
    return process


def ended(process):
    process.join(60)
    assert process.exitcode == 0


def batch(device, event, wait_for=None, signal_value=None):
    made = device.command_buffer()
    if wait_for is not None:
        made.wait_for_event(event, wait_for)
    if signal_value is not None:
        made.signal_event(event, signal_value)
    return made


@pytest.mark.parametrize("method", METHODS)
def test_devices_of_two_processes_answer_each_other(device, event, method):
    rounds = 20
    process = started(method, peers.answer, event.export_handle(), rounds)
    for i in range(rounds):
        batch(device, event, signal_value=2 * i + 1).commit(wait=False)
        batch(device, event, wait_for=2 * i + 2).commit()
    ended(process)
    assert event.signaled_value == 2 * rounds


@pytest.mark.parametrize("method", METHODS)
def test_processors_of_two_processes(event, method):
    process = started(method, peers.wait_and_signal, event.export_handle())
    assert not event.wait(2, timeout_ms=50)
    event.signal(1)
    assert event.wait(2, timeout_ms=60_000)
    ended(process)


def test_a_device_here_waits_for_a_kernel_there(device, event):
    numbers = device.buffer(np.zeros(4, np.float32))
    waiting = batch(device, event, wait_for=1)
    device.compile(peers.DOUBLE, "twice").run([numbers], 4, cb=waiting)
    waiting.commit(wait=False)
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        result = pool.submit(peers.compute_and_signal, event.export_handle(), [1, 2, 3])
        assert result.result(60) == [2, 4, 6]
    device.command_buffer().commit()  # behind it


def test_a_listener_hears_of_another_process(event):
    heard, both = [], threading.Event()

    def listen(which, reached):
        heard.append((which is event, reached))
        both.set()

    event.notify(2, listen)
    process = started("spawn", peers.wait_and_signal, event.export_handle())
    event.signal(1)
    assert both.wait(60)
    ended(process)
    assert heard == [(True, 2)]


@pytest.mark.parametrize("kind", ["name", "descriptor"])
def test_a_program_of_its_own(event, kind):
    handle = event.export_handle()
    word, files = (handle.name, ()) if kind == "name" else (str(handle.fileno()), (handle.fileno(),))
    command = [sys.executable, "-m", "devices.peers", kind, word]
    with subprocess.Popen(command, pass_fds=files, cwd=FOLDER) as program:
        event.signal(1)
        assert event.wait(2, timeout_ms=60_000)
    assert program.returncode == 0


def test_over_a_socket(device, event):
    here, there = socket.socketpair()
    with here, there:
        socket.send_fds(here, [b"event"], [event.export_handle().fileno()])
        _, (received,), _, _ = socket.recv_fds(there, 16, 1)
    handle = SharedEventHandle.from_fileno(received)
    os.close(received)
    event.signal(3)
    assert device.import_shared_event(handle).signaled_value == 3


@pytest.mark.parametrize("method", METHODS)
def test_a_handle_goes_on_and_comes_back(device, event, method):
    ours, theirs = multiprocessing.get_context(method).Pipe()
    process = started(method, peers.send_back, event.export_handle(), theirs)
    returned = device.import_shared_event(ours.recv())
    ours.send("received")
    ended(process)
    event.signal(8)
    assert returned.signaled_value == 8


def test_an_event_outlives_the_process_that_made_it(device):
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = started("spawn", peers.export_and_end, theirs)
    name, handle = ours.recv()
    event = device.import_shared_event(handle)
    ours.send("received")
    ended(process)
    assert (event.signaled_value, event.label) == (41, "of the child")
    event.signal(42)
    assert device.import_shared_event(event.export_handle()).signaled_value == 42
    with pytest.raises(mtlpy_nb.ResourceError, match=r"stale or no handle: process [0-9]+ has the event no more"):
        SharedEventHandle.from_name(name)


def test_a_pickle_is_another_event_of_the_same_value(device, event):
    handle = pickle.loads(pickle.dumps(event.export_handle()))
    other = device.import_shared_event(handle)
    assert (other.label, handle.label) == ("mine", "mine")
    other.signal(5)
    assert event.signaled_value == 5
    event.signal(4)  # a value only grows
    assert other.signaled_value == 5
    waiting = batch(device, event, wait_for=6)
    waiting.commit(wait=False)
    other.signal(6)
    assert waiting._buffer.wait(60)


def test_what_waited_before_the_export_hears_too(device, event):
    waiting = batch(device, event, wait_for=1)
    waiting.commit(wait=False)
    heard, reached = threading.Event(), []
    event.notify(1, lambda _, value: heard.set())
    thread = threading.Thread(target=lambda: reached.append(event.wait(1, timeout_ms=60_000)))
    thread.start()
    time.sleep(0.1)
    device.import_shared_event(pickle.loads(pickle.dumps(event.export_handle()))).signal(1)
    assert waiting._buffer.wait(60)
    thread.join(60)
    assert heard.wait(60)
    assert reached == [True]


def test_death_of_the_other_process(device, event):
    process = started("spawn", peers.die_waiting, event.export_handle())
    assert event.wait(1, timeout_ms=60_000)
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert not event.wait(2, timeout_ms=20)
    event.signal(2)
    batch(device, event, wait_for=2, signal_value=3).commit()
    assert event.signaled_value == 3
    assert device.import_shared_event(event.export_handle()).signaled_value == 3


def files_of_events():
    links = (os.readlink(entry) for entry in Path("/proc/self/fd").iterdir() if entry.exists() or entry.is_symlink())
    found = 0
    for link in _patient(links):
        found += link.startswith("/memfd:mtlpy-event")
    return found


def _patient(links):
    while True:
        try:
            yield next(links)
        except FileNotFoundError:  # the folder's own
            continue
        except StopIteration:
            return


def test_nothing_is_left_behind(device):
    gc.collect()
    shared, files = shared_memory(), files_of_events()
    event = device.shared_event()
    assert files_of_events() == files, "not before it is exported"
    handle = event.export_handle()
    assert files_of_events() == files + 1
    name = handle.name
    del event
    device.import_shared_event(SharedEventHandle.from_name(name)).signal(1)
    assert device.import_shared_event(handle).signaled_value == 1
    del handle
    gc.collect()
    assert files_of_events() == files
    assert shared_memory() <= shared
    with pytest.raises(mtlpy_nb.ResourceError, match="has the event no more: it ended, or let go of event and handle"):
        SharedEventHandle.from_name(name)


def test_only_this_user_may_open_it(event):
    mode = os.fstat(event.export_handle().fileno()).st_mode
    assert mode & 0o077 == 0
    with pytest.raises(PermissionError):
        os.ftruncate(event.export_handle().fileno(), 0)


def test_a_name_does_not_open_another_event(device, event):
    """The descriptor's number may stand for something else by now."""
    handle = event.export_handle()
    other = handle.name[:-1] + ("0" if handle.name[-1] != "0" else "1")
    with pytest.raises(mtlpy_nb.ResourceError, match="has the event no more"):
        SharedEventHandle.from_name(other)
    with open("/dev/null") as file:
        name = ":".join([*handle.name.split(":")[:2], str(file.fileno()), handle.name.split(":")[3]])
        with pytest.raises(mtlpy_nb.ResourceError, match="has the event no more"):
            SharedEventHandle.from_name(name)


@pytest.mark.parametrize("name", ["", "event", "mtlpy-event:1", "mtlpy-event:x:3:00", "mtlpy-event:1:2:0123 and more"])
def test_words_that_are_no_names(name):
    with pytest.raises(mtlpy_nb.ResourceError, match="is no name of a shared event"):
        SharedEventHandle.from_name(name)


def test_files_that_are_no_events(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(4096))
    with open(path, "r+b") as file, pytest.raises(mtlpy_nb.ResourceError, match="the file is no shared event"):
        SharedEventHandle.from_fileno(file.fileno())
    unsealed = os.memfd_create("mtlpy-event")
    os.ftruncate(unsealed, 4096)
    with pytest.raises(mtlpy_nb.ResourceError, match="the file is no shared event"):
        SharedEventHandle.from_fileno(unsealed)
    os.close(unsealed)
    with pytest.raises(mtlpy_nb.ResourceError, match="Bad file descriptor"):
        SharedEventHandle.from_fileno(unsealed)


@pytest.mark.parametrize("wrong", [None, "mtlpy-event:1:2:3", 3])
def test_imports_of_what_is_no_handle(device, wrong):
    with pytest.raises(TypeError, match="import_shared_event: expected a SharedEventHandle, got"):
        device.import_shared_event(wrong)


@pytest.mark.parametrize(
    ("call", "wrong"), [("from_name", 3), ("from_name", b"mtlpy"), ("from_fileno", "3"), ("from_fileno", True)]
)
def test_words_and_files_of_a_wrong_type(call, wrong):
    with pytest.raises(TypeError, match=f"{call}: "):
        getattr(SharedEventHandle, call)(wrong)


def test_notify_takes_what_can_be_called(event):
    with pytest.raises(TypeError, match="callback must be callable, got int"):
        event.notify(1, 3)
    with pytest.raises(ValueError, match="value is -1"):
        event.notify(-1, print)


def test_a_forked_child_uses_the_handle_but_not_the_event(device, event):
    handle = event.export_handle()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for inherited in (lambda: event.signal(1), lambda: event.signaled_value, lambda: event.wait(1, 1)):
                with pytest.raises(mtlpy_nb.MetalError, match="before fork"):
                    inherited()
            peers.imported(handle).signal(7)
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert event.signaled_value == 7

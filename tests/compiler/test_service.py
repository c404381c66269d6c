# SPDX-License-Identifier: MIT
"""The service lives, whatever its children are asked."""

from __future__ import annotations

import os
import random
import signal
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from settling import eventually

from .conftest import Service

GOOD = "kernel void f(device float* a) { a[0] = 1; }"

# Two classes for each one a level up, 24 levels: more than the limits on time and memory let pass.
BOMB = (
    "template <int N, int M> struct B { B<N - 1, M * 2> x; B<N - 1, M * 2 + 1> y; };"
    "template <int M> struct B<0, M> { int x; };"
    "kernel void f(device B<24, 0>* b) { b->x.x = b->y.x; }"
)


def printable(size: int) -> str:
    generator = random.Random(1)
    return "".join(chr(generator.randrange(32, 127)) for _ in range(size))


def nested_parentheses(count: int) -> str:
    return "kernel void f(device float* a) { a[0] = " + "(" * count + "1" + ")" * count + "; }"


def in_kernel(expression: str) -> str:
    return f"kernel void f(device float* a) {{ a[0] = {expression}; }}"


def branches(count: int) -> str:
    text = " else ".join(f"if (a[0] == {n}) a[1] = {n};" for n in range(count))
    return f"kernel void f(device float* a) {{ {text} }}"


BAD = {
    "300,000 parentheses": (nested_parentheses(300_000), "bracket nesting level exceeded maximum of 1024"),
    "a million bytes of garbage": (printable(1 << 20), "error: "),
    "endless template": (
        "template <int N> struct A { static constexpr int v = A<N + 1>::v; }; constant int x = A<0>::v;",
        "recursive template instantiation exceeded maximum depth of 512",
    ),
    "200,000 minuses": (in_kernel("- " * 200_000 + "1"), "more than 1024 operators before one operand"),
    "100,000 conditionals": (in_kernel("1 ? 2 : " * 100_000 + "3"), "more than 1024 conditional operators"),
    "100,000 sums": (in_kernel("a[1] + " * 100_000 + "1"), "more than 16384 operators in one expression"),
    "100,000 calls": (in_kernel("f" + "()" * 100_000), "more than 16384 operators in one expression"),
    "20,000 branches": (branches(20_000), "more than 4096 'else if' after one another"),
    "a header that is not there": ("#include <vector>\n", "'vector' file not found"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_source_is_an_error(service: Service, name: str) -> None:
    source, message = BAD[name]
    answer = service.compile(source)
    assert answer is not None
    assert answer[0] is False
    assert message in answer[1]
    assert service.compile(GOOD) == (True, "")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("", "'sin' is Metal's: begin with '#include <metal_stdlib>'"),
        ("#include <metal_stdlib>\n", "did you mean 'metal::sin'?"),
    ],
)
def test_an_unknown_name_does_not_read_the_headers_again(
    compiler: str, monkeypatch: pytest.MonkeyPatch, head: str, said: str
) -> None:
    monkeypatch.setenv("MTLPY_TIME_STAGES", "1")
    served = Service(compiler)
    answer = served.compile(head + in_kernel("sin(a[1]) + cosine"))
    status, stages = served.close()
    assert answer is not None
    assert said in answer[1]
    assert "use of undeclared identifier 'cosine'" in answer[1]
    assert status == 0
    assert b"parse: " in stages
    assert b"headers: " not in stages


# As deep as it may be, for the stack of the thread that compiles.
DEEP = {
    "minuses": in_kernel("- " * 1024 + "a[1]"),
    "conditionals": in_kernel("a[1] == 0 ? a[2] : " * 1000 + "3"),
    "sums": in_kernel("a[1] + " * 8_000 + "1"),
    "branches": branches(4_000),
    "many small expressions": in_kernel("1") + "".join(f"constant int c{n} = -{n} + {n};" for n in range(10_000)),
}


@pytest.mark.parametrize("name", DEEP)
def test_nesting_up_to_the_limits_compiles(service: Service, name: str) -> None:
    assert service.compile(DEEP[name]) == (True, "")


@pytest.mark.alone
def test_headers_of_another_math_mode_are_parsed_once(compiler: str) -> None:
    """The first request in a mode starts from nothing; the service then prepares itself for the next."""
    served = Service(compiler)
    source = "#include <metal_stdlib>\nkernel void f(device float* a) { a[0] = metal::sin(a[1]); }"

    def seconds() -> float:
        start = time.perf_counter()
        assert served.compile(source, math_mode=0) == (True, "")
        return time.perf_counter() - start

    first = seconds()
    later = []
    while len(later) < 40 and min([*later, 1e9]) > 0.5 * first:
        later.append(seconds())
        time.sleep(0.05)
    assert min(later) < 0.5 * first
    assert served.compile(source, math_mode=1) == (True, "")
    assert served.close() == (0, b"")


def children_of(pid: int) -> list[str]:
    with open(f"/proc/{pid}/task/{pid}/children") as stream:
        return stream.read().split()


def working(service: Service) -> list[str]:
    """Children that compile, which they do in a thread; one more waits for the next request."""
    found = []
    for child in children_of(service.process.pid):
        with suppress(OSError):
            if len(os.listdir(f"/proc/{child}/task")) > 1:
                found.append(child)
    return found


def endless_request() -> bytes:
    text = BOMB.encode()
    body = struct.pack("<Q", len(text)) + text + struct.pack("<IBBQQQB", 0, 1, 0, 0, 0, 0, 0)
    frame = struct.pack("<IBQ", Service.version, Service.library, len(body)) + body
    return struct.pack("<Q", len(frame)) + frame


def test_children_that_die_leave_the_service_alive(compiler: str) -> None:
    served = Service(compiler, seconds=600)  # not its own clock ends it
    assert served.compile(GOOD) == (True, "")
    eventually(lambda: not working(served))
    with served.open() as channel:
        channel.sendall(endless_request())
        eventually(lambda: len(working(served)) == 1)
        for child in children_of(served.process.pid):
            os.kill(int(child), signal.SIGKILL)
        channel.settimeout(60)
        assert channel.recv(1) == b""
    assert served.compile(GOOD) == (True, "")
    assert served.close() == (0, b"")


@pytest.mark.timeout(180)  # the limit is 10 s of it
def test_template_bomb_ends_within_the_limits(service: Service) -> None:
    assert service.compile(BOMB) is None
    assert service.compile(GOOD) == (True, "")


@pytest.mark.parametrize("body", [b"", b"\xff" * 100, struct.pack("<Q", 1 << 60)])
def test_damaged_request_ends_the_child_only(service: Service, body: bytes) -> None:
    assert service.ask(Service.library, body) is None
    assert service.ask(99, body) is None
    assert service.ask(Service.library, body, version=12345) is None
    assert service.compile(GOOD) == (True, "")


@pytest.mark.alone
def test_hanging_up_ends_the_child(compiler: str) -> None:
    served = Service(compiler, seconds=600)  # not its own clock ends it
    assert served.compile(GOOD) == (True, "")
    eventually(lambda: not working(served))
    channel = served.open()
    channel.sendall(endless_request())
    eventually(lambda: len(working(served)) == 1)
    channel.close()
    eventually(lambda: not working(served))
    assert served.close() == (0, b"")


def test_eight_requests_at_once(service: Service) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: service.compile(GOOD), range(32)))
    assert answers == [(True, "")] * 32


def test_math_modes(service: Service) -> None:
    source = "#include <metal_stdlib>\nkernel void f(device float* a) { a[0] = metal::exp(a[1]); }"
    assert [service.compile(source, mode) for mode in (0, 1, 2)] == [(True, "")] * 3


def test_information(service: Service) -> None:
    reply = service.ask(Service.information, b"")
    assert reply is not None
    (size,) = struct.unpack("<Q", reply[:8])
    assert reply[8 : 8 + size].decode().count(".") == 2


def test_interrupt_from_the_terminal_does_not_end_the_service(compiler: str) -> None:
    served = Service(compiler)
    assert served.compile(GOOD) == (True, "")
    served.process.send_signal(signal.SIGINT)
    assert served.compile(GOOD) == (True, "")
    assert served.close() == (0, b"")

# SPDX-License-Identifier: MIT
"""What ``%metal`` does: look at devices and kernels, and choose."""

# IPython's display has no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from IPython.core.error import UsageError
from IPython.display import display

from .. import _native as mtl
from .._advice import counted, did_you_mean
from .._default_device import set_default_device
from ..device import Device, list_devices
from ..kernel import Kernel
from .colours import shows_colours
from .describe import is_described, sections, to_text
from .errors import EXPRESSION
from .expression import Expression
from .options import short

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from .session import Session

__all__ = ["COMMANDS", "Commands", "device_number", "shown_devices"]

_MOST_THREADS = 4096

# Name, what may follow, what it does.
COMMANDS = {
    "devices": ("", "list the devices; a star marks the one that cells compile for"),
    "use": ("N", "compile for device N from now on"),
    "info": ("KERNEL", "its declaration, arguments, struct layouts and thread limits"),
    "explain": ("KERNEL", "why it is slow, line by line; KERNEL(...) runs it and counts"),
    "cache": ("[clear]", "how much room compiled kernels take on disk, and where; clear forgets them"),
    "threads": ("[N]", "how many threads run kernels on the software device; N changes it"),
}


@dataclass
class Commands:
    """The subcommands, for one shell and its session."""

    shell: InteractiveShell
    session: Session

    def run(self, line: str) -> None:
        """Do what a line says.

        Raises
        ------
        UsageError
            If it says nothing that there is.
        """
        command, _, rest = line.strip().rstrip("; ").partition(" ")
        actions: dict[str, Callable[[str], None]] = {
            "devices": self._devices,
            "use": self._use,
            "info": self._info,
            "explain": self._explain,
            "cache": self._cache,
            "threads": self._threads,
        }
        if command not in actions:
            raise UsageError(_unknown(command))
        actions[command](rest.strip())

    def _devices(self, text: str) -> None:
        if text:
            raise UsageError(f"%metal devices takes nothing more, got {short(text)}; %metal use N chooses one")
        used = self.session.device.name
        for number, name in shown_devices():
            print(f"{'*' if name == used else ' '} {number}  {name}")

    def _use(self, text: str) -> None:
        if not text:
            raise UsageError("%metal use takes a device's number; %metal devices lists them")
        device = Device(device_number(text, "%metal use"))
        self.session.use(device)
        set_default_device(device)
        print(device.name)

    def _info(self, text: str) -> None:
        names = self.shell.user_ns
        found = sections(names.get(text), limits=True)
        if not found:
            known = [name for name, value in names.items() if is_described(value)]
            raise UsageError(f"%metal info takes the name of a kernel, got {short(text)}{did_you_mean(text, known)}")
        print(to_text(found, colour=shows_colours(self.shell)))

    def _explain(self, text: str) -> None:
        __tracebackhide__ = True
        names = self.shell.user_ns
        function, call = _taken_apart(text)
        try:
            kernel = eval(compile(function, EXPRESSION, "eval"), self.shell.user_global_ns, names) if function else None
        except NameError:
            kernel = None
        if not isinstance(kernel, Kernel):
            known = [name for name, value in names.items() if isinstance(value, Kernel)]
            hint = did_you_mean(text.partition("(")[0], known)
            raise UsageError(f"%metal explain takes the name of a kernel, or a call of one, got {short(text)}{hint}")
        if call is None:
            display(kernel.explain())
        else:
            display(call.evaluate(self.shell.user_global_ns, names))

    def _cache(self, text: str) -> None:
        if text not in ("", "clear"):
            raise UsageError(f"%metal cache takes nothing or clear, got {short(text)}")
        if text == "clear":
            mtl.clear_cache()
        folder = mtl.cache_path()
        print(f"{mtl.cache_size() / 1e6:.1f} MB in {folder}" if folder else "compiled kernels are not kept on disk")

    def _threads(self, text: str) -> None:
        if text:
            if not re.fullmatch("[0-9]{1,9}", text) or not 1 <= int(text) <= _MOST_THREADS:
                raise UsageError(f"%metal threads takes a number from 1 to {_MOST_THREADS}, got {short(text)}")
            mtl.set_thread_count(int(text))
        print(counted(mtl.thread_count(), "thread"))


def _taken_apart(text: str) -> tuple[ast.Expression | None, Expression | None]:
    """Find the kernel in its name or in a call of it, and the call that explains it with the same arguments."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None, None
    if not isinstance(tree.body, ast.Call):
        return tree, None
    function = tree.body.func
    tree.body.func = ast.copy_location(ast.Attribute(function, "explain", ast.Load()), function)
    return ast.Expression(function), Expression(text, compile(tree, EXPRESSION, "eval"), False)


def shown_devices() -> list[tuple[int, str]]:
    """List the devices with their numbers."""
    return list(enumerate(list_devices()))


def device_number(text: str, what: str) -> int:
    """Read the number of a device that there is.

    Raises
    ------
    UsageError
        If it is none.
    """
    devices = shown_devices()
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) >= len(devices):
        known = "0" if len(devices) == 1 else f"a number from 0 to {len(devices) - 1}"
        raise UsageError(f"{what} takes a device's number, here {known}, got {short(text)}; %metal devices lists them")
    return int(text)


def _unknown(command: str) -> str:
    usage = ", ".join(f"{name} {rest}".strip() for name, (rest, _) in COMMANDS.items())
    if not command:
        return f"%metal takes one of: {usage}"
    if command.startswith("-"):
        return f"%metal has no {short(command)}: options belong to %%metal, with two %, at the top of a cell of Metal"
    hint = did_you_mean(command, COMMANDS) or "."
    return f"%metal has no {short(command)}{hint} It has: {usage}"

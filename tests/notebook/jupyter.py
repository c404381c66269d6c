# SPDX-License-Identifier: MIT
"""A real ipykernel, asked as a front end asks it."""

import os
import signal
import time

from jupyter_client.manager import start_new_kernel

from .shown import plain


class Jupyter:
    """One running kernel with the extension loaded."""

    def __init__(self) -> None:
        self.manager, self.client = start_new_kernel(kernel_name="python3")
        self.load()

    def load(self) -> None:
        if "already" in self.run("%load_ext mtlpy_nb"):
            self.run("%reload_ext mtlpy_nb")
        assert self.run("import numpy as np, mtlpy_nb\nfrom mtlpy_nb import output") == ""

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def restart(self) -> None:
        self.manager.restart_kernel(now=True)
        self.client.wait_for_ready(timeout=60)
        self.load()

    def messages(
        self, code: str, cell: str | None = None, interrupts: int = 0, when: str = "", by_message: bool = False
    ) -> list[tuple[str, dict]]:
        """Run a cell; gives all messages that it sends, with the reply's at last.

        The cell is interrupted as often as is said, once it has printed `when`: by a signal to the kernel and what it
        has started, or by a message.
        """
        found: list[tuple[str, dict]] = []
        left = [interrupts]

        def seen(message: dict) -> None:
            found.append((message["header"]["msg_type"], message["content"]))
            if left[0] and when in message["content"].get("text", ""):
                while left[0]:
                    self.interrupt(by_message)
                    left[0] -= 1
                    time.sleep(0.06 if left[0] else 0)  # signals within a slice of a wait are one

        # As JupyterLab does, which says in the message which cell it is.
        send, session = self.client.session.msg, self.client.session
        session.msg = lambda *args, **named: send(*args, **{**named, "metadata": {"cellId": cell} if cell else {}})
        try:
            reply = self.client.execute_interactive(code, timeout=60, output_hook=seen, allow_stdin=False)
        finally:
            session.msg = send
        return [*found, ("reply", reply["content"])]

    def interrupt(self, by_message: bool = False) -> None:
        """Press the stop button."""
        if by_message:
            self.client.control_channel.send(self.client.session.msg("interrupt_request", {}))
        else:
            os.killpg(os.getpgid(self.manager.provisioner.process.pid), signal.SIGINT)

    def run(self, code: str, **options: object) -> str:
        """Run a cell; gives what a person reads, without colours."""
        texts = []
        for kind, content in self.messages(code, **options):
            if kind == "stream":
                texts.append(content["text"])
            elif kind == "error":
                texts.append("\n".join(content["traceback"]))
            elif kind in ("execute_result", "display_data"):
                texts.append(content["data"]["text/plain"])
        return plain("".join(texts))

    def complete(self, text: str) -> dict:
        """Press Tab at the `|`."""
        place = text.index("|")
        return self.client.complete(text.replace("|", "", 1), place, reply=True, timeout=60)["content"]

    def inspect(self, text: str, detail: int = 0) -> dict:
        """Press Shift-Tab at the `|`; gives the MIME bundle."""
        place = text.index("|")
        reply = self.client.inspect(text.replace("|", "", 1), place, detail, reply=True, timeout=60)["content"]
        assert reply["status"] == "ok"
        assert reply["found"] == bool(reply["data"])
        return reply["data"]

# SPDX-License-Identifier: MIT
"""What a notebook sees: magics, error display, previews. Imports IPython only when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["load", "unload"]

_ATTRIBUTE = "_mtlpy_nb_magics"


def load(shell: InteractiveShell) -> None:
    """Add the magics to `shell`."""
    from .capturing import CaptureMagics
    from .completion import MetalMatcher
    from .help import Help
    from .history import History
    from .magics import MetalMagics
    from .profiling import ProfileMagics
    from .statements import Statements
    from .timing import TimingMagics

    unload(shell)
    magics = MetalMagics(shell)
    shell.register_magics(magics, TimingMagics(shell), CaptureMagics(shell), ProfileMagics(shell))
    shell.events.register("pre_run_cell", magics.begin_cell)
    helpers = MetalMatcher(shell, magics), Help(shell, magics), History(shell), Statements(shell)
    for helper in helpers:
        helper.add()
    setattr(shell, _ATTRIBUTE, (magics, helpers))


def unload(shell: InteractiveShell) -> None:
    """Remove from `shell` all that :func:`load` and the cells since have added."""
    from .capturing import CaptureMagics
    from .profiling import ProfileMagics
    from .timing import TimingMagics

    loaded = getattr(shell, _ATTRIBUTE, None)
    if loaded is None:
        return
    magics, helpers = loaded
    for helper in helpers:
        helper.remove()
    shell.events.unregister("pre_run_cell", magics.begin_cell)
    magics.session.forget()
    for added in (type(magics), TimingMagics, CaptureMagics, ProfileMagics):
        for kind, names in added.magics.items():
            for name in names:
                shell.magics_manager.magics[kind].pop(name, None)
        shell.magics_manager.registry.pop(added.__name__, None)
    delattr(shell, _ATTRIBUTE)

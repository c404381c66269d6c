# SPDX-License-Identifier: MIT
"""Shows what a magic gives wherever its line stands: IPython shows the value of a cell's last line only."""

from __future__ import annotations

import ast

from IPython.core.interactiveshell import InteractiveShell

__all__ = ["Statements", "shown_lines"]

_MAGIC = "metal_time"
_SHOW = ast.parse('__import__("IPython.display", fromlist=["display"]).display', mode="eval").body
# How IPython shows a cell's values, and whether it is the last line's alone. Elsewhere it shows those of all lines, or
# none is wanted.
_LAST_ONLY = {"last_expr": True, "last_expr_or_assign": True, "last": True, "all": False, "none": False}


class Statements(ast.NodeTransformer):
    """Lets a line ``%metal_time ...`` show its value where it would be dropped."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    def add(self) -> None:
        """Begin."""
        self._shell.ast_transformers.append(self)

    def remove(self) -> None:
        """End."""
        if self in self._shell.ast_transformers:
            self._shell.ast_transformers.remove(self)

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Change all lines of a cell but the last, which IPython shows."""
        if _LAST_ONLY[self._shell.ast_node_interactivity]:
            shows_any = self._shell.ast_node_interactivity == "last"
            is_shown = bool(node.body) and (shows_any or isinstance(node.body[-1], ast.Expr))
            count = len(node.body) - is_shown
            node.body[:count] = [_Lines().visit(line) for line in node.body[:count]]
        return node


def shown_lines(tree: ast.Module) -> ast.Module:
    """Let all such lines show their values."""
    made: ast.Module = _Lines().visit(tree)
    return made


class _Lines(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        match node.value:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr="run_line_magic"),
                args=[ast.Constant(value=name), ast.Constant(value=str(text))],
            ) if name == _MAGIC and not text.rstrip().endswith(";"):
                call = ast.copy_location(ast.Call(_SHOW, [node.value], []), node.value)
                node.value = ast.fix_missing_locations(call)
        return node

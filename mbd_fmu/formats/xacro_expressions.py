"""Which expressions of xacro are evaluated: arithmetic and tables, and no way into the machine.

They are Python; from any object its attributes lead to all that the interpreter has loaded.
"""

from __future__ import annotations

import ast

from mbd_fmu.errors import MbdFmuError, shortened

# attributes by which objects lead to frames and code, and texts to attributes
_DEEP = ("_", "gi_", "f_", "tb_", "cr_", "co_", "ag_", "func_")
_FORMATS = ("format", "format_map")
# functions that reach what an expression does not hold
_REACHING = {
    *("getattr", "setattr", "delattr", "hasattr", "vars", "type", "globals", "locals", "dir"),
    *("eval", "exec", "compile", "open", "input", "breakpoint", "memoryview", "object", "super"),
}


class ExpressionRefusedError(MbdFmuError):
    """An expression that a robot has no use for."""


def check_expression(text: str) -> None:
    """Refuse what leads beyond numbers, texts, lists and tables; what is no Python xacro tells."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        name = getattr(node, "attr", None) or getattr(node, "id", None) or ""
        is_deep = isinstance(node, ast.Attribute) and (name.startswith(_DEEP) or name in _FORMATS)
        if is_deep or name.startswith("__") or name in _REACHING or isinstance(node, ast.Lambda):
            found = f'"{name}"' if name else "a function of its own"
            raise ExpressionRefusedError(
                f"the expression {shortened(text)} uses {found}, which a robot has no use for"
            )

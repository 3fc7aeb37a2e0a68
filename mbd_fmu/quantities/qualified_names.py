"""Expressions of variables by their names: ``"sqrt(pin.force.x**2 + pin.force.z**2)"``.

Names of variables have dots and numbers in brackets, ``rod.lambda[1]``, and parts of them may be
words that Python keeps for itself. So each such name is taken out first, and a plain one put in its
place; what is left is an expression like any other, and names are put back in it.
"""

from __future__ import annotations

import ast
import re

from mbd_fmu.quantities.expressions import LONGEST, RESERVED, Expression, checked, tree_of

_WORD = r"(?<![\w.])[^\W\d]\w*"  # not the exponent or the point of a number: 1.e5
_PLACE = r"\s*\[\s*[0-9]+\s*\]"
_DOTTED = re.compile(rf"{_WORD}(?:\s*\.\s*[^\W\d]\w*)+(?:{_PLACE})?")
_WHOLE = re.compile(f"{_DOTTED.pattern}|{_WORD}{_PLACE}")


def tree_of_qualified(text: str, whole: re.Pattern[str] = _DOTTED) -> ast.expr:
    """Return what a text is made of; a name with dots is a single one in it, ``ball.q[2]``."""
    if len(text) > LONGEST:
        return tree_of(text)  # which refuses it
    free = "_"
    while free in text:
        free += "_"
    stand_ins: dict[str, str] = {}  # by names

    def taken_out(match: re.Match[str]) -> str:
        return stand_ins.setdefault("".join(match.group().split()), f"{free}{len(stand_ins)}")

    tree = tree_of(whole.sub(taken_out, text), shown=text)
    names = {stand_in: name for name, stand_in in stand_ins.items()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return tree


def parse_qualified(text: str) -> Expression:
    """Check a text against the grammar, whatever names stand in it; ``hub[2]`` is one, too."""
    tree = tree_of_qualified(text, _WHOLE)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return checked(tree, text, names - RESERVED)

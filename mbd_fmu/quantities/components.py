"""Vector arithmetic written out: ``"(a + b)/2"`` is three expressions of numbers.

Vectors are names, lists of numbers, and what + and - make of two, * and / of one and a number.
``a[1]`` is the first component, ``norm(a)`` the length, ``dot(a, b)`` the scalar product. What is
left has scalars only, a component under the name ``a[1]``. Variables of the mechanism, ``crank.q``
or ``ball.q[2]``, are scalars under these names; where some may be vectors, ``pin.force`` is one if
it stands where only a vector can, and its components are ``pin.force.x`` and so on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce

from mbd_fmu.errors import shortened
from mbd_fmu.quantities.expressions import (
    CONSTANTS,
    NESTED,
    REDUCTIONS,
    KindError,
    nested_too_deeply,
    unknown_name,
)

XYZ = ("x", "y", "z")  # components of variables
Components = tuple[float | str, ...]  # numbers, or names of scalars
Node = ast.expr | list[ast.expr]  # a scalar, or the components of a vector
_NUMBERS = (".x", ".y", ".z", ".q.w", ".quat.w", "]")  # how names of components end


@dataclass(frozen=True)
class Expansion:
    """One text being written out."""

    text: str
    scalars: Collection[str]
    vectors: Mapping[str, Components]
    declared: Collection[str]  # for advice
    what: str  # kinds of names there are
    may_be_vectors: Collection[str] = ()  # variables; whether they are is known later
    taken: set[str] = field(default_factory=set)  # those of them that must be

    def of(self, node: ast.expr, depth: int = 0, *, is_reduced: bool = False) -> Node:
        """Write a node out; inside of ``norm`` or ``dot`` there is no other of them."""
        if depth > NESTED:
            raise nested_too_deeply(shortened(self.text))

        def part(inner: ast.expr) -> Node:
            return self.of(inner, depth + 1, is_reduced=is_reduced)

        match node:
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.Subscript(value=ast.Name(id=name), slice=place) if "." not in name:
                return self._component(name, place)
            case ast.List(elts=entries):
                return [self._scalar(part(entry), "a list in it") for entry in entries]
            case ast.BinOp(left=left, op=op, right=right):
                return self._combined(part(left), op, part(right))
            case ast.UnaryOp(op=op, operand=operand):
                return _each(lambda x: ast.UnaryOp(op=op, operand=x), part(operand))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in REDUCTIONS:
                if is_reduced:
                    raise self._error(f"{name} inside of norm or dot", "declare it as a parameter")
                found = [self.of(arg, depth + 1, is_reduced=True) for arg in args]
                return self._reduced(name, found)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return ast.Call(node.func, [self._scalar(part(arg), name) for arg in args], [])
        return node

    def _named(self, node: ast.Name, name: str) -> Node:
        if name in self.vectors:
            return [_leaf(component) for component in self.vectors[name]]
        if name in self.scalars or name in CONSTANTS:
            return node
        raise unknown_name(name, shortened(self.text), self.declared, self.what)

    def _component(self, name: str, place: ast.expr) -> ast.expr:
        if name not in self.vectors:
            self._named(ast.Name(name), name)
            raise self._error(f'"{name}" is a single number', f'write "{name}"')
        components = self.vectors[name]
        match place:
            case ast.Constant(value=int(k)) if k is not True and 1 <= k <= len(components):
                return _leaf(components[k - 1])
        found = f'"{name}" has no such component'
        raise self._error(found, f"count from 1 to {len(components)}")

    def _combined(self, a: Node, op: ast.operator, b: Node) -> Node:
        if isinstance(op, ast.Add | ast.Sub) and isinstance(a, list) != isinstance(b, list):
            a, b = self._as_vector(a), self._as_vector(b)
        match a, op, b:
            case list(), ast.Add() | ast.Sub(), list():
                if len(a) != len(b):
                    found = f"vectors of {len(a)} and {len(b)} components"
                    raise self._error(found, "give both as many")
                return [ast.BinOp(x, op, y) for x, y in zip(a, b, strict=True)]
            case list(), ast.Mult() | ast.Div(), ast.expr():
                return _each(lambda x: ast.BinOp(x, op, b), a)
            case ast.expr(), ast.Mult(), list():
                return _each(lambda x: ast.BinOp(a, op, x), b)
            case list(), ast.Mult(), list():
                raise self._error("a product of two vectors", "write dot(a, b)")
            case (list(), _, _) | (_, _, list()):
                found = "vectors and numbers do not go together so"
                raise self._error(found, "add vectors to vectors; multiply or divide by numbers")
        return ast.BinOp(self._scalar(a), op, self._scalar(b))

    def _reduced(self, name: str, args: list[Node]) -> ast.expr:
        """Write a sum of products out."""
        args = [self._as_vector(arg) for arg in args]
        vectors = [arg for arg in args if isinstance(arg, list)]
        sizes = {len(v) for v in vectors}
        if len(vectors) != len(args) or len(args) != REDUCTIONS[name] or len(sizes) != 1:
            wanted = "one vector" if REDUCTIONS[name] == 1 else "two vectors of one size"
            example = f"{name}({', '.join('ab'[: REDUCTIONS[name]])})"
            dotted = (arg.id for arg in args if isinstance(arg, ast.Name) and "." in arg.id)
            if of := next(dotted, ""):  # variables are known one by one
                found = f"{name} takes {wanted}, and {of} is read as one number"
                listed = ", ".join(f"{of}.{x}" for x in "xyz")
                raise self._error(found, f"give its components in a list: [{listed}]")
            raise self._error(f"{name} takes {wanted}", f'write "{example}"')
        if name == "norm":
            squares = map(_square, vectors[0])
            return ast.Call(ast.Name("sqrt"), [reduce(_sum, squares)], [])
        return reduce(_sum, map(_product, *vectors))

    def _as_vector(self, node: Node) -> Node:
        """Return the components of what must be a vector, if variables in it may be vectors."""
        if isinstance(node, list) or not self._may_be_vector(node):
            return node
        match node:
            case ast.Name(id=name):
                self.taken.add(name)
                return [ast.Name(f"{name}.{x}") for x in XYZ]
            case ast.UnaryOp(op=sign, operand=operand):
                return _each(lambda x: ast.UnaryOp(op=sign, operand=x), self._as_vector(operand))
            case ast.BinOp(left=left, op=op, right=right):  # of a product only one is a vector
                return self._combined(self._as_vector(left), op, self._as_vector(right))
        return node

    def _may_be_vector(self, node: ast.expr) -> bool:
        """Tell whether what is no list may be a vector, by the variables in it."""
        match node:
            case ast.Name(id=name):
                return name in self.may_be_vectors and not name.endswith(_NUMBERS)
            case ast.UnaryOp(operand=operand):
                return self._may_be_vector(operand)
            case ast.BinOp(left=left, op=ast.Div()):
                return self._may_be_vector(left)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return self._may_be_vector(left) and self._may_be_vector(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                found = self._may_be_vector(left), self._may_be_vector(right)
                if all(found):
                    product = shortened(ast.unparse(node))
                    remedy = "take the number out of norm or dot, or write the vector as a list"
                    raise self._error(f"which of {product} is the vector is not clear", remedy)
                return any(found)
        return False

    def _scalar(self, node: Node, what: str = "it") -> ast.expr:
        if not isinstance(node, list):
            return node
        raise self._error(f"{what} takes single numbers, not vectors", "name components: a[1]")

    def _error(self, found: str, remedy: str) -> KindError:
        return KindError(f'"{shortened(self.text)}": {found}', remedy)


def _leaf(component: float | str) -> ast.expr:
    return ast.Name(component) if isinstance(component, str) else ast.Constant(component)


def _each(operation: Callable[[ast.expr], ast.expr], node: Node) -> Node:
    return [operation(x) for x in node] if isinstance(node, list) else operation(node)


def _sum(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Add(), b)


def _square(a: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Pow(), ast.Constant(2))


def _product(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Mult(), b)

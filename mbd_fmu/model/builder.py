"""Mechanisms written in Python; the keys are those of the model file, and so are the checks."""

from __future__ import annotations

from typing import Any

from mbd_fmu.errors import Problem, SpecError, shortened
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.limits import MOST_LEVELS


class Mechanism:
    """Collects what a model file would say.

    Keyword arguments are the keys of the model file's tables; ``spec()`` checks them all at once.
    """

    def __init__(self, name: str, **model: Any) -> None:
        self._table: dict[str, Any] = {"model": {"name": name, **model}}

    def parameter(self, name: str, value: Any, **keys: Any) -> Mechanism:
        """Declare a parameter of the FMU: a number, a vector, or an expression of others."""
        self._table.setdefault("parameters", {})[name] = {"value": value, **keys}
        return self

    def point(self, name: str, at: Any, body: str = "") -> Mechanism:
        """Name a point, for places of elements to be called by; three numbers or an expression."""
        carried = {"body": body} if body else {}
        self._table.setdefault("points", {})[name] = {"at": at, **carried}
        return self

    def body(self, name: str, **keys: Any) -> Mechanism:
        """Add a body: mass, com, inertia, ..."""
        return self._add("body", {"name": name, **keys})

    def joint(self, name: str, type: str, parent: str, child: str, **keys: Any) -> Mechanism:  # noqa: A002
        """Add a joint: point, axis, position, ..."""
        return self._add(
            "joint", {"name": name, "type": type, "parent": parent, "child": child, **keys}
        )

    def spring(self, name: str, parent: str = "", child: str = "", **keys: Any) -> Mechanism:
        """Add a spring with a damper between two points: point, point2, stiffness, length, ..."""
        ends = {key: body for key, body in (("parent", parent), ("child", child)) if body}
        return self.force(name, "spring_damper", **ends, **keys)

    def force(self, name: str, type: str, **keys: Any) -> Mechanism:  # noqa: A002
        """Add any other force: nonlinear_spring, joint_law, bushing, wrench, actuator, …"""
        return self._add("force", {"name": name, "type": type, **keys})

    def constraint(self, name: str, type: str, **keys: Any) -> Mechanism:  # noqa: A002
        """Add a constraint that is no joint: distance, gear, rolling_disc, ..."""
        return self._add("constraint", {"name": name, "type": type, **keys})

    def moving_base(self, motion: str | dict[str, Any] = "prescribed") -> Mechanism:
        """Let the ground follow a motion told by inputs: in full, or by "position", "velocity".

        Or, as a table of ``position`` and ``rpy``, by functions of time.
        """
        self._table["base"] = {"motion": motion}
        return self

    def output(
        self,
        *groups: str,
        points: list[dict[str, Any]] | None = None,
        **named: list[dict[str, Any]],
    ) -> Mechanism:
        """Choose groups of outputs, points to follow, and outputs by their kind: angle=[...]."""
        table: dict[str, Any] = {"groups": list(groups)} if groups else {}
        if points:
            table["point"] = points
        return self._add("output", {**table, **named})

    def fmu(self, **keys: Any) -> Mechanism:
        """Set defaults of the FMU: solver, tolerance, stop_time, ..."""
        self._table.setdefault("fmu", {}).update(keys)
        return self

    def spec(self) -> Spec:
        """Check everything and return the specification."""
        source = f'Mechanism "{shortened(str(self._table["model"]["name"]))}"'
        try:
            table = _plain(self._table)
        except RecursionError:
            found = f"more than {MOST_LEVELS} tables and lists inside each other"
            raise SpecError(source, [Problem("file", found, "unfold them")]) from None
        return spec_of_table(table, source)

    def _add(self, kind: str, table: dict[str, Any]) -> Mechanism:
        self._table.setdefault(kind, []).append(table)
        return self


def _plain(value: Any) -> Any:
    """Turn tuples, arrays and NumPy numbers into what a model file holds."""
    if isinstance(value, dict):
        return {key: _plain(x) for key, x in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(x) for x in value]
    return value

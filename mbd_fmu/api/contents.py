"""What a model is made of: names, variables, bodies and joints, and how it shows itself."""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property

from numpy.typing import ArrayLike

from mbd_fmu.api.sources import Source
from mbd_fmu.api.vectors import by_components, coordinate_vector, finite_number, velocity_vector
from mbd_fmu.drawing.sketch import sketch_svg
from mbd_fmu.errors import DataError, FmuError, MbdFmuError
from mbd_fmu.model.spec import Body, Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.summaries.mechanism import drawn
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import DERIVED, Variable, refused_setting
from mbd_fmu.tables import Listing, html_table, number

Settings = Mapping[str, float]
Parameters = Mapping[str, ArrayLike]  # numbers; of vectors, all components at once, too
MOST_NAMES = 12  # of a kind, in the picture of a model


@dataclass(frozen=True, eq=False)
class Contents:
    """See above."""

    source: Source

    @property
    def name(self) -> str:
        """What it is called."""
        return self.source.name

    @property
    def description(self) -> str:
        """What it is, in a sentence."""
        return self.source.description

    @property
    def notices(self) -> tuple[str, ...]:
        """What was worth saying when its file was read."""
        return self.source.notices

    def spec(self) -> Spec:
        """Return its specification; an FMU has none."""
        return self.source.spec()

    @property
    def _system(self) -> System:
        return self.source.system()

    @cached_property
    def parameters(self) -> Listing[Variable]:
        """Parameters, with unit, value and limits."""
        return _listed("parameter", self.source.variables("parameter"))

    @cached_property
    def derived(self) -> Listing[Variable]:
        """Parameters that follow from others, with the values they have as declared."""
        return _listed("derived parameter", self.source.variables(DERIVED))

    @cached_property
    def inputs(self) -> Listing[Variable]:
        """Inputs: drives, wrenches, prescribed motions."""
        return _listed("input", self.source.variables("input"))

    @cached_property
    def outputs(self) -> Listing[Variable]:
        """Outputs: what a run gives."""
        return _listed("output", self.source.variables("output"))

    @cached_property
    def coordinates(self) -> Listing[Variable]:
        """What q is made of: coordinates of the joints of the tree, in its order."""
        return _named("coordinate", coordinate_vector(self._system).variables)

    @cached_property
    def velocities(self) -> Listing[Variable]:
        """What v, accelerations and tau are made of."""
        return _named("velocity", velocity_vector(self._system).variables)

    @cached_property
    def bodies(self) -> Listing[Body]:
        """Bodies of the mechanism."""
        spec = self.spec()
        found = {body.name: body for body in spec.bodies}
        return Listing(
            "body", found, ("mass in kg",), lambda b: (number(value_of(b.mass, spec.nominal)),)
        )

    @cached_property
    def joints(self) -> Listing[Joint]:
        """Joints, those that let parts fly among them; the tree's, then those that close loops."""
        system = self._system
        joints = [system.spec.joints[k] for k in system.forest.every_joint]
        titles = ("type", "parent", "child", "drive")
        return Listing(
            "joint",
            {joint.name: joint for joint in joints},
            titles,
            lambda j: (j.type, j.parent, j.child, j.drive),
        )

    def _known(self, parameters: Parameters) -> dict[str, float]:
        """Return parameters; refuse names that nothing has, all at once."""
        given = by_components(parameters, self.parameters)
        unknown = [
            refused_setting(str(name), self.parameters, self.derived, "parameter")
            for name in given
            if name not in self.parameters
        ]
        if unknown:
            raise DataError("\n  ".join(unknown))
        return {name: finite_number(name, value) for name, value in given.items()}

    def summary(self) -> str:
        """Return what ``mbd-fmu show`` prints: tree, loops, freedoms, variables."""
        return drawn(self.spec())

    def __repr__(self) -> str:
        words = [_counted(self.inputs, "input"), _counted(self.outputs, "output")]
        try:
            own = [_counted(self.bodies, "body", "bodies"), _counted(self.joints, "joint")]
        except FmuError:
            own = ["FMU"]
        words = [*own, *words]
        return f"{self.name}: {', '.join(words)}"

    def _repr_html_(self) -> str:
        said = f"<p><b>{html.escape(self.name)}</b> {html.escape(self.description)}</p>"
        try:
            picture = _pictured(sketch_svg(self._system))
        except MbdFmuError:  # of an FMU, or of what cannot be put together
            picture = ""
        rows = [
            (what, _few(what, list(names)))
            for what, names in (
                ("parameters", self.parameters),
                ("inputs", self.inputs),
                ("outputs", self.outputs),
            )
        ]
        return said + picture + html_table(("", ""), rows)


def _counted(things: Sized, one: str, many: str = "") -> str:
    return f"{len(things)} {one if len(things) == 1 else many or f'{one}s'}"


def _pictured(svg: str) -> str:
    """Put a drawing in as a picture, so that its styles stay its own."""
    return f'<img src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">'


def _few(what: str, names: Sequence[str]) -> str:
    """List names; of many the first, and where the others are."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names) or "none"
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more in m.{what}"


def _listed(what: str, variables: Sequence[Variable]) -> Listing[Variable]:
    titles = ("unit", "value", "least", "most", "meaning")
    return Listing(
        what,
        {v.name: v for v in variables},
        titles,
        lambda v: (v.unit, number(v.start), number(v.min), number(v.max), v.description),
    )


def _named(what: str, variables: Sequence[Variable]) -> Listing[Variable]:
    found = {v.name: v for v in variables}
    return Listing(what, found, ("unit", "meaning"), lambda v: (v.unit, v.description))

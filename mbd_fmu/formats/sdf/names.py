"""Names of frames: one meaning in each scope, and none that the format keeps for itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.sdf.scopes import BETWEEN, MODEL, NAMED, WORLD, Scope


@dataclass(frozen=True)
class Place:
    """Where a name stands that somebody has to make sense of."""

    account: Account
    line: int
    where: str


@dataclass
class Names:
    """All frames of a file by name, with the lines they stand in."""

    lines: dict[str, int] = field(default_factory=dict)

    def learn(self, top: Scope) -> None:
        """Take the names of a scope and of all within it."""
        self.lines.setdefault(top.frame, top.line)
        for scope in top.walk():
            for tag in NAMED:
                for child in scope.element.all(tag):
                    self._take(scope, tag, child.attributes.get("name", "").strip(), child.line)
            for inner in scope.nested:
                name = inner.frame.removeprefix(scope.prefix)
                self._take(scope, "model", name, inner.line)

    def _take(self, scope: Scope, tag: str, name: str, line: int) -> None:
        account, where = scope.account, f'{tag} "{shortened(name)}"'
        if not name:
            account.problem(line, f"a {tag}", "it has no name", "give it one")
        elif name == WORLD or (name.startswith("__") and name.endswith("__")):
            account.problem(line, where, "SDF keeps this name for itself", "rename it")
        elif BETWEEN in name:
            found = f"{BETWEEN} stands between the names of models and what is in them"
            account.problem(line, where, found, "rename it")
        elif (key := scope.prefix + name) in self.lines:
            found = f"a second frame of this name; the first stands in line {self.lines[key]}"
            account.problem(line, where, found, "rename one: links, joints, frames and models")
        else:
            self.lines[key] = line

    def resolve(self, scope: Scope, name: str, place: Place, default: str) -> str:
        """Return what a name means in a scope; the default where it is empty or means nothing."""
        key = scope.key(name)
        if not name:
            return default
        if key in self.lines and (key != WORLD or scope.frame == WORLD):
            return key
        known = [k.removeprefix(scope.prefix) for k in self.lines if k.startswith(scope.prefix)]
        others = [k for k in known if k not in (WORLD, MODEL)]
        remedy = nearest(name, [*others, WORLD if scope.frame == WORLD else MODEL])
        found = f'no frame "{shortened(name)}"'
        place.account.problem(place.line, place.where, found, remedy)
        return default

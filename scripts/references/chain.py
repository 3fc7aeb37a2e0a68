"""Eight hinged links by Pinocchio, DOP853 at 1e-12."""

from scripts.references._ode import rows_of_time
from scripts.references._pinocchio import Tree


def reference(spec, _):
    keep = [f"hinge{k}.q" for k in range(1, 9)] + ["hinge1.force", "link8.com", "energy"]
    found = Tree(spec).simulate(rows_of_time(2.0, 0.02), keep=keep)
    chosen = [n for n in found.names if not n.endswith(".qdd")]
    columns = [found.names.index(n) for n in chosen]
    return type(found)(found.time, tuple(chosen), found.values[:, columns])

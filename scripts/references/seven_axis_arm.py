"""Copied from robots/panda7: Pinocchio under held torques."""

from scripts.references._cases import renamed, rows

AXES = range(1, 8)


def inputs(_):
    names = {f"joint{k}.tau": f"tau_panda_joint{k}" for k in AXES}
    return renamed(rows("robots/panda7"), names)


def reference(_, __):
    names = {}
    for k in AXES:
        for ours, theirs in (("q", "q"), ("qd", "v"), ("qdd", "a")):
            names[f"joint{k}.{ours}"] = f"{theirs}_panda_joint{k}"
    names |= {f"link7.r.{c}": f"lastjoint_p{c}" for c in "xyz"}
    names |= {f"link7.quat.{c}": f"lastjoint_q{c}" for c in "wxyz"}
    names |= {f"joint1.force.{c}": f"base_wrench_f{c}" for c in "xyz"}
    return renamed(rows("robots/panda7"), names)

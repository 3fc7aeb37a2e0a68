"""Tables of joints, forces and constraints, put into the pages that explain them."""

from pathlib import Path

from mbd_fmu.elements.tables import constraint_table, force_table, joint_table

DOCS = Path(__file__).parents[1] / "mbd_fmu" / "docs"
TABLES = {
    "elements.md": {"joints": joint_table, "forces": force_table},
    "loops.md": {"constraints": constraint_table},
}


def page(name):
    """Return a page with its tables as they should be."""
    text = (DOCS / name).read_text(encoding="utf-8")
    for kind, table in TABLES[name].items():
        head, mark, rest = text.partition(f"<!-- {kind}: scripts/element_tables -->\n")
        _, end, tail = rest.partition("<!-- end -->\n")
        assert mark, f"{name} has no place for {kind}"
        assert end, f"{name} has no end of {kind}"
        text = f"{head}{mark}{table()}\n{end}{tail}"
    return text


if __name__ == "__main__":
    for name in TABLES:
        (DOCS / name).write_text(page(name), encoding="utf-8")

"""Tables of elements, outputs and keys of the model file, put into the pages that explain them."""

from pathlib import Path

from mbd_fmu.elements.tables import constraint_table, force_table, function_table, joint_table
from mbd_fmu.model.outputs import output_table
from mbd_fmu.schema.page_tables import TABLES as TABLES_OF_THE_FILE

DOCS = Path(__file__).parents[1] / "mbd_fmu" / "docs"
TABLES = {
    "elements.md": {"joints": joint_table, "forces": force_table},
    "loops.md": {"constraints": constraint_table},
    "model_file.md": TABLES_OF_THE_FILE,
    "outputs.md": {"outputs": output_table},
    "laws.md": {"functions": function_table},
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

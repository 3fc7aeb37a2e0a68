"""The tables of the docs are what the element types say of themselves."""

import pytest

from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.named_outputs import OUTPUT_KINDS
from scripts.element_tables import DOCS, TABLES, page


@pytest.mark.parametrize("name", TABLES)
def test_pages_have_the_tables_that_scripts_element_tables_writes(name):
    assert (DOCS / name).read_text(encoding="utf-8") == page(name)


@pytest.mark.parametrize("kind", [*JOINTS, *FORCES, *CONSTRAINTS])
def test_every_type_has_a_row(kind):
    assert _rows(kind, ("elements.md", "loops.md")) == 1


@pytest.mark.parametrize("kind", [kind.kind for kind in OUTPUT_KINDS])
def test_every_output_has_a_row(kind):
    assert _rows(kind, ("outputs.md",)) == 1


def _rows(kind, pages):
    texts = [table() for name in pages for table in TABLES[name].values()]
    rows = [line for text in texts for line in text.splitlines()]
    return sum(line.startswith(f"| `{kind}` |") for line in rows)

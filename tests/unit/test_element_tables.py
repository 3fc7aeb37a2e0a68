"""The tables of the docs are what the element types say of themselves."""

import pytest

from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.elements.joints import JOINTS
from scripts.element_tables import DOCS, TABLES, page


@pytest.mark.parametrize("name", TABLES)
def test_pages_have_the_tables_that_scripts_element_tables_writes(name):
    assert (DOCS / name).read_text(encoding="utf-8") == page(name)


@pytest.mark.parametrize("kind", [*JOINTS, *FORCES, *CONSTRAINTS])
def test_every_type_has_a_row(kind):
    rows = [line for name in TABLES for line in page(name).splitlines()]
    assert sum(line.startswith(f"| `{kind}` |") for line in rows) == 1

"""The page on the model file: its examples run, and its tables of names are true."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu.model.named_outputs import OUTPUT_KINDS
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import OUTPUT_GROUPS
from mbd_fmu.quantities.time_forms import SINE_KEYS
from mbd_fmu.quantities.time_functions import FORMS
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from tests.declared import with_names

PAGE = (Path(mbd_fmu.__file__).parent / "docs" / "model_file.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def arm():
    return spec_of_table(tomllib.loads(BLOCKS[0]), "model_file.md")


def test_the_whole_model_is_what_its_hard_points_say(arm):
    wheel = np.array([0.42, 0.1, -0.05])
    length = np.linalg.norm(wheel)
    assert arm.nominal["arm_length"] == pytest.approx(length, rel=1e-15)
    assert arm.nominal["arm_mass"] == pytest.approx(6 * length, rel=1e-15)
    assert arm.joints[0].drive == "none"
    run = simulate(system_of(arm), stop=0.1, step=0.05)
    assert run.column("hub.r.x")[0] == 0.42


def test_it_follows_its_vector(arm):
    """The hinge turns about y: the hub stays at its distance from the axis, wherever it is."""
    run = simulate(system_of(arm), stop=0.2, step=0.05, settings={"wheel[3]": 0.1})
    away = np.hypot(run.column("hub.r.x"), run.column("hub.r.z"))
    assert np.abs(away - np.hypot(0.42, 0.1)).max() < 1e-12
    assert np.abs(run.column("hub.r.y") - 0.1).max() < 1e-12
    assert np.ptp(run.column("hub.r.z")) > 1e-3


def test_other_toml_is_toml_and_the_first_line_of_a_model():
    for text in BLOCKS[1:]:
        assert tomllib.loads(text) == {}
        assert text.startswith("#:schema ./model.schema.json")


def test_links_lead_to_headings_of_the_page():
    slugs = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    links = re.findall(r"\]\(#([\w-]+)\)", PAGE)
    assert links
    assert set(links) <= slugs


def test_groups_have_the_variables_the_page_says():
    rows = dict(re.findall(r"^\| `(\w+)` \| (`[<e c].*) \|$", PAGE, re.MULTILINE))
    groups = {name: text for name, text in rows.items() if name in OUTPUT_GROUPS}
    assert list(groups) == list(OUTPUT_GROUPS)
    for group, text in groups.items():
        table = with_names() | {"output": [{"groups": [group]}]}
        table["joint"][0]["damping"] = 0.1
        found = {v.name for v in system_of(spec_of_table(table, "it")).table.outputs}
        last = {
            re.sub(r"\[i\]$", "", part).rsplit(".", 1)[-1]
            for part in re.findall(r"`([^`]+)`", text)
        }
        used = {part for name in found for part in re.split(r"[.\[]", name)}
        assert last - {"lambda"} <= used, group


def test_keys_of_named_outputs_and_of_functions_of_time_have_rows():
    named = [f"{kind.kind}.{key.name}" for kind in OUTPUT_KINDS for key in kind.keys_shown()]
    of_time = [*FORMS, "ends", *(f"sine.{key.name}" for key in SINE_KEYS)]
    of_time.remove("sine")
    for key in (*named, *of_time):
        assert f"\n| `{key}` | " in PAGE, key


def test_every_public_table_of_the_reader_has_a_heading_or_a_row():
    for name in ("model", "parameters", "points", "body", "joint", "force", "constraint"):
        assert re.search(rf"\[{name}\]", PAGE), name

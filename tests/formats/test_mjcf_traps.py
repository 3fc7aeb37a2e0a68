"""MJCF that is wrong, or means more than is carried: each is refused in its line."""

import tomllib
from pathlib import Path

import pytest

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.model_files import open_model
from tests.formats.arm import changed
from tests.formats.mjcf_arm import MJCF_ARM

pytest.importorskip("mujoco", reason="the reader of MJCF is not installed")

TEXT = Path(__file__).with_name("mjcf_traps.toml").read_text(encoding="utf-8")
TRAPS = {trap["name"]: trap for trap in tomllib.loads(TEXT)["trap"]}
THEIRS = ": MuJoCo refuses the file"  # and its words are its own


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_a_trap_is_refused_in_its_line_with_a_remedy(tmp_path, trap):
    text = trap.get("whole", MJCF_ARM)
    for old, new in trap.get("change", ()):
        text = changed(old, new, text)
    path = tmp_path / "arm.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MbdFmuError) as refused:
        open_model(path)
    said = str(refused.value).replace(f"{path}: ", "FILE: ").replace(str(path), "").splitlines()
    found = [line.strip() for line in (said[1:] or said)]
    found = [line.partition(THEIRS)[0] + THEIRS if THEIRS in line else line for line in found]
    assert found == trap["says"]

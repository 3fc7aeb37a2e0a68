"""The examples of the page on studies run."""

import re
from pathlib import Path

import pytest

import mbd_fmu

PAGE = (Path(mbd_fmu.__file__).parent / "docs" / "studies.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")  # of SALib and what it brings
def test_sensitivity_and_optimum_are_found():
    pytest.importorskip("SALib", reason="needs SALib")
    scope = {}
    for text in re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(text, "studies.md", "exec"), scope)
    assert scope["indices"]["ST"][1] == pytest.approx(1.0, abs=0.1)  # all is the length; 64 points

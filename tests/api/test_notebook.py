"""The notebook runs from its first cell to the last, and everything in it shows itself."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import mbd_fmu

PATH = Path(mbd_fmu.__file__).parent / "docs" / "tour.ipynb"


@pytest.fixture(scope="module")
def notebook():
    return nbformat.read(PATH, as_version=4)


def test_it_is_stored_without_results(notebook):
    nbformat.validate(notebook)
    assert not any(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    assert all(cell.execution_count is None for cell in notebook.cells if "outputs" in cell)


def test_it_runs(notebook, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(mbd_fmu.__file__).parents[1]))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    shown = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text
            shown[cell.source.splitlines()[-1]] = output.get("data", output)
    assert "data:image/svg+xml" in shown["m"]["text/html"]
    assert "<iframe" in shown["r.view()"]["text/html"]
    plotted = shown['r.plot("shoulder.q", "elbow.q", "elbow.qd")']
    assert "application/vnd.plotly.v1+json" in plotted
    assert "<table>" in shown["hanging.modes(rest)"]["text/html"]
    assert 'did you mean "L"?' in shown["    print(error)"]["text"]
    assert (tmp_path / "pole.fmu").is_file()

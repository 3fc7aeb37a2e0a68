"""Commands as a user types them."""

import pytest

from mbd_fmu.cli import main


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder; return its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def command(*words):
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return command

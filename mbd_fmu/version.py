"""The version, said once more than in pyproject.toml; a test holds the two together."""

VERSION = "0.1.0"

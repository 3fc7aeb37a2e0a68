"""Tables as TOML: read again they are the same, and people like to read them."""

import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

from mbd_fmu.formats.toml_text import toml_text

PLAIN = (
    st.text()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    PLAIN, lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(), x, max_size=4)
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_any_table_is_read_as_it_was_written(table):
    assert tomllib.loads(toml_text(table, "any table")) == table


def test_toml_is_as_people_write_it():
    table = {
        "model": {"name": "arm", "frame": "local"},
        "body": [{"name": "a", "com": [0, 0.5, "L/2"], "inertia": {"shape": "rod", "length": 1.0}}],
        "output": [{"groups": ["poses"], "point": [{"name": "x" * 60, "body": "a" * 60}]}],
    }
    assert toml_text(table, "Read from arm.urdf") == (
        "# Read from arm.urdf\n"
        "\n"
        "[model]\n"
        'name = "arm"\n'
        'frame = "local"\n'
        "\n"
        "[[body]]\n"
        'name = "a"\n'
        'com = [0, 0.5, "L/2"]\n'
        'inertia = { shape = "rod", length = 1.0 }\n'
        "\n"
        "[[output]]\n"
        'groups = ["poses"]\n'
        "point = [\n"
        f'    {{ name = "{"x" * 60}", body = "{"a" * 60}" }},\n'
        "]\n"
    )

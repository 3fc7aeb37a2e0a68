"""Units against each other and against the numbers people know."""

import math

import pytest

from mbd_fmu.system.units import UNITS, known_unit


@pytest.mark.parametrize(
    ("unit", "factors"),
    [
        ("N", ["kg", "m/s2"]),
        ("J", ["N", "m"]),
        ("N.m", ["N", "m"]),
        ("m/s2", ["m/s", "1/s"]),
        ("kg.m2", ["kg", "m2"]),
        ("W", ["N", "m/s"]),
        ("N.m.s/rad", ["N.m/rad", "s"]),
        ("N.s/m", ["N/m", "s"]),
        ("rad/s2", ["rad/s", "1/s"]),
    ],
)
def test_units_multiply_as_their_names_say(unit, factors):
    exponents = {"1/s": {"s": -1}} | {name: base for name, (base, _) in UNITS.items()}
    bases = {base for factor in factors for base in exponents[factor]}
    product = {base: sum(exponents[f].get(base, 0) for f in factors) for base in bases}
    assert {base: n for base, n in product.items() if n} == exponents[unit]


@pytest.mark.parametrize(
    ("unit", "display", "value", "shown"),
    [
        ("rad", "deg", math.pi, 180),
        ("rad/s", "rpm", 2 * math.pi, 60),
        ("rad/s", "deg/s", math.pi, 180),
        ("m", "mm", 1.0, 1000),
    ],
)
def test_display_units_show_the_familiar_number(unit, display, value, shown):
    assert UNITS[unit][1][display] * value == pytest.approx(shown, rel=1e-12)


def test_a_unit_of_the_users_own_is_not_known():
    assert known_unit("N.m")
    assert not known_unit("furlong")

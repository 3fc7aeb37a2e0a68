"""The mass of a link, from the numbers that its file gives."""

from __future__ import annotations

import numpy as np

from mbd_fmu.formats.robots.physics import check_mass, without_noise
from mbd_fmu.formats.robots.placements import NO_MASS, Mass, Placement
from mbd_fmu.formats.xml.attributes import Attributes

MOMENTS = ("ixx", "iyy", "izz")
_KEYS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def mass_of(
    mass: tuple[float, int],
    moments: Attributes,
    place: Placement,
    extents: tuple[float, ...],
    before: int,
    where: str,
) -> Mass:
    """Return a mass in the link's frame; its moments are given in a frame that lies there so.

    ``mass`` comes with its line; ``before`` is how many problems there were when reading began.
    """
    account = moments.account
    xx, xy, xz, yy, yz, zz = (moments.number(key) for key in _KEYS)
    inertia = without_noise(mass[0], np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    if len(account.problems) > before or any(not moments.has(key) for key in MOMENTS):
        return NO_MASS
    check_mass(mass[1], moments.element.line, where, mass[0], inertia, extents, account)
    return Mass(mass[0], np.zeros(3), inertia).seen_from(place)

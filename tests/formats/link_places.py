"""Where the links of a robot's file lie in our model of it, merged and renamed ones too."""

import numpy as np

from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.outputs.block import Stage


class LinkPlaces:
    """Origins and axes of links in the world, at one state."""

    def __init__(self, opened, system, plant, x, u):
        names = [v.name for v in system.table.outputs]
        values = plant.outputs(Stage.POSITIONS, x, u, np.zeros(system.nx + len(system.rows) + 3))
        self.found = dict(zip(names, values, strict=False))
        links = [e for e in opened.report.renamed if e.what.startswith("link")]
        self.renamed = {e.what.split('"')[1]: e.text.split('"')[1] for e in links}
        self.lies = {e.link: e for e in opened.report.merged}

    def of(self, link):
        merged = self.lies.get(link)
        body = merged.body if merged else self.renamed.get(link, link)
        r, R = np.zeros(3), np.eye(3)
        if body != "ground":
            r = np.array([self.found[f"{body}.r.{c}"] for c in "xyz"])
            R = rotation_matrix(np.array([self.found[f"{body}.quat.{c}"] for c in "wxyz"]))
        if merged:
            r, R = r + R @ merged.r, R @ rotation_matrix(np.array(merged.quat))
        return r, R


def relative(found, expected):
    """Return the largest difference, measured by the largest that is expected."""
    size = np.abs(expected).max(initial=0.0)
    return float(np.abs(found - expected).max(initial=0.0) / (size or 1.0))

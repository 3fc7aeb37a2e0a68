"""The outputs of the FMU: what the chosen groups put out."""

from __future__ import annotations

from collections.abc import Iterator

from mbd_fmu.model.spec import Spec
from mbd_fmu.system.outputs.block import STAGES, Block
from mbd_fmu.system.outputs.bodies import body_blocks, point_blocks
from mbd_fmu.system.outputs.energy import energy_blocks
from mbd_fmu.system.outputs.joints import joint_blocks
from mbd_fmu.system.outputs.quality import quality_blocks
from mbd_fmu.system.outputs.reactions import drive_blocks, multiplier_blocks, reaction_blocks
from mbd_fmu.topology.forest import Forest


def output_blocks(spec: Spec, forest: Forest) -> tuple[Block, ...]:
    """Return the outputs stage by stage, and within a stage group by group."""
    return tuple(sorted(_by_groups(spec, forest), key=lambda block: STAGES.index(block.stage)))


def _by_groups(spec: Spec, forest: Forest) -> Iterator[Block]:
    if "joints" in spec.groups:
        yield from joint_blocks(spec, forest)
    yield from body_blocks(spec, forest)
    yield from point_blocks(spec)
    if "energy" in spec.groups:
        yield from energy_blocks()
    if "reactions" in spec.groups:
        yield from reaction_blocks(spec, forest)
        yield from multiplier_blocks(spec, forest)
    if "quality" in spec.groups and (forest.cut or spec.constraints):
        yield from quality_blocks()
    yield from drive_blocks(spec, forest)

"""The outputs of the FMU: what the chosen groups put out, and what the model names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mbd_fmu.errors import SpecError
from mbd_fmu.model.named_outputs import (
    NamedOutput,
    OutputAngle,
    OutputDistance,
    OutputReaction,
    OutputRelativePose,
    OutputRpy,
)
from mbd_fmu.model.spec import OUTPUT_GROUPS, Spec
from mbd_fmu.system.outputs.block import STAGES, Block, Stage
from mbd_fmu.system.outputs.bodies import acceleration_blocks, body_blocks
from mbd_fmu.system.outputs.catalogue import Catalogue
from mbd_fmu.system.outputs.derived import (
    NumbersOfParameters,
    derived_blocks,
    following_blocks,
)
from mbd_fmu.system.outputs.energy import energy_blocks
from mbd_fmu.system.outputs.forces import force_blocks
from mbd_fmu.system.outputs.joints import joint_blocks
from mbd_fmu.system.outputs.points import distance_blocks, point_blocks
from mbd_fmu.system.outputs.quality import quality_blocks
from mbd_fmu.system.outputs.reactions import (
    drive_blocks,
    multiplier_blocks,
    reaction_blocks,
    turned_reaction_blocks,
)
from mbd_fmu.system.outputs.turns import angle_blocks, relative_pose_blocks, rpy_blocks
from mbd_fmu.topology.forest import Forest


def output_blocks(
    spec: Spec, forest: Forest, inputs: Sequence[tuple[str, str]]
) -> tuple[Block, ...]:
    """Return the outputs stage by stage, and within a stage group by group.

    ``inputs`` are all that acts, by name and unit: expressions may use them.
    """
    found = [*derived_blocks(spec), *_by_groups(spec, forest), *_named(spec, forest, inputs)]
    return tuple(sorted(found, key=lambda block: STAGES.index(block.stage)))


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
    if "forces" in spec.groups:
        yield from force_blocks(spec, forest)
    if "accelerations" in spec.groups:
        yield from acceleration_blocks(spec, forest)


def _named(spec: Spec, forest: Forest, inputs: Sequence[tuple[str, str]]) -> Iterator[Block]:
    """Yield what the model names; what is made of outputs may take any that there could be."""
    if not spec.outputs:
        return
    plain = [b for output in spec.outputs for b in _plain_blocks(output, spec, forest)]
    yield from plain
    # how well constraints hold has no derivative: nothing is made of that
    everything = replace(spec, groups=tuple(g for g in OUTPUT_GROUPS if g != "quality"))
    parameters = [(p.name, p.unit) for p in spec.declared]  # coordinates of points among them
    possible = (*_by_groups(everything, forest), *plain)
    catalogue = Catalogue(possible, inputs, parameters, spec.outputs)
    yield from catalogue.blocks()
    if catalogue.problems:
        raise SpecError(spec.name, catalogue.problems)


def _plain_blocks(output: NamedOutput, spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield what needs no other output."""
    match output:
        case OutputDistance():
            yield from distance_blocks(output)
        case OutputAngle():
            yield from angle_blocks(output)
        case OutputRpy():
            yield from rpy_blocks(output)
        case OutputRelativePose():
            yield from relative_pose_blocks(output)
        case OutputReaction():
            yield from turned_reaction_blocks(output, spec, forest)
        case NumbersOfParameters():
            yield from following_blocks(output)


def needs_work(blocks: Sequence[Block]) -> bool:
    """Tell whether something put out is made of work since the start, which is a state then."""
    return any(Stage.WORK in (block.made_of | {block.stage}) for block in blocks)

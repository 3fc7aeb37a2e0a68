"""What was measured, as it is written to JSON."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Compared:
    """One engine on one mechanism, against ours."""

    engine: str
    seconds: float  # per evaluation: 10th percentile, price of the call taken off
    spread: float  # 90th percentile as a multiple of that
    call_seconds: float  # price of the call
    ratio: float  # to ours, with the range of rounds measured together
    ratio_low: float
    ratio_high: float
    difference: float  # of the accelerations, relative to the largest


@dataclass(frozen=True)
class Export:
    """What it took to make the FMU."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    library_bytes: int
    operations: int  # of one evaluation; without the solve of loops where it is dense


@dataclass(frozen=True)
class Measured:
    """One mechanism."""

    name: str
    bodies: int
    velocities: int  # of the tree
    rows: int  # of the constraints
    export: Export
    startup_seconds: float
    seconds: float  # per evaluation by ours
    spread: float
    step_seconds: float  # per step of 1 ms
    step_spread: float
    peers: tuple[Compared, ...]
    left_out: dict[str, str]  # engine -> reason


@dataclass(frozen=True)
class Point:
    """One run of a method."""

    setting: float  # tolerance, or number of steps
    error: float  # of the coordinates at the end: the largest, in m and rad
    seconds: float


@dataclass(frozen=True)
class Curve:
    """Error against time of one method on one mechanism."""

    mechanism: str
    method: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Batch:
    """Many cases of one mechanism, seconds per case on one core."""

    mechanism: str
    width: int  # cases side by side
    seconds: float
    alone_seconds: float  # one by one
    fmpy_seconds: float  # in a loop of fmpy, with one instance
    ratio: float  # of one by one to side by side, with the range of rounds measured together
    ratio_low: float
    ratio_high: float


@dataclass(frozen=True)
class StudyTimes:
    """The same cases from the command to the file."""

    mechanism: str
    cases: int
    processors: int
    model_seconds: float  # on the wall
    fmu_seconds: float
    loop_seconds: float  # of fmpy, with one instance, in one process
    model_cpu_seconds: float  # of all processes together
    fmu_cpu_seconds: float
    loop_cpu_seconds: float


@dataclass(frozen=True)
class Results:
    """One run of the bench."""

    facts: dict[str, str]
    measured: tuple[Measured, ...]
    curves: tuple[Curve, ...]
    batches: tuple[Batch, ...] = ()
    studies: tuple[StudyTimes, ...] = ()

"""Start values of loops: what is fixed stays, what is given stays if it can, the rest follows."""

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.reference.assembly import AssemblyError
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of

ACROSS = {"axis": [0, 1, 0]}
A, B, C, D = ([0, 0, 0], [0.5, 0, 1], [2.5, 0, 1.5], [2, 0, 0])
LENGTHS = [np.linalg.norm(np.subtract(*ends)) for ends in ((B, A), (C, B), (D, C), (A, D))]


def four_bar(cut="b", masses=(1.0, 2.0, 1.5), **starts):
    """Joints a (ground, crank), b, c and d (ground, rocker); ``starts`` adds keys by joint."""
    it = Mechanism("four_bar")
    bars = {"crank": (A, B), "coupler": (B, C), "rocker": (C, D)}
    for mass, (name, (p, q)) in zip(masses, bars.items(), strict=True):
        between = np.subtract(q, p)
        inertia = {"shape": "rod", "length": np.linalg.norm(between), "axis": between}
        it.body(name, mass=mass, com=np.add(p, q) / 2, inertia=inertia)
    for name, parent, child, point in (
        ("a", "ground", "crank", A),
        ("b", "crank", "coupler", B),
        ("c", "coupler", "rocker", C),
        ("d", "ground", "rocker", D),
    ):
        keys = {"cut": True} if name == cut else {}
        it.joint(
            name, "revolute", parent, child, point=point, **ACROSS, **keys, **starts.get(name, {})
        )
    return Run(system_of(it.output("joints", "poses", "quality").spec()))


def outputs(run):
    return dict(zip((v.name for v in run.system.table.outputs), run.outputs(), strict=True))


def ring(values):
    """The vectors of crank, coupler and rocker, put together: zero when the loop is closed."""
    angles = np.cumsum([values["a.q"], values["b.q"], values["c.q"]])
    gap = np.subtract(A, D).astype(float)
    for angle, ends in zip(angles, ((A, B), (B, C), (C, D)), strict=True):
        x, _, z = np.subtract(ends[1], ends[0])
        c, s = np.cos(angle), np.sin(angle)
        gap += [c * x + s * z, 0, c * z - s * x]
    return gap


def test_as_drawn_nothing_moves():
    values = outputs(four_bar())
    assert [values[f"{name}.q"] for name in "abcd"] == pytest.approx([0] * 4, abs=1e-15)


@pytest.mark.parametrize("cut", ["b", "c", "d"])
def test_a_given_position_stays_and_the_others_follow(cut):
    run = four_bar(cut, a={"position": 0.4})
    values = outputs(run)
    assert values["a.q"] == pytest.approx(0.4, abs=1e-13)
    assert np.abs(ring(values)).max() < 1e-11  # where Newton's method stops
    assert values["a.q"] + values["b.q"] + values["c.q"] == pytest.approx(values["d.q"], abs=1e-11)
    assert not run.assembled.gave_way


@pytest.mark.parametrize("cut", ["b", "c", "d"])
def test_a_given_velocity_stays_and_the_others_follow(cut):
    """6 rad/s at the crank; those of coupler and rocker from velocities at B and C, by hand."""
    values = outputs(four_bar(cut, a={"velocity": 6.0}))
    assert values["a.qd"] == pytest.approx(6.0, abs=1e-13)

    def across(p, q):
        """Velocity of q about p at a unit rate about y."""
        x, _, z = np.subtract(q, p)
        return np.array([z, -x])

    # v_B + w_coupler x BC = w_rocker x DC
    coupler, rocker = np.linalg.solve(
        np.column_stack([across(B, C), -across(D, C)]), -6.0 * across(A, B)
    )
    assert values["b.qd"] == pytest.approx(coupler - 6.0, abs=1e-11)
    assert values["d.qd"] == pytest.approx(rocker, abs=1e-11)
    assert values["c.qd"] == pytest.approx(rocker - coupler, abs=1e-11)


def test_parameters_of_the_fmu_hold_like_start_values_of_the_model():
    system = four_bar().system
    run = Run(system, {"a.q_start": 0.3, "a.qd_start": -2.0})
    values = outputs(run)
    assert values["a.q"] == pytest.approx(0.3, abs=1e-13)
    assert values["a.qd"] == pytest.approx(-2.0, abs=1e-13)
    assert np.abs(ring(values)).max() < 1e-11


def test_of_two_given_values_that_contradict_both_give_way():
    run = four_bar(a={"position": 0.4}, d={"position": -0.4})
    values = outputs(run)
    assert np.abs(ring(values)).max() < 1e-11
    assert run.assembled.gave_way
    assert abs(values["a.q"] - 0.4) > 0.01
    assert abs(values["d.q"] + 0.4) > 0.01


def test_a_fixed_value_stays_and_the_given_one_gives_way():
    run = four_bar(a={"position": 0.4, "velocity": 1.0, "fixed": True}, d={"position": -0.4})
    values = outputs(run)
    assert values["a.q"] == pytest.approx(0.4, abs=1e-13)
    assert values["a.qd"] == pytest.approx(1.0, abs=1e-13)
    assert np.abs(ring(values)).max() < 1e-11
    assert run.assembled.gave_way


def test_two_fixed_values_that_contradict_are_an_error_that_names_the_joint():
    """Crank and rocker are 1.1 and 1.6 m long: turned apart, the coupler misses by decimetres."""
    keys = {"position": 0.4, "fixed": True}
    with pytest.raises(AssemblyError) as caught:
        four_bar(a=keys, d={"position": -0.4, "fixed": True}, c={"position": 0.0, "fixed": True})
    text = str(caught.value)
    assert text.startswith("the start positions cannot be made to fit; these miss most: ")
    assert '"b" by ' in text
    assert " m" in text


def test_a_loop_that_is_too_short_is_an_error_in_metres():
    """A rod of 1 m between a body that stays and a point 3 m away."""
    it = Mechanism("short")
    it.body("arm", mass=1.0, com=[0.5, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    it.joint("pin", "revolute", "ground", "arm", point=[0, 0, 0], **ACROSS)
    ends = {"point": [4, 0, 0], "point2": [1, 0, 0]}
    it.constraint("rod", "distance", parent="ground", child="arm", length=1.0, **ends)
    with pytest.raises(AssemblyError, match=r'positions .*"rod" by 2(\.00)? m$'):
        Run(system_of(it.spec()))


def test_velocities_that_contradict_are_an_error_per_second():
    fixed = {"velocity": 1.0, "fixed": True}
    with pytest.raises(AssemblyError, match=r"velocities .* m/s"):
        four_bar(a=fixed, d={"velocity": -1.0, "fixed": True})


def test_what_is_not_given_moves_the_least_mass():
    """A rod between two sliders on one line is too long by 3 cm: 1 and 2 kg move by 2 and 1 cm."""
    it = Mechanism("pair")
    for name, mass, x in (("light", 1.0, 0.0), ("heavy", 2.0, 1.0)):
        it.body(name, mass=mass, com=[x, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
        it.joint(name + "_guide", "prismatic", "ground", name, point=[x, 0, 0], axis=[1, 0, 0])
    ends = {"point": [0, 0, 0], "point2": [1, 0, 0]}
    it.constraint("rod", "distance", parent="light", child="heavy", length=1.03, **ends)
    values = outputs(Run(system_of(it.spec())))
    assert values["light_guide.q"] == pytest.approx(-0.02, abs=1e-12)
    assert values["heavy_guide.q"] == pytest.approx(0.01, abs=1e-12)


def pair_on_a_rod(**light):
    it = Mechanism("pair")
    for name, mass, x in (("light", 1.0, 0.0), ("heavy", 2.0, 1.0)):
        keys = light if name == "light" else {}
        it.body(name, mass=mass, com=[x, 0, 0], inertia={"shape": "sphere", "radius": 0.1}, **keys)
        it.joint(name + "_guide", "prismatic", "ground", name, point=[x, 0, 0], axis=[1, 0, 0])
    ends = {"point": [0, 0, 0], "point2": [1, 0, 0]}
    it.constraint("rod", "distance", parent="light", child="heavy", **ends)
    return Run(system_of(it.spec()))


def test_a_velocity_given_for_a_body_is_followed_by_the_others():
    values = outputs(pair_on_a_rod(velocity={"linear": [3.0, 0, 0]}))
    assert values["light_guide.qd"] == pytest.approx(3.0, abs=1e-12)
    assert values["heavy_guide.qd"] == pytest.approx(3.0, abs=1e-12)


def test_velocities_change_by_the_least_kinetic_energy():
    """The same pair, one of them pushed: both end with the common momentum."""
    run = pair_on_a_rod()
    n = len(run.system.state_q)
    pushed = run.x.copy()
    pushed[n : n + 2] = 3.0, 0.0
    run.x = Manifold(run.plant, run.u).project(pushed, run.assembled.generic_rank)
    assert run.x[n : n + 2] == pytest.approx([1.0, 1.0], abs=1e-12)


@pytest.mark.parametrize("crank", np.linspace(-1.0, 1.0, 5))
def test_assembly_from_afar_ends_on_the_drawn_side(crank):
    """The coupler stays above: loops have two ways to close, and the drawn one is kept."""
    values = outputs(four_bar(a={"position": float(crank)}))
    assert np.abs(ring(values)).max() < 1e-11
    bend = np.sin(values["b.q"] - values["c.q"])
    assert np.isfinite(bend)
    before = np.cross(np.subtract(C, B), np.subtract(D, C))[1]
    coupler, rocker = (values["a.q"] + values["b.q"], values["d.q"])

    def turned(vector, angle):
        x, _, z = vector
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * x + s * z, 0, c * z - s * x])

    now = np.cross(turned(np.subtract(C, B), coupler), turned(np.subtract(D, C), rocker))[1]
    assert now * before > 0


def test_projection_leaves_what_fits_as_it_is():
    run = four_bar(a={"velocity": 2.0})
    again = Manifold(run.plant, run.u).project(run.x, run.assembled.generic_rank)
    assert np.abs(again - run.x).max() < 1e-14


def test_projection_takes_out_what_is_off():
    """The nearest place, by the inertia: the displacement along the free motion is zero."""
    run = four_bar(a={"velocity": 2.0})
    rng = np.random.default_rng(1)
    off = run.x.copy()
    n, m = len(run.system.state_q), len(run.system.state_v)
    d = 1e-5 * rng.normal(size=m)
    off = run.plant.retract(off, run.u, d)
    off[n : n + m] += 1e-3 * rng.normal(size=m)
    back = Manifold(run.plant, run.u).project(off, run.assembled.generic_rank)
    left = run.plant.closure(back, run.u)
    phi, sigma, J = left.phi, left.sigma, left.J
    assert np.abs(phi).max() < 1e-12
    assert np.abs(sigma).max() < 1e-12
    M = run.plant.equations(back, run.u).M
    free = np.linalg.svd(J)[2][2:].T  # rank 2 of 3 velocities
    # the constraint bends by the square of the displacement
    assert np.abs(free.T @ M @ (back - off)[:m]).max() < 1e-9
    assert np.abs(free.T @ M @ (back - off)[n : n + m]).max() < 1e-7


@pytest.mark.parametrize("keys", [{"velocity": 6.0}, {"position": 0.3}])
def test_start_values_of_a_cut_joint_count_like_those_of_others(keys):
    as_cut, in_tree = (outputs(four_bar(cut, a=keys)) for cut in ("a", "b"))
    for name in "abcd":
        assert as_cut[f"{name}.q"] == pytest.approx(in_tree[f"{name}.q"], abs=1e-11)
        assert as_cut[f"{name}.qd"] == pytest.approx(in_tree[f"{name}.qd"], abs=1e-11)


# --- Rows that would be met the wrong way round ---


def turned_away(kind, turn, axis):
    """A body in flight that starts turned; the joint to the ground is the one to be met."""
    it = Mechanism("turned")
    it.body("it", mass=1.0, com=[0, 0, 0], inertia=np.diag([1.0, 1.1, 1.2]))
    keys = {} if kind == "rigid" else {"axis": [0, 0, 1]}
    if kind == "planar":
        keys["axis2"] = [1, 0, 0]
    if kind == "helical":
        keys["pitch"] = 1.0
    it.joint("joint", kind, "ground", "it", point=[0, 0, 0], cut=True, **keys)
    quat = [np.cos(turn / 2), *(np.sin(turn / 2) * np.array(axis))]
    it.joint("flight", "free", "ground", "it", point=[0, 0, 0], position=[*quat, 0, 0, 0])
    return system_of(it.output("poses", "quality").spec())


WITH_SIDES = ["rigid", "revolute", "prismatic", "cylindrical", "planar", "helical"]
ASKEW = [0.8, 0.6, 0.0]  # across the joint's axis


@pytest.mark.parametrize("kind", WITH_SIDES)
def test_a_body_turned_away_by_less_than_a_right_angle_comes_back(kind):
    """On a thread it is nearer to the next half turn: by less than half of that."""
    values = outputs(Run(turned_away(kind, 0.7 if kind == "helical" else 1.4, ASKEW)))
    assert values["constraint.position_error"] < 1e-11
    x, y = values["it.quat.x"], values["it.quat.y"]
    assert 1 - 2 * (x * x + y * y) > 0.99  # z of the body along z of the ground


@pytest.mark.parametrize(
    ("kind", "axis"),
    [*((kind, ASKEW) for kind in WITH_SIDES), ("rigid", [0, 0, 1]), ("prismatic", [0, 0, 1])],
)
def test_a_joint_that_would_fit_the_wrong_way_round_is_an_error(kind, axis):
    """Rows on directions are sines, and zero again after half a turn."""
    with pytest.raises(AssemblyError, match='joints the wrong way round: "joint"'):
        Run(turned_away(kind, 3.0, axis))


# --- Beside singular positions ---


def parallelogram(settings=None, **starts):
    """Drawn upright: two links of 1 m, a bar of 2 m on top; at a quarter turn all lie flat."""
    it = Mechanism("parallelogram", gravity=[0, -9.81, 0])
    for name, x in (("left", 0.0), ("right", 2.0)):
        upright = {"shape": "rod", "length": 1.0, "axis": [0, 1, 0]}
        it.body(name, mass=1.0, com=[x, 0.5, 0], inertia=upright)
    level = {"shape": "rod", "length": 2.0, "axis": [1, 0, 0]}
    it.body("bar", mass=1.0, com=[1, 1, 0], inertia=level)
    for name, parent, child, point in (
        ("left_pivot", "ground", "left", [0, 0, 0]),
        ("right_pivot", "ground", "right", [2, 0, 0]),
        ("left_pin", "left", "bar", [0, 1, 0]),
        ("right_pin", "bar", "right", [2, 1, 0]),
    ):
        keys = {"cut": True} if name == "right_pin" else {}
        keys |= {"point": point, "axis": [0, 0, 1], **starts.get(name, {})}
        it.joint(name, "revolute", parent, child, **keys)
    return Run(system_of(it.output("joints", "quality").spec()), settings)


@pytest.mark.parametrize("distance", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 0.0])
def test_a_given_start_beside_a_singular_position_is_kept(distance):
    """The others follow on the same side, as well as rounding over the distance lets them."""
    given = np.pi / 2 - distance
    run = parallelogram({"left_pivot.q_start": given})
    values = outputs(run)
    assert values["left_pivot.q"] == given
    assert not run.assembled.gave_way
    known = 1e-14 / max(distance, 1e-7)
    assert values["right_pivot.q"] == pytest.approx(given, abs=1e-12 + known)
    assert values["constraint.position_error"] < 1e-13
    run.step(0.01)


@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-6])
def test_a_given_velocity_beside_a_singular_position_outlives_the_first_step(distance):
    """Links of a parallelogram turn alike; what the start leaves open, projection takes out."""
    settings = {"left_pivot.q_start": np.pi / 2 - distance, "left_pivot.qd_start": 1.0}
    run = parallelogram(settings)
    values = outputs(run)
    assert values["left_pivot.qd"] == 1.0
    assert values["right_pivot.qd"] == pytest.approx(1.0, abs=1e-14 / distance**2 + 1e-6)
    run.step(1e-4)
    assert outputs(run)["left_pivot.qd"] == pytest.approx(1.0, abs=0.01)


def test_a_start_value_that_would_have_to_jump_is_an_error_that_names_it():
    """With the left link at 0.3 the right one stands there, too, or at 2.05; not near -2."""
    left, right = {"position": 0.3, "fixed": True}, {"position": -2.0}
    with pytest.raises(
        AssemblyError, match=r"given for right_pivot\.q_start cannot be kept, .* only far"
    ):
        parallelogram(left_pivot=left, right_pivot=right)


@pytest.mark.parametrize("given", [-3.0, -2.25, -1.75, 1.2, 1.8, 2.6])
def test_a_given_position_that_can_be_reached_is_kept_however_far(given):
    """Led there if need be, past the flat position, too."""
    run = parallelogram({"left_pivot.q_start": given})
    values = outputs(run)
    assert values["left_pivot.q"] == given
    assert not run.assembled.gave_way
    assert values["constraint.position_error"] < 1e-13


def test_no_joint_spins_round_on_its_way_to_the_start():
    """Newton's method, left to itself, went sixteen times round near the flat position."""
    for distance in (1e-2, 1e-3, 1e-4):
        values = outputs(parallelogram({"left_pivot.q_start": np.pi / 2 - distance}))
        assert all(abs(values[f"{n}.q"]) < 4 for n in ("right_pivot", "left_pin", "right_pin"))


def test_nobody_is_led_round_a_million_times():
    """What Newton's method does not find there is refused, in time."""
    with pytest.raises(AssemblyError, match="cannot be made to fit"):
        parallelogram({"left_pivot.q_start": 1e9 + 2.0})

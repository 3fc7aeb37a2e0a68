"""Everything that is a model goes through one door, and a Mechanism goes wherever a model goes."""

import shutil

import pytest

import mbd_fmu
from mbd_fmu import MbdFmuError, Mechanism, build_fmu, load, simulate, system_of
from mbd_fmu.model.library import library
from tests.formats.arm import ARM


def pendulum():
    it = Mechanism("pendulum").parameter("L", 1.0, unit="m", min=0.1)
    it.body("rod", mass=2.0, com=[0, 0, "-L/2"], inertia={"shape": "rod", "length": "L"})
    return it.joint("pin", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])


@pytest.fixture
def folder(tmp_path, fmu_of):
    (tmp_path / "arm.urdf").write_text(ARM, encoding="utf-8")
    shutil.copy(library()["two_link_arm"] / "model.toml", tmp_path / "arm.toml")
    shutil.copy(fmu_of(pendulum().spec()), tmp_path / "pendulum.fmu")
    return tmp_path


def test_a_file_a_robot_an_fmu_a_name_a_mechanism_a_spec_and_a_model_are_loaded(folder):
    assert load(folder / "arm.toml").name == "two_link_arm"
    assert load(str(folder / "arm.urdf")).bodies.keys() == {"upper", "fore"}
    assert load(folder / "pendulum.fmu").inputs.keys() == {"pin.tau"}
    assert load("two_link_arm").spec() == load(folder / "arm.toml").spec()
    m = load(pendulum())
    assert m.spec() == load(pendulum().spec()).spec() == load(m).spec()
    assert m.parameters["L"].unit == "m"


def test_a_mechanism_and_a_model_go_wherever_a_specification_goes(tmp_path):
    for model in (pendulum(), load(pendulum())):
        assert system_of(model).spec.name == "pendulum"
        assert (
            build_fmu(model, tmp_path / "p.fmu").guid == load(model).build(tmp_path / "q.fmu").guid
        )
        assert simulate(model, stop=0.1, step=0.1).column("pin.q").tolist() == [0.0, 0.0]
    with pytest.raises(TypeError, match=r"'arm.toml' is no mechanism; .* mbd_fmu.load"):
        build_fmu("arm.toml")


def test_robots_are_read_as_they_are_asked_to_be(folder):
    flying = load(folder / "arm.urdf", base="free")
    assert len(flying.coordinates) == len(load(folder / "arm.urdf").coordinates) + 7
    with pytest.raises(MbdFmuError, match=r'no base "flying"'):
        load(folder / "arm.urdf", base="flying")
    for other in (folder / "arm.toml", folder / "pendulum.fmu", pendulum()):
        with pytest.raises(MbdFmuError, match="of robots"):
            load(other, base="free")


def test_what_a_lenient_reader_leaves_out_is_a_warning(folder):
    (folder / "odd.urdf").write_text(ARM.replace("</robot>", "<odd/></robot>"), encoding="utf-8")
    with pytest.raises(MbdFmuError, match="odd"):
        load(folder / "odd.urdf")
    with pytest.warns(UserWarning, match="odd"):
        m = load(folder / "odd.urdf", lenient=True)
    assert any("odd" in text for text in m.notices)


def test_what_is_no_model_is_refused_by_name(tmp_path):
    with pytest.raises(MbdFmuError, match=r'did you mean "four_bar"'):
        load("four_baar")
    with pytest.raises(MbdFmuError, match=r"arm\.fmu: no such file"):
        load(tmp_path / "arm.fmu")
    (tmp_path / "no.fmu").write_bytes(b"no archive")
    with pytest.raises(MbdFmuError, match=r"no\.fmu"):
        load(tmp_path / "no.fmu")
    looped = pendulum().joint("too", "rigid", "ground", "rod", point=[0, 0, 0], drive="motion")
    with pytest.raises(MbdFmuError):
        load(looped)


def test_an_fmu_says_what_it_cannot_tell_and_what_helps(folder):
    m = load(folder / "pendulum.fmu")
    assert repr(m) == f"pendulum: FMU, 1 input, {len(m.outputs)} outputs"
    assert m.outputs["pin.q"].unit == "rad"
    assert m.parameters["L"].start == 1.0
    assert m.parameters["L"].min == 0.1
    for ask in (
        lambda: m.mass_matrix([0.0]),
        lambda: m.jacobian("rod"),
        m.forward_kinematics,
        m.forward_dynamics,
        m.inverse_dynamics,
        m.build,
        m.view,
        lambda: m.coordinates,
        lambda: m.joints,
        m.summary,
    ):
        with pytest.raises(
            MbdFmuError, match=r"pendulum\.fmu: .* load the model it was built from"
        ):
            ask()


def test_public_names_are_there():
    assert isinstance(load("pendulum"), mbd_fmu.Model)

"""Whatever a hand does, the mechanism stays in the picture, as long as nobody turned the view."""

import numpy as np
import pytest

from tests.viewer.live import PAGE, open_live

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("closed")]

NAME = "double_pendulum"

# How far out joints and mass centres are at worst: 1 is the edge of the picture.
WORST = f"""() => {{
    const {{ mechanism, picture, data }} = {PAGE}, {{ drawing }} = mechanism;
    const {{ bodies, joints }} = data.scene;
    const ends = [...bodies.map((b) => [b.name, b.com]), ...joints.map((j) => [j.child, j.point])];
    picture.camera.updateMatrixWorld();
    return Math.max(...ends.map(([name, place]) => {{
        const {{ x, y }} = drawing.carried(name, place).project(picture.camera);
        return Math.max(Math.abs(x), Math.abs(y));
    }}));
}}"""
# The worst of each picture of a motion, and how far away the eye is; without painting them.
WATCHED = f"""(count) => {{
    const {{ run, picture, sight }} = {PAGE}, worst = {WORST}, found = [];
    picture.draw = () => undefined;
    for (let k = 0; k < count && run.step(); k++) {{
        sight.show();
        const far = picture.camera.position.distanceTo(picture.controls.target);
        found.push([worst(), far]);
    }}
    delete picture.draw;
    return found;
}}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("eye")


@pytest.fixture
def page(opened, folder):
    """Nobody drives, at rest at its start."""
    return freed(open_live(opened, folder, NAME))


def freed(page):
    page.evaluate(f"{PAGE}.driverPanel.takeOver(); {PAGE}.run.settings.clear(); {PAGE}.reset()")
    return page


def put(page, name, value):
    page.evaluate(f"([n, x]) => {PAGE}.run.set({PAGE}.find(n), x)", [name, value])


def arrived(page):
    """The eye has come to where it goes."""
    page.wait_for_function(f"!{PAGE}.sight.eye.isGliding")


def test_a_start_far_from_the_declared_one_is_seen_and_home_shows_it(page):
    put(page, "shoulder.q_start", 3.0)
    assert page.evaluate(WORST) < 1.0  # at once
    page.wait_for_function(f"{PAGE}.mechanism.resting === undefined")  # it was looked at
    arrived(page)
    assert page.evaluate(f"{PAGE}.picture.box.max.z") > 0.75  # m: upright, 0.79 above the shoulder
    assert page.evaluate(WORST) < 1.0
    page.get_by_role("button", name="home").click()
    assert page.evaluate(WORST) < 1.0


@pytest.mark.parametrize(
    ("name", "drive", "share", "count"),
    [(NAME, "shoulder.tau", 0.6, 150), ("six_axis_arm", "elbow.tau", 0.0, 120)],
)
def test_what_is_driven_out_of_the_picture_is_followed(name, drive, share, count, opened, folder):
    """Whirled round by its shoulder; an arm that nobody holds, which falls. The eye goes back for
    it, and never to and fro."""
    page = freed(open_live(opened, folder, name))
    before = page.evaluate(f"{PAGE}.picture.box.max.z")
    high = page.evaluate(f"{PAGE}.run.variables[{PAGE}.find('{drive}')].high")
    put(page, drive, share * high)
    worst, far = np.transpose(page.evaluate(WATCHED, count))
    assert len(worst) == count
    assert worst.max() < 1.0
    assert np.diff(far).min() > -1e-6 * far[0]
    if share:
        assert page.evaluate(f"{PAGE}.picture.box.max.z") > before + 0.3  # m: it has gone round


def test_who_turned_the_view_keeps_it_until_a_view_is_chosen(page):
    page.evaluate(f"{PAGE}.picture.controls.dispatchEvent({{ type: 'start' }})")
    eye = f"{PAGE}.picture.camera.position.toArray()"
    before = page.evaluate(eye)
    put(page, "shoulder.q_start", 3.0)
    page.evaluate(WATCHED, 60)
    assert page.evaluate(eye) == before
    for view in ("side", "home"):
        page.get_by_role("button", name=view).click()
        assert page.evaluate(WORST) < 1.0


def test_where_a_controller_goes_is_looked_at_before_it_is_there(page):
    """The target of PD is upside down: there is room for it as soon as its knob rests."""
    page.get_by_label("input to drive").select_option(label="shoulder.tau")
    page.get_by_role("button", name="PD", exact=True).click()
    assert page.evaluate(f"{PAGE}.picture.box.max.z") < 0.1
    page.get_by_label("target").fill("3.0")
    page.wait_for_function(f"{PAGE}.picture.box.max.z > 0.45")  # m: the upper rod, 0.5 long
    assert page.evaluate(f"{PAGE}.run.instance.time") == 0.0  # this motion stays where it is


def test_who_likes_little_motion_sees_no_gliding(page):
    page.emulate_media(reduced_motion="reduce")
    put(page, "shoulder.q_start", 3.0)
    assert page.evaluate(f"{PAGE}.sight.eye.isGliding") is False
    assert page.evaluate(WORST) < 1.0

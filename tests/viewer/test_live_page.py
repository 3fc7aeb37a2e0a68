"""A live page under the hands of a person: sliders, mouse, keys, links, files."""

import base64
import importlib.util
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.cli import main
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.live.data import STEP
from mbd_fmu.live.page import live_page
from mbd_fmu.viewer.bundle import page_script
from tests.viewer.accessibility import serious_findings
from tests.viewer.live import PAGE, READY, open_live, page_of, stepped, where

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("closed")]

NAME = "double_pendulum"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("live")


@pytest.fixture
def page(opened, folder):
    found = open_live(opened, folder, NAME)
    found.evaluate(f"{PAGE}.driverPanel.takeOver(); {PAGE}.run.settings.clear(); {PAGE}.reset()")
    return found


def index(name):
    return next(
        k for k, v in enumerate(json.loads(page_of(NAME).data)["variables"]) if v["name"] == name
    )


def value(page, name):
    return page.evaluate(f"{PAGE}.run.values[{index(name)}]")


def steps(page, count):
    page.evaluate(f"for (let k = 0; k < {count}; k++) {PAGE}.run.step()")


def seen(page):
    return page.evaluate(f"[...{PAGE}.run.values]")


def test_it_runs_by_itself_and_the_space_bar_pauses_it(opened, folder):
    found = open_live(opened, folder, NAME)
    found.locator("body").press(" ")
    found.wait_for_function(f"{PAGE}.run.instance.time > 0.2")
    found.locator("body").press(" ")
    assert found.evaluate(f"{PAGE}.run.playing") is False
    before = found.evaluate(f"{PAGE}.run.instance.time")
    found.locator("body").press(".")
    assert found.evaluate(f"{PAGE}.run.instance.time") == pytest.approx(before + STEP, abs=1e-12)
    found.get_by_label("m1, slider").evaluate("s => (s.closest('details').open = true, s.focus())")
    found.keyboard.press(" ")  # a slider has no use for it
    assert found.evaluate(f"{PAGE}.run.playing") is True
    found.get_by_label("m1", exact=True).press("Home")  # a number has
    assert found.evaluate(f"{PAGE}.run.playing") is True
    found.evaluate("document.activeElement.blur()")
    found.locator("body").press("Home")
    assert found.evaluate(f"[{PAGE}.run.playing, {PAGE}.run.instance.time]") == [False, 0.0]


def test_letters_mean_on_live_pages_what_they_mean_in_the_viewer(page):
    steps(page, 2)
    for key, shown in [("j", []), ("n", ["names"]), ("R", ["names", "reactions"])]:
        page.locator("body").press(key)
        assert page.evaluate(f"{PAGE}.toolbar.shown") == shown
    assert page.evaluate(f"{PAGE}.mechanism.drawing.reactions.shown") is True
    assert page.evaluate(f"{PAGE}.run.instance.time") > 0.0


def test_views_and_themes_have_buttons_and_keys(page):
    page.get_by_role("button", name="top").click()
    assert page.evaluate(f"{PAGE}.picture.view") == "top"
    page.locator("body").press("1")
    assert page.evaluate(f"{PAGE}.picture.view") == "front"
    grid = "document.querySelector('.live .uplot canvas').toDataURL()"
    before = page.evaluate(grid)
    page.get_by_role("button", name="light or dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.wait_for_function(f"before => {grid} !== before", arg=before)


def test_all_of_the_motion_is_in_the_picture(opened, folder):
    """Also what comes after some seconds: the first look is at as much as the model lasts."""
    found = open_live(opened, folder, "four_bar")
    stop = found.evaluate(f"{PAGE}.data.stop")
    highest = found.evaluate(
        f"""(stop) => {{
            const {{ run, mechanism, data, picture }} = {PAGE};
            let most = 0;
            while (run.instance.time < stop && run.step()) {{
                mechanism.show(run.values);
                for (const {{ child, point }} of data.scene.joints) {{
                    const place = mechanism.drawing.carried(child, point).project(picture.camera);
                    most = Math.max(most, Math.abs(place.x), Math.abs(place.y));
                }}
            }}
            return most;
        }}""",
        stop,
    )
    assert 0.5 < highest < 1.0


def test_what_travels_stays_in_the_picture(opened, folder):
    """A bicycle goes some 14 m in its three seconds; its ground comes along by whole cells."""
    found = open_live(opened, folder, "bicycle")
    steps(found, 180)
    found.evaluate(f"{PAGE}.draw()")
    gone = found.evaluate(f"{PAGE}.picture.gone.length()")
    assert gone > 10.0  # m
    x, y = found.evaluate(
        f"""(() => {{
            const {{ mechanism, picture, data }} = {PAGE};
            const {{ name, com }} = data.scene.bodies.find(({{ name }}) => name === "rear_frame");
            picture.camera.updateMatrixWorld();
            const place = mechanism.drawing.carried(name, com).project(picture.camera);
            return [place.x, place.y];
        }})()"""
    )
    assert max(abs(x), abs(y)) < 0.8
    cells = found.evaluate(f"{PAGE}.picture.stage.position.length() / {PAGE}.picture.cell")
    assert cells * found.evaluate(f"{PAGE}.picture.cell") == pytest.approx(gone, rel=0.1)
    found.evaluate(f"{PAGE}.reset()")
    assert found.evaluate(f"{PAGE}.picture.gone.length()") == pytest.approx(0.0, abs=1e-9)


def test_plots_begin_with_the_start(page):
    page.evaluate(f"{PAGE}.reset()")
    steps(page, 3)
    page.evaluate(f"{PAGE}.draw()")
    rows = page.evaluate(f"{PAGE}.plots.charts[0].chart.data.map((row) => [...row])")
    assert rows[0][0] == 0.0
    assert all(x is not None for row in rows for x in row)
    assert float(page.locator(".u-legend .u-value").nth(1).text_content()) == pytest.approx(
        value(page, "shoulder.q"), rel=1e-3
    )


def test_a_slider_changes_the_motion(page):
    steps(page, 30)
    untouched = value(page, "shoulder.q")
    page.evaluate(f"{PAGE}.reset()")
    slider = page.get_by_label("shoulder.tau, slider")
    slider.fill("1.5")
    assert value(page, "shoulder.tau") == 1.5
    assert page.get_by_label("shoulder.tau", exact=True).input_value() == "1.5"
    steps(page, 30)
    assert abs(value(page, "shoulder.q") - untouched) > 0.05


def test_the_slider_of_a_tolerance_goes_by_powers_of_ten(page):
    slider = page.get_by_label("solver.tolerance, slider")
    slider.evaluate("s => (s.closest('details').open = true)")
    number = page.get_by_label("solver.tolerance", exact=True)
    assert [float(slider.get_attribute(end)) for end in ("min", "max")] == [-14.0, -1.0]
    assert float(slider.input_value()) == pytest.approx(np.log10(value(page, "solver.tolerance")))
    slider.fill("-8")
    assert value(page, "solver.tolerance") == 1e-8
    assert float(number.input_value()) == 1e-8
    assert slider.get_attribute("aria-valuetext") == "1e-8"
    slider.fill("-3.3")
    assert value(page, "solver.tolerance") == 5.0e-4  # 10^-3.3 = 5.01e-4
    for end, limit in [("-14", 1e-14), ("-1", 0.1)]:
        slider.fill(end)
        assert value(page, "solver.tolerance") == limit
    number.fill("2.5e-7")
    number.press("Tab")
    assert value(page, "solver.tolerance") == 2.5e-7
    assert float(slider.input_value()) == pytest.approx(np.log10(2.5e-7))


def test_reset_gives_the_same_bits_again(page):
    first = stepped(page, [], [], 100, STEP)
    steps(page, 7)
    page.evaluate(f"{PAGE}.reset()")
    np.testing.assert_array_equal(stepped(page, [], [], 100, STEP), first)
    assert np.ptp(first, axis=0).max() > 0.1


# How far the point that was grabbed is from where it is pulled to, after each step of one second.
APART = f"""({{ name, point, target }}) => {{
    const {{ run, mechanism }} = {PAGE}, found = [], drawing = mechanism.drawing;
    while (run.instance.time < 1.0 && run.step());
    while (run.instance.time < 2.0 && run.step()) {{
        mechanism.show(run.values);
        const place = drawing.carried(name, point);
        found.push(Math.hypot(...place.toArray().map((x, k) => x - target[k])));
    }}
    return found;
}}"""


def test_a_body_that_is_grabbed_follows_the_mouse(page):
    x, y = where(page, "lower")
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(f"{PAGE}.run.pause()")
    page.mouse.move(x + 120, y - 60, steps=4)
    held = page.evaluate(
        f"""(({{ name, point, target }}) =>
            ({{ name, point: point.toArray(), target: target.toArray() }}))({PAGE}.grab.held)"""
    )
    assert held["name"] == "lower"
    pulled = np.mean(page.evaluate(APART, held))
    assert value(page, "energy.input_work") > 0.01  # J: the hand has worked
    page.mouse.up()
    first = json.loads(page_of(NAME).data)["pulls"]["lower"]["first"]
    assert page.evaluate(f"[...{PAGE}.run.values.slice({first}, {first + 8})]") == [0.0] * 8
    page.evaluate(f"{PAGE}.reset()")
    left = np.mean(page.evaluate(APART, held))
    assert pulled < 0.5 * left  # it swings on its spring, near where nothing else brings it


def test_a_drag_beside_the_mechanism_turns_the_view(page):
    before = page.evaluate(f"{PAGE}.picture.camera.position.toArray()")
    box = page.locator(".picture canvas").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 50, steps=4)
    page.mouse.up()
    assert page.evaluate(f"{PAGE}.grab.held") is None
    assert page.evaluate(f"{PAGE}.picture.camera.position.toArray()") != before


def test_a_link_shows_what_was_seen(page, opened, folder):
    page.get_by_label("elbow.tau, slider").fill("0.75")
    page.locator("summary", has_text="Start values").click()
    page.get_by_label("shoulder.q_start", exact=True).fill("1.25")
    page.get_by_label("shoulder.q_start", exact=True).press("Tab")
    steps(page, 50)
    page.get_by_label("variable to plot").fill("energy.kinetic")
    page.get_by_label("variable to plot").press("Tab")
    page.get_by_role("button", name="link", exact=True).click()
    page.wait_for_function("location.hash.length > 10")
    other = open_live(opened, folder, NAME, hash_=page.evaluate("location.hash"))
    other.wait_for_function(f"{PAGE}.run.instance.time > 0.5")
    assert seen(other) == seen(page)
    for what in ("settings", "drivers", "plots", "shown", "speed"):
        said = f"JSON.stringify({PAGE}.sharing.seen().{what})"
        assert other.evaluate(said) == page.evaluate(said), what
    cameras = [one.evaluate(f"{PAGE}.sharing.seen().camera") for one in (page, other)]
    np.testing.assert_allclose(*cameras, atol=1e-12)  # m; it is turned to its target anew
    for one in (page, other):
        steps(one, 20)
    assert seen(other) == seen(page)  # and it goes on alike


def packed(seen):
    text = zlib.compress(json.dumps(seen).encode(), wbits=-zlib.MAX_WBITS)
    return "#" + base64.urlsafe_b64encode(text).decode().rstrip("=")


BARE = {"settings": [], "drivers": [], "plots": [], "shown": [], "speed": 1}
PD = {"kind": "pd", "name": "elbow.tau", "knobs": {"target": "far"}}


@pytest.mark.parametrize(
    "hash_",
    [
        "#nonsense",
        packed(BARE | {"settings": [["elbow.tau", "much"]]}),
        pytest.param(packed({}), marks=pytest.mark.slow),
        pytest.param(packed([]), marks=pytest.mark.slow),
        pytest.param(packed(BARE | {"drivers": [PD]}), marks=pytest.mark.slow),
        pytest.param(packed(BARE | {"speed": "fast"}), marks=pytest.mark.slow),
    ],
)
def test_a_link_of_something_else_is_no_harm(opened, folder, hash_):
    other = open_live(opened, folder, NAME, hash_=hash_)
    other.wait_for_function(f"{PAGE}.run.playing")
    assert other.evaluate(f"{PAGE}.run.failed") is False
    assert other.locator(".message").first.text_content().startswith("The address says nothing")


def test_defaults_forget_a_link_that_cannot_begin(opened, folder):
    hash_ = packed(BARE | {"settings": [["solver.tolerance", -5]], "plots": ["elbow.q"]})
    other = open_live(opened, folder, NAME, hash_=hash_)
    other.wait_for_function("document.querySelector('.alarm').textContent !== ''")
    assert "outside 1e-14 to 0.1" in other.locator(".alarm").text_content()
    other.get_by_role("button", name="defaults").click()
    assert other.locator(".alarm").text_content() == ""
    assert other.evaluate(f"{PAGE}.run.failed") is False
    assert other.evaluate(f"{PAGE}.run.settings.size") == 0
    assert other.evaluate(f"{PAGE}.run.drivers.names") == ["input.csv"]


def test_a_link_sets_nothing_that_is_computed(page, opened, folder):
    """A parameter of the model as it was may follow from others by now."""
    told = page.evaluate(f"(({{ state, ...rest }}) => rest)({PAGE}.sharing.seen())")
    told["settings"] = [["elbow.q", 2.0], ["elbow.tau", 0.25]]
    other = open_live(opened, folder, NAME, hash_=packed(told))
    other.wait_for_function(f"{PAGE}.run.settings.size > 0")
    assert other.evaluate(f"[...{PAGE}.run.settings]") == [[index("elbow.tau"), 0.25]]
    assert other.evaluate(f"{PAGE}.run.failed") is False


def test_a_parameter_that_is_fixed_starts_the_motion_anew(page):
    steps(page, 10)
    page.locator("summary", has_text="Solver").click()
    page.get_by_label("solver.tolerance", exact=True).fill("1e-8")
    page.get_by_label("solver.tolerance", exact=True).press("Tab")
    assert page.evaluate(f"{PAGE}.run.instance.time") == 0.0
    assert value(page, "solver.tolerance") == 1e-8


def test_a_number_beyond_its_limits_is_not_taken(page):
    page.locator("summary", has_text="Solver").click()
    field = page.get_by_label("solver.tolerance", exact=True)
    field.fill("-1")
    field.press("Tab")
    assert value(page, "solver.tolerance") == pytest.approx(1e-6, abs=0)
    assert float(field.input_value()) == pytest.approx(1e-6, abs=0)
    assert page.locator(".alarm").text_content() == (
        "solver.tolerance: -1 is no number from 1e-14 to 0.1; it stays 0.000001"
    )
    field.fill("1e-7")
    field.press("Tab")
    assert page.locator(".alarm").text_content() == ""


def test_letters_leave_a_field_as_it_was(page):
    field = page.get_by_label("elbow.tau", exact=True)
    field.fill("0.5")
    field.press("Tab")
    field.click()
    field.press("Control+a")
    page.keyboard.type("abc")
    field.press("Tab")
    assert field.input_value() == "0.5"
    assert value(page, "elbow.tau") == 0.5
    said = page.locator(".alarm").text_content()
    assert said == "elbow.tau: this is no number; it stays 0.5"


def test_a_step_that_fails_says_why_and_pauses(page):
    page.evaluate(f"{PAGE}.run.play()")
    page.get_by_label("shoulder.tau", exact=True).fill("1e200")
    page.get_by_label("shoulder.tau", exact=True).press("Tab")
    page.wait_for_function("document.querySelector('.alarm').textContent !== ''")
    assert "cannot be followed" in page.locator(".alarm").text_content()
    assert page.evaluate(f"{PAGE}.run.playing") is False
    footer = page.locator(".live footer")
    assert "doubtful" in footer.get_attribute("class")
    assert footer.text_content().startswith("Not to be trusted · this is from before the failure")
    page.get_by_label("shoulder.tau", exact=True).fill("0")
    page.get_by_label("shoulder.tau", exact=True).press("Tab")
    page.get_by_label("play or pause").click()
    assert page.locator(".alarm").text_content() == ""  # it goes on from there
    assert "from before" not in footer.text_content()
    assert page.evaluate(f"{PAGE}.run.playing") is True


def test_the_footer_turns_red_when_energy_gets_lost(page):
    footer = page.locator(".live footer")
    steps(page, 120)
    page.evaluate(f"{PAGE}.draw()")
    assert "energy off by" in footer.text_content()
    assert "bound 1.0e-3" in footer.text_content()
    assert "doubtful" not in (footer.get_attribute("class") or "")
    # a tenth of what moves per step, and a motion so fast that the solver uses it
    page.evaluate(f"{PAGE}.run.set({index('solver.tolerance')}, 0.1)")
    page.evaluate(f"{PAGE}.run.set({index('shoulder.qd_start')}, 40)")
    steps(page, 300)
    page.evaluate(f"{PAGE}.draw()")
    assert "doubtful" in footer.get_attribute("class")
    assert footer.text_content().startswith("Not to be trusted")


def test_rest_is_to_be_trusted(opened, tmp_path):
    """A model written as it rests: what rounding moves is no motion, however long it rests."""
    path, shown = tmp_path / "rest.toml", tmp_path / "rest.html"
    assert main(["equilibrium", "quarter_car", "-o", str(path)]) == 0
    shown.write_text(live_page(read_model(path)).html(), encoding="utf-8")
    page = opened(shown)
    page.wait_for_function(READY)
    page.evaluate(f"{PAGE}.reset()")
    for _ in range(4):
        steps(page, 120)
        page.evaluate(f"{PAGE}.draw()")
        assert page.evaluate(f"{PAGE}.footer.off") < 1e-3
        assert page.evaluate(f"{PAGE}.footer.moved") < 1e-9  # J: it does rest


def test_gravity_can_be_taken_away(page):
    page.evaluate(f"{PAGE}.run.set({index('gravity.added.z')}, 9.81)")
    before = value(page, "energy.kinetic")
    steps(page, 200)
    # no weight, no friction, no torque: kinetic energy stays, to the solver's tolerance per step
    assert value(page, "energy.kinetic") == pytest.approx(before, abs=1e-4)


def test_pd_holds_a_joint(page):
    page.locator("summary", has_text="Controllers").evaluate("s => (s.parentNode.open = true)")
    for joint in ("shoulder", "elbow"):
        page.get_by_label("input to drive").select_option(label=f"{joint}.tau")
        page.get_by_role("button", name="PD", exact=True).click()
    page.get_by_label("target").first.fill("0.4")
    steps(page, 600)
    page.evaluate(f"{PAGE}.draw()")
    assert abs(value(page, "shoulder.qd")) < 1e-2
    # what is left is what gravity takes: the balance of kp and weight
    assert value(page, "shoulder.q") == pytest.approx(0.4, abs=0.2)
    driven = page.locator(".driven", has=page.get_by_label("shoulder.tau", exact=True))
    assert driven.count() == 1
    page.get_by_role("button", name="take over").click()
    assert driven.count() == 0


def test_a_sine_drives_an_input(page):
    page.locator("summary", has_text="Controllers").evaluate("s => (s.parentNode.open = true)")
    page.get_by_label("input to drive").select_option(label="elbow.tau")
    page.get_by_role("button", name="sine", exact=True).click()
    page.get_by_label("amplitude").fill("2")
    page.get_by_label("frequency, Hz").fill("1")
    steps(page, 16)
    # what was given when the last step began
    assert value(page, "elbow.tau") == pytest.approx(2 * np.sin(2 * np.pi * 15 * STEP), rel=1e-12)


def test_recorded_inputs_come_from_a_file(page, tmp_path):
    path = tmp_path / "torques.csv"
    path.write_text("time,elbow.tau\n0,0.5\n0.1,-0.25\n", encoding="ascii")
    page.locator("summary", has_text="Controllers").evaluate("s => (s.parentNode.open = true)")
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_function(f"{PAGE}.run.drivers.list.length === 1")
    steps(page, 3)
    assert value(page, "elbow.tau") == 0.5
    steps(page, 6)
    assert value(page, "elbow.tau") == -0.25


def test_another_recording_leaves_nothing_of_the_one_before(opened, folder, tmp_path):
    """What only the first one drove goes back to what the hand had set, here nothing."""
    found = open_live(opened, folder, NAME)
    steps(found, 40)
    assert value(found, "shoulder.tau") != 0.0
    path = tmp_path / "elbow.csv"
    path.write_text("time,elbow.tau\n0,0.5\n9,0.5\n", encoding="ascii")
    found.locator("input[type=file]").set_input_files(path)
    found.wait_for_function(f"{PAGE}.run.drivers.names[0] === 'elbow.csv'")
    assert value(found, "shoulder.tau") == 0.0
    steps(found, 1)
    assert [value(found, f"{name}.tau") for name in ("shoulder", "elbow")] == [0.0, 0.5]


def test_a_time_that_stands_twice_shows_a_jump(page, tmp_path):
    path = tmp_path / "jump.csv"
    path.write_text('"time","elbow.tau"\n0,0.5\n0.1,0.5\n0.1,-0.25\n', encoding="utf-8-sig")
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_function(f"{PAGE}.run.drivers.list.length === 1")
    told = page.evaluate(
        f"(({{ time, values }}) => [[...time], [...values]])({PAGE}.run.drivers.list[0])"
    )
    assert told == [[0.0, 0.1], [0.5, -0.25]]


def test_a_recording_goes_on_and_on_until_somebody_takes_hold(opened, folder):
    found = open_live(opened, folder, NAME)
    end = found.evaluate(f"{PAGE}.run.drivers.list[0].time.at(-1)")
    near = f"while ({PAGE}.run.instance.time < {end - 0.1}) {PAGE}.run.step(); {PAGE}.run.play()"
    found.evaluate(near)
    found.wait_for_function(f"{PAGE}.run.instance.time < {end - 0.2}")  # it began again
    assert found.evaluate(f"{PAGE}.run.playing") is True
    found.evaluate(f"{PAGE}.reset(); {PAGE}.run.set({index('m1')}, 1.5); {near}")
    found.wait_for_function(f"{PAGE}.run.instance.time > {end + 0.1}")  # with its last values
    said = found.locator(".message").first.text_content()
    assert said == "input.csv is over: its last values stay."
    assert found.evaluate(f"{PAGE}.run.playing") is True


NO_RECORDINGS = (
    ("time,elbw.tau\n0,1\n", "bad.csv: no inputs called elbw.tau"),
    ("time,elbow.tau\n0,1\n0,2\n", "bad.csv, line 3: time does not ascend"),
    (
        "time,elbow.tau\n\n0,x\n",
        'bad.csv, line 3, column elbow.tau: "x" is no finite number',
    ),
    # not 0 and not 16, as a browser would have it
    ("time,elbow.tau\n0,\n", 'bad.csv, line 2, column elbow.tau: "" is no finite number'),
    (
        "time,elbow.tau\n0,0x10\n",
        'bad.csv, line 2, column elbow.tau: "0x10" is no finite number',
    ),
    ("time,elbow.tau\n0,1,2\n", "bad.csv, line 2: 3 values for 2 columns"),
    ("time,elbow.tau\n", "bad.csv: no rows of numbers below the names"),
    (
        "time;elbow.tau\n0;1\n",
        'bad.csv: the first column is "time;elbow.tau"; it must be "time"',
    ),
    ("time,elbow.tau,elbow.tau\n0,1,2\n", "bad.csv: columns stand twice: elbow.tau"),
    ("time,pull.upper.stiffness\n0,1\n", "bad.csv: no inputs called pull.upper.stiffness"),
    ("time\n0\n", "bad.csv: no inputs beside time; give a column for each"),
)


def test_a_recording_that_is_none_is_refused(page, tmp_path):
    path, before = tmp_path / "bad.csv", ""
    for text, said in NO_RECORDINGS:
        path.write_text(text, encoding="ascii")
        page.locator("input[type=file]").set_input_files(path)
        page.wait_for_function(
            "before => document.querySelector('.alarm').textContent !== before", arg=before
        )
        assert page.locator(".alarm").text_content() == said
        before = said


def test_plots_run_along(page):
    steps(page, 40)
    assert page.evaluate(f"{PAGE}.plots.times.length") == 41
    page.evaluate(f"{PAGE}.draw()")
    assert page.evaluate(f"{PAGE}.plots.charts[0].chart.data[0].length") == 41
    page.get_by_label("variable to plot").fill("no such thing")
    page.get_by_label("variable to plot").press("Tab")
    assert page.evaluate(f"{PAGE}.plots.chosen.length") == 2


def test_reactions_have_arrows_and_numbers(page):
    page.get_by_label("reactions").check()
    steps(page, 5)
    page.evaluate(f"{PAGE}.draw()")
    size = np.hypot(value(page, "shoulder.force.x"), value(page, "shoulder.force.z"))
    texts = page.locator(".name.load.force").all_text_contents()
    assert any(float(text.split()[0]) == pytest.approx(size, rel=5e-3) for text in texts if text)


def test_numbers_stay_apart_the_largest_first(page):
    """Seen from above, one thing is on the other."""
    page.evaluate(f"{PAGE}.toolbar.shown = ['names', 'reactions']; {PAGE}.choose()")
    page.evaluate(f"{PAGE}.picture.look('top')")
    steps(page, 5)
    page.evaluate(f"{PAGE}.draw()")
    labels = page.locator(".name").evaluate_all(
        """(labels) => labels.filter((label) => label.textContent && label.checkVisibility())
            .map((label) => ({
                text: label.textContent,
                shown: getComputedStyle(label).visibility === "visible",
                box: label.getBoundingClientRect().toJSON(),
            }))"""
    )
    boxes = [label["box"] for label in labels if label["shown"]]
    assert 0 < len(boxes) < len(labels)
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            beside = one["left"] >= other["right"] or other["left"] >= one["right"]
            assert beside or one["top"] >= other["bottom"] or other["top"] >= one["bottom"]
    sizes = {x["text"]: float(x["text"].split()[0]) for x in labels if x["text"].endswith(" N")}
    assert next(x["shown"] for x in labels if x["text"] == max(sizes, key=sizes.get))


@pytest.mark.parametrize("width", [390, 1366])
def test_nothing_keeps_anybody_out(opened, folder, width):
    """axe-core finds nothing serious; on a phone nothing sticks out."""
    found = open_live(opened, folder, NAME, width=width, height=800)
    found.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert found.evaluate("document.documentElement.scrollWidth") <= width
    assert serious_findings(found) == []


def test_a_gallery_has_small_pages_that_share_one_script(opened, tmp_path, monkeypatch):
    """Two models, and an index that leads to both; nothing comes from outside (``opened``)."""
    script = Path(__file__).parents[2] / "scripts" / "live_gallery.py"
    spec = importlib.util.spec_from_file_location("live_gallery", script)
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    monkeypatch.setattr(gallery, "FOLDER", tmp_path)
    names = ["pendulum", NAME]
    gallery.main(names)
    pages = {f"{name}.html" for name in names}
    figures = {f"{name}.png" for name in names}
    assert {path.name for path in tmp_path.iterdir()} == pages | figures | {"index.html", "live.js"}
    assert max((tmp_path / page).stat().st_size for page in pages) < 1_500_000
    assert (tmp_path / "live.js").read_text(encoding="utf-8") == page_script("live")
    index = opened(tmp_path / "index.html")
    links = "[...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))"
    assert set(index.evaluate(links)) == pages
    assert index.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    for name in names:
        index.click(f"a[href='{name}.html']")
        index.wait_for_function("document.querySelector('.live')?.page?.run.instance.time > 0")
        assert index.inner_text("h1") == name
        index.get_by_role("link", name="all mechanisms").click()
        index.wait_for_url("**/index.html")
    monkeypatch.setattr(gallery, "MOST", 1)
    with pytest.raises(SystemExit, match=f"over 1e-06 MB: {NAME}"):
        gallery.main([NAME])

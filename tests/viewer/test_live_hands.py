"""What a hand does to a live page, and what the page says when it cannot follow."""

import math
from dataclasses import replace

import pytest

from tests.viewer.live import PAGE, READY, open_live, page_of, where

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("closed")]

NAME = "double_pendulum"
FOOTER = f"{PAGE}.footer.line.textContent"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hands")


@pytest.fixture
def page(opened, folder):
    """Driven by its recording, at rest at its start, all sections open."""
    return unfolded(open_live(opened, folder, NAME, width=1200))


def unfolded(page):
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    return page


def value(page, name):
    return page.evaluate(f"{PAGE}.run.values[{PAGE}.find('{name}')]")


def typed(page, label, text):
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Tab")


def note(page):
    return page.locator(".message").first.text_content()


def alarm(page):
    return page.locator(".alarm").text_content()


def test_who_holds_a_body_keeps_it_when_the_recording_ends(page):
    end = page.evaluate(f"{PAGE}.run.drivers.recording.time.at(-1)")
    page.evaluate(f"while ({PAGE}.run.instance.time < {end - 0.1}) {PAGE}.run.step()")
    page.evaluate(f"{PAGE}.draw()")
    page.mouse.move(*where(page, "lower"))
    page.mouse.down()
    page.wait_for_function(f"{PAGE}.run.instance.time > {end + 0.1}")
    assert page.evaluate(f"[{PAGE}.run.playing, {PAGE}.grab.held.name]") == [True, "lower"]
    assert note(page) == "input.csv is over: its last values stay."
    page.mouse.up()


def test_a_finger_takes_what_is_near_it_and_a_mouse_what_it_shows(opened, folder):
    found = open_live(opened, folder, NAME, width=390, height=844)
    found.evaluate(f"{PAGE}.driverPanel.takeOver(); {PAGE}.reset()")
    tab = found.context.new_cdp_session(found)
    tab.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        tab.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = where(found, "lower")  # a rod that hangs or stands: beside it there is nothing
    found.mouse.move(x + 14, y)
    found.mouse.down()
    assert found.evaluate(f"{PAGE}.grab.held") is None
    found.mouse.up()
    found.evaluate(f"{PAGE}.picture.look('home')")
    touch("touchStart", (x + 14, y))
    held = f"{PAGE}.grab.held"
    assert found.evaluate(f"{held}.name") == "lower"
    found.evaluate(f"{PAGE}.run.pause()")
    before = found.evaluate(f"{held}.target.toArray()")
    touch("touchMove", (x + 15, y))
    assert math.dist(before, found.evaluate(f"{held}.target.toArray()")) < 0.05  # m: no leap
    touch("touchEnd")
    assert found.evaluate(held) is None
    touch("touchStart", (x + 60, y))
    assert found.evaluate(held) is None
    touch("touchEnd")


def test_who_drags_a_grey_slider_takes_it_over_and_no_other(page):
    slider = page.get_by_label("elbow.tau, slider")
    assert page.locator(".driven").count() == 2
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.5 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], middle, steps=5)
    page.mouse.up()
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
    dragged = value(page, "elbow.tau")
    # to the width of its knob
    assert dragged == pytest.approx(low + 0.8 * (high - low), abs=0.1 * (high - low))
    page.evaluate(f"{PAGE}.run.step()")
    assert value(page, "elbow.tau") == dragged
    grey = page.locator(".driven label").all_text_contents()
    assert grey == ["shoulder.tau"]
    typed(page, "shoulder.tau", "0.25")
    assert value(page, "shoulder.tau") == 0.25
    assert page.locator(".driven").count() == 0
    assert page.evaluate(f"{PAGE}.run.drivers.list.length") == 0
    page.get_by_role("button", name="defaults").click()
    assert page.locator(".driven").count() == 2


def test_on_a_phone_the_picture_stays_over_what_is_turned(opened, folder):
    found = unfolded(open_live(opened, folder, NAME, width=390, height=844))
    slider = found.get_by_label("solver.tolerance, slider")
    slider.evaluate("s => s.scrollIntoView({ block: 'center' })")
    picture = found.locator(".picture").bounding_box()
    assert found.evaluate("scrollY") > 844
    assert picture["y"] == pytest.approx(0.0, abs=1.0)
    assert 0.2 * 844 < picture["height"] <= 0.36 * 844
    assert picture["y"] + picture["height"] < slider.bounding_box()["y"]
    below = [found.locator(part).bounding_box()["y"] for part in ("div.side", ".plots")]
    assert below[0] < below[1]


def test_a_quaternion_keeps_its_length_as_one_of_its_numbers_is_moved(opened, folder):
    found = unfolded(open_live(opened, folder, "bicycle"))
    names = [f"flight.q_start.{c}" for c in "wxyz"]

    def four():
        return [value(found, name) for name in names]

    before = four()
    slider = found.get_by_label("flight.q_start.x, slider")
    assert [slider.get_attribute(end) for end in ("min", "max")] == ["-1", "1"]
    slider.fill("0.3")
    after = four()
    assert after[1] == 0.3
    assert math.hypot(*after) == pytest.approx(1.0, rel=1e-15)
    shares = [after[k] / math.hypot(after[0], *after[2:]) for k in (0, 2, 3)]
    own = math.hypot(before[0], *before[2:])
    assert shares == pytest.approx([before[k] / own for k in (0, 2, 3)], abs=1e-15)
    assert found.evaluate(f"{PAGE}.run.failed") is False
    shown = float(found.get_by_label(names[0], exact=True).input_value())
    assert shown == pytest.approx(after[0], rel=1e-5)  # six digits are shown
    typed(found, names[0], "1")
    typed(found, names[0], "0")  # nothing else has a direction
    settings = found.evaluate(f"[...{PAGE}.run.settings.values()]")
    assert math.hypot(*settings) == pytest.approx(1.0, rel=1e-15)
    typed(found, names[1], "2")
    assert "has length 2; give one of length 1" in alarm(found)
    assert found.evaluate(FOOTER).startswith("Not to be trusted · there is no motion")


def test_the_slider_of_a_drive_goes_as_far_as_its_joint_feels(opened, folder):
    """50 rad/s² or more, rounded up to 1, 2 or 5; a bicycle's steering feels little more."""
    found = open_live(opened, folder, "bicycle")
    before = value(found, "steer.qdd")
    high = found.evaluate(f"{PAGE}.run.variables[{PAGE}.find('steer.tau')].high")
    found.evaluate(f"{PAGE}.run.set({PAGE}.find('steer.tau'), {high})")
    assert 50.0 <= value(found, "steer.qdd") - before <= 2.5 * 50.0
    assert round(high / 10 ** math.floor(math.log10(high))) in (1, 2, 5)


def test_the_slider_of_a_drive_has_room_for_what_is_recorded(page):
    for name in ("shoulder.tau", "elbow.tau"):
        told = page.evaluate(f"{PAGE}.run.drivers.recording.told({PAGE}.find('{name}'))")
        slider = page.get_by_label(f"{name}, slider")
        low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
        assert low <= min(told) <= max(told) <= high


def test_a_start_that_gives_no_numbers_is_told_and_so_is_a_link_to_it(opened, folder):
    found = unfolded(open_live(opened, folder, "four_bar"))
    typed(found, "right_pivot.q_start", "-3.141592653589793")
    assert found.evaluate(f"{PAGE}.run.failed") is True
    said = alarm(found)
    assert said
    assert found.evaluate(FOOTER).startswith("Not to be trusted · there is no motion")
    assert "doubtful" in found.locator(".live footer").get_attribute("class")
    found.get_by_role("button", name="link", exact=True).click()
    found.wait_for_function("location.hash.length > 10")
    other = open_live(opened, folder, "four_bar", hash_=found.evaluate("location.hash"))
    other.wait_for_function("document.querySelector('.alarm').textContent !== ''")
    assert alarm(other) == said
    assert "another build" not in note(other)
    found.get_by_role("button", name="defaults").click()
    assert found.evaluate(f"{PAGE}.run.failed") is False
    assert "Not to be trusted" not in found.evaluate(FOOTER)


def test_a_recording_that_stays_behind_is_told_to_both(page, opened, folder, tmp_path):
    path = tmp_path / "torques.csv"
    path.write_text("time,elbow.tau\n0,0.5\n0.1,-0.25\n", encoding="ascii")
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_function(f"{PAGE}.run.drivers.names[0] === 'torques.csv'")
    page.get_by_role("button", name="link", exact=True).click()
    page.wait_for_function("location.hash.length > 10")
    assert "torques.csv stays behind" in note(page)
    other = open_live(opened, folder, NAME, hash_=page.evaluate("location.hash"))
    other.wait_for_function("document.querySelector('.message').textContent !== ''")
    assert note(other) == (
        "The link was made with torques.csv, which stayed behind: "
        "choose that file to go on with it."
    )
    assert other.evaluate(f"{PAGE}.run.drivers.list.length") == 0


def test_of_its_own_recording_a_link_keeps_what_still_drives(page, opened, folder):
    page.get_by_label("elbow.tau, slider").fill("0")  # as it starts: no setting of its own
    page.get_by_role("button", name="link", exact=True).click()
    page.wait_for_function("location.hash.length > 10")
    assert "stays behind" not in note(page)
    other = open_live(opened, folder, NAME, hash_=page.evaluate("location.hash"))
    other.wait_for_function(f"{PAGE}.run.drivers.recording?.inputs.length === 1")
    assert other.locator(".driven label").all_text_contents() == ["shoulder.tau"]


def test_an_address_that_changes_to_nonsense_is_told(page):
    page.evaluate("location.hash = '#zzz'")
    page.wait_for_function("document.querySelector('.message').textContent !== ''")
    assert note(page) == "The address says nothing that this page knows."


def test_a_page_that_does_not_keep_up_says_so(page):
    """Frames of 0.4 s, of which 0.25 count; whoever waits for them gets at most 63 %."""
    page.evaluate(
        f"""() => {{
            const {{ picture, run }} = {PAGE}, draw = picture.draw.bind(picture);
            picture.draw = () => {{
                const end = performance.now() + 400;
                while (performance.now() < end);
                draw();
            }};
            run.play();
        }}"""
    )
    page.wait_for_function(f"{FOOTER}.includes('of the speed asked')")
    said = page.evaluate(FOOTER).split(" % of")[0].rpartition(" ")[2]
    assert int(said) <= 63
    page.evaluate(f"{PAGE}.run.pause()")


def test_who_pauses_and_plays_at_once_has_one_picture_for_each_frame(page):
    counted = page.evaluate(
        f"""() => new Promise((done) => {{
            const {{ run }} = {PAGE};
            let frames = 0, own = 0;
            run.play();
            run.pause();
            run.play();
            run.addEventListener("frame", () => frames++);
            const count = () => (++own === 10 ? done(frames) : requestAnimationFrame(count));
            requestAnimationFrame(count);
        }})"""
    )
    assert 9 <= counted <= 11
    page.evaluate(f"{PAGE}.run.pause()")


def test_a_knob_without_a_number_gets_its_own_again(page):
    page.get_by_label("input to drive").select_option(label="elbow.tau")
    page.get_by_role("button", name="PD", exact=True).click()
    labels = page.locator("fieldset label").all_text_contents()
    units = [text.strip().rpartition(", ")[2] for text in labels]
    assert units == ["rad", "N·m/rad", "N·m·s/rad"]
    knob = page.get_by_label("gain of position")
    before = knob.input_value()
    knob.fill("")
    knob.press("Tab")
    assert knob.input_value() == before
    said = alarm(page)
    assert said == f"PD on elbow.tau, gain of position: this is no number; it stays {before}"


def test_what_is_zero_lies_in_the_middle_of_its_plot(page):
    page.evaluate(f"{PAGE}.plotPanel.choose([{PAGE}.find('gravity.added.x')])")
    page.evaluate(f"{PAGE}.run.step(); {PAGE}.draw()")
    scale = page.evaluate(f"{PAGE}.plots.charts[0].chart.scales.y")
    assert scale["min"] == -scale["max"]
    assert 0.0 < scale["max"] <= 1.0


def test_a_message_moves_nothing(page):
    top = "document.querySelector('.plots').getBoundingClientRect().top"
    page.evaluate(f"{PAGE}.say('', false); {PAGE}.say('', true)")
    before = page.evaluate(top)
    page.evaluate(f"{PAGE}.say('The address shows what you see, and is copied.', false)")
    assert page.evaluate(top) == before


def test_a_page_opens_from_where_it_is_told(opened, tmp_path):
    path = tmp_path / "top.html"
    path.write_text(replace(page_of(NAME), camera="top").html(), encoding="utf-8")
    found = opened(path)
    found.wait_for_function(READY)
    assert found.evaluate(f"{PAGE}.picture.view") == "top"
    looks = found.evaluate(
        f"{PAGE}.picture.camera.getWorldDirection({PAGE}.picture.camera.position.clone()).toArray()"
    )
    # straight down, but for the lean that keeps up up
    assert looks == pytest.approx([0.0, 0.0, -1.0], abs=1e-3)

"""Live pages keep up with the clock, with time to spare."""

import pytest

from mbd_fmu.live.data import STEP
from tests.viewer.live import PAGE, open_live

pytestmark = pytest.mark.xdist_group("browser")

NAMES = ["six_axis_arm", "stewart_platform"]

# Steps with all their outputs, as frames take them: how many, and ms of one. Clocks of browsers are
# coarse, so all are measured together.
COST = f"""(count) => {{
    const {{ run }} = {PAGE};
    const began = performance.now();
    let done = 0;
    while (done < count && run.step()) done++;
    return [done, (performance.now() - began) / done];
}}"""
# Pictures of a motion that goes on, each with its step: ms of both.
DRAWN = f"""(count) => {{
    const {{ run }} = {PAGE};
    const began = performance.now();
    for (let k = 0; k < count; k++) {{
        run.step();
        {PAGE}.draw();
    }}
    return (performance.now() - began) / count;
}}"""
SHARE = 0.25  # of a frame that a step may take: the rest draws
# What a page does that plays in the time of the clock, for some ms: its steps and the time of the
# motion, both of a second; the longest wait for a frame, and ms of a step.
PLAYED = f"""async (wait) => {{
    const {{ run, driverPanel }} = {PAGE};
    driverPanel.takeOver();
    run.speed = 1;
    let steps = 0, longest = 0, last = undefined;
    const count = () => steps++;
    const look = () => {{
        const now = performance.now();
        longest = Math.max(longest, now - (last ?? now));
        last = now;
    }};
    run.addEventListener("frame", look);
    run.play();
    await new Promise((go) => run.addEventListener("frame", go, {{ once: true }}));
    run.addEventListener("step", count);
    const [began, from] = [performance.now(), run.instance.time];
    await new Promise((go) => setTimeout(go, wait));
    const seconds = (performance.now() - began) / 1000;
    const share = (run.instance.time - from) / seconds;
    run.pause();
    const step = run.instance.clock.length;
    return {{ rate: steps / seconds, share, longest, cost: run.cost, step }};
}}"""
LATE, BUDGET = 250.0, 12.0  # ms: as in run.js, of what a frame makes good and of its steps


@pytest.mark.parametrize("name", NAMES)
def test_sixty_steps_a_second_leave_time_to_draw(name, opened, tmp_path, capsys):
    page = open_live(opened, tmp_path, name)
    page.evaluate(f"{PAGE}.run.instance.clock.length = {STEP}")
    count, cost = page.evaluate(COST, 120)
    drawn = page.evaluate(DRAWN, 12)
    with capsys.disabled():
        print(f"\n{name}: {cost:.3f} ms per step of 1/60 s, {drawn:.1f} ms with its picture")
    assert count == 120
    assert cost < SHARE * 1000 * STEP


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_plays_keeps_the_time_of_the_clock(name, opened, tmp_path, capsys):
    """With the step it has, as far as frames of this machine come often enough for it."""
    page = open_live(opened, tmp_path, name)
    found = page.evaluate(PLAYED, 2000)
    steps_due = found["longest"] / (1000 * found["step"])
    is_possible = found["longest"] < LATE and steps_due * found["cost"] < BUDGET
    with capsys.disabled():
        print(
            f"\n{name}: {found['rate']:.0f} steps of {1000 * found['step']:.3g} ms per second, "
            f"{100 * found['share']:.0f} % of real time, frames after {found['longest']:.0f} ms "
            f"at most{'' if is_possible else ': too slow for it'}"
        )
    assert found["rate"] > 0
    # a frame at either end is not counted whole
    assert found["share"] > 1.0 - 2.0 * found["longest"] / 2000.0 or not is_possible

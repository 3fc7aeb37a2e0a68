"""Live pages keep up with the clock, with time to spare."""

import pytest

from mbd_fmu.live.data import STEP
from tests.viewer.live import PAGE, open_live

pytestmark = pytest.mark.xdist_group("browser")

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


@pytest.mark.parametrize("name", ["six_axis_arm", "stewart_platform"])
def test_sixty_steps_a_second_leave_time_to_draw(name, opened, tmp_path, capsys):
    page = open_live(opened, tmp_path, name)
    page.evaluate(f"{PAGE}.run.instance.clock.length = {STEP}")
    count, cost = page.evaluate(COST, 120)
    drawn = page.evaluate(DRAWN, 12)
    with capsys.disabled():
        print(f"\n{name}: {cost:.3f} ms per step of 1/60 s, {drawn:.1f} ms with its picture")
    assert count == 120
    assert cost < SHARE * 1000 * STEP

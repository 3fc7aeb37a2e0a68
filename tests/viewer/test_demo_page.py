"""The page of the demo moves at once, can be pulled, and tells what was found."""

import numpy as np
import pytest

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.validate.validation import validate_fmu
from scripts.demo_page import Shown, write_demo_page
from tests.viewer.accessibility import serious_findings

pytestmark = pytest.mark.xdist_group("browser")  # one page serves many tests

NAMES = ("double_pendulum", "cart_pole")
TITLES, ROW = ("model", "real time"), "304 x"
TIMES = "[...document.querySelectorAll('.tile .live')].map(({ tile }) => tile?.run.instance.time)"


@pytest.fixture(scope="module")
def page(opened, fmu_of, tmp_path_factory):
    shown = []
    for name in NAMES:
        folder = library()[name]
        spec, inputs = read_model(folder), read_csv(folder / "input.csv")
        reference = read_csv(folder / "reference.csv")
        found = validate_fmu(fmu_of(spec), reference=reference, inputs=inputs)
        shown.append(Shown(spec, inputs, found))
    path = tmp_path_factory.mktemp("demo") / "demo.html"
    write_demo_page(path, shown, TITLES, [[name, ROW] for name in NAMES])
    return opened(path, width=1200, height=900)


def test_all_mechanisms_move_at_once(page):
    page.wait_for_function(f"{TIMES}.every((t) => t > 0.05)")


def test_they_move_as_the_fmu_does(page):
    """Stepped anew here, at the points of the reference's run, and at the model's own tolerance."""
    found = page.evaluate(
        """() => {
            const { run } = document.querySelector(".tile .live").tile;
            run.pause();
            run.restart();
            run.instance.clock.length = 0.01;
            for (let k = 0; k < 100; k++) run.step();
            const at = run.variables.findIndex(({ name }) => name === "shoulder.q");
            return [run.instance.time, run.values[at]];
        }"""
    )
    reference = read_csv(library()["double_pendulum"] / "reference.csv")
    expected = reference.column("shoulder.q")[reference.row_at(1.0)]
    scale = np.ptp(reference.column("shoulder.q"))
    assert found[0] == pytest.approx(1.0, abs=1e-12)
    assert abs(found[1] - expected) < 1e-4 * scale  # the solver's tolerance is 1e-6 a step
    page.locator(".tile .play").first.click()


def test_what_is_recorded_is_shown_over_and_over(page):
    tile = "[...document.querySelectorAll('.tile .live')][1].tile"
    page.evaluate(f"{tile}.run.speed = 4")
    page.wait_for_function(
        f"""() => {{
            const {{ run }} = {tile};
            window.latest = Math.max(window.latest ?? 0, run.instance.time);
            return run.playing && run.instance.time < window.latest - 1;
        }}"""
    )
    end = read_csv(library()["cart_pole"] / "input.csv").time[-1]
    # seen once a picture, and slow machines draw few: of a second of the motion each, at most
    assert end - 1.1 < page.evaluate("window.latest") < end + 0.1


def test_all_of_a_pole_is_seen_however_it_swings(page):
    """Every corner of the box around what is drawn of it, at each picture of the motion."""
    found = page.evaluate(
        """() => {
            const { tile } = document.querySelectorAll(".tile .live")[1];
            const { run, mechanism, picture } = tile,
                { camera } = picture,
                { solids, carriers } = mechanism.drawing;
            run.pause();
            run.restart();
            let most = 0, lowest = 1;
            while (run.instance.time < run.data.stop - 1e-9 && run.step()) {
                tile.sight.show();
                camera.updateMatrixWorld();
                carriers.pole.updateMatrixWorld(true);
                for (const solid of solids.pole) {
                    solid.geometry.computeBoundingBox();
                    const { min, max } = solid.geometry.boundingBox;
                    for (let n = 0; n < 8; n++) {
                        const at = (k) => ((n >> k) & 1 ? max : min).getComponent(k);
                        const corner = min.clone().fromArray([0, 1, 2].map(at));
                        const seen = solid.localToWorld(corner).project(camera);
                        most = Math.max(most, Math.abs(seen.x), Math.abs(seen.y));
                        lowest = Math.min(lowest, seen.y);
                    }
                }
            }
            return [run.instance.time, most, lowest];
        }"""
    )
    assert found[0] == pytest.approx(3.0, abs=1e-6)
    assert found[1] < 1.0
    assert found[2] < -0.3  # it does swing down
    page.locator(".tile .play").nth(1).click()


def test_verdicts_stand_beneath_and_the_first_is_open(page):
    for name, text in zip(NAMES, page.locator(".tile").all_inner_texts(), strict=True):
        assert name in text
        assert "passes: 40 signals within" in text
    assert page.locator("table >> text=304 x").count() == len(NAMES)
    assert page.locator("main > details").evaluate_all("(all) => all.map(({ open }) => open)") == [
        True,
        False,
    ]


def test_nothing_serious_is_wrong_with_it(page):
    assert serious_findings(page) == []

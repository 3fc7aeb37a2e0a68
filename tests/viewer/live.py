"""Live pages of models, and what is asked of them in a browser."""

import base64
from functools import cache

import numpy as np

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.live.page import live_page
from mbd_fmu.model.library import find_model, table_beside

PAGE = "document.querySelector('.live').page"
READY = f"{PAGE} !== undefined"


@cache
def page_of(name):
    """The page of a model of the library, driven by the inputs beside it."""
    path = find_model(name)
    return live_page(read_model(path), table_beside(path, "input.csv"))


def open_live(opened, folder, name, hash_="", **viewport):
    """Open it in the browser, at rest at its start."""
    path = folder / f"{name}.html"
    if not path.exists():
        path.write_text(page_of(name).html(), encoding="utf-8")
    page = opened(path, hash_=hash_, **viewport)
    page.wait_for_function(READY)
    if not hash_:
        page.evaluate(f"{PAGE}.reset()")
    return page


# All variables after each of some steps, from the start, with rows of inputs; as base64.
STEPS = f"""({{ rows, inputs, count, length }}) => {{
    const {{ run }} = {PAGE};
    run.pause();
    run.drivers.list = [];
    const {{ instance }} = run;
    const set = (k) => (rows[k] ?? []).forEach((x, n) => instance.set(inputs[n], x));
    instance.clock.length = length;
    instance.begin((rows[0] ?? []).map((x, n) => [inputs[n], x]));
    const kept = new Float64Array(count * instance.count);
    for (let k = 0; k < count; k++) {{
        set(k);
        if (!instance.step()) throw new Error(JSON.stringify(instance.messages()));
        kept.set(instance.read(), k * instance.count);
    }}
    const bytes = new Uint8Array(kept.buffer);
    let text = "";
    for (let k = 0; k < bytes.length; k += 32768)
        text += String.fromCharCode(...bytes.subarray(k, k + 32768));
    return btoa(text);
}}"""


def stepped(page, rows, inputs, count, length):
    """Values of all variables of the page's module, a row for each step."""
    given = {"rows": rows, "inputs": inputs, "count": count, "length": length}
    found = np.frombuffer(base64.b64decode(page.evaluate(STEPS, given)), dtype="<f8")
    return found.reshape(count, -1)


def where(page, body):
    """The middle of a body on the screen."""
    return page.evaluate(
        f"""(name) => {{
            const {{ mechanism, picture, data }} = {PAGE};
            const {{ com }} = data.scene.bodies.find((body) => body.name === name);
            const place = mechanism.drawing.carried(name, com).project(picture.camera);
            const {{ left, top, width, height }} =
                picture.renderer.domElement.getBoundingClientRect();
            return [left + (place.x + 1) / 2 * width, top + (1 - place.y) / 2 * height];
        }}""",
        body,
    )

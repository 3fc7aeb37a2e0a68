"""Pictures of all models as they start, and a page that shows them side by side."""

import sys

from mbd_fmu import read_model
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.model.library import library, library_folder, table_beside
from mbd_fmu.model.spec import with_groups
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.viewer.film import write_picture
from mbd_fmu.viewer.motion import motion_of

SIZE = (480, 320)
COLUMNS = 4
CAMERAS = {"chaplygin_sleigh": "iso"}  # face on it hides its own knife edge
INSTANT = 1e-6  # s: a run has at least two rows


def main(names):
    for name in names or library():
        draw(name)
        print(f"models/{name}/figure.png", flush=True)
    write_gallery()


def draw(name):
    """Assemble a model at its start, with its inputs of that instant, and draw it."""
    folder = library()[name]
    spec = with_groups(read_model(folder), "poses")
    inputs = table_beside(folder / "reference.csv", "input.csv")
    result = simulate(system_of(spec), stop=INSTANT, step=INSTANT, inputs=inputs)
    scene = scene_table(spec)
    motion = motion_of(scene, result, inputs)
    camera = CAMERAS.get(name, "")
    write_picture(folder / "figure.png", scene, motion, at=0.0, size=SIZE, camera=camera)


def write_gallery():
    cells = [
        f'<td width="25%" valign="top"><a href="{name}/README.md"><img src="{name}/figure.png" '
        f'alt="{name}"><br><b>{name}</b></a><br>{read_model(folder).description}</td>'
        for name, folder in library().items()
    ]
    rows = [cells[k : k + COLUMNS] for k in range(0, len(cells), COLUMNS)]
    table = "\n".join("<tr>\n" + "\n".join(row) + "\n</tr>" for row in rows)
    text = (
        f"# {len(cells)} mechanisms\n\n"
        "Each folder has the model, what it shows, and an independent reference with its origin. "
        "`mbd-fmu view NAME` shows one in motion, `mbd-fmu validate models/` proves them all.\n"
        "Pictures and this page are made by `scripts/gallery`.\n\n"
        f"<table>\n{table}\n</table>\n"
    )
    (library_folder() / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

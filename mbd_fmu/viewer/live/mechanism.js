// The drawing of a mechanism that is stepped here: poses and reactions of this instant.
import { Mechanism } from "../mechanism.js";
import { withRoomToTurn } from "../room.js";
import { Run } from "./run.js";

const MOST = 600, // steps
  FAR = 3, // times itself: what travels further is gone along with
  BUDGET = 250, // ms: how far the room of the motion is looked at at most
  REST = 200; // ms: what does not change any more is looked at anew

// Rows of a look ahead, as a table of motion: it tells how much room the mechanism needs. From a
// state, if there is one, after the start.
function ahead(run, state) {
  const { instance, data, drivers } = run,
    row = () => [instance.time, Float64Array.from(run.values)],
    rows = [row()],
    end = performance.now() + BUDGET;
  const seconds = Math.min(data.stop, ...drivers.list.map((driver) => driver.end ?? Infinity));
  const most = Math.min(MOST, Math.ceil(seconds / instance.clock.length) + 1);
  if (!state || (instance.restore(state) && run.look("change") && rows.push(row())))
    while (rows.length < most && performance.now() < end && run.step()) rows.push(row());
  run.restart();
  const table = (places) =>
    Object.fromEntries(
      Object.entries(places).map(([name, at]) => [
        name,
        Float64Array.from(rows.flatMap(([, values]) => at.map((k) => values[k]))),
      ]),
    );
  return {
    time: Float64Array.from(rows, ([t]) => t),
    poses: table(data.poses),
    reactions: table(data.reactions),
  };
}

// What a motion depends on, but for inputs that are held: those change all the time.
const asked = ({ settings, variables, drivers }) =>
  JSON.stringify([
    [...settings].filter(([index]) => variables[index].role !== "input"),
    drivers.list.filter(({ kind }) => kind !== "recording"),
  ]);

const put = (scene, path, x) => {
  path.slice(0, -1).reduce((part, key) => part[key], scene)[path.at(-1)] = x;
};

export class LiveMechanism {
  constructor(run) {
    const { data } = run;
    Object.assign(this, { run, data });
    const { first, paths } = data.drawn;
    this.drawn = Float64Array.from(paths, (_, k) => run.values[first + k]);
    this.drawing = new Mechanism(data.scene, ahead(run));
    const { drawing } = this;
    this.settle();
    drawing.box = this.room;
    for (const acting of drawing.reactions.list) acting.values = new Float64Array(6);
    this.numbers = drawing.reactions.addNumbers(drawing.root);
    this.asked = asked(run);
    for (const what of ["restart", "retune", "change", "drivers"])
      run.addEventListener(what, () => this.watch(what));
  }

  // Of a motion only one instant stays, and what it says of the room.
  settle() {
    const { drawing } = this;
    drawing.time = Float64Array.of(0);
    for (const name of Object.keys(drawing.poses)) drawing.poses[name] = new Float64Array(7);
    this.travels = drawing.way > FAR * drawing.largest;
  }

  // Now; what moves in a plane never turns out of it.
  get room() {
    const { drawing } = this,
      { up, normal } = drawing.scene;
    if (!this.travels) return drawing.box;
    const box = drawing.along.clone().translate(drawing.middle.sub(drawing.began));
    return normal.length ? box : withRoomToTurn(box, up);
  }

  // Where numbers of the scene have changed, bodies have another shape. What has no value stays.
  follow(values) {
    const { first, paths, nowhere } = this.data.drawn;
    let differs = false;
    paths.forEach((path, k) => {
      const x = values[first + k];
      if (x === this.drawn[k] || Math.abs(x) >= nowhere) return;
      put(this.drawing.scene, path, (this.drawn[k] = x));
      differs = true;
    });
    if (!differs) return;
    this.drawing.reshape();
    this.rest(true);
  }

  // Another motion is asked for.
  watch(what) {
    const now = asked(this.run);
    if (now === this.asked) return;
    this.asked = now;
    this.rest(what === "restart");
  }

  // When nothing changes any more, it is looked at anew: from here on, or from its start.
  rest(fromStart) {
    this.fromStart ||= fromStart;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.look(), REST);
  }

  // Ahead, by another run with the same settings: this one goes on where it is.
  look() {
    const { run, data } = this;
    clearTimeout(this.resting);
    this.resting = undefined;
    this.scout ??= new Run(run.instance.another(), data, run.drivers);
    this.scout.settings = run.settings;
    this.scout.restart();
    if (this.scout.failed || run.failed) return;
    this.drawing.refit(ahead(this.scout, this.fromStart ? undefined : run.instance.save()));
    this.settle();
    this.isRefitted = true;
    run.tell("show");
  }

  show(values) {
    const { drawing, data } = this;
    this.follow(values);
    const take = (row, at) => at.forEach((k, c) => (row[c] = values[k]));
    for (const [name, at] of Object.entries(data.poses)) take(drawing.poses[name], at);
    for (const acting of drawing.reactions.list) take(acting.values, data.reactions[acting.name]);
    drawing.reactions.grow(); // and does not shrink: a length means one force
    drawing.show(0);
    drawing.reactions.tell();
  }

  // What travels stays in the middle of a picture, also what does so later than was looked ahead.
  goAlong(picture, eye) {
    const { middle, began, largest } = this.drawing;
    if (!this.travels && middle.distanceTo(began) > FAR * largest)
      this.travels = this.isRefitted = this.fromStart = true;
    if (this.isRefitted) {
      eye.fit(this.room, this.fromStart);
      this.isRefitted = this.fromStart = false;
    }
    if (this.travels) picture.keep(middle);
  }
}

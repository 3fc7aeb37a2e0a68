// One of several mechanisms of a page: it steps itself at once, and bodies can be pulled. All else
// has its place on a page of its own.
import { Drivers } from "./drivers.js";
import { Instance } from "./instance.js";
import { quiet } from "./quiet.js";
import { Recording } from "./recording.js";
import { Run } from "./run.js";
import { Sight } from "./sight.js";

const BAR = `
  <button type="button" class="play" aria-label="play or pause" title="play or pause"></button>
  <button type="button" class="reset" title="back to the start">reset</button>
  <output class="clock" aria-label="time of the motion"></output>`;

export class Tile {
  constructor(host, data, module) {
    const { variables, recorded } = data;
    const drivers = new Drivers(Recording.unpacked(recorded));
    this.host = Object.assign(document.createElement("div"), { className: "mechanism" });
    this.run = new Run(new Instance(module, variables.length, data.step), data, drivers);
    if (this.run.failed) throw new Error("it does not start");
    host.replaceChildren(this.host);
    this.sight = new Sight(this.run, () => this.room(), () => this.draw());
    ({ mechanism: this.mechanism, picture: this.picture, grab: this.grab } = this.sight);
    this.addBar();
    this.host.append(this.picture.element, this.bar);
    for (const what of ["restart", "change", "frame", "play", "pause"])
      this.run.addEventListener(what, () => this.draw());
    this.run.addEventListener("failure", () => this.run.failed || this.run.restart());
    new ResizeObserver(() => this.picture.resize()).observe(this.host);
    if (quiet.matches) this.draw();
    else this.run.play();
  }

  room() {
    const width = Math.max(this.host.clientWidth, 200);
    return { width, height: Math.round(0.75 * width) };
  }

  addBar() {
    this.bar = Object.assign(document.createElement("div"), {
      className: "toolbar",
      innerHTML: BAR,
    });
    const { run } = this;
    const find = (selector) => this.bar.querySelector(selector);
    find(".play").addEventListener("click", () => (run.playing ? run.pause() : run.play()));
    find(".reset").addEventListener("click", () => run.restart());
    this.clock = find(".clock");
    this.button = find(".play");
  }

  draw() {
    const { run } = this;
    if (!run.values) return;
    this.sight.show();
    this.clock.textContent = `${run.instance.time.toFixed(2)} s`;
    this.button.classList.toggle("on", run.playing);
    this.button.setAttribute("aria-pressed", String(run.playing));
  }
}

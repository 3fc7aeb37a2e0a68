// The page: a mechanism that steps itself, under the hands of who looks at it.
import { Picture } from "../picture.js";
import { read, written } from "./address.js";
import { Controls } from "./controls.js";
import { DriverPanel } from "./driver_panel.js";
import { Drivers } from "./drivers.js";
import { Footer } from "./footer.js";
import { Grab } from "./grab.js";
import { Instance } from "./instance.js";
import { LiveMechanism } from "./mechanism.js";
import { PlotPanel } from "./plot_panel.js";
import { Plots } from "./plots.js";
import { Recording } from "./recording.js";
import { Run, SPEEDS } from "./run.js";
import { Toolbar } from "./toolbar.js";

const BELOW = 470; // px of the window for what stands above and below the picture
const SHARE = 0.46; // of a low window is for the picture in any case

const place = (tag, className, ...children) => {
  const made = Object.assign(document.createElement(tag), { className });
  made.append(...children);
  return made;
};

export class LivePage {
  constructor(host, data, module) {
    Object.assign(this, { host, data });
    const { variables } = data;
    this.find = (name) => variables.findIndex((v) => v.name === name && v.role !== "hidden");
    const drivers = new Drivers(data.recorded ? [Recording.unpacked(data.recorded)] : []);
    this.run = new Run(new Instance(module, variables.length, data.step), data, drivers);
    this.note = place("p", "message");
    this.note.setAttribute("role", "status");
    this.alarm = place("p", "message alarm");
    this.alarm.setAttribute("role", "alert");
    this.draw = this.draw.bind(this);
    this.listen();
    if (!this.run.failed) this.drawMechanism();
    this.addPanels();
    this.run.tell("show");
  }

  drawMechanism() {
    this.mechanism = new LiveMechanism(this.run);
    this.left = place("div", "mechanism");
    this.host.append(this.left);
    const room = () => {
      const width = Math.max(this.left.clientWidth, 240);
      const most = Math.max(window.innerHeight - BELOW, SHARE * window.innerHeight, 240);
      return { width, height: Math.round(Math.min(0.72 * width, most)) };
    };
    this.picture = new Picture(this.data.scene, this.mechanism.drawing, room);
    this.grab = new Grab(this.run, this.data, this.picture, this.mechanism);
    new ResizeObserver(() => this.picture.resize()).observe(this.left);
  }

  addPanels() {
    const { run, data } = this;
    this.left ??= place("div", "mechanism");
    this.plots = new Plots(run, data.variables);
    this.plotPanel = new PlotPanel(this.plots, data.variables, () => {});
    this.controls = new Controls(run, data.variables);
    this.driverPanel = new DriverPanel(run, (words, bad) => this.say(words, bad));
    this.footer = new Footer(run, data);
    this.toolbar = new Toolbar(run, {
      play: () => (run.playing ? run.pause() : run.play()),
      step: () => (run.pause(), run.step(), this.draw()),
      reset: () => this.reset(),
      defaults: () => this.defaults(),
      look: (name) => this.picture?.look(name),
      link: () => this.link(),
      choose: () => this.choose(),
    });
    const stage = this.picture ? [this.picture.element] : [];
    this.left.replaceChildren(...stage, this.toolbar.element, this.note, this.alarm);
    this.addHint();
    const side = place(
      "div",
      "side",
      ...this.controls.elements,
      this.driverPanel.element,
      this.plotPanel.element,
    );
    this.host.replaceChildren(this.left, this.plots.element, side, this.footer.element);
    this.picture?.resize();
    this.plotPanel.choose(data.plotted);
    this.takeFiles();
  }

  // Until somebody does it.
  addHint() {
    const hint = place("p", "hint", "Drag a body to pull it, drag beside it to turn the view.");
    this.picture?.element.append(hint);
    this.picture?.element.addEventListener("pointerup", () => hint.remove());
  }

  listen() {
    const { run } = this;
    run.addEventListener("message", ({ detail }) => this.say(detail.words, detail.isError));
    run.addEventListener("anew", () => (this.note.textContent = this.alarm.textContent = ""));
    run.addEventListener("frame", () => (this.isTaken ||= this.grab?.held !== undefined));
    run.addEventListener("over", ({ detail }) => this.goOn(detail));
    for (const what of ["restart", "change", "retune", "frame", "play", "pause", "failure", "show"])
      run.addEventListener(what, this.draw);
    run.addEventListener("drivers", this.draw);
  }

  say(words, isError) {
    (isError ? this.alarm : this.note).textContent = words;
  }

  // What is recorded is shown over and over, until somebody takes hold of the mechanism.
  goOn(name) {
    const { settings, drivers } = this.run;
    if (!this.isTaken && !settings.size && drivers.list.length === 1) return this.run.again();
    this.say(`${name} is over; play goes on with its last values.`, false);
  }

  reset() {
    this.isTaken = false;
    this.run.pause();
    this.run.restart();
  }

  // Whatever was set, by hand or by a link, is forgotten.
  defaults() {
    this.run.settings.clear();
    this.run.drivers.list = [...this.run.drivers.own];
    this.driverPanel.show();
    this.reset();
  }

  draw() {
    if (!this.footer) return;
    const { run } = this;
    if (run.values && this.picture) {
      this.mechanism.show(run.values);
      this.mechanism.goAlong(this.picture);
      this.grab.show();
      this.picture.draw();
    }
    this.toolbar.draw();
    this.footer.draw();
    if (run.playing) this.plots.drawSometimes();
    else this.plots.draw();
    this.controls.follow(run.failed ? new Set() : run.drivers.driven(run));
  }

  choose() {
    if (!this.mechanism) return;
    const shown = this.toolbar.shown,
      { drawing } = this.mechanism;
    drawing.showSymbols(shown.includes("joints"));
    for (const label of drawing.names) label.visible = shown.includes("names");
    drawing.reactions = shown.includes("reactions");
    this.draw();
  }

  takeFiles() {
    this.host.addEventListener("dragover", (event) => event.preventDefault());
    this.host.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.driverPanel.open(event.dataTransfer.files[0]);
    });
  }

  // Everything that makes what is seen, by names: a link outlives other orders of variables.
  seen() {
    const { run, data, picture } = this;
    const named = (index) => data.variables[index].name;
    return {
      settings: [...run.settings].map(([index, value]) => [named(index), value]),
      drivers: this.driverPanel.written(),
      recorded: run.drivers.list.some(({ kind }) => kind === "recording"),
      plots: this.plots.chosen.map(named),
      shown: this.toolbar.shown,
      speed: run.speed,
      camera: picture && [picture.camera.position.toArray(), picture.controls.target.toArray()],
      state: run.failed ? undefined : run.instance.save(),
    };
  }

  async link() {
    this.run.pause();
    this.grab?.release();
    history.replaceState(null, "", await written(this.seen()));
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("The address shows what you see; it is copied.", false);
    } catch {
      this.say("The address of this page now shows what you see.", false);
    }
  }

  // What the address shows, else from the start.
  async begin(hash) {
    if (await this.open(hash)) return;
    if (!this.run.failed) this.run.play();
    if (hash.length > 1) this.say("The address says nothing that this page knows.", false);
  }

  async open(hash) {
    const seen = await read(hash);
    if (!seen) return false;
    const { run } = this,
      known = (name) => this.find(name) >= 0,
      settable = (name) => known(name) && run.variables[this.find(name)].role !== "output";
    run.pause();
    run.settings = new Map(
      seen.settings.filter(([name]) => settable(name)).map(([n, x]) => [this.find(n), x]),
    );
    if (!seen.recorded) run.drivers.list = [];
    this.driverPanel.take(seen.drivers, this.find);
    run.restart();
    if (seen.state && !run.failed && !run.instance.restore(seen.state))
      this.say("The link is of another build: it shows the start.", false);
    run.instance.messages();
    if (!run.failed) run.look("change"); // before the camera is set: it goes along with what travels
    this.plotPanel.choose(seen.plots.filter(known).map(this.find));
    this.toolbar.shown = seen.shown;
    run.speed = SPEEDS.includes(seen.speed) ? seen.speed : run.speed;
    this.toolbar.find(".speed").value = String(run.speed);
    if (seen.camera && this.picture) {
      this.picture.view = undefined;
      this.picture.camera.position.fromArray(seen.camera[0]);
      this.picture.controls.target.fromArray(seen.camera[1]);
      this.picture.controls.update();
    }
    this.choose();
    return true;
  }
}

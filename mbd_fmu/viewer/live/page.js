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
import { place } from "./place.js";
import { PlotPanel } from "./plot_panel.js";
import { Plots } from "./plots.js";
import { fitDrives } from "./reach.js";
import { Recording } from "./recording.js";
import { Run, SPEEDS } from "./run.js";
import { Toolbar } from "./toolbar.js";

const BELOW = 470; // px of the window for what stands above and below the picture
const SHARE = 0.46; // of a low window is for the picture in any case

const NARROW = window.matchMedia("(max-width: 900px)"); // as in live.css: one column, the picture stays
const STAYS = 0.35; // of a narrow window

export class LivePage {
  constructor(host, data, module) {
    Object.assign(this, { host, data });
    const { variables } = data;
    this.find = (name) => variables.findIndex((v) => v.name === name && v.role !== "hidden");
    const drivers = new Drivers(Recording.unpacked(data.recorded));
    this.run = new Run(new Instance(module, variables.length, data.step), data, drivers);
    fitDrives(this.run);
    this.note = place("p", { className: "message", role: "status" });
    this.alarm = place("p", { className: "message alarm", role: "alert" });
    this.draw = this.draw.bind(this);
    this.listen();
    if (!this.run.failed) this.drawMechanism();
    this.addPanels();
    this.run.tell("show");
  }

  drawMechanism() {
    this.mechanism = new LiveMechanism(this.run);
    this.left = place("div", { className: "mechanism" });
    this.host.append(this.left);
    this.picture = new Picture(this.data.scene, this.mechanism.drawing, () => this.room());
    this.picture.view = this.host.dataset.camera ?? this.picture.view;
    this.grab = new Grab(this.run, this.data, this.picture, this.mechanism);
    let known = 0;
    new ResizeObserver(() => {
      if (known === this.width) return; // what grows below it is no matter
      known = this.width;
      this.picture.resize();
    }).observe(this.host);
  }

  get width() {
    const { clientWidth } = NARROW.matches ? this.host : this.left;
    return Math.max(clientWidth, 240);
  }

  room() {
    const { width } = this,
      { innerHeight } = window;
    const most = NARROW.matches
      ? Math.max(STAYS * innerHeight, 160)
      : Math.max(innerHeight - BELOW, SHARE * innerHeight, 240);
    return { width, height: Math.round(Math.min(0.72 * width, most)) };
  }

  addPanels() {
    const { run, data } = this;
    this.left ??= place("div", { className: "mechanism" });
    this.plots = new Plots(run, data.variables);
    this.plotPanel = new PlotPanel(this.plots, data.variables);
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
    const stage = this.picture?.element ?? place("div");
    stage.append(place("div", { className: "messages" }, this.note, this.alarm));
    this.left.replaceChildren(stage, this.toolbar.element);
    this.addHint();
    const side = place(
      "div",
      { className: "side" },
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
    const words = "Drag a body to pull it, drag beside it to turn the view.";
    const hint = place("p", { className: "hint" }, words);
    this.picture?.element.append(hint);
    this.picture?.element.addEventListener("pointerup", () => hint.remove());
  }

  listen() {
    const { run } = this;
    run.addEventListener("message", ({ detail }) => this.say(detail.words, detail.isError));
    run.addEventListener("anew", () => (this.note.textContent = this.alarm.textContent = ""));
    run.addEventListener("over", ({ detail }) => this.say(`${detail} is over: its last values stay.`, false));
    for (const what of ["restart", "change", "retune", "frame", "play", "pause", "failure", "show"])
      run.addEventListener(what, this.draw);
    run.addEventListener("drivers", this.draw);
  }

  say(words, isError) {
    (isError ? this.alarm : this.note).textContent = words;
  }

  reset() {
    this.run.pause();
    this.run.restart();
  }

  // Whatever was set, by hand or by a link, is forgotten.
  defaults() {
    this.run.settings.clear();
    this.run.drivers.reset();
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
    drawing.reactions.shown = shown.includes("reactions");
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
      recorded: this.recorded,
      plots: this.plots.chosen.map(named),
      shown: this.toolbar.shown,
      speed: run.speed,
      camera: picture && [picture.camera.position.toArray(), picture.controls.target.toArray()],
      state: run.failed ? undefined : run.instance.save(),
    };
  }

  // Which recording drives, and what: it does not travel with a link, but the page's own is there.
  get recorded() {
    const { recording, own } = this.run.drivers;
    if (!recording) return undefined;
    const drives = recording.inputs.map((index) => this.data.variables[index].name);
    return { name: recording.name, own: recording.values === own?.values, drives };
  }

  async link() {
    this.run.pause();
    this.grab?.release();
    const { recorded } = this,
      { hash, isWhole } = await written(this.seen());
    history.replaceState(null, "", hash);
    const lacks = [
      ...(isWhole ? [] : ["the state would make it too long: it shows the start"]),
      ...(recorded && !recorded.own ? [`${recorded.name} stays behind: send the file along`] : []),
    ];
    const but = lacks.map((words) => `; ${words}`).join("");
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`The address shows what you see, and is copied${but}.`, false);
    } catch {
      this.say(`The address of this page now shows what you see${but}.`, false);
    }
  }

  // What the address shows, else from the start.
  async begin(hash) {
    const seen = await read(hash);
    if (seen) return this.open(seen);
    this.run.play();
    this.sayUnknown(hash);
  }

  // Another address, while the page is open.
  async follow(hash) {
    const seen = await read(hash);
    if (seen) this.open(seen);
    else this.sayUnknown(hash);
  }

  sayUnknown(hash) {
    if (hash.length > 1) this.say("The address says nothing that this page knows.", false);
  }

  open(seen) {
    const { run } = this,
      known = (name) => this.find(name) >= 0,
      settable = (name) => known(name) && run.variables[this.find(name)].role !== "output";
    run.pause();
    run.settings = new Map(
      seen.settings.filter(([name]) => settable(name)).map(([n, x]) => [this.find(n), x]),
    );
    const lacks = this.takeRecording(seen.recorded);
    this.driverPanel.take(seen.drivers, this.find);
    run.restart();
    if (seen.state && !run.failed && !run.instance.restore(seen.state))
      lacks.push("The link is of another build: it shows the start.");
    if (lacks.length) this.say(lacks.join(" "), false);
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
  }

  // The page's own, as far as it drove; what is said of another.
  takeRecording(recorded) {
    const { drivers } = this.run,
      { own } = drivers;
    drivers.list = [];
    if (!recorded) return [];
    const { name, drives } = recorded;
    if (!recorded.own || !own)
      return [`The link was made with ${name}, which stayed behind: choose that file to go on with it.`];
    const freed = own.inputs.filter((index) => !drives.includes(this.data.variables[index].name));
    drivers.list = [own.without(freed)].filter(Boolean);
    return [];
  }
}

// The page: a mechanism that steps itself, under the hands of who looks at it.
import { Controls } from "./controls.js";
import { DriverPanel } from "./driver_panel.js";
import { Drivers } from "./drivers.js";
import { Footer } from "./footer.js";
import { Instance } from "./instance.js";
import { onRoom, pictureRoom, unfold } from "./layout.js";
import { Link } from "./link.js";
import { Messages } from "./messages.js";
import { place } from "./place.js";
import { PlotPanel } from "./plot_panel.js";
import { Plots } from "./plots.js";
import { quiet } from "./quiet.js";
import { fitDrives } from "./reach.js";
import { Recording } from "./recording.js";
import { Run } from "./run.js";
import { Sight } from "./sight.js";
import { Toolbar } from "./toolbar.js";

const READ = 8000; // ms: long enough to read a hint

export class LivePage {
  constructor(host, data, module) {
    Object.assign(this, { host, data });
    const { variables } = data;
    this.find = (name) => variables.findIndex((v) => v.name === name && v.role !== "hidden");
    const drivers = new Drivers(Recording.unpacked(data.recorded));
    this.run = new Run(new Instance(module, variables.length, data.step), data, drivers);
    fitDrives(this.run);
    this.messages = new Messages();
    this.draw = this.draw.bind(this);
    this.listen();
    if (!this.run.failed) this.drawMechanism();
    this.addPanels();
    this.sharing = new Link(this);
    this.run.tell("show");
    unfold(this.side);
  }

  drawMechanism() {
    this.left = place("div", { className: "mechanism" });
    this.host.append(this.left);
    const room = () => pictureRoom(this.host, this.picture?.element);
    this.sight = new Sight(this.run, room, this.draw);
    ({ mechanism: this.mechanism, picture: this.picture, grab: this.grab } = this.sight);
    this.picture.view = this.host.dataset.camera ?? this.picture.view;
    onRoom([this.host, this.picture.element], room, () => this.picture.resize());
  }

  addPanels() {
    const { run, data } = this;
    this.left ??= place("div", { className: "mechanism" });
    this.plots = new Plots(run, data.variables);
    this.plotPanel = new PlotPanel(this.plots, data.variables);
    this.controls = new Controls(run, data.variables);
    this.driverPanel = new DriverPanel(run, (words, bad) => this.say(words, bad));
    this.footer = new Footer(run, data);
    this.toolbar = new Toolbar(run, this.actions());
    const stage = this.picture?.element ?? place("div", { className: "picture" });
    stage.append(this.messages.element);
    this.sight?.equip(this.toolbar.element);
    this.left.replaceChildren(stage, this.toolbar.element);
    this.addHint();
    this.addIndex();
    this.side = place(
      "div",
      { className: "side" },
      ...this.controls.elements,
      this.driverPanel.element,
      this.plotPanel.element,
    );
    this.host.replaceChildren(this.left, this.plots.element, this.side, this.footer.element);
    this.plotPanel.choose(data.plotted);
    this.picture?.resize();
    this.takeFiles();
  }

  // What buttons and keys do.
  actions() {
    const { run } = this;
    return {
      play: () => (run.playing ? run.pause() : run.play()),
      step: () => (run.pause(), run.step(), this.draw()),
      reset: () => this.reset(),
      defaults: () => this.defaults(),
      look: (name) => this.sight?.look(name),
      link: () => this.sharing.write(),
      choose: () => this.choose(),
      measure: () => this.sight?.measure.toggle(),
      leave: () => this.sight?.measure.leave(),
      list: () => this.sight?.toggleList(),
    };
  }

  // Until somebody does it, or has read it.
  addHint() {
    const words = "Drag a body to pull it, drag beside it to turn the view.";
    const hint = place("p", { className: "hint" }, words);
    this.picture?.element.append(hint);
    this.picture?.element.addEventListener("pointerup", () => hint.remove());
    setTimeout(() => hint.remove(), READ);
  }

  // Back to where pages of others are, if there is such a place.
  addIndex() {
    const { index } = this.host.dataset;
    if (index) this.toolbar.find(".tools").prepend(place("a", { href: index, textContent: "all mechanisms" }));
  }

  listen() {
    const { run } = this;
    run.addEventListener("message", ({ detail }) => this.say(detail.words, detail.isError));
    run.addEventListener("anew", () => this.messages.clear());
    run.addEventListener("over", ({ detail }) => this.say(`${detail} is over: its last values stay.`, false));
    for (const what of ["restart", "change", "retune", "frame", "play", "pause", "failure", "show"])
      run.addEventListener(what, this.draw);
    run.addEventListener("drivers", this.draw);
  }

  say(words, isError) {
    this.messages.say(words, isError);
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
    if (run.values) this.sight?.show();
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

  // What the address shows, else from the start.
  begin(hash) {
    return this.sharing.follow(hash, () => this.start());
  }

  // It moves at once, where that is liked.
  start() {
    if (!quiet.matches) this.run.play();
    else this.say("It waits for play, as your system asks for little motion.", false);
  }
}

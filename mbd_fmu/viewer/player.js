// A mechanism in motion: play, pause, scrub, orbit; symbols, names, paths and reactions on demand.
import { bodyList } from "./bodies.js";
import { helpDialog } from "./keys.js";
import { Measure } from "./measure.js";
import { Mechanism } from "./mechanism.js";
import { amount } from "./numbers.js";
import { Picture } from "./picture.js";
import { makeToolbar } from "./toolbar.js";

const NARROW = 600; // px, as in page.css: there what arrows are is told on demand
const FREE = 0.5; // of the picture is at least beside a list that makes it go aside

// A force and a torque: what their colours are called, and what they are.
const REACTIONS = [
    ["red", "force on the child"],
    ["violet", "torque on it"],
  ],
  LOADS = [
    ["orange", "force from outside"],
    ["teal", "torque from outside"],
  ];

// Lines of what is drawn of arrows.
const legend = (arrows, texts) =>
  arrows.legend().map(({ n, color, most }) => {
    const line = document.createElement("p"),
      swatch = Object.assign(document.createElement("span"), { className: "swatch" });
    swatch.style.background = `#${color.toString(16).padStart(6, "0")}`;
    line.append(swatch, ` ${texts[n].join(": ")}: ${most}`);
    return line;
  });

export class Player {
  constructor(host, scene, motion, size) {
    Object.assign(this, { host, given: size, speed: 1, playing: false });
    this.fills = document.body.classList.contains("whole");
    this.mechanism = new Mechanism(scene, motion);
    const { time } = this.mechanism;
    [this.start, this.stop] = [time[0], time[time.length - 1]];
    this.t = this.start;
    this.span = this.stop - this.start;
    this.picture = new Picture(scene, this.mechanism, () => this.measureRoom());
    this.measure = new Measure(this);
    this.bar = makeToolbar(this);
    this.note = Object.assign(document.createElement("details"), {
      className: "note",
      open: host.clientWidth > NARROW,
    });
    this.dialog = helpDialog();
    this.grid = `grid ${amount(this.picture.cell, "m")}`;
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", `motion of ${scene.model}`);
    host.replaceChildren(this.picture.element, this.bar, this.note, this.dialog);
    this.bodies = bodyList(this.mechanism, host.clientWidth, () => this.draw());
    this.bodies.addEventListener("toggle", () => this.resize());
    this.picture.element.append(this.bodies, this.measure.output);
    this.tellArrows();
    this.find = (selector) => this.bar.querySelector(selector);
    this.picture.view = host.dataset.camera ?? "home";
    this.resize();
    this.seek(this.start);
    this.watch = new ResizeObserver(() => this.resize());
    if (!size) this.watch.observe(this.fills ? this.picture.element : host);
  }

  // A page that is only this gives all the room there is; in others it is as wide as its column.
  measureRoom() {
    if (this.given) return this.given;
    const { clientWidth, clientHeight } = this.picture?.element ?? this.host;
    if (this.fills) return { width: Math.max(clientWidth, 100), height: Math.max(clientHeight, 100) };
    const width = Math.max(this.host.clientWidth, 200);
    return { width, height: Math.round(Math.min(Math.max(0.6 * width, 260), 560)) };
  }

  get camera() {
    return this.picture.camera;
  }

  get renderer() {
    return this.picture.renderer;
  }

  choose(what, on) {
    const { mechanism } = this;
    if (what === "joints") mechanism.showSymbols(on);
    if (what === "names") for (const label of mechanism.names) label.visible = on;
    if (what === "paths") mechanism.paths.visible = on;
    if (what === "reactions") mechanism.reactions.shown = on;
    if (what === "loads") mechanism.outside.shown = on;
    if (what === "follow") this.follow(on);
    if (what === "reactions" || what === "loads") this.makeRoom();
    this.tellArrows();
    this.seek(this.t);
  }

  // For arrows; who goes along with the mechanism has its surroundings in view.
  makeRoom() {
    const { mechanism, picture } = this;
    if (picture.kept) return;
    picture.box = mechanism.roomWithArrows();
    if (picture.view) picture.look(picture.view);
  }

  // Go along with what travels, from where it begins; or see all of its way.
  follow(on) {
    const { mechanism, picture } = this;
    picture.move(picture.gone.clone().negate());
    mechanism.show(this.start);
    picture.kept = on ? mechanism.middle : undefined;
    picture.box = on ? mechanism.along.clone() : mechanism.roomWithArrows();
    picture.look(picture.view ?? "home");
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.t >= this.stop) this.t = this.start;
    const button = this.find(".play");
    button.classList.toggle("on", this.playing);
    button.setAttribute("aria-label", this.playing ? "pause" : "play");
    this.last = undefined;
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    let t = this.t + (this.last === undefined ? 0 : (this.speed * (now - this.last)) / 1000);
    this.last = now;
    if (t > this.stop) t = this.start;
    this.seek(t);
    requestAnimationFrame((then) => this.tick(then));
  }

  within(t) {
    return Math.min(Math.max(t, this.start), this.stop);
  }

  seek(t) {
    this.t = t;
    this.mechanism.show(t);
    if (this.picture.kept) this.picture.keep(this.mechanism.middle);
    this.find(".scrub").value = t;
    this.find(".clock").textContent = `${t.toFixed(this.stop < 1 ? 4 : 2)} s`;
    this.draw();
    this.host.dispatchEvent(new CustomEvent("moved", { bubbles: true, detail: { t } }));
  }

  // How long a cell of the ground is; what arrows are, and how much the longest of each colour is.
  tellArrows() {
    const { reactions, outside } = this.mechanism;
    const told = [...legend(reactions, REACTIONS), ...legend(outside, LOADS)];
    const summary = Object.assign(document.createElement("summary"), { textContent: this.grid });
    if (told.length) summary.append(" · arrows");
    this.note.classList.toggle("bare", !told.length);
    this.note.replaceChildren(summary, ...told);
  }

  // By the list of bodies, while it is open: beside it, or on a phone above it, all is seen.
  get covered() {
    const { bodies, given } = this,
      { clientWidth } = this.picture.element;
    if (given || !bodies.open) return { right: 0, bottom: 0 };
    if (bodies.offsetWidth >= clientWidth) return { right: 0, bottom: bodies.offsetHeight };
    const right = clientWidth - bodies.offsetLeft;
    return { right: right <= (1 - FREE) * clientWidth ? right : 0, bottom: 0 };
  }

  help() {
    this.dialog.showModal();
  }

  resize() {
    this.picture.covered = this.covered;
    this.picture.resize();
  }

  draw() {
    this.measure.update();
    this.picture.draw();
  }

  dispose() {
    this.playing = false;
    this.watch.disconnect();
    this.picture.dispose();
  }
}

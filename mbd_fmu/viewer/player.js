// A mechanism in motion: play, pause, scrub, orbit; symbols, names, paths and reactions on demand.
import { bodyList } from "./bodies.js";
import { helpDialog } from "./keys.js";
import { Measure } from "./measure.js";
import { Mechanism } from "./mechanism.js";
import { Picture } from "./picture.js";
import { makeToolbar } from "./toolbar.js";

const short = (x) => Number(x.toPrecision(3)).toString();

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
    this.note = Object.assign(document.createElement("p"), { className: "note" });
    this.dialog = helpDialog();
    this.grid = `grid ${short(this.picture.cell)} m`;
    host.replaceChildren(this.picture.element, this.bar, this.note, this.dialog);
    this.bodies = bodyList(this.mechanism, host.clientWidth, () => this.draw());
    this.picture.element.append(this.bodies, this.measure.output);
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
    if (what === "reactions") mechanism.reactions = on;
    if (what === "loads") mechanism.showsLoads = on;
    if (what === "follow") this.follow(on);
    this.seek(this.t);
  }

  // Go along with what travels, from where it begins; or see all of its way.
  follow(on) {
    const { mechanism, picture } = this;
    picture.move(picture.gone.clone().negate());
    mechanism.show(this.start);
    picture.kept = on ? mechanism.middle : undefined;
    picture.box = on ? mechanism.along.clone() : mechanism.box;
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
    this.note.textContent = [this.grid, ...this.legend()].join(" · ");
    this.draw();
    this.host.dispatchEvent(new CustomEvent("moved", { bubbles: true, detail: { t } }));
  }

  // What arrows are, and how much the longest of each colour is.
  legend() {
    const { mechanism } = this;
    const texts = [];
    const tell = (color, what, size, unit) => {
      if (size > 1e-9) texts.push(`${color}: ${what} ${short(size)} ${unit}`);
    };
    if (mechanism.reactions) {
      tell("red", "force on the child: longest arrow", mechanism.longest[0], "N");
      tell("violet", "torque: longest", mechanism.longest[1], "N·m");
    }
    if (mechanism.showsLoads) {
      tell("orange", "force from outside: longest arrow", mechanism.longestOutside[0], "N");
      tell("teal", "torque: longest", mechanism.longestOutside[1], "N·m");
    }
    return texts;
  }

  help() {
    this.dialog.showModal();
  }

  resize() {
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

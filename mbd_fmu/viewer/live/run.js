// A run by hand: what was set, who drives, and steps in the time of the wall clock.
import { Pace } from "./pace.js";
import { turned } from "./quaternions.js";

const BUDGET = 12; // ms of a frame for steps: the rest is for drawing
const MOST_SAID = 3; // messages at once
const LATE = 0.25; // s: what a frame is behind at most; a page that slept does not catch up

export const SPEEDS = [0.01, 0.1, 0.25, 0.5, 1, 2, 4];

// What is over in less than a second is looked at slowly.
const usualSpeed = (stop) => SPEEDS.findLast((speed) => speed <= Math.min(1, stop)) ?? SPEEDS[0];

export class Run extends EventTarget {
  constructor(instance, data, drivers) {
    super();
    this.instance = instance;
    this.data = data;
    this.variables = data.variables;
    this.drivers = drivers;
    this.settings = new Map(); // index: value, where it is not the model's own
    this.speed = usualSpeed(data.stop);
    this.playing = false;
    this.behind = 0;
    this.cost = 0; // ms of a step, smoothed
    this.pace = new Pace();
    // a page that nobody looks at sleeps
    document.addEventListener("visibilitychange", () => (this.last = undefined));
    this.restart();
  }

  tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  // There is no motion: its start failed.
  get failed() {
    return this.values === undefined;
  }

  // By hand, by a link, or by somebody else beside the recording.
  get isTaken() {
    return this.isPulled || this.settings.size > 0 || this.drivers.list.length !== 1;
  }

  setting(index) {
    return this.settings.get(index) ?? this.variables[index].start ?? 0;
  }

  // Parameters that are not tunable let the motion begin anew.
  set(index, value) {
    this.tell("anew");
    for (const [k, x] of this.along(index, value)) this.keep(k, x);
    const { causality, tunable } = this.variables[index];
    if (this.failed || (causality === "parameter" && !tunable)) return this.restart();
    if (!this.instance.set(index, value)) this.fail();
    else this.look(causality === "parameter" ? "retune" : "change");
  }

  keep(index, value) {
    if (value === this.variables[index].start) this.settings.delete(index);
    else this.settings.set(index, value);
  }

  // A quaternion keeps its length.
  along(index, value) {
    const four = this.data.quaternions.find((own) => own.includes(index)) ?? [];
    if (!four.length) return [[index, value]];
    const values = four.map((k) => this.setting(k));
    return turned(values, four.indexOf(index), value).map((x, k) => [four[k], x]);
  }

  restart() {
    this.tell("anew");
    this.values = undefined;
    this.isPulled = false;
    if (this.instance.begin([...this.settings, ...this.drivers.given(this, 0)])) this.look("restart");
    else this.fail();
  }

  // Take what the instance says now, and tell who wants to know why; whether there is something.
  look(why) {
    const values = this.instance.read();
    if (!values) return (this.fail(), false);
    this.hear();
    this.values = values;
    this.isStuck = false;
    this.tell(why);
    return true;
  }

  // Errors and notes, each kind in one line: the first ones say what is the matter.
  hear() {
    const said = this.instance.messages();
    for (const isError of [false, true]) {
      const own = said.filter(([category]) => (category === "logStatusError") === isError);
      const words = [...new Set(own.map(([, text]) => text))];
      const more = words.length > MOST_SAID ? `; and ${words.length - MOST_SAID} more` : "";
      if (words.length)
        this.tell("message", { words: words.slice(0, MOST_SAID).join("; ") + more, isError });
    }
  }

  // What is seen from here on is from before.
  fail() {
    this.isStuck = true;
    this.hear();
    this.pause();
    this.tell("failure");
  }

  step() {
    if (this.failed) return false;
    const began = performance.now();
    for (const [index, value] of this.drivers.given(this, this.instance.time))
      if (!this.instance.set(index, value)) return (this.fail(), false);
    if (!this.instance.step()) return (this.fail(), false);
    if (!this.look("step")) return false;
    this.cost += 0.1 * (performance.now() - began - this.cost);
    return true;
  }

  play() {
    if (this.playing || this.failed) return;
    this.tell("anew");
    this.playing = true;
    this.last = undefined;
    this.behind = 0;
    this.pace.begin();
    this.tell("play");
    this.wait();
  }

  wait() {
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame); // or who plays again at once has two frames for each
    this.tell("pause");
  }

  // What is recorded is shown over and over, until somebody takes hold of the mechanism: then it
  // stays in their hands, driven by the last values.
  goOn() {
    const over = this.drivers.over(this.instance.time, this.instance.clock.length);
    if (!over) return;
    if (this.isTaken) this.tell("over", over.name);
    else this.restart();
  }

  tick(now) {
    const seconds = (now - (this.last ?? now)) / 1000,
      asked = this.speed * seconds;
    this.last = now;
    this.behind += this.speed * Math.min(seconds, LATE);
    const { length } = this.instance.clock,
      end = performance.now() + BUDGET;
    while (this.behind >= length && performance.now() < end) {
      if (!this.step()) return;
      this.behind -= length;
      this.goOn();
      if (!this.playing) return;
    }
    const isLate = this.behind >= length,
      lost = this.speed * Math.max(seconds - LATE, 0) + (isLate ? this.behind : 0);
    if (isLate) this.behind = 0;
    this.pace.count(seconds, asked, lost);
    this.tell("frame");
    if (this.playing) this.wait();
  }
}

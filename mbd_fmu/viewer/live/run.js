// A run by hand: what was set, who drives, and steps in the time of the wall clock.
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
    this.restart();
  }

  tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  setting(index) {
    return this.settings.get(index) ?? this.variables[index].start ?? 0;
  }

  // Parameters that are not tunable let the motion begin anew.
  set(index, value) {
    this.tell("anew");
    const { start, causality, tunable } = this.variables[index];
    if (value === start) this.settings.delete(index);
    else this.settings.set(index, value);
    if (causality === "parameter" && (!tunable || this.failed)) return this.restart();
    if (this.failed) return;
    if (!this.instance.set(index, value)) this.fail();
    else this.look(causality === "parameter" ? "retune" : "change");
  }

  restart() {
    this.tell("anew");
    this.values = undefined;
    this.failed = !this.instance.begin([...this.settings, ...this.drivers.given(this, 0)]);
    this.hear();
    if (this.failed) return this.fail();
    this.look("restart");
  }

  // Take what the instance says now, and tell who wants to know why.
  look(why) {
    const values = this.instance.read();
    this.hear();
    if (!values) return this.fail();
    this.values = values;
    this.tell(why);
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

  fail() {
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
    this.look("step");
    this.cost += 0.1 * (performance.now() - began - this.cost);
    return true;
  }

  play() {
    if (this.playing || this.failed) return;
    this.tell("anew");
    this.playing = true;
    this.last = undefined;
    this.behind = 0;
    this.tell("play");
    requestAnimationFrame((now) => this.tick(now));
  }

  again() {
    this.restart();
    this.play();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell("pause");
  }

  tick(now) {
    if (!this.playing) return;
    this.behind += this.speed * Math.min((now - (this.last ?? now)) / 1000, LATE);
    this.last = now;
    const { length } = this.instance.clock,
      end = performance.now() + BUDGET;
    while (this.behind >= length && performance.now() < end) {
      if (!this.step()) return;
      this.behind -= length;
      const over = this.drivers.over(this.instance.time, length);
      if (over) return (this.pause(), this.tell("over", over.name));
    }
    this.late = this.behind >= length;
    if (this.late) this.behind = 0;
    this.tell("frame");
    requestAnimationFrame((then) => this.tick(then));
  }
}

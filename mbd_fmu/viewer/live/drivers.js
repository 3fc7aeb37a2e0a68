// Who drives inputs instead of a hand: PD on a joint, a sine, a recording.
import { unitText } from "../plotting.js";
import { felt } from "./reach.js";

export const TITLES = { pd: "PD", sine: "sine" };

const PACE = 12; // rad/s of a joint that PD holds, as it starts; critically damped

export class Sine {
  constructor(index, { amplitude = 1, frequency = 0.5, offset = 0 } = {}) {
    Object.assign(this, { kind: "sine", index, amplitude, frequency, offset });
  }

  knobs({ variables }) {
    const unit = unitText(variables[this.index].unit);
    return [
      ["amplitude", "amplitude", unit],
      ["frequency", "frequency", "Hz"],
      ["offset", "offset", unit],
    ];
  }

  // Of a prescribed motion, velocity and acceleration go with the position.
  *given(run, t) {
    const w = 2 * Math.PI * this.frequency,
      a = this.amplitude;
    const [, rate, second] = run.data.signals.find(([q]) => q === this.index) ?? [];
    yield [this.index, this.offset + a * Math.sin(w * t)];
    if (rate >= 0) yield [rate, a * w * Math.cos(w * t)];
    if (second >= 0) yield [second, -a * w * w * Math.sin(w * t)];
  }

  without(inputs) {
    return inputs.includes(this.index) ? undefined : this;
  }
}

export class Pd {
  constructor(index, { target = 0, kp = 1, kd = 1 } = {}) {
    Object.assign(this, { kind: "pd", index, target, kp, kd });
  }

  knobs({ variables, data }) {
    const { q } = driveOf(data, this.index);
    const [along, effort] = [q, this.index].map((index) => unitText(variables[index].unit));
    return [
      ["target", "target", along],
      ["kp", "gain of position", `${effort}/${along}`],
      ["kd", "gain of velocity", `${effort}·s/${along}`],
    ];
  }

  // Gains that suit what the drive feels now: what it takes to accelerate the joint.
  static fitted(run, index) {
    const drive = driveOf(run.data, index);
    const inertia = 1 / (felt(run, drive) ?? 1);
    const round = (x) => Number(x.toPrecision(2));
    return new Pd(index, {
      target: round(run.values[drive.q]),
      kp: round(inertia * PACE ** 2),
      kd: round(2 * inertia * PACE),
    });
  }

  *given(run) {
    if (!run.values) return; // nothing is known before the motion begins
    const { q, qd } = driveOf(run.data, this.index);
    yield [this.index, this.kp * (this.target - run.values[q]) - this.kd * run.values[qd]];
  }

  without(inputs) {
    return inputs.includes(this.index) ? undefined : this;
  }
}

const driveOf = ({ drives }, index) => drives.find(({ input }) => input === index);

// All of them; of two for one input the last counts.
export class Drivers {
  // `own` is the recording that the page began with, if there is one.
  constructor(own) {
    this.own = own;
    this.reset();
  }

  reset() {
    this.list = this.own ? [this.own] : [];
  }

  get recording() {
    return this.list.find(({ kind }) => kind === "recording");
  }

  given(run, t) {
    return this.list.flatMap((driver) => [...driver.given(run, t)]);
  }

  // The recording that ends with the step that was taken last.
  over(t, length) {
    const { recording } = this;
    return recording && t >= recording.end && t < recording.end + length ? recording : undefined;
  }

  get names() {
    return [...new Set(this.list.map(({ kind, name }) => name ?? TITLES[kind]))];
  }

  driven(run) {
    return new Set(this.given(run, run.instance.time).map(([index]) => index));
  }

  // Some inputs belong to a hand from now on.
  free(inputs) {
    this.list = this.list.map((driver) => driver.without(inputs)).filter(Boolean);
  }
}

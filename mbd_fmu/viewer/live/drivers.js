// Who drives inputs instead of a hand: PD on a joint, a sine, a recording.
export const TITLES = { pd: "PD", sine: "sine" };

const PACE = 12; // rad/s of a joint that PD holds, as it starts; critically damped

export class Sine {
  constructor(index, { amplitude = 1, frequency = 0.5, offset = 0 } = {}) {
    Object.assign(this, { kind: "sine", index, amplitude, frequency, offset });
  }

  static knobs = [
    ["amplitude", "amplitude"],
    ["frequency", "frequency, Hz"],
    ["offset", "offset"],
  ];

  // Of a prescribed motion, velocity and acceleration go with the position.
  *given(run, t) {
    const w = 2 * Math.PI * this.frequency,
      a = this.amplitude;
    const [, rate, second] = run.data.signals.find(([q]) => q === this.index) ?? [];
    yield [this.index, this.offset + a * Math.sin(w * t)];
    if (rate >= 0) yield [rate, a * w * Math.cos(w * t)];
    if (second >= 0) yield [second, -a * w * w * Math.sin(w * t)];
  }
}

export class Pd {
  constructor(index, { target = 0, kp = 1, kd = 1 } = {}) {
    Object.assign(this, { kind: "pd", index, target, kp, kd });
  }

  static knobs = [
    ["target", "target"],
    ["kp", "gain of position"],
    ["kd", "gain of velocity"],
  ];

  // Gains that suit what the drive feels now: what it takes to accelerate the joint.
  static fitted(run, index) {
    const { q, qdd } = run.data.drives.find((drive) => drive.input === index);
    const { instance } = run,
      saved = instance.save();
    const before = run.values[qdd];
    instance.set(index, run.values[index] + 1);
    const gain = instance.read()?.[qdd] - before;
    instance.restore(saved);
    run.look("change");
    const inertia = gain > 1e-12 ? 1 / gain : 1;
    const round = (x) => Number(x.toPrecision(2));
    return new Pd(index, {
      target: round(run.values[q]),
      kp: round(inertia * PACE ** 2),
      kd: round(2 * inertia * PACE),
    });
  }

  *given(run) {
    if (!run.values) return; // nothing is known before the motion begins
    const { q, qd } = run.data.drives.find((drive) => drive.input === this.index);
    yield [this.index, this.kp * (this.target - run.values[q]) - this.kd * run.values[qd]];
  }
}

// All of them; of two for one input the last counts.
export class Drivers {
  // `own` are those that the page began with.
  constructor(own = []) {
    Object.assign(this, { own, list: [...own] });
  }

  given(run, t) {
    return this.list.flatMap((driver) => [...driver.given(run, t)]);
  }

  // The one that ends with the step that was taken last.
  over(t, length) {
    const ends = ({ kind, end }) => kind === "recording" && t >= end && t < end + length;
    return this.list.find(ends);
  }

  get names() {
    return [...new Set(this.list.map(({ kind, name }) => name ?? TITLES[kind]))];
  }

  driven(run) {
    return new Set(this.given(run, run.instance.time).map(([index]) => index));
  }
}

// Whether to trust what is seen: balance of energy and errors of constraints, against bounds.
import { place } from "./place.js";

const show = (x) => (x === 0 ? "0" : x.toExponential(1));

export class Footer {
  constructor(run, data) {
    Object.assign(this, { run, data });
    this.line = place("p");
    this.element = place("footer", {}, this.line);
    run.addEventListener("restart", () => this.rebase());
    run.addEventListener("retune", () => this.rebase());
    run.addEventListener("step", () => this.watch());
    this.rebase();
  }

  // Energy that is neither there, put in nor lost.
  balance() {
    const { kinetic, potential, input_work: work, dissipated } = this.data.energy;
    const { values } = this.run;
    return values[kinetic] + values[potential] - values[work] + values[dissipated];
  }

  // A parameter that changes makes energy of nothing: it is counted from there.
  rebase() {
    this.moved = 0;
    this.off = 0;
    if (!this.data.energy || !this.run.values) return;
    this.first = this.balance();
    this.low = this.run.values[this.data.energy.potential];
  }

  watch() {
    const { energy } = this.data,
      { values } = this.run;
    if (!energy) return;
    const { kinetic, potential, input_work: work, dissipated } = energy;
    const amounts = [values[kinetic], values[potential] - this.low, values[work], values[dissipated]];
    this.moved = Math.max(this.moved, ...amounts.map(Math.abs));
    this.off = Math.abs(this.balance() - this.first) / (this.moved || 1);
  }

  // Each with its bound, and whether it is beyond.
  findings() {
    const { energy, quality, tolerance, length } = this.data,
      { values, failed, isStuck } = this.run,
      found = [];
    if (failed) return [["there is no motion: its start failed", true]];
    if (isStuck) found.push(["this is from before the failure", true]);
    if (energy) {
      const bound = 1000 * tolerance;
      found.push([`energy off by ${show(this.off)} of what moved (bound ${show(bound)})`, !(this.off <= bound)]);
    }
    if (quality) {
      const [position, bound] = [values[quality.position], 10 * tolerance * length];
      const words = `constraints off by ${show(position)} m (bound ${show(bound)})`;
      found.push([words, !(position <= bound)]);
    }
    return found;
  }

  draw() {
    const { run } = this,
      { pace } = run;
    const found = this.findings();
    const isDoubtful = found.some(([, beyond]) => beyond);
    const words = [
      ...(isDoubtful ? ["Not to be trusted"] : []),
      ...found.map(([text]) => text),
      `${run.cost.toFixed(2)} ms per step${run.playing && pace.isLate ? `, at ${Math.round(100 * pace.share)} % of the speed asked` : ""}`,
    ];
    this.element.classList.toggle("doubtful", isDoubtful);
    this.line.textContent = words.join(" · ");
  }
}

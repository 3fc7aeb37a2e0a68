// Whether to trust what is seen: balance of energy and errors of constraints, against bounds.
import { place } from "./place.js";

const ROUNDING = 16 * Number.EPSILON; // of the terms of the balance, each a sum itself

const show = (x) => (x === 0 ? "0" : x.toExponential(1));

export class Footer {
  constructor(run, data) {
    Object.assign(this, { run, data });
    this.line = place("p");
    // read aloud only when it turns: the line changes with every step
    this.said = place("p", { className: "unseen", role: "status" });
    this.element = place("footer", {}, this.line, this.said);
    run.addEventListener("restart", () => this.rebase());
    run.addEventListener("retune", () => this.rebase());
    run.addEventListener("step", () => this.watch());
    this.isDoubtful = false;
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
    this.terms = 0;
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
    // what rounds to nothing is no motion: at rest, rounding would be divided by rounding
    const terms = [kinetic, potential, work, dissipated].map((k) => Math.abs(values[k]));
    this.terms = Math.max(this.terms, terms.reduce((sum, x) => sum + x));
    const least = (ROUNDING * this.terms) / this.bound;
    this.off = Math.abs(this.balance() - this.first) / (Math.max(this.moved, least) || 1);
  }

  get bound() {
    return 1000 * this.data.tolerance;
  }

  // Each with its bound, and whether it is beyond.
  findings() {
    const { energy, quality, tolerance, length } = this.data,
      { values, failed, isStuck } = this.run,
      found = [];
    if (failed) return [["there is no motion: its start failed", true]];
    if (isStuck) found.push(["this is from before the failure", true]);
    if (energy) {
      const { off, bound } = this;
      found.push([`energy off by ${show(off)} of what moved (bound ${show(bound)})`, !(off <= bound)]);
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
    const doubts = found.filter(([, beyond]) => beyond).map(([text]) => text),
      isDoubtful = doubts.length > 0;
    const words = [
      ...(isDoubtful ? ["Not to be trusted"] : []),
      ...found.map(([text]) => text),
      `${run.cost.toFixed(2)} ms per step${run.playing && pace.isLate ? `, at ${Math.round(100 * pace.share)} % of the speed asked` : ""}`,
    ];
    this.line.textContent = words.join(" · ");
    if (isDoubtful === this.isDoubtful) return;
    this.isDoubtful = isDoubtful;
    this.element.classList.toggle("doubtful", isDoubtful);
    this.said.textContent = isDoubtful ? `Not to be trusted: ${doubts.join(", ")}` : "To be trusted again";
  }
}

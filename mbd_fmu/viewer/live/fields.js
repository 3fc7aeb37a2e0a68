// One variable under the hand: a slider for its usual range, and a number for the rest.
import { rounded } from "../numbers.js";
import { unitText } from "../plotting.js";
import { place } from "./place.js";

let count = 0;

export const exact = (x) => String(rounded(x, 6));

// Where a value is on its slider, and what is there: two digits are as many as a hand finds.
const LINE = { place: (x) => x, value: (at) => at };
const POWERS = { place: Math.log10, value: (at) => Number((10 ** at).toPrecision(2)) };

export class Field {
  constructor(variable, value, { onChange, onRefuse }) {
    Object.assign(this, { variable, onChange, onRefuse });
    const { name, unit, min, max, low, high, by_powers, description } = variable;
    const id = `field-${count++}`;
    this.element = place("div", { className: "field", title: description });
    const label = place("label", { htmlFor: id, textContent: name });
    const step = "any";
    this.course = by_powers ? POWERS : LINE;
    const [least, most] = [low, high].map(this.course.place);
    this.slider = place("input", { type: "range", min: least, max: most, step });
    this.slider.setAttribute("aria-label", `${name}, slider`);
    this.number = place("input", { type: "number", id, step });
    if (min !== null) this.number.min = min;
    if (max !== null) this.number.max = max;
    const units = place("span", { className: "unit", textContent: unitText(unit) });
    this.element.append(label, this.slider, this.number, units);
    this.slider.addEventListener("input", () => this.take(this.slider));
    this.number.addEventListener("change", () => this.take(this.number));
    this.show(value);
  }

  // What the mechanism cannot have is not taken: what it has stands there again.
  take(from) {
    const at = from.valueAsNumber;
    const value = from === this.slider ? this.within(this.course.value(at)) : at;
    if (!Number.isFinite(value) || !from.checkValidity()) {
      const found = from.value || "this";
      this.show(this.value);
      this.onRefuse(`${this.variable.name}: ${found} is no number${this.limits}; it stays ${this.number.value}`);
      return;
    }
    this.show(value, from);
    this.onChange(value);
  }

  within(value) {
    const { low, high } = this.variable;
    return Math.min(Math.max(value, low), high);
  }

  get limits() {
    const { min, max } = this.variable;
    if (min !== null && max !== null) return ` from ${exact(min)} to ${exact(max)}`;
    if (min !== null) return ` from ${exact(min)} on`;
    return max === null ? "" : ` up to ${exact(max)}`;
  }

  show(value, from) {
    this.value = value;
    this.slider.value = this.course.place(value);
    this.slider.setAttribute("aria-valuetext", exact(value));
    if (from !== this.number) this.number.value = exact(value);
  }

  // Somebody else drives it, until it is moved by hand.
  get driven() {
    return this.element.classList.contains("driven");
  }

  set driven(on) {
    this.element.classList.toggle("driven", on);
    for (const input of [this.slider, this.number])
      if (on) input.setAttribute("aria-description", "driven; who moves it takes it over");
      else input.removeAttribute("aria-description");
  }
}

// All that a hand can set, in sections: inputs, gravity, parameters, start values, solver.
import { Field, exact } from "./fields.js";
import { place } from "./place.js";

const MANY = 10; // fields: more get a filter
const SECTIONS = [
  ["input", "Inputs", ""],
  ["gravity", "Gravity", "added to"],
  ["parameter", "Parameters", "fixed ones start the motion anew"],
  ["start", "Start values", "start the motion anew"],
  ["solver", "Solver", "starts the motion anew"],
];

export function section(title, note = "", open = false) {
  const more = note ? [place("small", { textContent: ` ${note}` })] : [];
  return place("details", { open }, place("summary", {}, title, ...more));
}

export class Controls {
  constructor(run, variables) {
    this.run = run;
    this.fields = new Map();
    this.elements = SECTIONS.flatMap(([role, title, note]) => {
      const own = [...variables.entries()].filter(([, variable]) => variable.role === role);
      const more = role === "gravity" ? ` ${run.data.gravity.map(exact).join(", ")} m/s²` : "";
      return own.length ? [this.section(own, title, note + more, role === "input")] : [];
    });
    this.taken = this.notice();
    this.elements[0]?.querySelector("summary").after(this.taken);
    for (const what of ["restart", "change", "retune"])
      run.addEventListener(what, () => this.show());
  }

  section(own, title, note, open) {
    const element = section(title, note, open);
    if (own.length > MANY) element.append(this.filter(own, title));
    for (const [index, variable] of own) {
      const field = new Field(variable, this.run.setting(index), {
        onChange: (x) => this.take(index, x),
        onRefuse: (words) => this.run.tell("message", { words, isError: true }),
      });
      this.fields.set(index, field);
      element.append(field.element);
    }
    return element;
  }

  // Who moves what others drive takes it over.
  take(index, value) {
    if (this.fields.get(index).driven) this.run.tell("take over", index);
    this.run.set(index, value);
  }

  filter(own, title) {
    const input = place("input", { type: "search", placeholder: `${own.length}: find` });
    input.setAttribute("aria-label", `find in ${title}`);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const [index, { name }] of own)
        this.fields.get(index).element.hidden = !name.toLowerCase().includes(wanted);
    });
    return input;
  }

  // Who drives what is grey, and what makes it free.
  notice() {
    const button = place("button", { type: "button", textContent: "take over all" });
    button.addEventListener("click", () => this.run.tell("take over"));
    this.drivenBy = place("span");
    return place("p", { className: "taken", hidden: true }, this.drivenBy, button);
  }

  // What others have set: a link, a reset.
  show() {
    for (const [index, field] of this.fields)
      if (document.activeElement !== field.slider) this.write(field, this.run.setting(index));
  }

  // Where somebody types, nobody else writes.
  write(field, value) {
    if (document.activeElement !== field.number) field.show(value);
  }

  // What somebody else drives is shown, until it is moved.
  follow(driven) {
    this.taken.hidden = !driven.size;
    this.drivenBy.textContent = `grey: driven by ${this.run.drivers.names.join(", ")}, until you move it`;
    for (const [index, field] of this.fields) {
      const on = driven.has(index);
      if (field.driven !== on) field.driven = on;
      if (on && this.run.values) this.write(field, this.run.values[index]);
    }
  }
}

// All that a hand can set, in sections: inputs, gravity, parameters, start values, solver.
import { Field, short } from "./fields.js";

const MANY = 10; // fields: more get a filter
const SECTIONS = [
  ["input", "Inputs", ""],
  ["gravity", "Gravity", "added to"],
  ["parameter", "Parameters", "fixed ones start the motion anew"],
  ["start", "Start values", "start the motion anew"],
  ["solver", "Solver", "starts the motion anew"],
];

export function section(title, note = "", open = false) {
  const element = Object.assign(document.createElement("details"), { open });
  const head = Object.assign(document.createElement("summary"), { textContent: title });
  if (note)
    head.append(Object.assign(document.createElement("small"), { textContent: ` ${note}` }));
  element.append(head);
  return element;
}

export class Controls {
  constructor(run, variables) {
    this.run = run;
    this.fields = new Map();
    this.elements = SECTIONS.flatMap(([role, title, note]) => {
      const own = [...variables.entries()].filter(([, variable]) => variable.role === role);
      const more = role === "gravity" ? ` ${run.data.gravity.map(short).join(", ")} m/s²` : "";
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
        onChange: (x) => this.run.set(index, x),
        onRefuse: (words) => this.run.tell("message", { words, isError: true }),
      });
      this.fields.set(index, field);
      element.append(field.element);
    }
    return element;
  }

  filter(own, title) {
    const input = Object.assign(document.createElement("input"), {
      type: "search",
      placeholder: `${own.length}: find`,
    });
    input.setAttribute("aria-label", `find in ${title}`);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const [index, { name }] of own)
        this.fields.get(index).element.hidden = !name.toLowerCase().includes(wanted);
    });
    return input;
  }

  // Why a field cannot be set, and what makes it free.
  notice() {
    const element = Object.assign(document.createElement("p"), { className: "taken", hidden: true });
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: "take over",
    });
    button.addEventListener("click", () => this.run.tell("take over"));
    this.drivenBy = document.createElement("span");
    element.append(this.drivenBy, button);
    return element;
  }

  // What others have set: a link, a reset.
  show() {
    for (const [index, field] of this.fields)
      if (document.activeElement !== field.number && document.activeElement !== field.slider)
        field.show(this.run.setting(index));
  }

  // What somebody else drives is shown, not set.
  follow(driven) {
    this.taken.hidden = !driven.size;
    this.drivenBy.textContent = `grey: driven by ${this.run.drivers.names.join(", ")}`;
    for (const [index, field] of this.fields) {
      const on = driven.has(index);
      if (field.driven !== on) field.driven = on;
      if (on && this.run.values) field.show(this.run.values[index]);
    }
  }
}

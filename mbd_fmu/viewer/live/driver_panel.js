// The section where drivers are added, turned and removed.
import { section } from "./controls.js";
import { Pd, Sine, TITLES } from "./drivers.js";
import { place } from "./place.js";
import { parseRecording } from "./recording.js";

const KINDS = { pd: Pd, sine: Sine };

export class DriverPanel {
  constructor(run, tell) {
    Object.assign(this, { run, tell });
    this.element = section("Controllers", "", run.drivers.list.length > 0);
    this.list = place("div", { className: "drivers" });
    // an event without detail says null
    run.addEventListener("take over", ({ detail }) => this.takeOver(detail ?? undefined));
    this.element.append(this.adder(), this.picker(), this.list);
    this.show();
  }

  adder() {
    const row = place("div", { className: "row" });
    const { variables, data } = this.run;
    const inputs = [...variables.entries()].filter(([, v]) => v.role === "input");
    if (!inputs.length) return row;
    const select = place("select");
    select.setAttribute("aria-label", "input to drive");
    for (const [index, { name }] of inputs)
      select.append(place("option", { value: index, textContent: name }));
    const pd = place("button", { type: "button", textContent: "PD" });
    const sine = place("button", { type: "button", textContent: "sine" });
    const canHold = (index) => data.drives.some(({ input }) => input === index);
    const look = () => (pd.disabled = !canHold(Number(select.value)));
    select.addEventListener("change", look);
    look();
    pd.addEventListener("click", () => {
      if (this.run.failed) this.tell("PD: its gains are fitted to a motion, and there is none", true);
      else this.add(Pd.fitted(this.run, Number(select.value)));
    });
    sine.addEventListener("click", () => this.add(this.usual(Number(select.value))));
    row.append(select, pd, sine);
    return row;
  }

  usual(index) {
    const { high } = this.run.variables[index];
    return new Sine(index, { amplitude: Number((high / 4).toPrecision(2)) });
  }

  picker() {
    const label = place("label", { className: "file", textContent: "recorded inputs: choose or drop a CSV file" });
    const input = place("input", { type: "file", accept: ".csv,text/csv" });
    input.addEventListener("change", () => {
      if (input.files[0]) this.open(input.files[0]);
      input.value = "";
    });
    label.append(input);
    return label;
  }

  async open(file) {
    try {
      this.add(parseRecording(await file.text(), file.name, this.run.variables));
    } catch (error) {
      this.tell(error.message, true);
    }
  }

  // There is one recording, and one for each input beside it.
  add(driver) {
    const { list } = this.run.drivers,
      isRecording = driver.kind === "recording";
    const others = list.filter(({ kind, index }) =>
      kind === "recording" ? !isRecording : index !== driver.index,
    );
    this.appoint([...others, driver]);
  }

  remove(driver) {
    this.appoint(this.run.drivers.list.filter((other) => other !== driver));
  }

  // An input that nobody drives any more goes back to what the hand had set.
  appoint(list) {
    const { run } = this,
      before = run.drivers.driven(run);
    run.drivers.list = list;
    const after = run.drivers.driven(run);
    for (const index of before)
      if (!after.has(index) && !run.failed) run.set(index, run.setting(index));
    this.changed();
  }

  // The hand goes on from where they are: with one input and what belongs to it, or with all.
  takeOver(index) {
    const { run } = this,
      together = run.data.signals.find((signal) => signal.includes(index)) ?? [index];
    const driven = [...run.drivers.driven(run)];
    const taken = index === undefined ? driven : driven.filter((k) => together.includes(k));
    if (index === undefined) run.drivers.list = [];
    else run.drivers.free(taken);
    for (const k of taken) run.set(k, run.values?.[k] ?? run.setting(k));
    this.changed();
  }

  changed() {
    this.show();
    this.run.tell("drivers");
  }

  show() {
    this.list.replaceChildren(...this.run.drivers.list.map((driver) => this.card(driver)));
  }

  title({ kind, name, index }) {
    return name ?? `${TITLES[kind]} on ${this.run.variables[index].name}`;
  }

  card(driver) {
    const card = place("fieldset");
    const title = this.title(driver);
    card.append(place("legend", { textContent: title }));
    for (const knob of driver.knobs(this.run)) card.append(this.knob(driver, knob));
    const remove = place("button", { type: "button", textContent: "remove" });
    remove.setAttribute("aria-label", `remove ${title}`);
    remove.addEventListener("click", () => this.remove(driver));
    card.append(remove);
    return card;
  }

  // What is no number is not taken: as soon as nobody types any more, what holds stands there again.
  knob(driver, [key, words, unit]) {
    const input = place("input", { type: "number", step: "any", value: driver[key] });
    input.addEventListener("input", () => {
      if (!Number.isFinite(input.valueAsNumber)) return;
      driver[key] = input.valueAsNumber;
      this.run.tell("drivers");
    });
    input.addEventListener("change", () => {
      if (Number.isFinite(input.valueAsNumber)) return;
      input.value = driver[key];
      this.tell(`${this.title(driver)}, ${words}: this is no number; it stays ${driver[key]}`, true);
    });
    return place("label", {}, unit ? `${words}, ${unit} ` : `${words} `, input);
  }

  // As an address says them; recordings of files are too long for one.
  written() {
    return this.run.drivers.list
      .filter(({ kind }) => kind !== "recording")
      .map(({ kind, index, ...knobs }) => ({ kind, name: this.run.variables[index].name, knobs }));
  }

  take(list, find) {
    const made = list.flatMap(({ kind, name, knobs }) =>
      find(name) >= 0 && KINDS[kind] ? [new KINDS[kind](find(name), knobs)] : [],
    );
    const { drivers } = this.run;
    drivers.list = [...drivers.list.filter(({ kind }) => kind === "recording"), ...made];
    this.show();
  }
}

// Play, one step, reset, speed; views; what is drawn; a link to what is seen.
import { toggleTheme } from "../theme.js";
import { SHOWN, VIEWS, keyOf, shownBox, viewButton } from "../toolbar.js";
import { SPEEDS } from "./run.js";

const { joints, names, reactions } = SHOWN;
const BOXES = { joints, names, reactions };

const BAR = `
  <div class="run">
    <button type="button" class="play" aria-label="play or pause" title="play or pause (space)"></button>
    <button type="button" class="step" title="one step (.)">step</button>
    <button type="button" class="reset" title="back to the start (home)">reset</button>
    <select class="speed" aria-label="speed" title="speed">${SPEEDS.map((s) => `<option value="${s}">${s}×</option>`).join("")}</select>
    <output class="clock" aria-label="time of the motion"></output>
  </div>
  <div class="views" role="group" aria-label="views">${Object.entries(VIEWS).map(viewButton).join("")}</div>
  <div class="shown" role="group" aria-label="shown">${Object.entries(BOXES).map(shownBox).join("")}</div>
  <div class="tools" role="group" aria-label="tools">
    <button type="button" class="defaults" title="all values and controllers as the model has them">defaults</button>
    <button type="button" class="link" title="an address that shows what I see">link</button>
    <button type="button" class="theme" title="light or dark (d)">light or dark</button>
  </div>`;

const ACTIONS = ["play", "step", "reset", "defaults", "link"];
const KEYS = { " ": "play", ".": "step", Home: "reset" }; // beside those of all pages
// Keys that controls use themselves when they have the focus; a slider has no use for these.
const OWN = { INPUT: /./, SELECT: /./, TEXTAREA: /./, BUTTON: / /, SUMMARY: / / };

function isOwn({ target, key }) {
  if (target.type === "range") return /\d|Home/.test(key);
  if (target.type === "checkbox") return key === " ";
  return OWN[target.tagName]?.test(key) ?? false;
}

export class Toolbar {
  // `actions` has a function for each button, `look` for views, `choose` for what is drawn.
  constructor(run, actions) {
    this.run = run;
    this.element = Object.assign(document.createElement("div"), {
      className: "toolbar",
      innerHTML: BAR,
    });
    this.find = (selector) => this.element.querySelector(selector);
    for (const name of ACTIONS) this.find(`.${name}`).addEventListener("click", actions[name]);
    for (const button of this.element.querySelectorAll("[data-view]"))
      button.addEventListener("click", () => actions.look(button.dataset.view));
    this.find(".theme").addEventListener("click", toggleTheme);
    this.find(".speed").value = String(run.speed);
    this.find(".speed").addEventListener("change", (event) => {
      run.speed = Number(event.target.value);
    });
    for (const box of this.boxes) box.addEventListener("change", () => actions.choose());
    const keys = { d: toggleTheme };
    for (const [key, name] of Object.entries(KEYS)) keys[key] = actions[name];
    for (const [name, [, key]] of Object.entries(VIEWS)) keys[key] = () => actions.look(name);
    for (const [name, [, key]] of Object.entries(BOXES)) keys[key] = () => this.find(`[name=${name}]`).click();
    document.addEventListener("keydown", (event) => {
      const key = keyOf(event);
      if (!(key in keys) || isOwn(event)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[key]();
    });
  }

  get boxes() {
    return [...this.element.querySelectorAll("input[type=checkbox]")];
  }

  get shown() {
    return this.boxes.filter((box) => box.checked).map((box) => box.name);
  }

  set shown(names) {
    for (const box of this.boxes) box.checked = names.includes(box.name);
  }

  draw() {
    this.find(".play").classList.toggle("on", this.run.playing);
    this.find(".play").setAttribute("aria-pressed", String(this.run.playing));
    this.find(".clock").textContent = `${this.run.instance.time.toFixed(2)} s`;
  }
}

// Play, one step, reset, speed; views; what is drawn; tools, and a link to what is seen.
import { helpDialog, listenToKeys } from "../keys.js";
import { toggleTheme } from "../theme.js";
import { SHOWN, TOOLS, VIEWS, shownBox, viewButtons } from "../toolbar.js";
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
  <div class="views" role="group" aria-label="views">${viewButtons()}</div>
  <div class="shown" role="group" aria-label="shown">${Object.entries(BOXES).map(shownBox).join("")}</div>
  <div class="tools" role="group" aria-label="tools">
    <button type="button" class="defaults" title="all values and controllers as the model has them">defaults</button>
    <button type="button" class="link" title="an address that shows what I see">link</button>${TOOLS}
  </div>`;

const ACTIONS = ["play", "step", "reset", "defaults", "link", "measure"];

// what a keyboard event calls it: [what it is called, what it does, how]
const KEYS = {
  " ": ["space", "play or pause", ({ actions }) => actions.play()],
  ".": [".", "one step", ({ actions }) => actions.step()],
  Home: ["home", "back to the start", ({ actions }) => actions.reset()],
  ...Object.fromEntries(
    Object.entries(VIEWS).map(([name, [text, key]]) => [
      key,
      [key, `look: ${text}`, ({ actions }) => actions.look(name)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(BOXES).map(([name, [text, key]]) => [
      key,
      [key, `show or hide ${text}`, ({ find }) => find(`[name=${name}]`).click()],
    ]),
  ),
  b: ["b", "list of bodies", ({ actions }) => actions.list()],
  m: ["m", "measure", ({ actions }) => actions.measure()],
  d: ["d", "light or dark", toggleTheme],
  Escape: ["esc", "leave measuring", ({ actions }) => actions.leave()],
  "?": ["?", "these keys", ({ dialog }) => dialog.showModal()],
};
const MOUSE = `Drag a body to pull it; drag beside it to turn the view. The wheel zooms, the right button
  moves. Where the page scrolls, the wheel zooms after a click on the picture, or with Ctrl.`;

export class Toolbar {
  // `actions` has a function for each button, `look` for views, `choose` for what is drawn.
  constructor(run, actions) {
    Object.assign(this, { run, actions });
    this.element = Object.assign(document.createElement("div"), {
      className: "toolbar",
      innerHTML: BAR,
    });
    this.find = (selector) => this.element.querySelector(selector);
    this.dialog = helpDialog(KEYS, MOUSE);
    this.element.append(this.dialog);
    for (const name of ACTIONS) this.find(`.${name}`).addEventListener("click", actions[name]);
    for (const button of this.element.querySelectorAll("[data-view]"))
      button.addEventListener("click", () => actions.look(button.dataset.view));
    this.find(".theme").addEventListener("click", toggleTheme);
    this.find(".help").addEventListener("click", () => this.dialog.showModal());
    this.find(".speed").value = String(run.speed);
    this.find(".speed").addEventListener("change", (event) => {
      run.speed = Number(event.target.value);
    });
    for (const box of this.boxes) box.addEventListener("change", () => actions.choose());
    listenToKeys(document, () => this, KEYS);
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

// What is below a picture: play and time, views, what is shown, and tools.
import { toggleTheme } from "./theme.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

// name: text on its button, key
export const VIEWS = {
  front: ["front", "1"],
  side: ["side", "2"],
  top: ["top", "3"],
  iso: ["iso", "4"],
  home: ["home", "0"],
};

// name: text, key
export const SHOWN = {
  joints: ["symbols", "j"],
  names: ["names", "n"],
  paths: ["paths", "p"],
  reactions: ["reactions", "r"],
  loads: ["loads", "l"],
  follow: ["follow", "f"],
};

// What was pressed, as it is called there: letters are the same large and small.
export const keyOf = ({ key }) => (key.length === 1 ? key.toLowerCase() : key);

const viewButton = ([name, [text, key]]) =>
  `<button type="button" class="${name}" data-view="${name}" title="look from there: ${name} (${key})">${text}</button>`;

export const shownBox = ([name, [text, key]]) =>
  `<label title="${key}"><input type="checkbox" name="${name}"${name === "joints" ? " checked" : ""}> ${text}</label>`;

export const viewButtons = () => Object.entries(VIEWS).map(viewButton).join("");

// Those of all pictures.
export const TOOLS = `
    <button type="button" class="measure" aria-pressed="false" title="distances and angles between points (m)">measure</button>
    <button type="button" class="theme" title="light or dark (d)">light or dark</button>
    <button type="button" class="help" title="keys (?)">keys</button>`;

const TOOLBAR = `
  <div class="run">
    <button type="button" class="play" aria-label="play" title="play or pause (space)"></button>
    <input type="range" class="scrub" min="0" max="1" step="any" value="0" aria-label="time">
    <output class="clock"></output>
    <select class="speed" aria-label="speed">${SPEEDS.map((s) => `<option value="${s}">${s}×</option>`).join("")}</select>
  </div>
  <div class="views" role="group" aria-label="views">${viewButtons()}</div>
  <div class="shown" role="group" aria-label="shown">${Object.entries(SHOWN).map(shownBox).join("")}</div>
  <div class="tools" role="group" aria-label="tools">${TOOLS}
  </div>`;

export function makeToolbar(player) {
  const bar = Object.assign(document.createElement("div"), {
    className: "toolbar",
    innerHTML: TOOLBAR,
  });
  const find = (selector) => bar.querySelector(selector);
  find(".play").addEventListener("click", () => player.toggle());
  find(".scrub").addEventListener("input", (event) => player.seek(Number(event.target.value)));
  Object.assign(find(".scrub"), { min: player.start, max: player.stop, value: player.start });
  find(".speed").value = "1";
  find(".speed").addEventListener("change", (event) => (player.speed = Number(event.target.value)));
  for (const button of bar.querySelectorAll("[data-view]"))
    button.addEventListener("click", () => player.picture.look(button.dataset.view));
  for (const box of bar.querySelectorAll("input[type=checkbox]"))
    box.addEventListener("change", () => player.choose(box.name, box.checked));
  find(".measure").addEventListener("click", () => player.measure.toggle());
  find(".theme").addEventListener("click", toggleTheme);
  find(".help").addEventListener("click", () => player.help());
  const { reactions, outside, joints, marks, travels } = player.mechanism;
  if (!travels) find("[name=follow]").closest("label").remove();
  if (!outside.list.length) find("[name=loads]").closest("label").remove();
  if (!reactions.list.length) find("[name=reactions]").closest("label").remove();
  if (!joints.length && !marks.length) find("[name=joints]").closest("label").remove();
  return bar;
}

// What keys do, and a page that tells.
import { SHOWN, VIEWS, keyOf } from "./toolbar.js";
import { toggleTheme } from "./theme.js";

const STEP = 0.01; // of the whole time, by an arrow; ten times as much with shift

const hop = (sign) => (player, event) =>
  player.seek(player.within(player.t + sign * (event.shiftKey ? 10 : 1) * STEP * player.span));
const check = (name) => (player) => player.bar.querySelector(`[name=${name}]`)?.click();

// what a keyboard event calls it: [what it is called, what it does, how]
const KEYS = {
  " ": ["space", "play or pause", (player) => player.toggle()],
  ArrowLeft: ["←", "back by 1 %, with shift by 10 %", hop(-1)],
  ArrowRight: ["→", "on by 1 %, with shift by 10 %", hop(1)],
  Home: ["home", "to the start", (player) => player.seek(player.start)],
  End: ["end", "to the end", (player) => player.seek(player.stop)],
  ...Object.fromEntries(
    Object.entries(VIEWS).map(([name, [text, key]]) => [
      key,
      [key, `look: ${text}`, (player) => player.picture.look(name)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SHOWN).map(([name, [text, key]]) => [
      key,
      [key, `show or hide ${text}`, check(name)],
    ]),
  ),
  b: ["b", "list of bodies", (player) => (player.bodies.open = !player.bodies.open)],
  m: ["m", "measure", (player) => player.measure.toggle()],
  Escape: ["esc", "leave measuring", (player) => player.measure.active && player.measure.toggle()],
  d: ["d", "light or dark", toggleTheme],
  Escape: ["esc", "leave measuring", (player) => player.measure.leave()],
  "?": ["?", "these keys", (player) => player.help()],
};

const MOUSE = `Mouse: drag turns, the wheel zooms, the right button moves. Where a page has more than the
  picture, the wheel zooms after a click on it, or with Ctrl.`;

// Keys that controls use themselves when they have the focus; a slider has no use for letters.
const OWN = { INPUT: /./, SELECT: /./, TEXTAREA: /./, BUTTON: / /, SUMMARY: / / };

function isOwn({ target, key }) {
  if (key === "Escape") return false;
  if (target.type === "range") return /^\d$|Arrow|Home|End/.test(key);
  if (target.type === "checkbox") return key === " ";
  return OWN[target.tagName]?.test(key) ?? false;
}

// Keys anywhere in `place` are for the player that is there at the time.
export function listenToKeys(place, playerNow, keys = KEYS) {
  place.addEventListener("keydown", (event) => {
    const player = playerNow(),
      key = keyOf(event);
    if (!player || !(key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isOwn(event) || event.target.closest("dialog")) return;
    event.preventDefault();
    keys[key][2](player, event);
  });
}

export function helpDialog(keys = KEYS, mouse = MOUSE) {
  const rows = Object.values(keys).map(
    ([key, text]) => `<tr><th scope="row"><kbd>${key}</kbd></th><td>${text}</td></tr>`,
  );
  const dialog = Object.assign(document.createElement("dialog"), {
    className: "keys",
    innerHTML: `<h2>Keys</h2><table>${rows.join("")}</table>
      <p>${mouse}</p>
      <form method="dialog"><button>close</button></form>`,
  });
  dialog.setAttribute("aria-label", "keys");
  return dialog;
}

// The mechanisms of a page: each gets its player, or is drawn once for a file.
import { listenToKeys } from "./keys.js";
import { Player } from "./player.js";
import { setTheme } from "./theme.js";

// Who asked the system for little motion starts it by hand.
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

const parse = (host) =>
  ["scene", "motion"].map((kind) => JSON.parse(host.querySelector(`script.${kind}`).textContent));

// Pictures of given instants, written into the page: for programs that want files.
function record(host, { times, size, shows }) {
  setTheme("light"); // whatever the machine likes that draws them
  const player = new Player(host, ...parse(host), { width: size[0], height: size[1] });
  for (const what of shows) player.choose(what, true);
  for (const t of times) {
    player.seek(t);
    const frame = document.createElement("pre");
    frame.className = "frame";
    frame.textContent = player.renderer.domElement.toDataURL("image/png");
    document.body.append(frame);
  }
}

// Browsers lend only some sixteen WebGL contexts: players live while they are near the window.
function play(host) {
  const data = parse(host);
  let player, asked;
  host.tabIndex = 0;
  host.setAttribute("role", "group");
  host.setAttribute("aria-label", `motion of ${data[0].model}, ? lists its keys`);
  // plots of the same run ask for an instant
  host.addEventListener("goto", ({ detail: { t } }) => {
    asked = t;
    player?.seek(t);
  });
  listenToKeys(document.body.classList.contains("whole") ? document : host, () => player);
  new IntersectionObserver(
    (entries) => {
      const entry = entries.at(-1);
      if (entry.isIntersecting && !player) {
        player = new Player(host, ...data);
        host.player = player;
        player.bar.querySelector("[name=loads]")?.click(); // what acts from outside is seen at once
        if (asked !== undefined) player.seek(asked);
        if (host.dataset.play !== undefined && !calm.matches) player.toggle();
      } else if (!entry.isIntersecting && player) {
        host.style.minHeight = `${host.clientHeight}px`;
        asked = player.t;
        player.dispose();
        player = host.player = undefined;
      }
    },
    { rootMargin: "300px" },
  ).observe(host);
}

const canDraw = document.createElement("canvas").getContext("webgl2") !== null;
for (const host of document.querySelectorAll(".mechanism")) {
  if (!canDraw)
    host.innerHTML =
      '<p class="note">This browser has no WebGL 2: the motion cannot be drawn here.</p>';
  else if (host.dataset.record) record(host, JSON.parse(host.dataset.record));
  else play(host);
}

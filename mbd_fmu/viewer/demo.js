// The page of the demo: mechanisms side by side that move at once, stepped here where WebAssembly
// can be; below them what was judged, with its motions and signals.
import { moduleOf } from "./live/module.js";
import { Tile } from "./live/tile.js";
import "./run.js";

async function begin(host) {
  const data = JSON.parse(host.querySelector("script.data").textContent);
  host.tile = new Tile(host, data, await moduleOf(data));
}

const canDraw = document.createElement("canvas").getContext("webgl2") !== null;
for (const host of document.querySelectorAll(".tile .live")) {
  const say = (words) => {
    host.replaceChildren(Object.assign(document.createElement("p"), { className: "note" }));
    host.firstChild.textContent = words;
  };
  if (!canDraw) say("This browser has no WebGL 2: the motion cannot be drawn here.");
  else begin(host).catch((error) => say(`The mechanism cannot be shown: ${error.message}`));
}

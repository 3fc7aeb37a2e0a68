// Entry of a live page: the module is compiled, then the mechanism moves.
import { through } from "./live/address.js";
import { LivePage } from "./live/page.js";

const host = document.querySelector(".live");
const data = JSON.parse(host.querySelector("script.data").textContent);
const packed = Uint8Array.from(atob(data.module), (c) => c.charCodeAt(0));

const say = (words) => {
  host.innerHTML = '<p class="message alarm" role="alert"></p>';
  host.firstChild.textContent = words;
};

async function begin() {
  if (document.createElement("canvas").getContext("webgl2") === null)
    return say("This browser has no WebGL 2: the mechanism cannot be drawn here.");
  const bytes = await through(new DecompressionStream("deflate-raw"), packed);
  const page = new LivePage(host, data, await WebAssembly.compile(bytes));
  host.page = page;
  await page.begin(location.hash);
  window.addEventListener("hashchange", () => page.open(location.hash));
}

begin().catch((error) => say(`The mechanism cannot be shown: ${error.message}`));

// Entry of a live page: the module is compiled, then the mechanism moves.
import { moduleOf } from "./live/module.js";
import { LivePage } from "./live/page.js";

const host = document.querySelector(".live");
const data = JSON.parse(host.querySelector("script.data").textContent);

const say = (words) => {
  host.innerHTML = '<p class="message alarm" role="alert"></p>';
  host.firstChild.textContent = words;
};

async function begin() {
  if (document.createElement("canvas").getContext("webgl2") === null)
    return say("This browser has no WebGL 2: the mechanism cannot be drawn here.");
  const page = new LivePage(host, data, await moduleOf(data));
  host.page = page;
  await page.begin(location.hash);
  window.addEventListener("hashchange", () => page.sharing.follow(location.hash));
}

begin().catch((error) => say(`The mechanism cannot be shown: ${error.message}`));

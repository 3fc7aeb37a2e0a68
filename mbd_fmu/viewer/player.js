// A mechanism in motion: play, pause, scrub, orbit; joints, names, paths and reactions on demand.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { CSS2DRenderer } from "three/addons/renderers/CSS2DRenderer.js";
import { Mechanism } from "mbd/mechanism";
import { makeCamera, makeGround, makeLights } from "mbd/stage";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

const TOOLBAR = `
  <button type="button" class="play" aria-label="play" title="play or pause (space)"></button>
  <input type="range" class="scrub" min="0" max="1" step="any" value="0" aria-label="time">
  <output class="clock"></output>
  <select class="speed" aria-label="speed">${SPEEDS.map((s) => `<option value="${s}">${s}×</option>`).join("")}</select>
  <label><input type="checkbox" name="joints" checked> joints</label>
  <label><input type="checkbox" name="names"> names</label>
  <label><input type="checkbox" name="paths"> paths</label>
  <label><input type="checkbox" name="reactions"> reactions</label>
  <button type="button" class="home" title="look from where it began">⌂</button>`;

const short = (x) => Number(x.toPrecision(3)).toString();

class Player {
  constructor(host, scene, motion, size) {
    this.host = host;
    this.given = size;
    this.mechanism = new Mechanism(scene, motion);
    const { time, box, places } = this.mechanism;
    [this.start, this.stop] = [time[0], time[time.length - 1]];
    this.world = new THREE.Scene();
    this.world.background = new THREE.Color(0xf7f9fb);
    const { ground, step } = makeGround(scene, box);
    this.world.add(this.mechanism.root, ground, ...makeLights(scene, box));
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.setPixelRatio(window.devicePixelRatio);
    this.labels = new CSS2DRenderer();
    this.picture = Object.assign(document.createElement("div"), { className: "picture" });
    this.labels.domElement.className = "labels";
    this.picture.append(this.renderer.domElement, this.labels.domElement);
    this.note = Object.assign(document.createElement("p"), { className: "note" });
    this.grid = `grid ${short(step)} m`;
    this.host.replaceChildren(this.picture, this.note);
    const { width, height } = this.measureRoom();
    ({ camera: this.camera, middle: this.middle } = makeCamera(scene, box, places, width / height));
    this.controls = new OrbitControls(this.camera, this.picture);
    this.controls.target.copy(this.middle);
    this.controls.addEventListener("change", () => this.draw());
    this.controls.update();
    this.controls.saveState();
    this.speed = 1;
    this.playing = false;
    this.addToolbar();
    this.resize();
    this.seek(this.start);
  }

  measureRoom() {
    if (this.given) return this.given;
    const width = Math.max(this.host.clientWidth, 200);
    return { width, height: Math.round(Math.min(0.6 * width, 560)) };
  }

  addToolbar() {
    this.bar = Object.assign(document.createElement("div"), {
      className: "toolbar",
      innerHTML: TOOLBAR,
    });
    this.host.insertBefore(this.bar, this.note);
    const find = (selector) => this.bar.querySelector(selector);
    this.scrub = find(".scrub");
    this.clock = find(".clock");
    this.button = find(".play");
    Object.assign(this.scrub, { min: this.start, max: this.stop, value: this.start });
    this.button.addEventListener("click", () => this.toggle());
    this.scrub.addEventListener("input", () => this.seek(Number(this.scrub.value)));
    find(".speed").value = "1";
    find(".speed").addEventListener("change", (event) => (this.speed = Number(event.target.value)));
    find(".home").addEventListener("click", () => this.controls.reset());
    for (const box of this.bar.querySelectorAll("input[type=checkbox]"))
      box.addEventListener("change", () => this.choose(box.name, box.checked));
    if (!this.mechanism.arrows.length) find("[name=reactions]").closest("label").remove();
    if (!this.mechanism.joints.length) find("[name=joints]").closest("label").remove();
  }

  choose(what, on) {
    const { mechanism } = this;
    if (what === "joints")
      for (const symbol of [...mechanism.joints, ...mechanism.supports]) symbol.visible = on;
    if (what === "names") for (const label of mechanism.names) label.visible = on;
    if (what === "paths") mechanism.paths.visible = on;
    if (what === "reactions") mechanism.reactions = on;
    this.seek(this.t);
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.t >= this.stop) this.t = this.start;
    this.button.classList.toggle("on", this.playing);
    this.last = undefined;
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    let t = this.t + (this.last === undefined ? 0 : (this.speed * (now - this.last)) / 1000);
    this.last = now;
    if (t > this.stop) t = this.start;
    this.seek(t);
    requestAnimationFrame((then) => this.tick(then));
  }

  seek(t) {
    this.t = t;
    this.mechanism.show(t);
    this.scrub.value = t;
    this.clock.textContent = `${t.toFixed(this.stop < 1 ? 4 : 2)} s`;
    this.note.textContent = this.grid + (this.mechanism.reactions ? this.legend() : "");
    this.draw();
  }

  legend() {
    const [force, torque] = this.mechanism.longest;
    const texts = [`force on the child: longest arrow ${short(force)} N`];
    if (torque > 1e-9) texts.push(`torque: longest ${short(torque)} N·m`);
    return ` · red: ${texts.join(" · violet: ")}`;
  }

  resize() {
    const { width, height } = this.measureRoom();
    this.renderer.setSize(width, height);
    this.labels.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    this.renderer.render(this.world, this.camera);
    this.labels.render(this.world, this.camera);
  }

  dispose() {
    this.playing = false;
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

const parse = (host) =>
  ["scene", "motion"].map((kind) => JSON.parse(host.querySelector(`script.${kind}`).textContent));

// Pictures of given instants, written into the page: for programs that want files.
function record(host, { times, size, shows }) {
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
  let player;
  host.tabIndex = 0;
  host.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target !== host) return;
    event.preventDefault();
    player?.toggle();
  });
  new IntersectionObserver(
    (entries) => {
      const entry = entries.at(-1);
      if (entry.isIntersecting && !player) {
        player = new Player(host, ...data);
        host.player = player;
        if (host.dataset.play !== undefined) player.toggle();
      } else if (!entry.isIntersecting && player) {
        host.style.minHeight = `${host.clientHeight}px`;
        player.dispose();
        player = host.player = undefined;
      }
    },
    { rootMargin: "300px" },
  ).observe(host);
  window.addEventListener("resize", () => player?.resize());
}

const canDraw = document.createElement("canvas").getContext("webgl2") !== null;
for (const host of document.querySelectorAll(".mechanism")) {
  if (!canDraw)
    host.innerHTML =
      '<p class="note">This browser has no WebGL 2: the motion cannot be drawn here.</p>';
  else if (host.dataset.record) record(host, JSON.parse(host.dataset.record));
  else play(host);
}

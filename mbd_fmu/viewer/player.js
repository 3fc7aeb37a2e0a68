// A mechanism in motion: play, pause, scrub, orbit; joints, names, paths and reactions on demand.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { CSS2DObject, CSS2DRenderer } from "three/addons/renderers/CSS2DRenderer.js";
import { arrow, bodyGroup, jointSymbol, line, path, rail, span, support, thicknessAt, vector } from "mbd/parts";
import { makeCamera, makeGround, makeLights } from "mbd/stage";

const FORCE = 0xd1331f, TORQUE = 0x7a3fb0;
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

const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const short = (x) => Number(x.toPrecision(3)).toString();

class Stage {
  constructor(scene, motion) {
    this.time = floats(motion.time);
    this.poses = Object.fromEntries(Object.entries(motion.poses).map(([name, text]) => [name, floats(text)]));
    this.loads = Object.fromEntries(Object.entries(motion.reactions).map(([name, text]) => [name, floats(text)]));
    this.scene = scene;
    this.root = new THREE.Group();
    this.carriers = { ground: new THREE.Group() };
    for (const body of scene.bodies) this.carriers[body.name] = bodyGroup(body);
    for (const name of Object.keys(this.poses)) this.carriers[name] ??= new THREE.Group();
    this.root.add(...Object.values(this.carriers));
    this.measure();
    this.size = this.box.getSize(new THREE.Vector3()).length();
    this.unit = 0.012 * this.size;
    this.furnish();
  }

  // The room the motion takes: every solid over a number of instants; and the places of mass centres.
  measure() {
    this.box = new THREE.Box3();
    this.places = new THREE.Box3();
    const n = this.time.length, samples = Math.min(n, 40);
    for (let k = 0; k < samples; k++) {
      this.show(this.time[Math.round((k * (n - 1)) / Math.max(samples - 1, 1))]);
      this.root.updateMatrixWorld(true);
      this.box.expandByObject(this.root);
      for (const body of this.scene.bodies) this.places.expandByPoint(this.carried(body.name, body.com));
    }
    const known = (name) => name in this.carriers;
    const ends = this.scene.lines.flatMap((l) => [[l.parent, l.point], [l.child, l.point2]]);
    const points = [...this.scene.joints.map((j) => [j.child, j.point]), ...ends.filter(([name]) => known(name))];
    for (const place of points.map((end) => this.carried(...end))) {
      this.box.expandByPoint(place);
      this.places.expandByPoint(place);
    }
  }

  furnish() {
    const { scene, unit } = this;
    this.joints = scene.joints.map((joint) => {
      const body = scene.bodies.find(({ name }) => name === joint.child);
      const thick = Math.min(thicknessAt(body, joint.point), 1.8 * unit);
      const symbol = jointSymbol(joint, Math.max(thick, unit));
      this.carriers[joint.child].add(symbol);
      return symbol;
    });
    this.supports = scene.joints.flatMap((joint) => this.holdUp(joint));
    const known = (name) => name in this.carriers;
    this.show(this.time[0]);
    this.lines = scene.lines.filter((l) => known(l.parent) && known(l.child)).map((l) => {
      const length = this.carried(l.parent, l.point).distanceTo(this.carried(l.child, l.point2));
      return [l, line(l.kind, length, unit)];
    });
    this.arrows = scene.joints.filter((j) => j.name in this.loads).map((j) => [j, arrow(FORCE), arrow(TORQUE)]);
    this.paths = new THREE.Group();
    for (const body of scene.bodies) this.paths.add(path(this.trace(body), body.color));
    this.names = [...scene.bodies.map((b) => this.label(b.name, b.name, b.com, "body"))];
    this.names.push(...scene.joints.map((j) => this.label(j.child, j.name, j.point, "joint")));
    this.root.add(this.paths, ...this.lines.map(([, made]) => made));
    for (const [, force, torque] of this.arrows) this.root.add(force, torque);
    this.longest = [0, 3].map((first) => this.largestLoad(first));
    this.reactions = false;
    this.paths.visible = false;
  }

  // What a joint of the ground stands on, or slides along; nothing where the base moves unseen.
  holdUp(joint) {
    if (!["ground", "base"].includes(joint.carrier) || !(joint.carrier in this.carriers)) return [];
    if (joint.type === "planar") return [];
    const { low, high, axis } = this.travel(joint);
    const slides = axis.lengthSq() > 0 && high.clone().sub(low).dot(axis) > 0.2 * this.unit;
    const made = slides ? rail(low, high, axis, this.unit) : support(vector(this.scene.up), this.unit);
    if (!slides) made.position.copy(low);
    this.carriers[joint.carrier].add(made);
    return [made];
  }

  // How far the point of a joint moves along its axis, seen from its carrier.
  travel(joint) {
    const n = this.time.length, reach = [Infinity, -Infinity];
    let low, high, axis;
    for (let k = 0; k < n; k += Math.ceil(n / 200)) {
      this.show(this.time[k]);
      const { position, quaternion } = this.carriers[joint.carrier];
      const back = quaternion.clone().invert();
      const place = this.carried(joint.child, joint.point).sub(position).applyQuaternion(back);
      axis ??= vector(joint.axis.length ? joint.axis : [0, 0, 0])
        .applyQuaternion(this.carriers[joint.child].quaternion).applyQuaternion(back);
      const along = place.dot(axis);
      if (along < reach[0]) [reach[0], low] = [along, place];
      if (along > reach[1]) [reach[1], high] = [along, place];
    }
    return { low, high, axis };
  }

  label(carrier, text, place, kind) {
    const element = document.createElement("span");
    element.className = `name ${kind}`;
    element.textContent = text;
    const made = new CSS2DObject(element);
    made.position.copy(vector(place));
    made.visible = false;
    this.carriers[carrier].add(made);
    return made;
  }

  largestLoad(first) {
    let largest = 0;
    for (const values of Object.values(this.loads))
      for (let k = 0; k < values.length; k += 6)
        largest = Math.max(largest, Math.hypot(values[k + first], values[k + first + 1], values[k + first + 2]));
    return largest;
  }

  trace(body) {
    const values = this.poses[body.name], points = [];
    for (let k = 0; k < values.length; k += 7) {
      const turn = new THREE.Quaternion(values[k + 4], values[k + 5], values[k + 6], values[k + 3]);
      points.push(vector(body.com).applyQuaternion(turn).add(new THREE.Vector3(values[k], values[k + 1], values[k + 2])));
    }
    return points;
  }

  carried(name, place) {
    const { position, quaternion } = this.carriers[name];
    return vector(place).applyQuaternion(quaternion).add(position);
  }

  // The row before t, and the share of the way to the next.
  row(t) {
    const { time } = this;
    let low = 0, high = time.length - 1;
    if (t >= time[high]) return [Math.max(high - 1, 0), high ? 1 : 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle;
    }
    return [low, Math.min(Math.max((t - time[low]) / (time[high] - time[low] || 1), 0), 1)];
  }

  show(t) {
    const [row, share] = this.row(t), next = Math.min(row + 1, this.time.length - 1);
    const a = new THREE.Quaternion(), b = new THREE.Quaternion();
    for (const [name, p] of Object.entries(this.poses)) {
      const [i, k] = [7 * row, 7 * next], body = this.carriers[name];
      body.position.set(...[0, 1, 2].map((c) => p[i + c] + share * (p[k + c] - p[i + c])));
      a.set(p[i + 4], p[i + 5], p[i + 6], p[i + 3]);
      b.set(p[k + 4], p[k + 5], p[k + 6], p[k + 3]);
      body.quaternion.slerpQuaternions(a, b, share).normalize();
    }
    for (const [l, made] of this.lines ?? [])
      span(made, this.carried(l.parent, l.point), this.carried(l.child, l.point2), this.unit);
    for (const [joint, ...pair] of this.arrows ?? []) {
      const values = this.loads[joint.name], from = this.carried(joint.child, joint.point);
      pair.forEach((made, n) => {
        const [i, k] = [6 * row + 3 * n, 6 * next + 3 * n];
        const load = new THREE.Vector3(...[0, 1, 2].map((c) => values[i + c] + share * (values[k + c] - values[i + c])));
        made.visible = false;
        if (this.reactions && this.longest[n] > 1e-9)
          made.point(from, load.multiplyScalar((0.3 * this.size) / this.longest[n]), 0.6 * this.unit);
      });
    }
  }
}

class Player {
  constructor(host, scene, motion, size) {
    this.host = host;
    this.given = size;
    this.stage = new Stage(scene, motion);
    const { time, box, places } = this.stage;
    [this.start, this.stop] = [time[0], time[time.length - 1]];
    this.world = new THREE.Scene();
    this.world.background = new THREE.Color(0xf7f9fb);
    const { ground, step } = makeGround(scene, box);
    this.world.add(this.stage.root, ground, ...makeLights(scene, box));
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
    this.bar = Object.assign(document.createElement("div"), { className: "toolbar", innerHTML: TOOLBAR });
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
    this.host.tabIndex = 0;
    this.host.addEventListener("keydown", (event) => {
      if (event.key !== " " || event.target !== this.host) return;
      event.preventDefault();
      this.toggle();
    });
    for (const box of this.bar.querySelectorAll("input[type=checkbox]"))
      box.addEventListener("change", () => this.choose(box.name, box.checked));
    if (!this.stage.arrows.length) find("[name=reactions]").closest("label").remove();
    if (!this.stage.joints.length) find("[name=joints]").closest("label").remove();
  }

  choose(what, on) {
    const { stage } = this;
    if (what === "joints") for (const symbol of [...stage.joints, ...stage.supports]) symbol.visible = on;
    if (what === "names") for (const label of stage.names) label.visible = on;
    if (what === "paths") stage.paths.visible = on;
    if (what === "reactions") stage.reactions = on;
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
    this.stage.show(t);
    this.scrub.value = t;
    this.clock.textContent = `${t.toFixed(this.stop < 1 ? 4 : 2)} s`;
    this.note.textContent = this.grid + (this.stage.reactions ? this.legend() : "");
    this.draw();
  }

  legend() {
    const [force, torque] = this.stage.longest;
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

const parse = (host) => ["scene", "motion"].map((kind) => JSON.parse(host.querySelector(`script.${kind}`).textContent));

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
  new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting && !player) {
      player = new Player(host, ...data);
      host.player = player;
      if (host.dataset.play !== undefined) player.toggle();
    } else if (!entry.isIntersecting && player) {
      host.style.minHeight = `${host.clientHeight}px`;
      player.dispose();
      player = host.player = undefined;
    }
  }, { rootMargin: "300px" }).observe(host);
  window.addEventListener("resize", () => player?.resize());
}

const canDraw = document.createElement("canvas").getContext("webgl2") !== null;
for (const host of document.querySelectorAll(".mechanism")) {
  if (!canDraw) host.innerHTML = '<p class="note">This browser has no WebGL 2: the motion cannot be drawn here.</p>';
  else if (host.dataset.record) record(host, JSON.parse(host.dataset.record));
  else play(host);
}

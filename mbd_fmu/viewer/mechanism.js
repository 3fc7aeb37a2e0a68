// A mechanism with its motion: bodies carry solids, joints and labels; poses come from a table.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import {
  arrow,
  bodyGroup,
  fade,
  line,
  meshParts,
  path,
  rail,
  span,
  support,
  thicknessAt,
  vector,
} from "./parts.js";
import { jointSymbol, markSymbol } from "./symbols.js";

// Reactions of joints; what acts from outside.
const FORCE = 0xd1331f,
  TORQUE = 0x7a3fb0,
  LOAD = 0xe08a00,
  LOAD_TORQUE = 0x0e8f93;

const RANK = { body: 1, joint: 0 }; // of names that would lie on each other

const TRAVEL = 2; // times itself: further room counts no more for the size of symbols, and is gone along with

// Numbers as a page holds them, in base64, or as they are.
const floats = (data) =>
  typeof data === "string"
    ? new Float64Array(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer)
    : data;

// Between all mass centres, of which `placed` knows where they are.
export const middle = (bodies, placed) =>
  bodies.reduce((sum, body) => sum.add(placed(body)), new THREE.Vector3()).divideScalar(bodies.length);

// Where one instant is known, what travels may turn about what is up.
export function withRoomToTurn(box, up) {
  const center = box.getCenter(new THREE.Vector3()),
    reach = box.getSize(new THREE.Vector3()).length() / 2,
    roomy = box.clone();
  for (const k of [0, 1, 2].filter((axis) => Math.abs(up[axis]) < 0.5)) {
    roomy.min.setComponent(k, center.getComponent(k) - reach);
    roomy.max.setComponent(k, center.getComponent(k) + reach);
  }
  return roomy;
}

export class Mechanism {
  constructor(scene, motion) {
    this.time = floats(motion.time);
    this.poses = Object.fromEntries(
      Object.entries(motion.poses).map(([name, text]) => [name, floats(text)]),
    );
    this.loads = Object.fromEntries(
      Object.entries(motion.reactions).map(([name, text]) => [name, floats(text)]),
    );
    this.outside = (motion.loads ?? []).map((load) => ({ ...load, values: floats(load.values) }));
    this.scene = scene;
    this.root = new THREE.Group();
    this.carriers = { ground: new THREE.Group() };
    const meshes = meshParts(scene.meshes);
    for (const body of scene.bodies) this.carriers[body.name] = bodyGroup(body, meshes);
    this.solids = Object.fromEntries(
      scene.bodies.map(({ name }) => [name, [...this.carriers[name].children]]),
    );
    for (const name of Object.keys(this.poses)) this.carriers[name] ??= new THREE.Group();
    this.root.add(...Object.values(this.carriers));
    this.measure();
    const room = this.box.getSize(new THREE.Vector3()).length();
    this.size = Math.min(room, TRAVEL * this.largest || room);
    this.travels = this.places.getSize(new THREE.Vector3()).length() > TRAVEL * this.largest;
    this.unit = 0.012 * this.size;
    this.furnish();
  }

  // The room the motion takes: every solid over a number of instants; and the places of mass centres.
  measure() {
    this.box = new THREE.Box3();
    this.places = new THREE.Box3();
    const n = this.time.length,
      samples = Math.min(n, 40);
    this.largest = 0; // at one instant
    for (let k = 0; k < samples; k++) {
      this.show(this.time[Math.round((k * (n - 1)) / Math.max(samples - 1, 1))]);
      this.root.updateMatrixWorld(true);
      const now = new THREE.Box3().setFromObject(this.root);
      this.largest = Math.max(this.largest, now.getSize(new THREE.Vector3()).length());
      this.box.union(now);
      if (k === 0) this.startBox = now;
      for (const body of this.scene.bodies)
        this.places.expandByPoint(this.carried(body.name, body.com));
    }
    const known = (name) => name in this.carriers;
    const ends = this.scene.lines.flatMap((l) => [
      [l.parent, l.point],
      [l.child, l.point2],
    ]);
    const points = [
      ...this.scene.joints.map((j) => [j.child, j.point]),
      ...ends.filter(([name]) => known(name)),
    ];
    const now = new THREE.Box3().setFromObject(this.root);
    for (const place of points.map((end) => this.carried(...end))) {
      for (const room of [this.box, this.places, now]) room.expandByPoint(place);
    }
    this.largest = Math.max(this.largest, now.getSize(new THREE.Vector3()).length());
    // wheels have their true size, and are there before they are drawn
    for (const { carrier, point, radius } of this.scene.marks.filter((m) => known(m.carrier)))
      this.box.union(new THREE.Sphere(this.carried(carrier, point), radius).getBoundingBox(new THREE.Box3()));
  }

  furnish() {
    const { scene, unit } = this;
    this.joints = scene.joints.map((joint) => {
      const symbol = jointSymbol(joint, this.symbolSize(joint.child, joint.point));
      this.carriers[joint.child].add(symbol);
      return symbol;
    });
    this.supports = scene.joints.flatMap((joint) => this.holdUp(joint));
    const known = (name) => name in this.carriers;
    this.marks = scene.marks
      .filter((mark) => known(mark.carrier))
      .map((mark) => [mark, markSymbol(mark, this.symbolSize(mark.carrier, mark.point))]);
    for (const [mark, made] of this.marks) this.carriers[mark.carrier].add(made);
    this.show(this.time[0]);
    this.lines = scene.lines
      .filter((l) => known(l.parent) && known(l.child))
      .map((l) => {
        const length = this.carried(l.parent, l.point).distanceTo(this.carried(l.child, l.point2));
        return [l, line(l.kind, length, unit)];
      });
    this.arrows = scene.joints
      .filter((j) => j.name in this.loads && known(j.loaded))
      .map((j) => [j, arrow(FORCE), arrow(TORQUE)]);
    this.loadArrows = this.outside
      .filter((load) => known(load.body))
      .map((load) => [load, arrow(LOAD), arrow(LOAD_TORQUE)]);
    this.paths = new THREE.Group();
    for (const body of scene.bodies) this.paths.add(path(this.trace(body), body.color));
    this.names = [...scene.bodies.map((b) => this.label(b.name, b.name, b.com, "body"))];
    this.names.push(...scene.joints.map((j) => this.label(j.child, j.name, j.point, "joint")));
    this.root.add(this.paths, ...this.lines.map(([, made]) => made));
    for (const [, force, torque] of [...this.arrows, ...this.loadArrows])
      this.root.add(force, torque);
    this.longest = [0, 3].map((first) => this.largestLoad(first));
    this.longestOutside = [0, 3].map((first) => largest(this.outside.map((l) => l.values), first));
    this.reactions = false;
    this.showsLoads = false;
    this.paths.visible = false;
  }

  // A symbol looks out of the body it is on, as far as that is not too thick.
  symbolSize(carrier, point) {
    const body = this.scene.bodies.find(({ name }) => name === carrier);
    const thick = body ? thicknessAt(body, point) : 0;
    return Math.max(Math.min(thick, 1.8 * this.unit), this.unit);
  }

  // What a joint of the ground stands on, or slides along; nothing where the base moves unseen.
  holdUp(joint) {
    if (!["ground", "base"].includes(joint.carrier) || !(joint.carrier in this.carriers)) return [];
    if (!joint.is_supported) return [];
    const { low, high, axis } = this.travel(joint);
    const slides = axis.lengthSq() > 0 && high.clone().sub(low).dot(axis) > 0.2 * this.unit;
    const made = slides
      ? rail(low, high, axis, this.unit)
      : support(vector(this.scene.up), this.unit);
    if (!slides) made.position.copy(low);
    this.carriers[joint.carrier].add(made);
    return [made];
  }

  // How far the point of a joint moves along its axis, seen from its carrier.
  travel(joint) {
    const n = this.time.length,
      reach = [Infinity, -Infinity];
    let low, high, axis;
    for (let k = 0; k < n; k += Math.ceil(n / 200)) {
      this.show(this.time[k]);
      const { position, quaternion } = this.carriers[joint.carrier];
      const back = quaternion.clone().invert();
      const place = this.carried(joint.child, joint.point).sub(position).applyQuaternion(back);
      axis ??= vector(joint.axis.length ? joint.axis : [0, 0, 0])
        .applyQuaternion(this.carriers[joint.child].quaternion)
        .applyQuaternion(back);
      const along = place.dot(axis);
      if (along < reach[0]) [reach[0], low] = [along, place];
      if (along > reach[1]) [reach[1], high] = [along, place];
    }
    return { low, high, axis };
  }

  // Symbols of joints, of what holds them, and of what else acts.
  showSymbols(on) {
    for (const made of [...this.joints, ...this.supports, ...this.marks.map(([, m]) => m)])
      made.visible = on;
  }

  // A body with all that is drawn on it, and its path.
  showBody(name, on) {
    this.carriers[name].visible = on;
    this.paths.children[this.scene.bodies.findIndex((body) => body.name === name)].visible = on;
  }

  fadeBody(name, share) {
    for (const solid of this.solids[name]) fade(solid, share);
  }

  label(carrier, text, place, kind) {
    const element = document.createElement("span");
    element.className = `name ${kind}`;
    element.textContent = text;
    const made = new CSS2DObject(element);
    made.position.copy(vector(place));
    made.visible = false;
    made.userData.rank = RANK[kind];
    this.carriers[carrier].add(made);
    return made;
  }

  largestLoad(first) {
    return largest(Object.values(this.loads), first);
  }

  trace(body) {
    const values = this.poses[body.name],
      points = [];
    for (let k = 0; k < values.length; k += 7) {
      const turn = new THREE.Quaternion(values[k + 4], values[k + 5], values[k + 6], values[k + 3]);
      points.push(
        vector(body.com)
          .applyQuaternion(turn)
          .add(new THREE.Vector3(values[k], values[k + 1], values[k + 2])),
      );
    }
    return points;
  }

  carried(name, place) {
    const { position, quaternion } = this.carriers[name];
    return vector(place).applyQuaternion(quaternion).add(position);
  }

  get middle() {
    return middle(this.scene.bodies, ({ name, com }) => this.carried(name, com));
  }

  // The row before t, and the share of the way to the next.
  row(t) {
    const { time } = this;
    let low = 0,
      high = time.length - 1;
    if (t >= time[high]) return [Math.max(high - 1, 0), high ? 1 : 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle;
    }
    return [low, Math.min(Math.max((t - time[low]) / (time[high] - time[low] || 1), 0), 1)];
  }

  show(t) {
    const [row, share] = this.row(t),
      next = Math.min(row + 1, this.time.length - 1);
    const a = new THREE.Quaternion(),
      b = new THREE.Quaternion();
    for (const [name, p] of Object.entries(this.poses)) {
      const [i, k] = [7 * row, 7 * next],
        body = this.carriers[name];
      body.position.set(...[0, 1, 2].map((c) => p[i + c] + share * (p[k + c] - p[i + c])));
      a.set(p[i + 4], p[i + 5], p[i + 6], p[i + 3]);
      b.set(p[k + 4], p[k + 5], p[k + 6], p[k + 3]);
      body.quaternion.slerpQuaternions(a, b, share).normalize();
    }
    for (const [mark, made] of this.marks ?? [])
      if (!mark.turns) made.quaternion.copy(this.carriers[mark.carrier].quaternion).invert();
    for (const [l, made] of this.lines ?? [])
      span(made, this.carried(l.parent, l.point), this.carried(l.child, l.point2), this.unit);
    const at = [row, next, share];
    for (const [joint, ...pair] of this.arrows ?? []) {
      const from = this.carried(joint.loaded, joint.load_point);
      this.pointArrows(pair, from, this.loads[joint.name], at, this.reactions && this.longest);
    }
    for (const [{ body, point, values }, ...pair] of this.loadArrows ?? []) {
      const from = this.carried(body, point);
      this.pointArrows(pair, from, values, at, this.showsLoads && this.longestOutside);
    }
  }

  // Force and torque at a point, in the measure of the longest of a run; nothing without one.
  pointArrows(pair, from, values, [row, next, share], longest) {
    pair.forEach((made, n) => {
      const [i, k] = [6 * row + 3 * n, 6 * next + 3 * n];
      const load = new THREE.Vector3(
        ...[0, 1, 2].map((c) => values[i + c] + share * (values[k + c] - values[i + c])),
      );
      made.visible = false;
      if (longest && longest[n] > 1e-9)
        made.point(from, load.multiplyScalar((0.3 * this.size) / longest[n]), 0.6 * this.unit);
    });
  }
}

// The largest force (first = 0) or torque (3) in tables of both.
function largest(tables, first) {
  let found = 0;
  for (const values of tables)
    for (let k = first; k < values.length; k += 6)
      found = Math.max(found, Math.hypot(values[k], values[k + 1], values[k + 2]));
  return found;
}

// A mechanism with its motion: bodies carry solids, joints and labels; poses come from a table.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import {
  arrow,
  bodySolids,
  drop,
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
import { middle, roomOf } from "./room.js";
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

export class Mechanism {
  constructor(scene, motion) {
    this.take(motion);
    this.loads = Object.fromEntries(
      Object.entries(motion.reactions).map(([name, text]) => [name, floats(text)]),
    );
    this.outside = (motion.loads ?? []).map((load) => ({ ...load, values: floats(load.values) }));
    this.scene = scene;
    this.root = new THREE.Group();
    this.carriers = { ground: new THREE.Group() };
    for (const name of [...scene.bodies.map((body) => body.name), ...Object.keys(this.poses)])
      this.carriers[name] ??= new THREE.Group();
    this.root.add(...Object.values(this.carriers));
    this.meshes = meshParts(scene.meshes);
    this.shares = {}; // of opacity, by body
    this.showsSymbols = true;
    this.dress();
    this.fit();
    this.joints = this.marks = this.supports = this.lines = [];
    this.mark();
    this.hold();
    this.tie();
    this.furnish();
  }

  // Poses of bodies over time.
  take({ time, poses }) {
    this.time = floats(time);
    this.poses = Object.fromEntries(
      Object.entries(poses).map(([name, text]) => [name, floats(text)]),
    );
  }

  // Bodies with what they are drawn as.
  dress() {
    for (const solid of Object.values(this.solids ?? {}).flat()) drop(solid);
    this.solids = {};
    for (const body of this.scene.bodies) {
      const made = bodySolids(body, this.meshes);
      this.solids[body.name] = made;
      if (made.length) this.carriers[body.name].add(...made);
      if (body.name in this.shares) this.fadeBody(body.name, this.shares[body.name]);
    }
  }

  // How large everything is in a motion.
  fit() {
    Object.assign(this, roomOf(this));
    const room = this.box.getSize(new THREE.Vector3()).length();
    this.size = Math.min(room, TRAVEL * this.largest || room);
    this.travels = this.places.getSize(new THREE.Vector3()).length() > TRAVEL * this.largest;
    this.unit = 0.012 * this.size;
  }

  // Symbols of joints, of forces and of constraints, on bodies.
  mark() {
    const { scene } = this;
    for (const made of [...this.joints, ...this.marks.map(([, m]) => m)]) drop(made);
    this.joints = scene.joints.map((joint) => {
      const symbol = jointSymbol(joint, this.symbolSize(joint.child, joint.point));
      this.carriers[joint.child].add(symbol);
      return symbol;
    });
    this.marks = scene.marks
      .filter((mark) => mark.carrier in this.carriers)
      .map((mark) => [mark, markSymbol(mark, this.symbolSize(mark.carrier, mark.point))]);
    for (const [mark, made] of this.marks) this.carriers[mark.carrier].add(made);
    this.showSymbols(this.showsSymbols);
  }

  // What stands on the ground, or slides along it, over a motion.
  hold() {
    this.supports.forEach(drop);
    this.supports = this.scene.joints.flatMap((joint) => this.holdUp(joint));
    this.showSymbols(this.showsSymbols);
  }

  // After numbers of the scene have changed: what is seen of bodies is made anew.
  reshape() {
    this.dress();
    this.mark();
    for (const label of this.names) label.position.fromArray(label.userData.place);
  }

  // Another motion: how large everything is there.
  refit(motion) {
    this.take(motion);
    this.fit();
    this.mark();
    this.hold();
    this.tie();
  }

  // Springs and rods, as long as they are at the start.
  tie() {
    const known = (name) => name in this.carriers;
    for (const [, made] of this.lines) drop(made);
    this.show(this.time[0]);
    this.lines = this.scene.lines
      .filter((l) => known(l.parent) && known(l.child))
      .map((l) => {
        const length = this.carried(l.parent, l.point).distanceTo(this.carried(l.child, l.point2));
        return [l, line(l.kind, length, this.unit)];
      });
    if (this.lines.length) this.root.add(...this.lines.map(([, made]) => made));
  }

  furnish() {
    const { scene } = this,
      known = (name) => name in this.carriers;
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
    this.root.add(this.paths);
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
    this.showsSymbols = on;
    for (const made of [...this.joints, ...this.supports, ...this.marks.map(([, m]) => m)])
      made.visible = on;
  }

  // A body with all that is drawn on it, and its path.
  showBody(name, on) {
    this.carriers[name].visible = on;
    this.paths.children[this.scene.bodies.findIndex((body) => body.name === name)].visible = on;
  }

  fadeBody(name, share) {
    this.shares[name] = share;
    for (const solid of this.solids[name]) fade(solid, share);
  }

  label(carrier, text, place, kind) {
    const element = document.createElement("span");
    element.className = `name ${kind}`;
    element.textContent = text;
    const made = new CSS2DObject(element);
    made.position.copy(vector(place));
    made.visible = false;
    Object.assign(made.userData, { rank: RANK[kind], place });
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

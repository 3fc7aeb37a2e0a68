// A mechanism with its motion: bodies carry solids, joints and labels; poses come from a table.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import { Arrows } from "./arrows.js";
import { numbers } from "./bytes.js";
import {
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
import { instants, rowAt } from "./rows.js";
import { jointSymbol, markSymbol } from "./symbols.js";

// Of forces and torques: reactions of joints; what acts from outside.
const REACTION = [0xd1331f, 0x9457cf],
  OUTSIDE = [0xe08a00, 0x0e8f93];

const RANK = { body: 1, joint: 0 }; // of names that would lie on each other

const TRAVEL = 2; // times itself: further room counts no more for the size of symbols, and is gone along with

// As a page holds them, or as they are.
const told = (data) => (typeof data === "string" ? numbers(data) : data);

export class Mechanism {
  constructor(scene, motion) {
    this.take(motion);
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
    this.load(motion);
  }

  // Poses of bodies over time.
  take({ time, poses }) {
    this.time = told(time);
    this.poses = Object.fromEntries(
      Object.entries(poses).map(([name, text]) => [name, told(text)]),
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

  // Paths of mass centres, and names.
  furnish() {
    const { scene } = this;
    this.paths = new THREE.Group();
    for (const body of scene.bodies) this.paths.add(path(this.trace(body), body.color));
    this.names = [...scene.bodies.map((b) => this.label(b.name, b.name, b.com, "body"))];
    this.names.push(...scene.joints.map((j) => this.label(j.child, j.name, j.point, "joint")));
    this.root.add(this.paths);
    this.paths.visible = false;
  }

  // What acts, at the points of bodies that are drawn.
  load({ reactions, loads = [] }) {
    const drawn = (acting, colors) =>
      new Arrows(
        acting
          .filter(({ body, values }) => values && body in this.carriers)
          .map((it) => ({ ...it, values: told(it.values) })),
        colors,
      );
    const joints = this.scene.joints.map(({ name, loaded, load_point }) => {
      return { name, body: loaded, point: load_point, values: reactions[name] };
    });
    this.reactions = drawn(joints, REACTION);
    this.outside = drawn(loads, OUTSIDE);
    for (const { made } of this.acting) if (made.length) this.root.add(...made);
  }

  // All of the motion, with the arrows that are shown.
  roomWithArrows() {
    const room = this.box.clone();
    for (const t of instants(this.time)) {
      this.show(t);
      for (const arrows of this.acting) arrows.surround(room);
    }
    return room;
  }

  get acting() {
    return [this.reactions, this.outside].filter(Boolean);
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
    this.show(this.now);
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
    const { time } = this,
      row = rowAt(time, t),
      span = time[row + 1] - time[row];
    return [row, span > 0 ? Math.max((t - time[row]) / span, 0) : 0];
  }

  show(t) {
    this.now = t;
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
    for (const arrows of this.acting) arrows.show(this, { row, next, share });
  }
}

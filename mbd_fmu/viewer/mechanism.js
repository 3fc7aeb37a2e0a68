// A mechanism with its motion: bodies carry solids, joints and labels; poses come from a table.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import {
  arrow,
  bodyGroup,
  jointSymbol,
  line,
  meshParts,
  path,
  rail,
  span,
  support,
  thicknessAt,
  vector,
} from "mbd/parts";

const FORCE = 0xd1331f,
  TORQUE = 0x7a3fb0;

const floats = (text) =>
  new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

export class Mechanism {
  constructor(scene, motion) {
    this.time = floats(motion.time);
    this.poses = Object.fromEntries(
      Object.entries(motion.poses).map(([name, text]) => [name, floats(text)]),
    );
    this.loads = Object.fromEntries(
      Object.entries(motion.reactions).map(([name, text]) => [name, floats(text)]),
    );
    this.scene = scene;
    this.root = new THREE.Group();
    this.carriers = { ground: new THREE.Group() };
    const meshes = meshParts(scene.meshes);
    for (const body of scene.bodies) this.carriers[body.name] = bodyGroup(body, meshes);
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
    const n = this.time.length,
      samples = Math.min(n, 40);
    for (let k = 0; k < samples; k++) {
      this.show(this.time[Math.round((k * (n - 1)) / Math.max(samples - 1, 1))]);
      this.root.updateMatrixWorld(true);
      this.box.expandByObject(this.root);
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
    this.lines = scene.lines
      .filter((l) => known(l.parent) && known(l.child))
      .map((l) => {
        const length = this.carried(l.parent, l.point).distanceTo(this.carried(l.child, l.point2));
        return [l, line(l.kind, length, unit)];
      });
    this.arrows = scene.joints
      .filter((j) => j.name in this.loads && known(j.loaded))
      .map((j) => [j, arrow(FORCE), arrow(TORQUE)]);
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
        largest = Math.max(
          largest,
          Math.hypot(values[k + first], values[k + first + 1], values[k + first + 2]),
        );
    return largest;
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
    for (const [l, made] of this.lines ?? [])
      span(made, this.carried(l.parent, l.point), this.carried(l.child, l.point2), this.unit);
    for (const [joint, ...pair] of this.arrows ?? []) {
      const values = this.loads[joint.name],
        from = this.carried(joint.loaded, joint.load_point);
      pair.forEach((made, n) => {
        const [i, k] = [6 * row + 3 * n, 6 * next + 3 * n];
        const load = new THREE.Vector3(
          ...[0, 1, 2].map((c) => values[i + c] + share * (values[k + c] - values[i + c])),
        );
        made.visible = false;
        if (this.reactions && this.longest[n] > 1e-9)
          made.point(
            from,
            load.multiplyScalar((0.3 * this.size) / this.longest[n]),
            0.6 * this.unit,
          );
      });
    }
  }
}

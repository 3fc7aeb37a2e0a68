// What acts at points of bodies: forces as straight arrows, torques as arrows around their axes.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import { amount } from "./numbers.js";
import { bar, mesh, span } from "./parts.js";

const Y = new THREE.Vector3(0, 1, 0);
const LONGEST = 0.3, // of the size of a mechanism: the longest straight arrow
  WIDEST = 0.07; // likewise: the radius of the largest arc
const TURN = (5 * Math.PI) / 3; // the sweep of the largest arc
const NOTHING = 1e-9; // N, N·m: rounding
const KINDS = ["force", "torque"],
  UNITS = ["N", "N·m"],
  MEASURES = ["longest arrow", "longest arc"];
const PIECES = 48,
  SIDES = 6; // of the tube of an arc

// Seen through everything: reactions act inside.
function group(color, parts) {
  const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true });
  const made = parts(material);
  for (const part of made)
    Object.assign(part, { castShadow: false, receiveShadow: false, renderOrder: 1 });
  const whole = new THREE.Group().add(...made);
  whole.tip = new THREE.Vector3(); // where its number stands
  return whole;
}

const cone = (material) => mesh(new THREE.ConeGeometry(0.62, 1, 20).translate(0, 0.5, 0), material);

// Along a force. The head keeps its shape unless the arrow is shorter than it.
function straight(color) {
  const made = group(color, (material) => [bar(material, 0.22, 0.22, 16), cone(material)]);
  const [shaft, head] = made.children;
  made.point = (share, size, thickness) => {
    const length = LONGEST * size * share;
    const tip = Math.min(2.2 * thickness, 0.6 * length);
    shaft.scale.set(thickness, length - tip, thickness);
    head.position.y = length - tip;
    head.scale.set(thickness, tip, thickness);
    made.tip.set(0, length, 0);
  };
  return made;
}

// Around a torque, as the right hand turns, and a thin pin along it: from every side one of both is
// seen. Radius and sweep grow alike, so that the length of the arc is in the measure of the torque.
function curved(color) {
  const made = group(color, (material) => [
    mesh(tube(), material),
    cone(material),
    bar(material, 0.1, 0.1, 8),
  ]);
  const [arc, head, pin] = made.children;
  arc.frustumCulled = false;
  const from = new THREE.Vector3();
  made.point = (share, size, thickness) => {
    const radius = WIDEST * size * Math.sqrt(share),
      sweep = TURN * Math.sqrt(share);
    const tip = Math.min((2.2 * thickness) / radius, 0.6 * sweep);
    bend(arc.geometry, radius, sweep - tip, 0.28 * thickness);
    span(head, onCircle(from, radius, sweep - tip), onCircle(made.tip, radius, sweep), thickness);
    pin.scale.set(thickness, radius, thickness);
  };
  return made;
}

// Angles begin at z and go to x: the right-handed way about y.
const onCircle = (place, radius, angle) =>
  place.set(radius * Math.sin(angle), 0, radius * Math.cos(angle));

function tube() {
  const geometry = new THREE.BufferGeometry(),
    corners = [];
  for (let i = 0; i < PIECES; i++)
    for (let k = 0; k < SIDES; k++) {
      const [a, b] = [k, (k + 1) % SIDES].map((side) => i * SIDES + side);
      corners.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  const places = new Float32Array(3 * SIDES * (PIECES + 1));
  geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
  return geometry.setIndex(corners);
}

function bend(geometry, radius, sweep, thickness) {
  const { position } = geometry.attributes;
  for (let i = 0; i <= PIECES; i++) {
    const [sin, cos] = [Math.sin, Math.cos].map((f) => f((sweep * i) / PIECES));
    for (let k = 0; k < SIDES; k++) {
      const around = (2 * Math.PI * k) / SIDES,
        out = radius + thickness * Math.cos(around);
      position.setXYZ(i * SIDES + k, out * sin, thickness * Math.sin(around), out * cos);
    }
  }
  position.needsUpdate = true;
}

// Forces and torques of one sort. `acting`: { name, body, point, values }, six numbers an instant.
export class Arrows {
  constructor(acting, colors) {
    const [force, torque] = colors;
    this.colors = colors;
    this.list = acting.map((it) => ({ ...it, pair: [straight(force), curved(torque)] }));
    this.made = this.list.flatMap(({ pair }) => pair);
    this.longest = [0, 0];
    this.shown = false;
    this.grow();
  }

  // The longest arrow is the largest of all that was ever there.
  grow() {
    this.longest = this.longest.map((most, n) => Math.max(most, this.largest(3 * n)));
  }

  largest(first) {
    let found = 0;
    for (const { values } of this.list)
      for (let k = first; k < values.length; k += 6)
        found = Math.max(found, Math.hypot(values[k], values[k + 1], values[k + 2]));
    return found;
  }

  // Between two rows, on the bodies of a drawing that are shown.
  show({ carriers, size, unit }, { row, next, share }) {
    const load = new THREE.Vector3();
    for (const { body, point, values, pair } of this.list)
      pair.forEach((made, n) => {
        const [i, k] = [6 * row + 3 * n, 6 * next + 3 * n];
        load.set(...[0, 1, 2].map((c) => values[i + c] + share * (values[k + c] - values[i + c])));
        const { visible, position, quaternion } = carriers[body];
        made.load = load.length();
        made.visible = this.shown && visible && this.longest[n] > NOTHING;
        if (!made.visible) return;
        this.put(made, load, made.load / this.longest[n], size, 0.6 * unit);
        made.position.fromArray(point).applyQuaternion(quaternion).add(position);
        made.tip.applyQuaternion(made.quaternion).add(made.position);
      });
  }

  // The room they take now.
  surround(box) {
    for (const made of this.made) if (made.visible) box.expandByObject(made, true);
  }

  // What is too short to be seen is not drawn.
  put(made, load, share, size, thickness) {
    made.visible = LONGEST * size * share > 0.2 * thickness;
    if (!made.visible) return;
    made.quaternion.setFromUnitVectors(Y, load.normalize());
    made.point(share, size, thickness);
  }

  // What is shown: its colour, and how much the longest of it is.
  legend() {
    return this.colors.flatMap((color, n) =>
      this.shown && this.longest[n] > NOTHING
        ? [{ n, color, most: `${MEASURES[n]} ${amount(this.longest[n], UNITS[n])}` }]
        : [],
    );
  }

  // Labels that tell how much: they stay in the picture as long as the foot of their arrow is there.
  addNumbers(root) {
    this.numbers = this.list.flatMap(({ pair }) =>
      pair.map((arrow, n) => {
        const element = document.createElement("span");
        element.className = `name load ${KINDS[n]}`;
        const label = new CSS2DObject(element);
        label.userData.foot = arrow.position;
        root.add(label);
        return { arrow, n, label, element };
      }),
    );
    return this.numbers;
  }

  // Before names, the largest first.
  tell() {
    for (const { arrow, n, label, element } of this.numbers) {
      label.visible = arrow.visible;
      if (!arrow.visible) continue;
      element.textContent = amount(arrow.load, UNITS[n]);
      label.userData.rank = 1 + arrow.load / this.longest[n];
      label.position.copy(arrow.tip);
    }
  }
}

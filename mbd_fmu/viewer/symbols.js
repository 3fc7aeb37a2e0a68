// Symbols of joints, and marks of forces and constraints on bodies: parts about y.
import * as THREE from "three";
import { STEEL, bar, coil, matter, mesh, turnTo, vector } from "./parts.js";

const PUSH = 0xd1331f; // the colour of forces
const IRON = 0x8b959f; // of wheels, which are large
const THICK = 0.25; // of wheels, of their radius

// Teeth are whole, and a wheel has three at least.
const whole = (teeth) => Math.max(Math.round(teeth), 3);

// Over one pitch: where, and whether up or down.
const TOOTH = [
  [0, -1],
  [0.2, -1],
  [0.35, 1],
  [0.65, 1],
  [0.8, -1],
];

// The outline of a wheel of radius 1: teeth up and down by so much of their pitch.
function toothed(teeth, inwards) {
  const high = 1.6 / teeth,
    outline = [];
  for (let k = 0; k < teeth; k++)
    for (const [place, up] of TOOTH) {
      const angle = (2 * Math.PI * (k + place)) / teeth,
        radius = 1 + (inwards ? -up : up) * high;
      outline.push(new THREE.Vector2(radius * Math.cos(angle), radius * Math.sin(angle)));
    }
  return outline;
}

function circle(radius) {
  return new THREE.Path().absarc(0, 0, radius, 0, 2 * Math.PI, true);
}

function plate(shape) {
  const depth = THICK;
  const geometry = new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: 48 });
  return mesh(geometry.translate(0, 0, -depth / 2).rotateX(-Math.PI / 2), matter(IRON));
}

const PARTS = {
  pin: (part, m) => mesh(new THREE.CylinderGeometry(part.radius, part.radius, part.length, 32), m),
  ring(part, m) {
    const made = mesh(new THREE.TorusGeometry(0.85, 0.2, 12, 40).rotateX(Math.PI / 2), m);
    made.position.y = part.height;
    return made;
  },
  box: (part, m) => mesh(new THREE.BoxGeometry(...part.size), m),
  ball: (part, m) => mesh(new THREE.SphereGeometry(part.radius, 32, 20), m),
  wheel(part) {
    const shape = new THREE.Shape(toothed(part.teeth, false));
    shape.holes.push(circle(0.3));
    return plate(shape);
  },
  crown(part) {
    const shape = new THREE.Shape().absarc(0, 0, 1 + 6 / part.teeth, 0, 2 * Math.PI, false);
    shape.holes.push(new THREE.Path(toothed(part.teeth, true)));
    return plate(shape);
  },
  // along y, round: it has teeth wherever the wheel is
  rack(part) {
    const pitch = (2 * Math.PI) / part.teeth,
      high = 1.6 / part.teeth,
      outline = [new THREE.Vector2(0, -Math.PI)];
    for (let k = 0; k < part.teeth; k++)
      for (const [place, up] of TOOTH)
        outline.push(new THREE.Vector2((3 + up) * high, -Math.PI + (k + place) * pitch));
    outline.push(new THREE.Vector2(0, Math.PI));
    return mesh(new THREE.LatheGeometry(outline, 32), matter(IRON, { flatShading: true }));
  },
  blade({ radius }, m) {
    const outline = [
      [0, -0.12],
      [0.6, -0.12],
      [1, 0],
      [0.6, 0.12],
      [0, 0.12],
    ].map(([r, y]) => new THREE.Vector2(r * radius, y * radius));
    return mesh(new THREE.LatheGeometry(outline, 48), m);
  },
  coil(part) {
    const made = coil(part.length, part.radius, 0.14);
    made.position.y = -part.length / 2;
    return made;
  },
  dart({ length }) {
    const material = matter(PUSH),
      shaft = bar(material, 0.16, 0.16, 16);
    shaft.scale.y = length - 1;
    const head = mesh(new THREE.ConeGeometry(0.45, 1, 20), material);
    head.position.y = length - 0.5;
    return new THREE.Group().add(shaft, head);
  },
};

function assembled(parts, size) {
  const material = matter(STEEL, { metalness: 0.6, roughness: 0.35 });
  const group = new THREE.Group();
  for (const part of parts) {
    const turned = new THREE.Group();
    turned.add(PARTS[part.kind]({ ...part, teeth: whole(part.teeth) }, material));
    turned.quaternion.copy(turnTo(part.axis));
    group.add(turned);
  }
  group.scale.setScalar(size);
  return group;
}

export function jointSymbol(joint, size) {
  const group = assembled(joint.symbol, size);
  group.position.copy(vector(joint.point));
  return group;
}

export function markSymbol(mark, unit) {
  const group = assembled(mark.parts, mark.radius || unit);
  group.position.copy(vector(mark.point));
  return group;
}

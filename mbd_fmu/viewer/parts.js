// Things to see: solids of bodies, springs and rods, arrows, paths.
import * as THREE from "three";
import { meshGeometry } from "./meshes.js";

export const STEEL = 0x3a444e;
const SPRING = 0x2f8a4b;
const Y = new THREE.Vector3(0, 1, 0);

export const vector = (a) => new THREE.Vector3(...a);
export const quaternion = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);

export const matter = (color, more = {}) =>
  new THREE.MeshStandardMaterial({ color, roughness: 0.5, metalness: 0.1, ...more });

export function mesh(geometry, material) {
  const made = new THREE.Mesh(geometry, material);
  made.castShadow = made.receiveShadow = true;
  return made;
}

// A unit cylinder along y from 0 to 1, to be put between two points.
export function bar(material, radius = 1, radiusEnd = radius, segments = 64) {
  const geometry = new THREE.CylinderGeometry(radiusEnd, radius, 1, segments);
  return mesh(geometry.translate(0, 0.5, 0), material);
}

// Put something that reaches from 0 to 1 along y between two points.
export function span(object, from, to, thickness = 1) {
  const along = new THREE.Vector3().subVectors(to, from);
  const length = along.length();
  object.visible = length > 0;
  if (!length) return;
  object.position.copy(from);
  object.quaternion.setFromUnitVectors(Y, along.divideScalar(length));
  object.scale.set(thickness, length, thickness);
}

const SOLIDS = {
  cylinder(solid, material) {
    const made = bar(material);
    span(made, vector(solid.start), vector(solid.end), solid.radius);
    return made;
  },
  box: (solid, material) => mesh(new THREE.BoxGeometry(...solid.size), material),
  sphere: (solid, material) => mesh(new THREE.SphereGeometry(solid.radius, 40, 24), material),
};

// The files of a scene, each once: parts with their colours.
export const meshParts = (meshes) =>
  meshes.map(({ parts }) => parts.map((p) => ({ color: p.color, geometry: meshGeometry(p) })));

// What a model says about the colour counts before what the file says. Files are not to be trusted
// about which side of a triangle is the outer one.
function meshGroup(parts, solid, color) {
  const group = new THREE.Group();
  for (const part of parts) {
    const sides = { side: THREE.DoubleSide, shadowSide: THREE.BackSide };
    const material = matter(solid.color || part.color || color, sides);
    group.add(mesh(part.geometry, material));
  }
  group.scale.fromArray(solid.scale);
  return group;
}

// How much of a solid is seen: a share of what its model says.
export function fade(made, share) {
  made.traverse((part) => {
    if (!part.isMesh) return;
    const opacity = share * made.userData.opacity;
    Object.assign(part.material, { opacity, transparent: opacity < 1, depthWrite: opacity === 1 });
    part.material.needsUpdate = true;
    part.castShadow = opacity > 0.5;
  });
}

// What a body is drawn as, each at its place on it.
export const bodySolids = (body, meshes) =>
  body.solids.map((solid) => {
    const made =
      solid.kind === "mesh"
        ? meshGroup(meshes[solid.mesh], solid, body.color)
        : SOLIDS[solid.kind](solid, matter(solid.color));
    if (solid.center.length) made.position.copy(vector(solid.center));
    if (solid.quat.length) made.quaternion.copy(quaternion(solid.quat));
    made.userData.opacity = solid.opacity;
    fade(made, 1);
    return made;
  });

// Taken off for good, with its memory.
export function drop(made) {
  made.removeFromParent();
  made.traverse((part) => {
    part.geometry?.dispose();
    part.material?.dispose();
  });
}

// How thick a body is where a joint sits on it: a symbol should look out of it.
export function thicknessAt(body, point) {
  const place = vector(point);
  const found = body.solids.map((solid) => {
    if (solid.kind === "cylinder") {
      const axis = new THREE.Line3(vector(solid.start), vector(solid.end));
      const nearest = axis.closestPointToPoint(place, true, new THREE.Vector3());
      return nearest.distanceTo(place) < solid.radius ? solid.radius : 0;
    }
    if (solid.kind === "sphere")
      return vector(solid.center).distanceTo(place) < solid.radius ? solid.radius : 0;
    return solid.kind === "box" ? Math.min(...solid.size) / 2 : 0;
  });
  return Math.max(0, ...found);
}

// What holds a joint on the ground: a cone whose tip is the joint.
export function support(up, size) {
  const geometry = new THREE.ConeGeometry(1.7, 3.2, 4, 1)
    .rotateY(Math.PI / 4)
    .translate(0, -1.6, 0);
  const made = mesh(geometry, matter(0x9aa5af, { flatShading: true }));
  made.quaternion.setFromUnitVectors(Y, up);
  made.scale.setScalar(size);
  return made;
}

// What something slides along on the ground.
export function rail(from, to, axis, size) {
  const made = bar(matter(0x9aa5af));
  const along = axis.clone().setLength(4 * size);
  span(made, from.clone().sub(along), to.clone().add(along), 0.35 * size);
  return made;
}

export const turnTo = (axis) =>
  new THREE.Quaternion().setFromUnitVectors(Y, axis.length ? vector(axis) : Y);

class Helix extends THREE.Curve {
  constructor(length, radius) {
    super();
    Object.assign(this, { length, radius });
  }

  getPoint(s, target = new THREE.Vector3()) {
    const turns = 2 * Math.PI * 9 * Math.min(Math.max((s - 0.1) / 0.8, 0), 1);
    const radius = this.radius * Math.min(1, 20 * Math.min(s, 1 - s));
    return target.set(radius * Math.cos(turns), s * this.length, radius * Math.sin(turns));
  }
}

export function coil(length, radius, wire) {
  const geometry = new THREE.TubeGeometry(new Helix(length, radius), 500, wire, 8);
  return mesh(geometry, matter(SPRING, { metalness: 0.3 }));
}

// Springs are coiled for the length they start with, so that their wire is round, then stretched.
function spring(length, unit) {
  const made = coil(length, 1.6 * unit, 0.32 * unit);
  made.geometry.scale(1 / unit, 1 / length, 1 / unit);
  return made;
}

// Something from 0 to 1 along y; its thickness is in units of the symbols.
const LINES = {
  spring,
  rod: () => bar(matter(STEEL, { metalness: 0.5 }), 0.4),
  attraction: () => bar(matter(0x8a6d1b, { transparent: true, opacity: 0.35 }), 0.1),
};

export const line = (kind, length, unit) => LINES[kind](length || unit, unit);

export function path(points, color) {
  const geometry = new THREE.BufferGeometry().setFromPoints(points);
  return new THREE.Line(geometry, new THREE.LineBasicMaterial({ color }));
}

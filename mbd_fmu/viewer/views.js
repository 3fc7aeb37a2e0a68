// From where a mechanism is looked at: directions with names, and how far away all of it is seen.
import * as THREE from "three";
import { vector } from "./parts.js";

const NEARLY = 1e-4; // straight from above nothing is up: the camera leans so much to the front

// What is called front: from there x is on the right where it is level, and up is up.
function frontOf(up) {
  const k = [0, 1, 2].reduce(
    (a, b) => (Math.abs(up.getComponent(b)) > Math.abs(up.getComponent(a)) ? b : a),
    2,
  );
  const front = k === 2 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
  return front.addScaledVector(up, -front.dot(up)).normalize();
}

export function axesOf(scene) {
  const up = vector(scene.up),
    front = frontOf(up);
  return { up, front, right: new THREE.Vector3().crossVectors(up, front) };
}

// Where the eye is, seen from the mechanism, for every name that a view has.
export function directions(scene, spread) {
  const { up, front, right } = axesOf(scene);
  const at = (f, r, u) =>
    new THREE.Vector3()
      .addScaledVector(front, f)
      .addScaledVector(right, r)
      .addScaledVector(up, u)
      .normalize();
  return {
    home: home(scene, spread, at),
    front: at(1, 0, 0),
    back: at(-1, 0, 0),
    side: at(0, 1, 0),
    left: at(0, -1, 0),
    top: at(NEARLY, 0, 1),
    bottom: at(NEARLY, 0, -1),
    iso: at(1, 1, 1),
  };
}

// A plane mechanism is seen face on; others from the front, right and above.
function home(scene, spread, at) {
  const normal = planeNormal(scene, spread);
  if (!normal) return at(1, 0.8, 0.6);
  const { up } = axesOf(scene);
  if (Math.abs(normal.dot(up)) > 0.9) return at(NEARLY, 0, 1);
  const right = new THREE.Vector3().crossVectors(up, normal);
  return right.x + right.y + right.z < 0 ? normal.negate() : normal;
}

// By what its joints allow, or, where they allow more, by how flat the motion is.
function planeNormal(scene, spread) {
  if (scene.normal.length) return vector(scene.normal);
  const up = vector(scene.up),
    largest = Math.max(spread.x, spread.y, spread.z);
  const flat = [0, 1, 2].filter((k) => spread.getComponent(k) < 0.02 * largest);
  if (flat.length !== 1 || Math.abs(up.getComponent(flat[0])) > 0.5) return undefined;
  return new THREE.Vector3().setComponent(flat[0], 1);
}

export const corners = (box) =>
  Array.from(
    { length: 8 },
    (_, n) =>
      new THREE.Vector3(
        ...[0, 1, 2].map((k) => ((n >> k) & 1 ? box.max : box.min).getComponent(k)),
      ),
  );

// Put a camera so near that every corner of the box is just seen.
export function lookFrom(camera, direction, box) {
  const middle = box.getCenter(new THREE.Vector3());
  camera.position.copy(middle).add(direction);
  camera.lookAt(middle);
  camera.updateMatrixWorld();
  const slope = Math.tan((camera.fov * Math.PI) / 360),
    back = camera.quaternion.clone().invert();
  let distance = 0;
  for (const corner of corners(box)) {
    const seen = corner.sub(middle).applyQuaternion(back);
    distance = Math.max(
      distance,
      seen.z + Math.abs(seen.y) / slope,
      seen.z + Math.abs(seen.x) / (slope * camera.aspect),
    );
  }
  distance = Math.max(distance, 1e-3) * 1.1;
  camera.position.copy(middle).addScaledVector(direction, distance);
  camera.near = distance / 100;
  camera.far = distance * 20;
  camera.updateProjectionMatrix();
}

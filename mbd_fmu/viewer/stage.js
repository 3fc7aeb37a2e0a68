// Where things are seen: lights, ground with a grid, a camera that has all of the motion in view.
import * as THREE from "three";
import { vector } from "mbd/parts";

const FIELD = 30; // degrees: a long lens bends little

// The axes of a view in which up is up: from where one looks, and what is on the right.
function outlook(up) {
  const k = [0, 1, 2].reduce(
    (a, b) => (Math.abs(up.getComponent(b)) > Math.abs(up.getComponent(a)) ? b : a),
    2,
  );
  return [new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, -1, 0)][k];
}

// A plane mechanism is seen along its normal, turned a little; others from the front, right and above.
function direction(up, spread) {
  let front = outlook(up);
  const largest = Math.max(spread.x, spread.y, spread.z);
  const flat = [0, 1, 2].find(
    (k) => spread.getComponent(k) < 0.02 * largest && Math.abs(up.getComponent(k)) < 0.5,
  );
  let [aside, above] = [0.8, 0.6];
  if (flat !== undefined) {
    front = new THREE.Vector3().setComponent(flat, 1);
    const right = new THREE.Vector3().crossVectors(up, front);
    if (right.x + right.y + right.z < 0) front.negate();
    [aside, above] = [0.32, 0.28];
  }
  const right = new THREE.Vector3().crossVectors(up, front).normalize();
  return front.clone().addScaledVector(right, aside).addScaledVector(up, above).normalize();
}

export function makeCamera(scene, box, places, aspect) {
  const up = vector(scene.up);
  const camera = new THREE.PerspectiveCamera(FIELD, aspect, 0.001, 1000);
  camera.up.copy(up);
  const middle = box.getCenter(new THREE.Vector3());
  const back = direction(up, places.getSize(new THREE.Vector3()));
  camera.position.copy(middle).add(back);
  camera.lookAt(middle);
  camera.updateMatrixWorld();
  // as near as lets every corner of the box be seen
  const slope = Math.tan((FIELD * Math.PI) / 360);
  let distance = 0;
  for (let n = 0; n < 8; n++) {
    const corner = new THREE.Vector3(
      ...[0, 1, 2].map((k) => ((n >> k) & 1 ? box.max : box.min).getComponent(k)),
    );
    const seen = corner.sub(middle).applyQuaternion(camera.quaternion.clone().invert());
    distance = Math.max(
      distance,
      seen.z + Math.abs(seen.y) / slope,
      seen.z + Math.abs(seen.x) / (slope * aspect),
    );
  }
  distance = Math.max(distance, 1e-3) * 1.1;
  camera.position.copy(middle).addScaledVector(back, distance);
  camera.near = distance / 100;
  camera.far = distance * 20;
  camera.updateProjectionMatrix();
  return { camera, middle };
}

// A round number of metres: 1, 2 or 5 times a power of ten.
function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((n) => n * power).find((step) => step <= length * (1 + 1e-9)) ?? power;
}

export function makeGround(scene, box) {
  const up = vector(scene.up);
  const size = box.getSize(new THREE.Vector3()).length() || 1;
  const middle = box.getCenter(new THREE.Vector3());
  let normal = up,
    lowest = Infinity;
  if (scene.planes.length) {
    normal = vector(scene.planes[0].normal);
    lowest = normal.dot(vector(scene.planes[0].point));
  } else {
    for (let n = 0; n < 8; n++) {
      const corner = new THREE.Vector3(
        ...[0, 1, 2].map((k) => ((n >> k) & 1 ? box.max : box.min).getComponent(k)),
      );
      lowest = Math.min(lowest, corner.dot(up));
    }
    lowest -= 0.02 * size;
  }
  const group = new THREE.Group();
  const step = roundLength(size / 8);
  const cells = 2 * Math.ceil((1.1 * size) / step);
  const grid = new THREE.GridHelper(cells * step, cells, 0xaab4bd, 0xd5dbe1);
  grid.material.transparent = true;
  const shade = new THREE.Mesh(
    new THREE.PlaneGeometry(cells * step, cells * step).rotateX(-Math.PI / 2),
    new THREE.ShadowMaterial({ opacity: 0.16 }),
  );
  shade.receiveShadow = true;
  group.add(grid, shade);
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
  group.position.copy(middle).addScaledVector(normal, lowest - middle.dot(normal));
  return { ground: group, step };
}

export function makeLights(scene, box) {
  const up = vector(scene.up),
    front = outlook(up);
  const right = new THREE.Vector3().crossVectors(up, front);
  const size = box.getSize(new THREE.Vector3()).length() || 1;
  const middle = box.getCenter(new THREE.Vector3());
  const sky = new THREE.HemisphereLight(0xffffff, 0xb9c2ca, 1.9);
  sky.position.copy(up);
  const sun = new THREE.DirectionalLight(0xffffff, 2.2);
  sun.position
    .copy(middle)
    .addScaledVector(up, 2 * size)
    .addScaledVector(front, 0.8 * size)
    .addScaledVector(right, 0.7 * size);
  sun.target.position.copy(middle);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 4;
  sun.shadow.normalBias = 0.002 * size;
  Object.assign(sun.shadow.camera, {
    left: -size,
    right: size,
    top: size,
    bottom: -size,
    near: 0.1 * size,
    far: 5 * size,
  });
  return [sky, sun, sun.target];
}

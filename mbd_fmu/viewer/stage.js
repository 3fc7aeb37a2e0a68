// What a mechanism stands on and is lit by, by day and by night.
import * as THREE from "three";
import { vector } from "./parts.js";
import { axesOf, corners } from "./views.js";

const PAINT = {
  light: { sky: 0xf7f9fb, lines: 0xd5dbe1, middle: 0xaab4bd, shade: 0.16 },
  dark: { sky: 0x161c22, lines: 0x2d3741, middle: 0x4a5763, shade: 0.45 },
};

// A round number of metres: 1, 2 or 5 times a power of ten.
function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((n) => n * power).find((step) => step <= length * (1 + 1e-9)) ?? power;
}

// The floor, how long a side of its cells is, and how it is painted for a theme.
export function makeGround(scene, box) {
  const size = box.getSize(new THREE.Vector3()).length() || 1;
  const middle = box.getCenter(new THREE.Vector3());
  const { normal, height } = floor(scene, box, size);
  const step = roundLength(size / 8);
  const cells = 2 * Math.ceil((1.1 * size) / step);
  const grid = new THREE.LineSegments(
    gridLines(cells, step),
    new THREE.LineBasicMaterial({ vertexColors: true }),
  );
  const shade = new THREE.Mesh(
    new THREE.PlaneGeometry(cells * step, cells * step).rotateX(-Math.PI / 2),
    new THREE.ShadowMaterial(),
  );
  shade.receiveShadow = true;
  const ground = new THREE.Group().add(grid, shade);
  ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
  ground.position.copy(middle).addScaledVector(normal, height - middle.dot(normal));
  const paint = (world, theme) => {
    const { sky, lines, middle: cross, shade: depth } = PAINT[theme];
    world.background = new THREE.Color(sky);
    paintLines(grid.geometry, cross, lines);
    shade.material.opacity = depth;
  };
  return { ground, step, paint };
}

// A plane that something rolls on, or a little below everything.
function floor(scene, box, size) {
  if (scene.planes.length) {
    const normal = vector(scene.planes[0].normal);
    return { normal, height: normal.dot(vector(scene.planes[0].point)) };
  }
  const normal = vector(scene.up);
  const lowest = Math.min(...corners(box).map((corner) => corner.dot(normal)));
  return { normal, height: lowest - 0.02 * size };
}

// Lines along x and z, cell by cell: some software renderers drop a line that ends behind the eye.
function gridLines(cells, step) {
  const half = (cells * step) / 2,
    places = [];
  for (let i = 0; i <= cells; i++)
    for (let k = 0; k < cells; k++) {
      const [at, from, to] = [i, k, k + 1].map((n) => n * step - half);
      places.push(at, 0, from, at, 0, to, from, 0, at, to, 0, at);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  return geometry;
}

// Those through the middle stand out.
function paintLines(geometry, cross, lines) {
  const colors = [cross, lines].map((color) => new THREE.Color(color).toArray()),
    { array, count } = geometry.attributes.position,
    found = [];
  for (let k = 0; k < count; k += 2) {
    const inMiddle = [0, 2].some((c) => array[3 * k + c] === 0 && array[3 * k + 3 + c] === 0);
    const color = colors[inMiddle ? 0 : 1];
    found.push(...color, ...color);
  }
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(found, 3));
}

// The sun stands behind the shoulder of who looks from where a picture begins.
export function makeLights(scene, box, eye) {
  const axes = axesOf(scene),
    { up } = axes,
    level = eye.clone().addScaledVector(up, -eye.dot(up));
  const front = level.length() > 0.1 ? level.normalize() : axes.front;
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

// Triangles of a mesh, shaded smoothly where its surface is smooth, with edges where it has edges.
import * as THREE from "three";
import { numbers } from "./bytes.js";

const SHORT = 1 << 16; // so many corners have places of two bytes
const CREASE = Math.cos(Math.PI / 6); // triangles that meet at less than 30 degrees are one surface

// Twice the area of each triangle as a vector across it.
function areas(places, corners) {
  const found = new Float32Array(corners.length);
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < corners.length; k += 3) {
    a.fromArray(places, 3 * corners[k]);
    b.fromArray(places, 3 * corners[k + 1]).sub(a);
    c.fromArray(places, 3 * corners[k + 2]).sub(a);
    b.cross(c).toArray(found, k);
  }
  return found;
}

// For each corner the sum over the triangles around it that lie nearly in the same plane.
function normals(places, corners) {
  const area = areas(places, corners);
  const first = new Int32Array(places.length / 3).fill(-1),
    next = new Int32Array(corners.length);
  corners.forEach((v, k) => {
    next[k] = first[v];
    first[v] = k;
  });
  const found = new Float32Array(3 * corners.length);
  const [own, other, sum] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < corners.length; k++) {
    own.fromArray(area, k - (k % 3));
    sum.set(0, 0, 0);
    for (let n = first[corners[k]]; n >= 0; n = next[n]) {
      other.fromArray(area, n - (n % 3));
      if (own.dot(other) >= CREASE * own.length() * other.length()) sum.add(other);
    }
    sum.normalize().toArray(found, 3 * k);
  }
  return found;
}

export function meshGeometry(part) {
  const places = numbers(part.vertices, Float32Array);
  const Corners = places.length / 3 <= SHORT ? Uint16Array : Uint32Array;
  const corners = numbers(part.triangles, Corners);
  const each = new Float32Array(3 * corners.length);
  corners.forEach((v, k) => each.set(places.subarray(3 * v, 3 * v + 3), 3 * k));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(each, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals(places, corners), 3));
  return geometry;
}

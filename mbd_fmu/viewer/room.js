// How much room a mechanism takes, and its motion.
import * as THREE from "three";
import { instants } from "./rows.js";

// Between all mass centres, of which `placed` knows where they are.
export const middle = (bodies, placed) =>
  bodies.reduce((sum, body) => sum.add(placed(body)), new THREE.Vector3()).divideScalar(bodies.length);

// Where joints and ends of lines are.
function points(mechanism) {
  const { scene, carriers } = mechanism;
  const ends = scene.lines.flatMap((l) => [
    [l.parent, l.point],
    [l.child, l.point2],
  ]);
  return [...scene.joints.map((j) => [j.child, j.point]), ...ends]
    .filter(([name]) => name in carriers)
    .map((end) => mechanism.carried(...end));
}

// What there is at this instant: solids, joints, and wheels of their true size before they are drawn.
export function extent(mechanism) {
  const { scene, carriers } = mechanism,
    now = new THREE.Box3();
  mechanism.root.updateMatrixWorld(true);
  for (const solid of Object.values(mechanism.solids).flat()) now.expandByObject(solid);
  for (const { carrier, point, radius } of scene.marks.filter((m) => m.carrier in carriers)) {
    const wheel = new THREE.Sphere(mechanism.carried(carrier, point), radius);
    now.union(wheel.getBoundingBox(new THREE.Box3()));
  }
  for (const place of points(mechanism)) now.expandByPoint(place);
  return now;
}

// Of the motion: all of it, and as it is seen by who goes along with the middle; where mass centres
// and joints are, how large it is at one instant, how far its middle goes from where it began.
export function roomOf(mechanism) {
  const found = {
    box: new THREE.Box3(),
    along: new THREE.Box3(),
    places: new THREE.Box3(),
    largest: 0,
    way: 0,
  };
  const { time, scene } = mechanism;
  for (const t of instants(time)) {
    mechanism.show(t);
    const now = extent(mechanism);
    for (const place of points(mechanism)) found.places.expandByPoint(place);
    for (const { name, com } of scene.bodies) found.places.expandByPoint(mechanism.carried(name, com));
    found.began ??= mechanism.middle;
    const gone = mechanism.middle.sub(found.began);
    found.largest = Math.max(found.largest, now.getSize(new THREE.Vector3()).length());
    found.way = Math.max(found.way, gone.length());
    found.box.union(now);
    found.along.union(now.translate(gone.negate()));
  }
  return found;
}

// Where not all of a motion is known, what travels may turn about what is up.
export function withRoomToTurn(box, up) {
  const center = box.getCenter(new THREE.Vector3()),
    reach = box.getSize(new THREE.Vector3()).length() / 2,
    roomy = box.clone();
  for (const k of [0, 1, 2].filter((axis) => Math.abs(up[axis]) < 0.5)) {
    roomy.min.setComponent(k, center.getComponent(k) - reach);
    roomy.max.setComponent(k, center.getComponent(k) + reach);
  }
  return roomy;
}

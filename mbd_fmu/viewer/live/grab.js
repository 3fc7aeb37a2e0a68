// A body grabbed with the mouse or a finger, and pulled by a spring that is part of the motion.
import * as THREE from "three";

const PACE = 6; // 1/s: how fast the spring would swing the body and all it carries
const SHARE = 0.4; // of critical damping

const FINGER = 16, // px: so far beside it a finger means a body
  APART = 4; // px between looks there

// Where to look, the nearest first: a mouse shows what it points at, a finger hides it.
const EXACT = [[0, 0]];
const AROUND = Array.from({ length: (2 * FINGER) / APART + 1 }, (_, k) => k * APART - FINGER)
  .flatMap((x, _, all) => all.map((y) => [x, y]))
  .filter((off) => Math.hypot(...off) <= FINGER)
  .sort((a, b) => Math.hypot(...a) - Math.hypot(...b));

export class Grab {
  // `isFree` says whether a press is not meant for something else.
  constructor(run, data, picture, mechanism, isFree) {
    Object.assign(this, { run, data, picture, isFree });
    this.drawing = mechanism.drawing;
    this.ray = new THREE.Raycaster();
    this.plane = new THREE.Plane();
    const ends = new THREE.BufferGeometry().setFromPoints([0, 1].map(() => new THREE.Vector3()));
    const look = new THREE.LineBasicMaterial({ color: 0xd1331f, depthTest: false });
    this.line = Object.assign(new THREE.Line(ends, look), { visible: false, renderOrder: 2 });
    this.line.frustumCulled = false;
    this.drawing.root.add(this.line);
    const { element } = picture;
    // before the camera hears of it
    element.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    element.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"])
      element.addEventListener(end, () => this.release());
    run.addEventListener("restart", () => this.release());
  }

  aim(event, [x, y]) {
    const { left, top, width, height } = this.picture.element.getBoundingClientRect();
    const place = new THREE.Vector2(
      (2 * (event.clientX + x - left)) / width - 1,
      1 - (2 * (event.clientY + y - top)) / height,
    );
    this.ray.setFromCamera(place, this.picture.camera);
    return this.ray;
  }

  // What lies under the pointer: a body that can be pulled, where, and how far beside.
  under(event) {
    const names = Object.keys(this.data.pulls);
    const carriers = names.map((name) => this.drawing.carriers[name]);
    for (const off of event.pointerType === "mouse" ? EXACT : AROUND) {
      const [hit] = this.aim(event, off).intersectObjects(carriers, true);
      if (!hit) continue;
      let carrier = hit.object;
      while (!carriers.includes(carrier)) carrier = carrier.parent;
      return { name: names[carriers.indexOf(carrier)], place: hit.point, off };
    }
    return undefined;
  }

  take(event) {
    const isMeant = event.button === 0 && !this.held && this.isFree();
    const found = isMeant ? this.under(event) : undefined;
    if (!found || this.run.failed) return;
    event.stopPropagation();
    this.picture.element.setPointerCapture(event.pointerId);
    const { position, quaternion } = this.drawing.carriers[found.name];
    const point = found.place.clone().sub(position).applyQuaternion(quaternion.clone().invert());
    const facing = this.picture.camera.getWorldDirection(new THREE.Vector3());
    this.plane.setFromNormalAndCoplanarPoint(facing, found.place);
    this.held = { name: found.name, point, target: found.place.clone(), off: found.off };
    this.run.isPulled = true;
    this.pull();
    this.run.play();
  }

  move(event) {
    if (!this.held) return;
    const { off, target } = this.held;
    if (!this.aim(event, off).ray.intersectPlane(this.plane, target)) return;
    this.pull();
    this.show();
  }

  // Stiff enough to move the body with half of what hangs on it, whatever that is.
  pull() {
    const { name, point, target } = this.held,
      { first, mass } = this.data.pulls[name];
    const felt = Math.sqrt(mass * this.data.mass) || this.data.mass || 1;
    const stiffness = felt * PACE ** 2,
      damping = 2 * SHARE * felt * PACE;
    this.give(first, [...point.toArray(), ...target.toArray(), stiffness, damping]);
  }

  release() {
    if (!this.held) return;
    const { first, count } = this.data.pulls[this.held.name];
    this.held = undefined;
    this.give(first, Array(count).fill(0));
    this.show();
  }

  give(first, values) {
    if (this.run.failed) return;
    values.forEach((value, k) => this.run.instance.set(first + k, value));
    this.run.look("change");
  }

  show() {
    this.line.visible = this.held !== undefined;
    if (this.held) {
      const { name, point, target } = this.held;
      const from = this.drawing.carried(name, point.toArray());
      this.line.geometry.setFromPoints([from, target]);
    }
  }
}

// Distances and angles between points that are clicked; they move with the bodies they are on.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import { short } from "./numbers.js";
import { vector } from "./parts.js";

const NEAR = 14; // px: so near to a joint or a mass centre, that is meant
const STILL = 5; // px: a click that moves more turns the view

export class Measure {
  constructor(player) {
    const { picture, mechanism } = player;
    Object.assign(this, { player, picture, mechanism, active: false, points: [] });
    this.output = Object.assign(document.createElement("output"), { className: "measured" });
    this.output.hidden = true;
    const material = new THREE.LineBasicMaterial({ color: 0xe0218a, depthTest: false });
    this.line = new THREE.Line(new THREE.BufferGeometry(), material);
    Object.assign(this.line, { renderOrder: 2, frustumCulled: false });
    this.dots = ["1", "2", "3"].map((text) => {
      const dot = Object.assign(document.createElement("span"), { className: "dot" });
      dot.textContent = text;
      return new CSS2DObject(dot);
    });
    picture.world.add(this.line, ...this.dots);
    const canvas = picture.renderer.domElement;
    canvas.addEventListener("pointerdown", (event) => (this.pressed = event));
    canvas.addEventListener("pointerup", (event) => this.released(event));
    this.update();
  }

  toggle() {
    this.active = !this.active;
    this.points = [];
    this.player.bar.querySelector(".measure").setAttribute("aria-pressed", this.active);
    this.picture.element.classList.toggle("measuring", this.active);
    this.player.draw();
  }

  leave() {
    if (this.active) this.toggle();
  }

  released(event) {
    const { pressed } = this;
    if (!this.active || !pressed) return;
    if (Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > STILL) return;
    const found = this.pick(event);
    if (!found) return;
    if (this.points.length === 3) this.points = [];
    this.points.push(found);
    this.player.draw();
  }

  // A named point that is near, or where a body is hit; on its carrier.
  pick(event) {
    const { width, height, left, top } = this.picture.renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2(event.clientX - left, event.clientY - top);
    const near = this.named()
      .map((end) => [this.seen(end, width, height).distanceTo(at), end])
      .filter(([distance]) => distance <= NEAR)
      .sort(([a], [b]) => a - b);
    if (near.length) return near[0][1];
    const ray = new THREE.Raycaster();
    ray.setFromCamera(
      new THREE.Vector2((2 * at.x) / width - 1, 1 - (2 * at.y) / height),
      this.picture.camera,
    );
    const { solids, carriers } = this.mechanism;
    const hits = Object.entries(solids)
      .filter(([name]) => carriers[name].visible)
      .flatMap(([name, parts]) => ray.intersectObjects(parts).map((hit) => ({ name, ...hit })))
      .sort((a, b) => a.distance - b.distance);
    if (!hits.length) return undefined;
    const [{ name, point }] = hits;
    return { carrier: name, place: carriers[name].worldToLocal(point.clone()), name: `on ${name}` };
  }

  // Joints and mass centres of what is shown.
  named() {
    const { scene, carriers } = this.mechanism;
    const found = [
      ...scene.joints.map(({ child, point, name }) => [child, point, name]),
      ...scene.bodies.map(({ name, com }) => [name, com, `mass centre of ${name}`]),
    ];
    return found
      .filter(([carrier]) => carriers[carrier].visible)
      .map(([carrier, point, name]) => ({ carrier, place: vector(point), name }));
  }

  where({ carrier, place }) {
    const { position, quaternion } = this.mechanism.carriers[carrier];
    return place.clone().applyQuaternion(quaternion).add(position);
  }

  isShown({ carrier }) {
    return this.mechanism.carriers[carrier].visible;
  }

  // In pixels of the picture; behind the eye nothing is near.
  seen(end, width, height) {
    const place = this.where(end).project(this.picture.camera);
    if (place.z > 1) return new THREE.Vector2(Infinity, Infinity);
    return new THREE.Vector2(((place.x + 1) * width) / 2, ((1 - place.y) * height) / 2);
  }

  // Of two points the way from the first to the second, of three the angle at the second.
  get value() {
    const [a, b, c] = this.points.map((end) => this.where(end));
    if (!b) return {};
    const way = b.clone().sub(a);
    if (!c) return { distance: way.length(), way: way.toArray() };
    return { angle: THREE.MathUtils.radToDeg(way.negate().angleTo(c.clone().sub(b))) };
  }

  update() {
    const places = this.points.map((end) => this.where(end));
    this.dots.forEach((dot, k) => {
      dot.visible = k < places.length && this.isShown(this.points[k]);
      if (dot.visible) dot.position.copy(places[k]);
    });
    this.line.visible = places.length > 1 && this.points.every((end) => this.isShown(end));
    if (this.line.visible) {
      this.line.geometry.dispose();
      this.line.geometry = new THREE.BufferGeometry().setFromPoints(places);
    }
    this.output.hidden = !this.active;
    this.output.textContent = this.text();
  }

  text() {
    const names = this.points.map(({ name }) => name),
      { distance, way, angle } = this.value;
    if (angle !== undefined) return `${angle.toFixed(2)}° at ${names[1]}`;
    if (distance === undefined)
      return names.length
        ? `from ${names[0]}: click a second point`
        : "click a joint, a mass centre or a body";
    const parts = way.map((x, k) => `${"xyz"[k]} ${short(x)}`).join(", ");
    return `${short(distance)} m (${parts}) from ${names[0]} to ${names[1]}; a third point: the angle`;
  }
}

// A mechanism on its ground, in light, before a camera that the mouse turns.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { CSS2DRenderer } from "three/addons/renderers/CSS2DRenderer.js";
import { keepApart } from "./labels.js";
import { drop } from "./parts.js";
import { makeGround, makeLights } from "./stage.js";
import { onTheme, theme } from "./theme.js";
import { directions, lookFrom } from "./views.js";

const FIELD = 30; // degrees: a long lens bends little
const HINT = 1500; // ms after the last turn of the wheel

export class Picture {
  // `room` says how large it is to be: { width, height }.
  constructor(scene, mechanism, room) {
    const { box, places, root } = mechanism;
    Object.assign(this, { room, box, view: "home", ending: new AbortController() });
    this.covered = { right: 0, bottom: 0 }; // px, by what lies over it: the middle is that of the rest
    this.directions = directions(scene, places.getSize(new THREE.Vector3()));
    this.world = new THREE.Scene();
    this.stage = new THREE.Group();
    this.world.add(root, this.stage);
    this.lay(scene);
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.setPixelRatio(window.devicePixelRatio);
    const { domElement } = this.renderer;
    domElement.setAttribute("role", "img");
    domElement.setAttribute("aria-label", "the mechanism in 3-D");
    this.labels = new CSS2DRenderer();
    this.labels.domElement.className = "labels";
    this.element = Object.assign(document.createElement("div"), { className: "picture" });
    this.element.append(this.renderer.domElement, this.labels.domElement);
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.001, 1000);
    this.camera.up.set(...scene.up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("start", () => (this.view = undefined));
    this.controls.addEventListener("change", () => this.draw());
    this.leaveWheel();
    onTheme(() => {
      this.paint(this.world, theme());
      this.draw();
    }, this.ending.signal);
    this.resize();
    this.controls.saveState();
  }

  // The wheel scrolls a page that has more than this, until somebody means the picture: by a click,
  // by the keyboard, or with Ctrl.
  leaveWheel() {
    if (document.body.classList.contains("whole")) return;
    const { element } = this;
    const { signal } = this.ending;
    let isMeant = false;
    const listen = (name, judge) =>
      document.addEventListener(name, ({ target }) => (isMeant = judge(target)), { signal, capture: true });
    listen("pointerdown", (target) => element.contains(target));
    listen("focusin", (target) => target.contains(element) || element.contains(target));
    const hint = Object.assign(document.createElement("p"), {
      className: "wheel-hint",
      textContent: "Click the picture, or hold Ctrl, to zoom by the wheel",
      hidden: true,
    });
    element.append(hint);
    const leave = (event) => {
      const { scrollHeight, clientHeight } = document.documentElement;
      if (isMeant || event.ctrlKey || scrollHeight <= clientHeight) return (hint.hidden = true);
      event.stopPropagation(); // from the controls, which would keep it from the page
      hint.hidden = false;
      clearTimeout(this.hinting);
      this.hinting = setTimeout(() => (hint.hidden = true), HINT);
    };
    element.addEventListener("wheel", leave, { signal, capture: true, passive: true });
  }

  // From a direction that has a name, so near that all of the motion is in view.
  look(name) {
    this.view = name;
    lookFrom(this.camera, this.directions[name], this.box);
    this.controls.target.copy(this.box.getCenter(new THREE.Vector3()));
    this.controls.update();
    this.draw();
  }

  // Ground and lights for the room there is.
  lay(scene) {
    for (const made of [...this.stage.children]) {
      drop(made);
      made.dispose?.();
    }
    const { ground, step, paint } = makeGround(scene, this.box);
    Object.assign(this, { ground, cell: step, paint, gone: new THREE.Vector3() });
    this.stage.position.set(0, 0, 0);
    this.stage.add(ground, ...makeLights(scene, this.box, this.directions.home));
    paint(this.world, theme());
  }

  // Where this place is in the picture, there it stays, as it moves.
  keep(place) {
    this.move(place.clone().sub(this.kept ?? place));
    this.kept = place;
  }

  // Along with what travels: the eye goes all the way, the ground by whole cells in its plane.
  move(way) {
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.box.translate(way);
    const { quaternion } = this.ground;
    const flat = this.gone.add(way).clone().applyQuaternion(quaternion.clone().invert());
    const [x, z] = [flat.x, flat.z].map((along) => Math.round(along / this.cell) * this.cell);
    this.stage.position.set(x, 0, z).applyQuaternion(quaternion);
  }

  // A view that was chosen stays whole; one that was turned by hand stays where it is.
  resize() {
    const { width, height } = this.room();
    this.renderer.setSize(width, height);
    this.labels.setSize(width, height);
    const { right, bottom } = this.covered;
    this.camera.setViewOffset(width - right, height - bottom, 0, 0, width, height);
    if (this.view) this.look(this.view);
    else this.draw();
  }

  draw() {
    this.renderer.render(this.world, this.camera);
    this.labels.render(this.world, this.camera);
    keepApart(this.world, this.camera, this.labels.domElement);
  }

  dispose() {
    this.ending.abort();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

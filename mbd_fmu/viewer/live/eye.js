// The eye of a picture in which anything may happen: as long as it looks from where a view says, all
// that is there stays in the picture.
import * as THREE from "three";
import { corners, lookFrom } from "../views.js";
import { quiet } from "./quiet.js";

const ROOMY = 0.5; // of a room: what takes less is seen from nearer
const SPARE = 0.1; // of the mechanism: what sticks out gets so much more room at once
const GLIDE = 200; // ms in which the eye goes two thirds of its way
const NUDGE = 0.05; // of the way: by so much it goes on until it sees what there is
const THERE = 1e-3; // of the distance: so near it has come

const size = (box) => box.getSize(new THREE.Vector3()).length();
const middle = (box) => box.getCenter(new THREE.Vector3());

export class Eye {
  constructor(picture, scene) {
    Object.assign(this, { picture, scene, isGliding: false });
  }

  // Another room: the eye goes where much is out of it, or, where it may come nearer, much of it empty.
  fit(box, mayComeNearer) {
    const { picture } = this,
      suits = picture.box.containsBox(box) && !(mayComeNearer && size(box) <= ROOMY * size(picture.box));
    if (!suits) picture.box = mayComeNearer ? box.clone() : box.clone().union(picture.box);
    picture.kept = undefined;
    picture.lay(this.scene);
    if (!suits) this.go();
  }

  // The room grows by what sticks out of the picture; it never shrinks by itself.
  follow(now) {
    const { picture } = this;
    if (!picture.view || now.isEmpty()) return (this.isGliding = false);
    if (!picture.box.containsBox(now) && (this.isGliding || !this.sees(now))) {
      picture.box = now.clone().expandByScalar(SPARE * size(now)).union(picture.box);
      this.hasGrown = true;
      this.go();
    }
    if (this.isGliding) this.glide(now);
    if (!this.isGliding && this.hasGrown) {
      this.hasGrown = false;
      picture.lay(this.scene);
    }
  }

  go() {
    if (!this.isGliding) this.since = performance.now();
    this.isGliding = true;
  }

  // A part of the way; as much of it as what is there now needs to be seen.
  glide(now) {
    const { camera, controls, directions, view, box } = this.picture,
      [from, target] = [camera.position.clone(), controls.target.clone()],
      goal = camera.clone(),
      time = performance.now();
    lookFrom(goal, directions[view], box);
    const isThere = from.distanceTo(goal.position) < THERE * goal.position.distanceTo(middle(box));
    let gone = quiet.matches || isThere ? 1 : 1 - Math.exp((this.since - time) / GLIDE);
    this.since = time;
    Object.assign(camera, { near: goal.near, far: goal.far });
    camera.updateProjectionMatrix();
    for (; ; gone = Math.min(gone + NUDGE, 1)) {
      camera.position.lerpVectors(from, goal.position, gone);
      controls.target.lerpVectors(target, middle(box), gone);
      camera.lookAt(controls.target);
      if (gone === 1 || this.sees(now)) break;
    }
    this.isGliding = gone < 1;
  }

  sees(box) {
    const { camera } = this.picture,
      slope = Math.tan((camera.fov * Math.PI) / 360);
    camera.updateMatrixWorld();
    return corners(box).every((corner) => {
      const { x, y, z } = corner.applyMatrix4(camera.matrixWorldInverse);
      return Math.max(Math.abs(x) / camera.aspect, Math.abs(y)) <= -z * slope;
    });
  }

  // From a direction that has a name: so near that all that is expected is seen, and what there is.
  look(name, room, now) {
    this.picture.box = room.clone().union(now);
    this.picture.look(name);
  }
}

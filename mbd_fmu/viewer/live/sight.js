// A mechanism in its picture, that hands can pull: what a page and a tile have in common.
import { bodyList } from "../bodies.js";
import { Measure } from "../measure.js";
import { Picture } from "../picture.js";
import { extent } from "../room.js";
import { Eye } from "./eye.js";
import { Grab } from "./grab.js";
import { LiveMechanism } from "./mechanism.js";

export class Sight {
  // `room` says how large the picture is to be; `draw` draws all of which it is a part.
  constructor(run, room, draw) {
    const { data } = run;
    Object.assign(this, { run, draw });
    this.mechanism = new LiveMechanism(run);
    this.picture = new Picture(data.scene, this.mechanism.drawing, room);
    this.eye = new Eye(this.picture, data.scene);
    const isFree = () => !this.measure?.active;
    this.grab = new Grab(run, data, this.picture, this.mechanism, isFree);
  }

  // As it is now; and again, while the eye is on its way and no motion asks for more.
  show() {
    const { run, mechanism, picture, eye } = this;
    mechanism.show(run.values);
    mechanism.goAlong(picture, eye);
    eye.follow(this.now);
    this.grab.show();
    this.measure?.update();
    picture.draw();
    cancelAnimationFrame(this.waiting);
    if (eye.isGliding && !run.playing) this.waiting = requestAnimationFrame(this.draw);
  }

  // All there is at this instant, with the arrows that are shown.
  get now() {
    const { drawing } = this.mechanism,
      box = extent(drawing);
    drawing.reactions.surround(box);
    return box;
  }

  // Bodies that may be hidden, and points that may be measured, by a button of a bar.
  equip(bar) {
    const { picture, draw } = this,
      { drawing } = this.mechanism;
    this.measure = new Measure({ picture, mechanism: drawing, bar, draw });
    this.bodies = bodyList(drawing, 0, draw); // closed: it would hide what moves
    picture.element.append(this.bodies, this.measure.output);
  }

  look(name) {
    this.eye.look(name, this.mechanism.room, this.now);
  }

  // Where the eye goes, now; also for what has yet to rest.
  arrive() {
    if (this.mechanism.resting) this.mechanism.look();
    this.eye.since = -Infinity;
    this.draw();
  }

  // As somebody else has seen it.
  lookFrom(place, target) {
    const { picture } = this;
    picture.view = undefined;
    picture.camera.position.fromArray(place);
    picture.controls.target.fromArray(target);
    picture.controls.update();
  }

  toggleList() {
    this.bodies.open = !this.bodies.open;
  }
}

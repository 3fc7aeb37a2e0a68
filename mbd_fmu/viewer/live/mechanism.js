// The drawing of a mechanism that is stepped here: poses and reactions of this instant.
import * as THREE from "three";
import { CSS2DObject } from "three/addons/renderers/CSS2DRenderer.js";
import { Mechanism, middle, withRoomToTurn } from "../mechanism.js";
import { quaternion, vector } from "../parts.js";

const short = (x) => Number(x.toPrecision(3)).toString();
const UNITS = ["N", "N·m"],
  KINDS = ["force", "torque"];
const SEEN = 0.12; // of the longest arrow: numbers of shorter ones would only hide the rest

const MOST = 600, // steps
  FAR = 12, // lengths of the mechanism: what travels further is gone along with
  BUDGET = 250; // ms: how far the room of the motion is looked at at most

// Before anything is drawn.
const middleOf = ({ data, values }) =>
  middle(data.scene.bodies, ({ name, com }) => {
    const [x, y, z, ...turn] = data.poses[name].map((k) => values[k]);
    return vector(com).applyQuaternion(quaternion(turn)).add(new THREE.Vector3(x, y, z));
  });

// Rows of a look ahead, as a table of motion: it tells how much room the mechanism needs.
export function ahead(run) {
  const { instance, data, drivers } = run,
    rows = [],
    end = performance.now() + BUDGET;
  const seconds = Math.min(data.stop, ...drivers.list.map((driver) => driver.end ?? Infinity));
  const most = Math.min(MOST, Math.ceil(seconds / instance.clock.length) + 1);
  const began = middleOf(run);
  const isNear = () => middleOf(run).distanceTo(began) < FAR * data.length;
  do rows.push([instance.time, Float64Array.from(run.values)]);
  while (rows.length < most && performance.now() < end && isNear() && run.step());
  const travels = !isNear();
  if (travels) rows.length = 1; // who looks goes along
  run.restart();
  const table = (places) =>
    Object.fromEntries(
      Object.entries(places).map(([name, at]) => [
        name,
        Float64Array.from(rows.flatMap(([, values]) => at.map((k) => values[k]))),
      ]),
    );
  return {
    time: Float64Array.from(rows, ([t]) => t),
    travels,
    poses: table(data.poses),
    reactions: table(data.reactions),
  };
}

export class LiveMechanism {
  constructor(data, motion) {
    this.data = data;
    this.travels = motion.travels;
    this.drawing = new Mechanism(data.scene, motion);
    const { drawing } = this;
    if (this.travels) drawing.box = withRoomToTurn(drawing.box, data.scene.up);
    drawing.time = Float64Array.of(0);
    for (const name of Object.keys(drawing.poses)) drawing.poses[name] = new Float64Array(7);
    for (const name of Object.keys(drawing.loads)) drawing.loads[name] = new Float64Array(6);
    this.numbers = drawing.arrows.flatMap(([joint, ...pair]) =>
      pair.map((arrow, n) => this.number(joint, arrow, n)),
    );
  }

  number(joint, arrow, n) {
    const element = Object.assign(document.createElement("span"), { className: `name load ${KINDS[n]}` });
    const label = new CSS2DObject(element);
    this.drawing.root.add(label);
    return { joint, arrow, n, label, element };
  }

  show(values) {
    const { drawing, data } = this;
    for (const [tables, places] of [
      [drawing.poses, data.poses],
      [drawing.loads, data.reactions],
    ])
      for (const [name, at] of Object.entries(places)) {
        const row = tables[name];
        at.forEach((k, c) => (row[c] = values[k]));
      }
    // arrows shrink when something larger comes; they do not grow back: a length means one force
    drawing.longest = drawing.longest.map((most, n) => Math.max(most, drawing.largestLoad(3 * n)));
    drawing.show(0);
    for (const number of this.numbers) this.tell(number);
  }

  // What travels stays in the middle of a picture.
  goAlong(picture) {
    if (this.travels) picture.keep(this.drawing.middle);
  }

  tell({ joint, arrow, n, label, element }) {
    const [x, y, z] = this.drawing.loads[joint.name].subarray(3 * n, 3 * n + 3);
    const size = Math.hypot(x, y, z);
    label.visible = arrow.visible && size > SEEN * this.drawing.longest[n];
    if (!label.visible) return;
    element.textContent = `${short(size)} ${UNITS[n]}`;
    label.userData.rank = 1 + size / this.drawing.longest[n]; // before names, the largest first
    const length = (0.3 * this.drawing.size) / this.drawing.longest[n];
    const from = this.drawing.carried(joint.loaded, joint.load_point);
    label.position.set(from.x + length * x, from.y + length * y, from.z + length * z);
  }
}

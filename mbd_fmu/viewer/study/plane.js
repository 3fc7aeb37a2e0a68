// What lies over two columns: points, a curve, or a map of a third column. The axes are uPlot's;
// what is between them is painted here, by cases.
import uPlot from "uplot";
import { FONT, shortTicks } from "../plotting.js";
import { css, paints, ramp, showBar } from "./colours.js";
import { Map2 } from "./map.js";

const HEIGHT = { "": 300, tall: 420 };
const ROOM = 0.04, // of a range, beside its outermost values
  NEAR = 14; // px: a point that the pointer means

export class Plane {
  constructor(host, table) {
    Object.assign(this, { host, table });
    const { kind, x, y, z } = host.dataset;
    Object.assign(this, { kind, x: Number(x), y: Number(y), z: Number(z) });
    this.drawing = document.createElement("div");
    this.said = Object.assign(document.createElement("output"), { className: "said" });
    this.said.textContent = "\u00a0"; // keeps its line
    host.replaceChildren(this.drawing, this.said);
    if (kind !== "map") return;
    this.bar = Object.assign(document.createElement("span"), { className: "bar" });
    host.prepend(this.bar);
    this.map = new Map2(...[this.x, this.y, this.z].map((k) => table.columns[k]));
  }

  get columns() {
    return [this.table.columns[this.x], this.table.columns[this.y]];
  }

  show(x, y) {
    Object.assign(this, { x, y });
    this.layOut();
  }

  layOut() {
    this.chart?.destroy();
    const paint = paints(this.host);
    const grid = { stroke: paint.rule, width: 1 };
    const axis = { stroke: paint.ink, grid, ticks: grid, font: FONT, labelFont: FONT };
    const [across, up] = this.columns;
    const ranges = this.columns.map((column) => this.rangeOf(column));
    const back = () => this.chart.batch(() => this.zoom(ranges));
    const [x, y] = ranges.map(([min, max]) => ({ time: false, auto: false, min, max }));
    const isTall = this.host.classList.contains("tall");
    this.chart = new uPlot(
      {
        width: Math.max(this.host.clientWidth, 200),
        height: isTall ? HEIGHT.tall : HEIGHT[""],
        series: [{}, { paths: () => null, points: { show: false } }],
        axes: [
          { ...axis, label: across.title, labelSize: 20, size: 30, space: 70, values: shortTicks },
          { ...axis, label: this.map || isTall ? up.title : undefined, size: 70, values: shortTicks },
        ],
        scales: { x, y },
        legend: { show: false },
        cursor: {
          points: { show: false },
          drag: { x: true, y: true },
          bind: { dblclick: () => back },
        },
        hooks: { draw: [(chart) => this.paint(chart)], setCursor: [(chart) => this.tell(chart)] },
      },
      [ranges[0], ranges[1]],
      this.drawing,
    );
    this.zoom(ranges);
    this.chart.root.setAttribute("role", "img");
    this.chart.root.setAttribute("aria-label", `${up.title} over ${across.title}`);
    if (this.bar) showBar(this.bar, this.table.columns[this.z], true);
    this.host.drawn = true;
  }

  zoom([[x0, x1], [y0, y1]]) {
    this.chart.setScale("x", { min: x0, max: x1 });
    this.chart.setScale("y", { min: y0, max: y1 });
  }

  rangeOf(column) {
    const { low, high } = column;
    if (this.map) return [low, high];
    const room = (high - low) * ROOM || Math.abs(low) * ROOM || 1;
    return [low - room, high + room];
  }

  draw() {
    this.chart?.redraw(false);
  }

  paint(chart) {
    const { left, top, width, height } = chart.bbox;
    const pen = chart.ctx;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    if (this.map) this.map.paint(chart, pen);
    else this.paintCases(chart, pen);
    pen.restore();
  }

  // Where a case is on the canvas.
  at(chart, k) {
    const [x, y] = this.columns;
    return [
      chart.valToPos(x.at(x.values[k]), "x", true),
      chart.valToPos(y.at(y.values[k]), "y", true),
    ];
  }

  paintCases(chart, pen) {
    const { table } = this;
    const paint = paints(this.host);
    if (this.kind === "curve") this.paintCurve(chart, pen, paint);
    const radius = (table.count < 200 ? 3.5 : 2.5) * devicePixelRatio;
    const { values } = table.columns[table.colour];
    const colour = ramp();
    const dot = (k) => {
      const [x, y] = this.at(chart, k);
      if (Number.isNaN(x + y)) return;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
    };
    pen.fillStyle = paint.rule;
    for (let k = 0; k < table.count; k++) if (!table.chosen[k]) dot(k);
    pen.globalAlpha = table.count < 200 ? 1 : 0.75;
    for (let k = 0; k < table.count; k++) {
      if (!table.chosen[k]) continue;
      pen.fillStyle = Number.isNaN(values[k]) ? paint.ink : css(colour(values[k]));
      dot(k);
    }
    pen.globalAlpha = 1;
  }

  paintCurve(chart, pen, paint) {
    const { values } = this.columns[0];
    pen.strokeStyle = paint.edge;
    pen.lineWidth = 1.5 * devicePixelRatio;
    pen.beginPath();
    for (const k of [...values.keys()].sort((a, b) => values[a] - values[b])) {
      const [x, y] = this.at(chart, k);
      if (!Number.isNaN(y)) pen.lineTo(x, y);
    }
    pen.stroke();
  }

  // What is at the pointer: a case, or a value of the map.
  tell(chart) {
    const { left, top } = chart.cursor;
    const words = left >= 0 && (this.map ? this.mapWords(chart, left, top) : this.caseWords(chart, left, top));
    this.said.textContent = words || "\u00a0";
  }

  caseWords(chart, left, top) {
    let nearest = -1,
      least = NEAR;
    const { left: x0, top: y0 } = chart.bbox;
    for (let k = 0; k < this.table.count; k++) {
      if (!this.table.chosen[k]) continue;
      const [x, y] = this.at(chart, k);
      const way = Math.hypot((x - x0) / devicePixelRatio - left, (y - y0) / devicePixelRatio - top);
      if (way < least) [nearest, least] = [k, way];
    }
    if (nearest < 0) return "";
    const { columns, cases, colour } = this.table;
    const told = [...new Set([this.x, this.y, colour])].map((n) => columns[n]);
    const values = told.map((column) => `${column.title}: ${column.said(column.values[nearest])}`);
    return `case ${cases[nearest]} — ${values.join(", ")}`;
  }

  mapWords(chart, left, top) {
    const [x, y] = this.columns;
    const z = this.table.columns[this.z];
    const [u, v] = [x.place(chart.posToVal(left, "x")), y.place(chart.posToVal(top, "y"))];
    const found = this.map.at(u, v);
    if (Number.isNaN(found)) return "";
    return `${x.title}: ${x.said(u)}, ${y.title}: ${y.said(v)} — ${z.title}: ${z.said(found)}`;
  }
}

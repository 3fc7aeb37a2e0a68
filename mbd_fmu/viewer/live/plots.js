// Chosen signals over the last seconds, one plot for each unit.
import uPlot from "uplot";
import { short } from "../numbers.js";
import { FONT, color, shortTicks, unitText } from "../plotting.js";
import { onTheme } from "../theme.js";

const SPAN = 10; // s
const KEPT = 6000; // rows
const PAUSE = 60; // ms between drawings
const HEIGHT = 195; // px

export class Plots {
  constructor(run, variables) {
    Object.assign(this, { run, variables });
    this.element = Object.assign(document.createElement("div"), { className: "plots" });
    this.chosen = [];
    this.charts = [];
    this.clear();
    run.addEventListener("restart", () => this.clear());
    run.addEventListener("step", () => this.keep());
    new ResizeObserver(() => this.fit()).observe(this.element);
    onTheme(() => this.choose(this.chosen));
  }

  clear() {
    this.times = [];
    this.rows = new Map(this.chosen.map((index) => [index, []]));
    this.keep();
    this.draw();
  }

  keep() {
    if (!this.run.values) return;
    this.times.push(this.run.instance.time);
    for (const [index, row] of this.rows) row.push(this.run.values[index]);
    if (this.times.length <= KEPT) return;
    this.times.splice(0, KEPT / 4);
    for (const row of this.rows.values()) row.splice(0, KEPT / 4);
  }

  choose(indices) {
    this.chosen = indices;
    const known = this.rows;
    this.rows = new Map(indices.map((index) => [index, known.get(index) ?? this.begun(index)]));
    for (const { chart } of this.charts) chart.destroy();
    const units = [...new Set(indices.map((index) => this.variables[index].unit))];
    this.charts = units.map((unit) => this.chart(unit));
    this.fit();
    this.draw();
  }

  // A line of its own begins now.
  begun(index) {
    return this.times.map((t) =>
      t === this.run.instance.time && this.run.values ? this.run.values[index] : null,
    );
  }

  // The time that is seen: it runs along as soon as it is longer than the plot.
  get room() {
    const last = this.times.at(-1) ?? 0;
    const span = Math.min(SPAN, Math.max(this.run.data.stop, last));
    const from = Math.max(0, last - span);
    return [from, from + span];
  }

  line(index) {
    const k = this.chosen.indexOf(index);
    return {
      label: this.variables[index].name,
      stroke: () => color(k),
      width: 1.5,
      pxAlign: 0, // slow motions are no stairs
      points: { show: false },
      value: (...at) => valueAt(at, (x) => short(x, 4)),
    };
  }

  chart(unit) {
    const own = this.chosen.filter((index) => this.variables[index].unit === unit);
    const series = own.map((index) => this.line(index));
    const style = getComputedStyle(this.element);
    const grid = { stroke: () => style.borderTopColor, width: 1 };
    const axis = { stroke: () => style.color, grid, ticks: grid, font: FONT, labelFont: FONT };
    const label = unitText(unit);
    const chart = new uPlot(
      {
        width: this.width(),
        height: HEIGHT,
        series: [
          { label: "time", value: (...at) => valueAt(at, (t) => `${t.toFixed(2)} s`) },
          ...series,
        ],
        axes: [
          { ...axis, label: "time in s", labelSize: 18, size: 28 },
          { ...axis, label, labelSize: label ? 20 : 0, size: 62, values: shortTicks },
        ],
        scales: { x: { time: false, range: () => this.room }, y: { range: heights } },
        cursor: { y: false, drag: { x: false, y: false } },
      },
      [[], ...own.map(() => [])],
      this.element,
    );
    chart.root.setAttribute("role", "img");
    chart.root.setAttribute("aria-label", `plot of ${series.map((s) => s.label).join(", ")}`);
    return { chart, own };
  }

  width() {
    const { clientWidth } = this.element;
    const columns = getComputedStyle(this.element).gridTemplateColumns.split(" ");
    return Math.max(Math.floor(parseFloat(columns[0]) || clientWidth) - 2, 200);
  }

  fit() {
    for (const { chart } of this.charts) chart.setSize({ width: this.width(), height: HEIGHT });
  }

  draw() {
    this.drawn = performance.now();
    const [from] = this.room;
    let first = this.times.length;
    while (first > 0 && this.times[first - 1] >= from) first--;
    const times = this.times.slice(first);
    for (const { chart, own } of this.charts)
      chart.setData([times, ...own.map((index) => this.rows.get(index).slice(first))]);
  }

  // Not in every frame: lines are slow to draw.
  drawSometimes() {
    if (performance.now() - this.drawn >= PAUSE) this.draw();
  }
}

// Zeros alone lie in the middle; all else as the library has it.
function heights(_, low, high) {
  if (low === null) return [null, null];
  return low === 0 && high === 0 ? [-1, 1] : uPlot.rangeNum(low, high, 0.1, true);
}

// What stands below a plot: the value at the cursor, or the last one.
function valueAt([chart, value, series, row], shown) {
  const found = row === null || row === undefined ? chart.data[series].at(-1) : value;
  return found === null || found === undefined ? "–" : shown(found);
}

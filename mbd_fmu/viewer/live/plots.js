// Chosen signals over the last seconds, one plot for each unit.
import uPlot from "uplot";
import { short } from "../numbers.js";
import { FONT, color, shortTicks, unitText } from "../plotting.js";
import { onTheme } from "../theme.js";
import { plotHeight } from "./layout.js";

const SPAN = 10; // s
const KEPT = 6000, // rows
  NUMBERS = 2e6; // in all of them
const TICKS = 22; // px between them: a low plot has some, too
const PAUSE = 60; // ms between drawings

export class Plots {
  constructor(run, variables) {
    Object.assign(this, { run, variables });
    // many of them scroll, also by keys
    this.element = Object.assign(document.createElement("div"), { className: "plots", tabIndex: 0 });
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", "plots");
    this.chosen = [];
    this.charts = [];
    this.most = Math.min(KEPT, Math.ceil(NUMBERS / variables.length));
    this.clear();
    run.addEventListener("restart", () => this.clear());
    run.addEventListener("step", () => this.keep());
    new ResizeObserver(() => this.fit()).observe(this.element);
    onTheme(() => this.choose(this.chosen));
  }

  clear() {
    this.times = [];
    this.rows = [];
    this.keep();
    this.draw();
  }

  // Of all variables, as long as they are seen: who chooses another sees what it was.
  keep() {
    const { values, instance } = this.run;
    if (!values) return;
    this.times.push(instance.time);
    this.rows.push(values.slice());
    if (this.times.length <= this.most) return;
    for (const kept of [this.times, this.rows]) kept.splice(0, Math.ceil(this.most / 4));
  }

  choose(indices) {
    this.chosen = indices;
    for (const { chart } of this.charts) chart.destroy();
    const units = [...new Set(indices.map((index) => this.variables[index].unit))];
    this.charts = units.map((unit) => this.chart(unit));
    this.fit();
    this.draw();
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
        height: plotHeight(),
        series: [
          { label: "time", value: (...at) => valueAt(at, (t) => `${t.toFixed(2)} s`) },
          ...series,
        ],
        axes: [
          { ...axis, label: "time in s", labelSize: 18, size: 28 },
          { ...axis, label, labelSize: label ? 20 : 0, size: 62, space: TICKS, values: shortTicks },
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
    const size = { width: this.width(), height: plotHeight() };
    for (const { chart } of this.charts) chart.setSize(size);
  }

  draw() {
    this.drawn = performance.now();
    const [from] = this.room;
    let first = this.times.length;
    while (first > 0 && this.times[first - 1] >= from) first--;
    const [times, rows] = [this.times.slice(first), this.rows.slice(first)];
    for (const { chart, own } of this.charts)
      chart.setData([times, ...own.map((index) => rows.map((row) => row[index]))]);
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

// One plot of signals over time, with a second one below for errors. Both have the run's time and
// share its cursor; the line below a plot tells the values there.
import uPlot from "uplot";
import { numbers } from "./bytes.js";
import { short } from "./numbers.js";
import { FONT, color, shortTicks } from "./plotting.js";

const HEIGHT = 240,
  LOW = 150, // px, of a plot and of errors below it
  AXIS = 74; // px: both have one time
const BARE = { values: (_, ticks) => ticks.map(() => ""), size: 8 }; // its time stands below

export class Chart {
  // `times` has the time of the run, and the rows at which a reference is told.
  constructor(plot, times, { withStill, lead, t }) {
    this.plot = plot;
    this.t = t;
    this.times = times;
    this.lead = lead;
    const figure = JSON.parse(plot.source);
    const shown = figure.lines.filter((line) => withStill || !isStill(line));
    const lines = shown.map((line) => ({ ...line, k: figure.lines.indexOf(line) }));
    plot.replaceChildren();
    this.charts = [this.upper(figure, lines)];
    if (figure.below) this.charts.push(this.lower(figure, lines));
  }

  upper(figure, lines) {
    const own = lines.filter((line) => line.y !== undefined);
    const series = own.map(({ label, k }) => this.line(label, k));
    const data = own.map((line) => this.everywhere(line.y));
    const referred = own.filter(({ expected }) => expected !== undefined);
    const name = (label) => (own.length === 1 ? figure.reference : `${figure.reference} of ${label}`);
    for (const line of referred) {
      series.push(this.marks(name(line.label), line.k, this.expected(line)));
      data.push(this.at(line.expected, figure.every));
    }
    const title = Object.assign(document.createElement("h3"), { textContent: figure.title });
    this.plot.append(title);
    return this.make(series, data, figure.unit, HEIGHT, {
      isLast: !figure.below,
      powers: figure.powers,
    });
  }

  lower(figure, lines) {
    const own = lines.filter((line) => line.error !== undefined);
    const isReferred = figure.every !== undefined;
    const name = (label) => (own.length === 1 ? figure.below : `${figure.below} of ${label}`);
    const series = own.map(({ label, k }) => this.line(name(label), k, 1));
    const data = own.map(({ error }) => (isReferred ? this.at(error, 1) : this.everywhere(error)));
    const unit = figure.unit ? `${figure.below} in ${figure.unit}` : figure.below;
    return this.make(series, data, unit, LOW, { isLast: true });
  }

  // Values at all instants: of what stays still one is told.
  everywhere(y) {
    return typeof y === "number" ? Array(this.times.time.length).fill(y) : numbers(y);
  }

  // Values at every so many of the rows of a reference; nothing elsewhere.
  at(values, every) {
    const { time, rows } = this.times;
    const found = Array(time.length).fill(null);
    const many = rows.length || time.length;
    const known = typeof values === "number" ? null : numbers(values);
    for (let n = 0; n * every < many; n++)
      found[rows.length ? rows[n * every] : n * every] = known ? known[n] : values;
    return found;
  }

  // The reference where it is told, also between its marks: the value without its error.
  expected({ y, error, expected }) {
    if (typeof expected === "number") return this.at(expected, 1);
    const values = this.everywhere(y);
    return this.at(error, 1).map((off, row) => (off === null ? null : values[row] - off));
  }

  line(label, k, width = 1.5) {
    const [stroke, value] = [() => color(k), (_, x) => short(x)];
    const exact = { pxAlign: 0, spanGaps: true, points: { show: false } };
    return { label, stroke, width, value, ...exact };
  }

  marks(label, k, values) {
    const stroke = () => color(k);
    const points = { show: true, size: 6, stroke, fill: "rgba(0, 0, 0, 0)", width: 1 };
    return { label, stroke, points, paths: () => null, value: (_, __, ___, row) => short(values[row]), class: "mark" };
  }

  make(series, data, unit, height, { isLast, powers }) {
    const style = getComputedStyle(this.plot);
    const ink = () => style.color;
    const rule = () => getComputedStyle(this.plot.closest(".card")).borderTopColor;
    const grid = { stroke: rule, width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: FONT, labelFont: FONT, labelSize: 22 };
    const options = {
      width: this.width,
      height,
      series: [{ label: "time", value: (_, t) => (t === null ? "–" : `${short(t)} s`) }, ...series],
      axes: [
        isLast ? { ...axis, label: "time in s", labelSize: 18, size: 30 } : { ...axis, ...BARE },
        { ...axis, label: unit, size: AXIS, ...(powers ? {} : { values: shortTicks }) },
      ],
      scales: { x: { time: false }, y: { distr: powers ? 3 : 1 } },
      cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false } },
      hooks: {
        setCursor: [(chart) => this.pointed(chart)],
        draw: [(chart) => this.place(chart)], // scales are known, and may be others
      },
    };
    const chart = new uPlot(options, [this.times.time, ...data], this.plot);
    chart.over.addEventListener("click", () => this.tell(chart, true));
    chart.root.querySelector(".u-legend .u-series").hidden = height === LOW; // its time stands above
    return chart;
  }

  get width() {
    return Math.max(this.plot.clientWidth, 200);
  }

  pointed(chart) {
    if (chart.cursor.event && chart.cursor.left >= 0) this.tell(chart, false);
    else if (chart.cursor.event && this.t !== undefined) this.move(this.t);
  }

  tell(chart, isMeant) {
    const { time } = this.times;
    const t = chart.posToVal(chart.cursor.left, "x");
    this.lead(Math.min(Math.max(t, time[0]), time[time.length - 1]), isMeant);
  }

  move(t) {
    this.t = t;
    for (const chart of this.charts) this.place(chart);
  }

  place(chart) {
    if (this.t !== undefined)
      chart.setCursor({ left: chart.valToPos(this.t, "x"), top: 1 }, false);
  }

  resize() {
    for (const chart of this.charts)
      chart.setSize({ width: this.width, height: chart.height });
  }

  dispose() {
    for (const chart of this.charts) chart.destroy();
  }
}

const isStill = (line) => typeof line.y === "number";

// Parallel coordinates: an axis for each column, a line for each case. Axes stand side by side
// where there is room for their names, else they lie below each other. An interval that is drawn
// along an axis chooses cases.
import { css, paints, ramp } from "./colours.js";

const LEAST = 72, // px between axes side by side
  TALL = 300, // px of an axis that stands
  ROW = 58, // px for one that lies, with its name
  EDGE = 14, // px beyond the ends
  CLICK = 4; // px: what moves less chooses nothing

const made = (tag, className, text = "") =>
  Object.assign(document.createElement(tag), { className, textContent: text });

// A name may be broken after its points and dashes.
function named(text) {
  const name = made("span", "axis-name");
  name.title = text;
  for (const part of text.split(/(?<=[._\]])/)) name.append(part, document.createElement("wbr"));
  return name;
}

export class Parallel {
  constructor(host, table) {
    Object.assign(this, { host, table });
    this.shown = host.dataset.columns.split(" ").map(Number);
    this.canvas = made("canvas", "");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `parallel coordinates of ${this.shown.length} columns`);
  }

  layOut() {
    const { host, shown, canvas } = this;
    this.width = Math.max(host.clientWidth, 200);
    this.stands = this.width / shown.length >= LEAST;
    this.height = this.stands ? TALL : ROW * shown.length;
    host.classList.toggle("stands", this.stands);
    host.style.setProperty("--axes", shown.length);
    host.style.setProperty("--row", `${ROW}px`);
    const field = made("div", "field");
    field.style.height = `${this.height}px`;
    field.append(canvas, ...shown.map((column, n) => this.strip(column, n)));
    const scale = devicePixelRatio;
    Object.assign(canvas, { width: this.width * scale, height: this.height * scale });
    Object.assign(canvas.style, { width: `${this.width}px`, height: `${this.height}px` });
    const { columns } = this.table;
    const row = (className, of) => {
      const line = made("div", className);
      line.append(...shown.map((column) => of(columns[column])));
      return line;
    };
    const end = (place) => (column) => made("span", "end", column.said(place));
    const names = row("names", ({ title }) => named(title));
    host.replaceChildren(names, row("ends high", end(1)), field, row("ends low", end(0)));
    this.draw();
  }

  // Where a value of the n-th axis is.
  at(n, place) {
    if (this.stands) {
      const x = ((n + 0.5) / this.shown.length) * this.width;
      return [x, EDGE + (1 - place) * (this.height - 2 * EDGE)];
    }
    return [EDGE + place * (this.width - 2 * EDGE), (n + 0.75) * ROW];
  }

  // The place on an axis that a pointer is at.
  along({ clientX, clientY }) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const place = this.stands
      ? 1 - (clientY - top - EDGE) / (this.height - 2 * EDGE)
      : (clientX - left - EDGE) / (this.width - 2 * EDGE);
    return Math.min(Math.max(place, 0), 1);
  }

  // Around an axis: here fingers choose, elsewhere they scroll.
  strip(column, n) {
    const strip = made("div", "axis");
    const [x, y] = this.at(n, 0);
    if (this.stands) strip.style.left = `${x}px`;
    else strip.style.top = `${y}px`;
    strip.addEventListener("pointerdown", (event) => {
      const from = this.along(event);
      const begin = this.stands ? event.clientY : event.clientX;
      const moved = (e) => Math.abs((this.stands ? e.clientY : e.clientX) - begin) >= CLICK;
      strip.setPointerCapture(event.pointerId);
      const move = (e) => {
        const to = this.along(e);
        if (moved(e)) this.table.choose(column, [Math.min(from, to), Math.max(from, to)]);
      };
      const end = (e) => {
        strip.removeEventListener("pointermove", move);
        if (e.type === "pointerup" && !moved(e)) this.table.choose(column);
      };
      strip.addEventListener("pointermove", move);
      strip.addEventListener("pointerup", end, { once: true });
      strip.addEventListener("pointercancel", end, { once: true });
    });
    return strip;
  }

  draw() {
    // By the processor: a graphics unit is hardly faster with thin lines, and one that is emulated,
    // as where there is none, takes a hundred times as long.
    const pen = this.canvas.getContext("2d", { willReadFrequently: true });
    const paint = paints(this.host);
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    this.drawCases(pen, paint);
    this.drawAxes(pen, paint);
  }

  // Those that are not chosen lie below, without colour.
  drawCases(pen, paint) {
    const { table, shown } = this;
    const columns = shown.map((column) => table.columns[column].values);
    const { values } = table.columns[table.colour];
    const colour = ramp();
    const line = (k) => {
      pen.beginPath();
      for (const [n, of] of columns.entries()) pen.lineTo(...this.at(n, of[k]));
      pen.stroke();
    };
    const isWhole = (k) => columns.every((of) => !Number.isNaN(of[k]));
    const all = Array.from({ length: table.count }, (_, k) => k).filter(isWhole);
    const chosen = all.filter((k) => table.chosen[k]);
    pen.lineWidth = 1;
    pen.strokeStyle = paint.rule;
    if (chosen.length < all.length) for (const k of all) if (!table.chosen[k]) line(k);
    pen.globalAlpha = Math.min(0.9, Math.max(0.15, 10 / Math.sqrt(chosen.length || 1)));
    pen.lineWidth = chosen.length < 100 ? 1.5 : 1;
    for (const k of chosen) {
      pen.strokeStyle = Number.isNaN(values[k]) ? paint.ink : css(colour(values[k]));
      line(k);
    }
    pen.globalAlpha = 1;
    this.drawn = all.length;
  }

  drawAxes(pen, paint) {
    for (const [n, column] of this.shown.entries()) {
      pen.strokeStyle = paint.edge;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(...this.at(n, 0));
      pen.lineTo(...this.at(n, 1));
      pen.stroke();
      const interval = this.table.intervals.get(column);
      if (interval) this.drawInterval(pen, paint, n, this.table.columns[column], interval);
    }
  }

  drawInterval(pen, paint, n, column, interval) {
    const [[x0, y0], [x1, y1]] = interval.map((place) => this.at(n, place));
    pen.fillStyle = paint.accent;
    pen.globalAlpha = 0.35;
    if (this.stands) pen.fillRect(x0 - 8, y1, 16, y0 - y1);
    else pen.fillRect(x0, y0 - 8, x1 - x0, 16);
    pen.globalAlpha = 1;
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    for (const [k, [x, y]] of [[x0, y0], [x1, y1]].entries()) {
      const text = column.said(interval[k], 3);
      const [dx, dy] = this.stands ? [0, k ? -3 : 11] : [0, -10];
      pen.lineWidth = 3;
      pen.strokeStyle = paint.paper;
      pen.strokeText(text, x + dx, y + dy);
      pen.fillStyle = paint.ink;
      pen.fillText(text, x + dx, y + dy);
    }
  }
}

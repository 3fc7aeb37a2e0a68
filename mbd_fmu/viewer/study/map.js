// A column over a grid of two others, bilinear between its values, with lines of equal value.
import { ramp } from "./colours.js";

const LEVELS = 10; // bands of equal colour between lines

const unique = (values) => Float32Array.from(new Set(values)).sort();

// Which interval of a grid a place is in, and which part of it lies before.
function within(grid, place) {
  if (!(place >= grid[0] && place <= grid[grid.length - 1])) return [0, NaN];
  let k = 0;
  while (k < grid.length - 2 && grid[k + 1] <= place) k++;
  return [k, (place - grid[k]) / (grid[k + 1] - grid[k])];
}

export class Map2 {
  // Columns; cases that are not there leave holes.
  constructor(x, y, z) {
    Object.assign(this, { x, y, xs: unique(x.values), ys: unique(y.values) });
    const [columns, rows] = [this.xs, this.ys].map((grid) => new Map([...grid].map((u, k) => [u, k])));
    this.z = new Float32Array(this.xs.length * this.ys.length).fill(NaN);
    for (const [k, value] of z.values.entries())
      this.z[rows.get(y.values[k]) * this.xs.length + columns.get(x.values[k])] = value;
  }

  at(u, v) {
    return this.between(within(this.xs, u), within(this.ys, v));
  }

  between([i, s], [k, t]) {
    const n = this.xs.length;
    const [a, b, c, d] = [k * n + i, k * n + i + 1, (k + 1) * n + i, (k + 1) * n + i + 1].map((m) => this.z[m]);
    // of a corner that is not there nothing is needed where it has no part
    const low = s === 0 ? a : s === 1 ? b : a + (b - a) * s;
    const high = s === 0 ? c : s === 1 ? d : c + (d - c) * s;
    return t === 0 ? low : t === 1 ? high : low + (high - low) * t;
  }

  // Pixel by pixel; a line is where the level differs from that of a neighbour.
  paint(chart, pen) {
    const { left, top, width, height } = chart.bbox;
    const [w, h] = [Math.round(width), Math.round(height)];
    const picture = new ImageData(w, h);
    const place = (pos, scale, column) => column.place(chart.posToVal(pos, scale, true));
    const across = Array.from({ length: w }, (_, i) => within(this.xs, place(left + i + 0.5, "x", this.x)));
    const up = Array.from({ length: h }, (_, k) => within(this.ys, place(top + k + 0.5, "y", this.y)));
    const colour = ramp(true);
    let above = new Float32Array(w).fill(NaN);
    for (const [k, row] of up.entries()) {
      const levels = new Float32Array(w);
      for (const [i, column] of across.entries()) {
        const z = this.between(column, row);
        levels[i] = Math.floor(Math.min(z, 1 - 1e-6) * LEVELS);
        if (Number.isNaN(z)) continue;
        const isLine = levels[i] !== (levels[i - 1] ?? levels[i]) || levels[i] !== (Number.isNaN(above[i]) ? levels[i] : above[i]);
        picture.data.set([...colour(z).map((c) => (isLine ? 0.6 * c : c)), 255], 4 * (k * w + i));
      }
      above = levels;
    }
    const sheet = Object.assign(document.createElement("canvas"), { width: w, height: h });
    sheet.getContext("2d").putImageData(picture, 0, 0);
    pen.drawImage(sheet, Math.round(left), Math.round(top));
  }
}

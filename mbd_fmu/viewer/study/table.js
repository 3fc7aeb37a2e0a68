// The cases of a study: columns between 0, their least value, and 1, their greatest; which cases
// are chosen, by intervals of columns; and which column colours them.
import { numbers } from "../bytes.js";
import { short } from "../numbers.js";

class Column {
  constructor({ title, low, high, values }) {
    Object.assign(this, { title, low, high, values: numbers(values, Float32Array) });
  }

  // What a place between 0 and 1 is; the span of both ends may have no finite number.
  at(place) {
    return this.low * (1 - place) + this.high * place;
  }

  place(value) {
    const half = this.high / 2 - this.low / 2;
    return half > 0 ? (value / 2 - this.low / 2) / half : 0.5;
  }

  said(place, digits = 4) {
    return short(this.at(place), digits);
  }
}

export class Table extends EventTarget {
  constructor({ columns, cases }) {
    super();
    this.columns = columns.map((column) => new Column(column));
    this.count = this.columns[0].values.length;
    this.cases = cases ?? Array.from({ length: this.count }, (_, k) => k);
    this.intervals = new Map();
    this.chosen = new Uint8Array(this.count).fill(1);
    this.colour = 0;
  }

  get chosenCount() {
    return this.chosen.reduce((sum, is) => sum + is, 0);
  }

  colourBy(column) {
    this.colour = column;
    this.dispatchEvent(new Event("change"));
  }

  // Only cases between two places of a column; without, all of them.
  choose(column, interval) {
    if (interval) this.intervals.set(column, interval);
    else this.intervals.delete(column);
    this.judge();
  }

  chooseAll() {
    this.intervals.clear();
    this.judge();
  }

  judge() {
    this.chosen.fill(1);
    for (const [column, [from, to]] of this.intervals) {
      const { values } = this.columns[column];
      for (let k = 0; k < this.count; k++) if (!(values[k] >= from && values[k] <= to)) this.chosen[k] = 0;
    }
    this.dispatchEvent(new Event("change"));
  }
}

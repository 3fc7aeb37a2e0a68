// Inputs over time out of a file, read as strictly as mbd-fmu reads them.
import { numbers } from "../bytes.js";
import { rowAt } from "../rows.js";

const NOBODY = -1; // drives by a column that a hand has taken over

// A table of inputs over time; each row holds until the next, as in mbd-fmu simulate.
export class Recording {
  constructor({ name, time, columns, values }) {
    Object.assign(this, { kind: "recording", name, time, columns, values });
  }

  // As a page holds it; undefined where it holds none.
  static unpacked(packed) {
    if (!packed) return undefined;
    const { name, time, columns, values } = packed;
    return new Recording({ name, time: numbers(time), columns, values: numbers(values) });
  }

  // What it still drives.
  get inputs() {
    return this.columns.filter((index) => index !== NOBODY);
  }

  // The rest of it, if there is any.
  without(inputs) {
    const columns = this.columns.map((index) => (inputs.includes(index) ? NOBODY : index));
    const rest = new Recording({ ...this, columns });
    return rest.inputs.length ? rest : undefined;
  }

  // All that it ever gives an input.
  told(index) {
    const column = this.columns.indexOf(index),
      width = this.columns.length;
    return column < 0 ? [] : Array.from(this.time, (_, row) => this.values[row * width + column]);
  }

  // It has nothing to turn.
  knobs() {
    return [];
  }

  // One row is no recording, but a value that stays.
  get end() {
    return this.time.length > 1 ? this.time.at(-1) - 1e-9 : Infinity;
  }

  row(t) {
    return rowAt(this.time, t + 1e-9);
  }

  *given(run, t) {
    const first = this.row(t) * this.columns.length;
    for (const [k, index] of this.columns.entries())
      if (index !== NOBODY) yield [index, this.values[first + k]];
  }
}

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const cells = (line) => line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
const same = (a, b) => a.slice(1).every((x, k) => x === b[k + 1]);

// The text of a CSV file: time first, then inputs by name. Throws what is wrong with it.
export function parseRecording(text, name, variables) {
  const lines = text.split(/\r?\n/).map((line, k) => ({ line, n: k + 1 }));
  const [head, ...rest] = lines.filter(({ line }) => line.trim());
  const names = cells(head?.line ?? "");
  const columns = columnsOf(names, name, variables);
  const rows = rest.map(({ line, n }) => ({ row: numbersOf(line, names, `${name}, line ${n}`), n }));
  if (!rows.length) throw new Error(`${name}: no rows of numbers below the names`);
  const kept = ascending(rows, name);
  const values = Float64Array.from(kept.flatMap((row) => row.slice(1)));
  return new Recording({ name, time: Float64Array.from(kept, ([t]) => t), columns, values });
}

function columnsOf([first, ...names], name, variables) {
  if (first.toLowerCase() !== "time")
    throw new Error(`${name}: the first column is "${first}"; it must be "time"`);
  if (!names.length) throw new Error(`${name}: no inputs beside time; give a column for each`);
  const found = names.map((wanted) =>
    variables.findIndex(
      (v) => v.name === wanted && v.causality === "input" && v.role !== "hidden",
    ),
  );
  const unknown = names.filter((_, k) => found[k] < 0);
  if (unknown.length) throw new Error(`${name}: no inputs called ${unknown.join(", ")}`);
  const twice = names.filter((one, k) => names.indexOf(one) < k);
  if (twice.length) throw new Error(`${name}: columns stand twice: ${twice.join(", ")}`);
  return found;
}

function numbersOf(line, names, where) {
  const row = cells(line);
  if (row.length !== names.length)
    throw new Error(`${where}: ${row.length} values for ${names.length} columns`);
  row.forEach((cell, k) => {
    if (!NUMBER.test(cell) || !Number.isFinite(Number(cell)))
      throw new Error(`${where}, column ${names[k]}: "${cell}" is no finite number`);
  });
  return row.map(Number);
}

// A time may stand twice where the first says nothing new: so tables show a jump.
function ascending(rows, name) {
  const kept = [];
  for (const { row, n } of rows) {
    const [before, last] = [kept.at(-2), kept.at(-1)];
    if (last && before && row[0] === last[0] && same(before, last)) kept.pop();
    else if (last && !(row[0] > last[0]))
      throw new Error(`${name}, line ${n}: time does not ascend`);
    kept.push(row);
  }
  return kept;
}

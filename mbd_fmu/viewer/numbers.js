// Numbers as they are written: no more digits than tell them apart, and with units.
const PREFIXES = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

export const rounded = (x, digits) => Number(x.toPrecision(digits));

// At ticks and cursors.
export function short(x, digits = 5) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return rounded(x, Math.min(digits, 4)).toExponential();
  return String(rounded(x, digits));
}

// Three digits, as 182 kN; beyond the prefixes a power of ten.
export function amount(x, unit) {
  const told = rounded(x, 3);
  const [of, prefix] = PREFIXES.find(([least]) => Math.abs(told) >= least) ?? [1, ""];
  return `${short(told / of, 3)} ${prefix}${unit}`;
}

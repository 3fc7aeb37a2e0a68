// Colours of values: viridis, which grows lighter all the way, without the end that the ground hides.
import { theme } from "../theme.js";

// By S. van der Walt and N. Smith, at tenths of its length.
const VIRIDIS = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
];
const PART = { light: [0, 0.59], dark: [0.39, 1] }; // three times as light or dark as the ground
const STEPS = 256;

const WHOLE = [0, 1]; // of areas, which nothing hides

function mixed(place, [from, to]) {
  const x = (from + (to - from) * place) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(x), VIRIDIS.length - 2);
  return VIRIDIS[k].map((c, n) => Math.round(c + (VIRIDIS[k + 1][n] - c) * (x - k)));
}

const partOf = (isArea) => (isArea ? WHOLE : PART[theme()]);

// All colours from 0 to 1: [red, green, blue] of the one that a place has.
export function ramp(isArea = false) {
  const part = partOf(isArea);
  const colours = Array.from({ length: STEPS }, (_, k) => mixed(k / (STEPS - 1), part));
  return (place) => colours[Math.round(Math.min(Math.max(place, 0), 1) * (STEPS - 1))];
}

export const css = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`;

// What colours mean: the least value, all between, the greatest.
export function showBar(bar, column, isArea = false) {
  const part = partOf(isArea);
  const stops = Array.from({ length: 9 }, (_, k) => css(mixed(k / 8, part)));
  const strip = Object.assign(document.createElement("i"), { className: "strip" });
  strip.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  bar.replaceChildren(column.said(0), strip, column.said(1));
}

// Colours of the page as a canvas takes them: it knows none that depend on the theme.
export function paints(host) {
  const probe = host.appendChild(document.createElement("i"));
  const found = {};
  for (const name of ["ink", "rule", "edge", "accent", "paper"]) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

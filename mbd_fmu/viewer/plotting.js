// What all plots have in common: colours, digits, letters and the style sheet of their library.
import css from "uplot/dist/uPlot.min.css";
import { short } from "./numbers.js";
import { theme } from "./theme.js";

document.head.append(Object.assign(document.createElement("style"), { textContent: css }));

export const FONT = "12px system-ui, sans-serif";

// Of lines, by day and by night.
const COLORS = [
  ["#1f5fa8", "#6fb1f2"],
  ["#d1661f", "#f2975a"],
  ["#2f8a4b", "#62c381"],
  ["#8f4bab", "#c58fdc"],
  ["#a8323e", "#ec7a84"],
  ["#0e8f93", "#41c7cb"],
  ["#8a6d00", "#dcb62f"],
  ["#5f6b73", "#a9b5be"],
];

export const color = (k) => COLORS[k % COLORS.length][theme() === "dark" ? 1 : 0];

export const unitText = (unit) =>
  unit === "1" ? "" : unit.replaceAll(".", "·").replaceAll("2", "²").replaceAll("3", "³");

export const shortTicks = (_, ticks) => ticks.map((x) => (x === null ? "" : short(x, 6)));

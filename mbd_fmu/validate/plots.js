// Plots are drawn when they come into view: a page may hold hundreds. Text, lines and ground are
// those of the card they lie on, by day and by night.
const clear = "rgba(0, 0, 0, 0)";

function themed(layout, plot) {
  const card = getComputedStyle(plot.closest(".card") ?? plot);
  const line = card.borderTopColor;
  const axis = { gridcolor: line, zerolinecolor: line, linecolor: line };
  const font = { ...layout.font, color: getComputedStyle(plot).color };
  // without it the buttons lie on half of the clear ground's black
  const modebar = { bgcolor: clear, color: "rgb(128, 128, 128)", activecolor: font.color };
  const made = { ...layout, font, modebar, paper_bgcolor: clear, plot_bgcolor: clear };
  for (const key of Object.keys(layout).filter((name) => /^[xy]axis/.test(name)))
    made[key] = { ...axis, ...layout[key] };
  return { ...made, template: PLOT_TEMPLATE };
}

function draw(plot) {
  plot.figure ??= JSON.parse(plot.querySelector("script").textContent);
  plot.querySelector("script")?.remove();
  const { data, layout } = plot.figure;
  Plotly.react(plot, data, themed(layout, plot), { displaylogo: false, responsive: true });
}

const watch = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: "400px" },
);
for (const plot of document.querySelectorAll(".plot")) watch.observe(plot);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const plot of document.querySelectorAll(".plot.js-plotly-plot")) draw(plot);
});

// Plots are drawn when they come into view: a page may hold hundreds.
const watch = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      const { data, layout } = JSON.parse(target.querySelector("script").textContent);
      target.replaceChildren();
      Plotly.newPlot(
        target,
        data,
        { ...layout, template: PLOT_TEMPLATE },
        { displaylogo: false, responsive: true },
      );
    }
  },
  { rootMargin: "400px" },
);
for (const plot of document.querySelectorAll(".plot")) watch.observe(plot);

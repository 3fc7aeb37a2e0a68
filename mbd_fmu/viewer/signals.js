// The signals of a run: search, order, what stays still, and one cursor through all plots that the
// player of the same run leads and follows.
import { numbers } from "./bytes.js";
import { Chart } from "./chart.js";
import { onTheme } from "./theme.js";

// What is typed, as a test of names: words that all must be met, parts of names or patterns.
function wanted(text) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const tests = words.map((word) => {
    const plain = word.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    if (!/[*?]/.test(word)) return new RegExp(plain, "i");
    return new RegExp(`^${plain.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
  });
  return (names) => names.some((name) => tests.every((test) => test.test(name)));
}

class Signals {
  constructor(section) {
    this.section = section;
    this.run = section.closest(".together") ?? section;
    this.groups = [...section.querySelectorAll("details.group")];
    this.cards = [...section.querySelectorAll(".grid > .card, .closure")];
    this.plots = [...section.querySelectorAll(".plot")];
    const { time, rows } = JSON.parse(section.querySelector("script.times").textContent);
    this.times = { time: numbers(time), rows };
    this.sized = new ResizeObserver((entries) => {
      for (const { target } of entries) if (target.clientWidth) target.chart?.resize();
    });
    this.near = new IntersectionObserver((entries) => this.drawNear(entries), {
      rootMargin: "400px",
    });
    for (const plot of this.plots) {
      plot.source = plot.querySelector("script").textContent;
      this.near.observe(plot);
    }
    this.run.addEventListener("moved", ({ detail }) => this.moveCursors(detail.t));
    this.addControls();
    this.sort();
  }

  addControls() {
    const find = (selector) => this.section.querySelector(selector);
    this.search = find(".search");
    this.order = find(".first");
    this.all = find(".unfold");
    this.found = find(".found");
    this.search.addEventListener("input", () => this.filter());
    const { first } = this.section.dataset;
    if ([...this.order.options].some(({ value }) => value === first)) this.order.value = first;
    this.order.addEventListener("change", () => this.sort());
    this.all.addEventListener("click", () => this.unfold());
    find(".show-still")?.addEventListener("click", ({ target }) => this.showStill(target));
    onTheme(() => this.redraw());
  }

  get withStill() {
    return this.section.classList.contains("with-still");
  }

  // What is wanted first: groups that have it, and in them the plots of it; else as they came.
  sort() {
    const first = this.order.value;
    const has = (node) => first !== "" && node.dataset.family === first;
    const sorted = (nodes, test) => [...nodes.filter(test), ...nodes.filter((n) => !test(n))];
    const holds = (group) => [...group.querySelectorAll(".card")].some(has);
    this.section.append(...sorted(this.groups, holds));
    for (const group of this.groups) {
      const grid = group.querySelector(".grid");
      const own = this.cards.filter((card) => card.parentNode === grid);
      grid.append(...sorted(own, has));
    }
    this.foldAllButFirst();
  }

  foldAllButFirst() {
    const shown = [...this.section.querySelectorAll("details.group")].filter((g) => !g.hidden);
    const full = shown.find((group) => this.hasPlots(group)) ?? shown[0];
    for (const group of shown) group.open = group === full;
    this.sayUnfolded(false);
  }

  hasPlots(group) {
    return this.cards.some(
      (card) =>
        group.contains(card) &&
        !card.hidden &&
        (this.withStill || card.dataset.still === undefined),
    );
  }

  unfold() {
    if (this.all.getAttribute("aria-pressed") === "true") return this.foldAllButFirst();
    for (const group of this.groups) group.open = true;
    this.sayUnfolded(true);
  }

  sayUnfolded(is) {
    this.all.setAttribute("aria-pressed", is);
    this.all.textContent = is ? "fold" : "unfold all";
  }

  filter() {
    const text = this.search.value.trim();
    const test = wanted(text);
    for (const card of this.cards)
      card.hidden = text !== "" && !test(card.dataset.names.split(" "));
    const found = this.cards.filter((card) => !card.hidden);
    for (const group of this.groups) group.hidden = !found.some((card) => group.contains(card));
    this.foldAllButFirst();
    if (text) for (const group of this.groups) group.open = this.hasPlots(group);
    const still = found.filter((card) => card.dataset.still !== undefined).length;
    const hidden = still && !this.withStill ? `, ${still} of them not drawn` : "";
    this.found.textContent = text ? `${found.length} of ${this.cards.length} plots${hidden}` : "";
  }

  showStill(button) {
    this.section.classList.toggle("with-still");
    button.setAttribute("aria-pressed", this.withStill);
    button.textContent = this.withStill ? "hide them" : "show them";
    this.redraw();
    if (this.search.value) this.filter();
  }

  drawNear(entries) {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      this.near.unobserve(target);
      this.draw(target);
    }
  }

  draw(plot) {
    plot.chart?.dispose();
    const withStill = this.withStill || plot.closest(".card").dataset.still !== undefined;
    const lead = (t, isMeant) => this.lead(t, isMeant);
    plot.chart = new Chart(plot, this.times, { withStill, lead, t: this.t });
    this.sized.observe(plot);
  }

  redraw() {
    for (const plot of this.plots) if (plot.chart) this.draw(plot);
  }

  // The pointer on a plot leads the time of all, and the player, unless that plays on its own.
  lead(t, isMeant) {
    const host = this.run.querySelector(".mechanism");
    if (host?.player?.playing && !isMeant) return;
    this.moveCursors(t);
    host?.dispatchEvent(new CustomEvent("goto", { detail: { t } }));
  }

  moveCursors(t) {
    this.t = t;
    for (const { chart } of this.plots) chart?.move(t);
  }
}

for (const section of document.querySelectorAll(".signals"))
  section.signals = new Signals(section);

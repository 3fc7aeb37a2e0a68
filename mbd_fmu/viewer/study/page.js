// The page of a study: what is drawn comes when it is near the window, and follows what is chosen.
import { onTheme } from "../theme.js";
import { showBar } from "./colours.js";
import { Parallel } from "./parallel.js";
import { Plane } from "./plane.js";
import { Table } from "./table.js";

export class StudyPage {
  constructor(host) {
    this.host = host;
    this.table = new Table(JSON.parse(host.querySelector("script").textContent));
    this.parts = new Map();
    for (const [selector, Part] of [
      [".parallel", Parallel],
      [".plane", Plane],
    ])
      for (const place of host.querySelectorAll(selector)) this.parts.set(place, new Part(place, this.table));
    this.near = new Set();
    this.old = new Set(this.parts.keys()); // to be laid out anew when they come near
    this.stale = new Set(); // likewise to be drawn
    this.listen();
    this.choices();
    this.tell();
  }

  listen() {
    const seen = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "400px" });
    const sized = new ResizeObserver((entries) => {
      for (const { target } of entries)
        if (this.parts.get(target).laidOut !== target.clientWidth) this.renew([target]);
    });
    for (const place of this.parts.keys()) {
      seen.observe(place);
      sized.observe(place);
    }
    this.table.addEventListener("change", () => this.change());
    onTheme(() => {
      this.renew(this.parts.keys());
      this.tell();
    });
  }

  choices() {
    const find = (selector) => this.host.querySelector(selector);
    const number = (selector) => Number(find(selector).value);
    const any = this.parts.get(find(".plane.tall"));
    const show = () => any.show(number(".across"), number(".up"));
    find(".across").addEventListener("change", show);
    find(".up").addEventListener("change", show);
    Object.assign(any, { x: number(".across"), y: number(".up") }); // some browsers keep choices
    this.table.colour = number(".colour");
    find(".colour").addEventListener("change", () => this.table.colourBy(number(".colour")));
    find(".all").addEventListener("click", () => this.table.chooseAll());
  }

  see(entries) {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) this.near.add(target);
      else this.near.delete(target);
    }
    this.show();
  }

  renew(places) {
    for (const place of places) this.old.add(place);
    this.show();
  }

  show() {
    for (const place of this.near) {
      const part = this.parts.get(place);
      const isStale = this.stale.delete(place);
      if (this.old.delete(place)) {
        part.laidOut = place.clientWidth;
        part.layOut();
      } else if (isStale) part.draw();
    }
  }

  // Once for a picture of the screen, however often something changes.
  change() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = undefined;
      this.stale = new Set(this.parts.keys());
      this.show();
      this.tell();
    });
  }

  tell() {
    const { table, host } = this;
    const isAll = table.intervals.size === 0;
    host.querySelector(".count").textContent = isAll
      ? `${table.count} cases`
      : `${table.chosenCount} of ${table.count} cases`;
    host.querySelector(".all").hidden = isAll;
    showBar(host.querySelector(".controls.chosen .bar"), table.columns[table.colour]);
  }
}

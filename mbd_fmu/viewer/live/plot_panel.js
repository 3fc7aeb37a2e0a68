// The choice of what is plotted.
import { section } from "./controls.js";
import { place } from "./place.js";

export class PlotPanel {
  constructor(plots, variables) {
    Object.assign(this, { plots, variables });
    this.element = section("Plots", "", true);
    const names = place("datalist", { id: "signals" });
    for (const { name, role } of variables)
      if (role !== "hidden") names.append(place("option", { value: name }));
    this.input = place("input", { type: "text", placeholder: "name of a variable" });
    this.input.setAttribute("list", "signals");
    this.input.setAttribute("aria-label", "variable to plot");
    this.input.addEventListener("change", () => this.add(this.input.value.trim()));
    this.chips = place("div", { className: "chips" });
    this.element.append(names, this.input, this.chips);
  }

  add(name) {
    const index = this.variables.findIndex((v) => v.name === name && v.role !== "hidden");
    if (index < 0) {
      this.input.setCustomValidity(name ? `no variable "${name}"` : "");
      this.input.reportValidity();
      return;
    }
    this.input.setCustomValidity("");
    this.input.value = "";
    if (!this.plots.chosen.includes(index)) this.choose([...this.plots.chosen, index]);
  }

  choose(indices) {
    this.plots.choose(indices);
    this.chips.replaceChildren(
      ...indices.map((index) => {
        const { name } = this.variables[index];
        const chip = place("button", { type: "button", textContent: `${name} ×` });
        chip.setAttribute("aria-label", `remove ${name} from the plots`);
        chip.addEventListener("click", () => this.choose(indices.filter((k) => k !== index)));
        return chip;
      }),
    );
  }
}

// The bodies of a picture by name and colour: each may be hidden, or made to be seen through.
const WIDE = 900; // px: in a narrower picture the list begins closed

function row(mechanism, body, draw) {
  const element = document.createElement("li");
  const label = document.createElement("label");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true });
  const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
  swatch.style.background = shownColor(body);
  label.append(box, swatch, body.name);
  const range = Object.assign(document.createElement("input"), {
    type: "range",
    min: 0.1,
    max: 1,
    step: 0.05,
    value: 1,
    title: `opacity of ${body.name}`,
  });
  range.setAttribute("aria-label", range.title);
  box.addEventListener("change", () => {
    mechanism.showBody(body.name, box.checked);
    range.disabled = !box.checked;
    draw();
  });
  range.addEventListener("input", () => {
    mechanism.fadeBody(body.name, Number(range.value));
    draw();
  });
  element.append(label, range);
  return element;
}

// The colour most people would call it by: that of its first shape.
const shownColor = (body) => body.solids[0]?.color || body.color;

export function bodyList(mechanism, width, draw) {
  const list = Object.assign(document.createElement("details"), {
    className: "bodies",
    open: width >= WIDE,
  });
  const summary = Object.assign(document.createElement("summary"), { textContent: "bodies" });
  const rows = document.createElement("ul");
  const heads = Object.assign(document.createElement("p"), { className: "heads" });
  heads.append(...["shown", "opacity"].map((text) => Object.assign(document.createElement("span"), { textContent: text })));
  rows.append(...mechanism.scene.bodies.map((body) => row(mechanism, body, draw)));
  const all = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: "show all",
  });
  all.addEventListener("click", () => {
    for (const input of rows.querySelectorAll("input")) {
      if (input.type === "checkbox") input.checked = true;
      else input.value = 1;
      input.dispatchEvent(new Event(input.type === "checkbox" ? "change" : "input"));
    }
  });
  list.append(summary, heads, rows, all);
  return list;
}

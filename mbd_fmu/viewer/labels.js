// Labels that stay apart: who ranks first has its place, others go a line up or down, or wait.
const ASIDE = [0, -1, 1]; // heights of a label

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const shifted = ({ left, right, top, bottom }, way) => ({
  left,
  right,
  top: top + way,
  bottom: bottom + way,
});

// After they were put where they belong: those of a world that have a rank, the highest first.
export function keepApart(world) {
  const labels = [];
  world.traverseVisible((it) => {
    if (it.isCSS2DObject && "rank" in it.userData) labels.push(it);
  });
  labels.sort((a, b) => b.userData.rank - a.userData.rank);
  for (const { element } of labels) element.style.translate = "";
  const boxes = labels.map(({ element }) => element.getBoundingClientRect()); // all at once
  const taken = [];
  labels.forEach(({ element }, k) => {
    const ways = ASIDE.map((lines) => lines * boxes[k].height);
    const way = ways.find((w) => !taken.some((box) => meet(box, shifted(boxes[k], w))));
    element.style.visibility = way === undefined ? "hidden" : "";
    if (way === undefined) return;
    if (way) element.style.translate = `0 ${way}px`;
    taken.push(shifted(boxes[k], way));
  });
}

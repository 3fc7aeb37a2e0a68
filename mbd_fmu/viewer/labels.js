// Labels that stay apart: who ranks first has its place, others go a line up or down, or wait.
const ASIDE = [0, -1, 1]; // heights of a label
const EDGE = 2; // px: so far inside the picture are those that stay there

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const shifted = ({ left, right, top, bottom }, [x, y]) => ({
  left: left + x,
  right: right + x,
  top: top + y,
  bottom: bottom + y,
});

const isInside = (box, room) =>
  box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;

// How a label goes back into the room, along the way to its foot, which is there; along one axis.
function share(from, to, low, high) {
  if (to > high) return Math.max((high - from) / (to - from), 0);
  if (to < low) return Math.max((low - from) / (to - from), 0);
  return 1;
}

// How far a label is moved that would leave the room, towards its foot, if that is in the room.
function moved(box, foot, room) {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [x, y] = [box.left + width / 2, box.top + height / 2];
  const [low, high] = [
    [room.left + EDGE + width / 2, room.top + EDGE + height / 2],
    [room.right - EDGE - width / 2, room.bottom - EDGE - height / 2],
  ];
  const part = Math.min(share(foot.x, x, low[0], high[0]), share(foot.y, y, low[1], high[1]));
  const clamped = [foot.x + part * (x - foot.x), foot.y + part * (y - foot.y)].map((at, c) =>
    Math.min(Math.max(at, low[c]), high[c]),
  );
  return [clamped[0] - x, clamped[1] - y];
}

// In pixels of the window; nothing where it is not in the picture.
function seen(place, camera, room) {
  const { x, y, z } = place.clone().project(camera);
  if (Math.abs(x) > 1 || Math.abs(y) > 1 || Math.abs(z) > 1) return undefined;
  return {
    x: room.left + ((x + 1) / 2) * (room.right - room.left),
    y: room.top + ((1 - y) / 2) * (room.bottom - room.top),
  };
}

// After they were put where they belong: those of a world that have a rank, the highest first. Those
// that have a foot stay in the picture as long as it is there.
export function keepApart(world, camera, picture) {
  const labels = [];
  world.traverseVisible((it) => {
    if (it.isCSS2DObject && "rank" in it.userData) labels.push(it);
  });
  labels.sort((a, b) => b.userData.rank - a.userData.rank);
  for (const { element } of labels) element.style.translate = "";
  const room = picture.getBoundingClientRect();
  const boxes = labels.map(({ element }) => element.getBoundingClientRect()); // all at once
  const taken = [];
  labels.forEach(({ element, userData }, k) => {
    const foot = userData.foot && seen(userData.foot, camera, room);
    const [x, y] = foot ? moved(boxes[k], foot, room) : [0, 0];
    const ways = ASIDE.map((lines) => [x, y + lines * boxes[k].height]);
    const isFree = (box) => (!foot || isInside(box, room)) && !taken.some((other) => meet(box, other));
    const way = ways.find((w) => isFree(shifted(boxes[k], w)));
    element.style.visibility = way ? "" : "hidden";
    if (!way) return;
    if (way[0] || way[1]) element.style.translate = `${way[0]}px ${way[1]}px`;
    taken.push(shifted(boxes[k], way));
  });
}

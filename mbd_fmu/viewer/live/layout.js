// How large parts of the page are: wide windows are filled and do not scroll; in narrow ones the
// picture stays above what is turned.
const NARROW = window.matchMedia("(max-width: 900px)"); // as in live.css

const STAYS = 0.35; // of a narrow window
const SHARE = 0.17, // of a wide one is for a plot
  LOWEST = 110, // px
  HIGHEST = 260,
  USUAL = 195; // where the page scrolls

export const isNarrow = () => NARROW.matches;

export function pictureRoom(host, picture) {
  if (!isNarrow()) {
    const { clientWidth, clientHeight } = picture ?? host;
    return { width: Math.max(clientWidth, 240), height: Math.max(clientHeight, 180) };
  }
  const width = Math.max(host.clientWidth, 240);
  const most = Math.max(STAYS * window.innerHeight, 160);
  return { width, height: Math.round(Math.min(0.72 * width, most)) };
}

export const plotHeight = () =>
  isNarrow() ? USUAL : Math.round(Math.min(Math.max(SHARE * window.innerHeight, LOWEST), HIGHEST));

// Sections that find room are open from the start.
export function unfold(side) {
  if (isNarrow()) return;
  for (const section of side.querySelectorAll(":scope > details:not([open])")) {
    section.open = true;
    if (side.scrollHeight > side.clientHeight) section.open = false;
  }
}

// Call when the room of the picture has another size.
export function onRoom(elements, room, call) {
  let known = "";
  const watch = new ResizeObserver(() => {
    const now = JSON.stringify(room());
    if (now === known) return; // what grows below it is no matter
    known = now;
    call();
  });
  for (const element of elements) watch.observe(element);
}

// The last row of a table whose time has come; the first before that.
export function rowAt(time, t) {
  let low = 0,
    high = time.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

const INSTANTS = 40; // of a motion are looked at

// Times of a motion, evenly over its rows.
export function instants(time) {
  const length = Math.min(time.length, INSTANTS),
    step = (time.length - 1) / Math.max(length - 1, 1);
  return Array.from({ length }, (_, k) => time[Math.round(k * step)]);
}

// Four numbers, w first, of length 1: who turns one knob of them turns the others along.

// What they become when one gets a value. Beyond 1 nothing fits: the others stay, and the mechanism
// says what is the matter.
export function turned(values, moved, value) {
  const rest = 1 - value ** 2;
  const others = values.map((x, k) => (k === moved ? 0 : x));
  // without a direction: w takes the rest, or x where w is the one that moves
  if (!others.some(Boolean)) others[moved === 0 ? 1 : 0] = 1;
  const size = Math.sqrt(rest) / Math.hypot(...others);
  return values.map((x, k) => {
    if (k === moved) return value;
    return rest >= 0 ? size * others[k] : x;
  });
}

// What is seen, in the address: settings, drivers, plots, camera, and the state itself.
import { bytes } from "../bytes.js";

const MOST = 24000; // letters; longer addresses get lost on their way

export async function through(stream, data) {
  const piped = new Blob([data]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

const letters = (data) =>
  btoa(Array.from(data, (b) => String.fromCharCode(b)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

const bytesOf = (text) => bytes(text.replace(/-/g, "+").replace(/_/g, "/"));

// And whether the state is in it.
export async function written(seen) {
  const { state, ...rest } = seen;
  const pack = async (what) =>
    letters(
      await through(
        new CompressionStream("deflate-raw"),
        new TextEncoder().encode(JSON.stringify(what)),
      ),
    );
  const whole = await pack({ ...rest, state: state && { ...state, bytes: letters(state.bytes) } });
  const isWhole = whole.length <= MOST;
  return { hash: `#${isWhole ? whole : await pack(rest)}`, isWhole };
}

// Whether it is what we write; a link may have been cut, or come from anywhere.
function isSeen({ settings, drivers, plots, shown, speed, camera, recorded }) {
  const numbers = [
    speed,
    ...settings.map(([, value]) => value),
    ...drivers.flatMap(({ knobs }) => Object.values(knobs)),
    ...(camera ?? []).flat(),
  ];
  const { drives } = recorded ?? { drives: [] };
  return [plots, shown, drives].every(Array.isArray) && numbers.every(Number.isFinite);
}

// Nothing where the address says nothing, or nothing that we wrote.
export async function read(hash) {
  if (hash.length < 2) return undefined;
  try {
    const text = await through(new DecompressionStream("deflate-raw"), bytesOf(hash.slice(1)));
    const seen = JSON.parse(new TextDecoder().decode(text));
    if (seen.state) seen.state.bytes = bytesOf(seen.state.bytes);
    return isSeen(seen) ? seen : undefined;
  } catch {
    return undefined;
  }
}

// The code of the mechanism out of the data of its page, ready to be run.
import { through } from "./address.js";

export async function moduleOf({ module }) {
  const packed = Uint8Array.from(atob(module), (c) => c.charCodeAt(0));
  return WebAssembly.compile(await through(new DecompressionStream("deflate-raw"), packed));
}

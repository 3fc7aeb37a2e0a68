// The code of the mechanism out of the data of its page, ready to be run.
import { bytes } from "../bytes.js";
import { through } from "./address.js";

export async function moduleOf({ module }) {
  const plain = await through(new DecompressionStream("deflate-raw"), bytes(module));
  return WebAssembly.compile(plain);
}

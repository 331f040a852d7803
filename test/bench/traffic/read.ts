/**
 * Reads a capture through the package and does nothing with it: `read.js PATH`, after `npm run tools` has compiled it.
 */
import { readCapture } from "../../../src/capture/reader.js";
import { openCapture } from "../../../src/platform/node/capture-file.js";

const [path = ""] = process.argv.slice(2);
let bytes = 0;
const listener = {
  packet({ data }: { readonly data: Uint8Array }): void {
    bytes += data.length;
  },
  problem({ text }: { readonly text: string }): void {
    throw new Error(text);
  },
};
await readCapture(openCapture(path), path, listener);
console.log(bytes);

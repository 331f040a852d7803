/** What few messages have, beside their bytes. */
export interface Extras {
  readonly frames: readonly number[];
  /** Texts by node. */
  readonly annotations: ReadonlyMap<number, string>;
}

/** Bytes of a number. */
const WIDTH = 4;

/** Extras as bytes: the frames, then for each text its node, its length × 2 + 1 if it has two bytes a unit, and the units. */
export function encodeExtras({ frames, annotations }: Extras): Uint8Array {
  let length = (2 + frames.length + 2 * annotations.size) * WIDTH;
  for (const text of annotations.values()) length += text.length * (isNarrow(text) ? 1 : 2);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const put = (number: number) => {
    view.setUint32(at, number);
    at += WIDTH;
  };
  put(frames.length);
  for (const frame of frames) put(frame);
  put(annotations.size);
  for (const [node, text] of annotations) {
    const narrow = isNarrow(text);
    put(node);
    put(text.length * 2 + (narrow ? 0 : 1));
    for (let index = 0; index < text.length; index++) {
      if (narrow) view.setUint8(at++, text.charCodeAt(index));
      else {
        view.setUint16(at, text.charCodeAt(index));
        at += 2;
      }
    }
  }
  return bytes;
}

/** Reads what `encodeExtras` wrote. */
export function decodeExtras(bytes: Uint8Array, start: number): Extras {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  let at = 0;
  const take = () => {
    const number = view.getUint32(at);
    at += WIDTH;
    return number;
  };
  const frames = Array.from({ length: take() }, take);
  const annotations = new Map<number, string>();
  for (let left = take(); left > 0; left--) {
    const node = take();
    const size = take();
    const units: number[] = [];
    for (let unit = size >>> 1; unit > 0; unit--) {
      const isWide = (size & 1) !== 0;
      units.push(isWide ? view.getUint16(at) : view.getUint8(at));
      at += isWide ? 2 : 1;
    }
    annotations.set(node, units.map((unit) => String.fromCharCode(unit)).join(""));
  }
  return { frames, annotations };
}

/** True for a text whose units take a byte each. */
function isNarrow(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0xff) return false;
  return true;
}

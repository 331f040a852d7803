/**
 * Values whose bytes are whole words, each different one once, and which of them each value is; valid until the next
 * dictionary is made.
 */
export interface NumberDictionary {
  readonly words: Int32Array;
  readonly indexes: Int32Array;
}

/** Places for values at first: a power of two, as always. */
const FEWEST = 16;
/** How many places are tried: more are needed only for values that somebody has chosen to be slow. */
const MOST_TRIED = 256;

/** Memory that every dictionary uses: to get new memory for each column piles up. */
let indexMemory = new Int32Array(FEWEST);
let placeMemory = new Int32Array(FEWEST);
let differentMemory = new Int32Array(FEWEST);
let lowMemory = new Int32Array(FEWEST);

/**
 * Tells values apart; undefined unless that halves what has to be written: then it is not worth what it costs to read.
 *
 * @param words the values one after the other
 * @param width how many words a value has: 1 or 2
 */
export function dictionaryOf(words: Int32Array, width: number): NumberDictionary | undefined {
  const count = words.length / width;
  const most = Math.floor(words.length / 2 / width);
  if (indexMemory.length < count) indexMemory = new Int32Array(2 * count);
  const indexes = indexMemory.subarray(0, count);
  let places = emptyPlaces(FEWEST);
  let different = differentMemory;
  let size = 0;
  let last = -1;
  for (let value = 0, at = 0; value < count; value++, at += width) {
    const low = words[at] ?? 0;
    const high = width === 2 ? (words[at + 1] ?? 0) : 0;
    if (last >= 0 && different[2 * last] === low && different[2 * last + 1] === high) {
      indexes[value] = last;
      continue;
    }
    const mask = places.length - 1;
    let place = hashOfWords(low, high) & mask;
    let tried = 0;
    for (;;) {
      last = (places[place] ?? 0) - 1;
      if (last < 0 || (different[2 * last] === low && different[2 * last + 1] === high)) break;
      if (++tried === MOST_TRIED) return undefined;
      place = (place + 1) & mask;
    }
    if (last < 0) {
      if (size === most) return undefined;
      last = size++;
      places[place] = size;
      if (2 * size > different.length) {
        different = larger(different);
        differentMemory = different;
      }
      different[2 * last] = low;
      different[2 * last + 1] = high;
      if (2 * size > places.length) places = placesOf(different, size, 4 * places.length);
    }
    indexes[value] = last;
  }
  const indexBytes = (count * (32 - Math.clz32(size))) / 8;
  if (2 * (4 * width * size + indexBytes) > 4 * words.length) return undefined;
  return { words: width === 2 ? different.subarray(0, 2 * size) : lowWords(different, size), indexes };
}

function larger(words: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(2 * words.length);
  copy.set(words);
  return copy;
}

function emptyPlaces(length: number): Int32Array<ArrayBuffer> {
  if (placeMemory.length < length) placeMemory = new Int32Array(length);
  return placeMemory.subarray(0, length).fill(0);
}

/** Hash table: for each place, a number of a value plus one. */
function placesOf(different: Int32Array, size: number, length: number): Int32Array<ArrayBuffer> {
  const places = emptyPlaces(length);
  const mask = places.length - 1;
  for (let value = 0; value < size; value++) {
    let place = hashOfWords(different[2 * value] ?? 0, different[2 * value + 1] ?? 0) & mask;
    while (places[place] !== 0) place = (place + 1) & mask;
    places[place] = value + 1;
  }
  return places;
}

function lowWords(pairs: Int32Array, size: number): Int32Array {
  if (lowMemory.length < size) lowMemory = new Int32Array(2 * size);
  const words = lowMemory.subarray(0, size);
  for (let value = 0; value < size; value++) words[value] = pairs[2 * value] ?? 0;
  return words;
}

/** A number that other words hardly ever have. */
export function hashOfWords(low: number, high: number): number {
  let hash = Math.imul(low, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0x9e3779b1);
  return hash ^ (hash >>> 16);
}

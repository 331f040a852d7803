import type { Limits } from "../../limits.js";
import { Decoder } from "../decode/decode.js";
import { Extent, type Window } from "../decode/window.js";
import { type ByteSource, viewOf } from "../language/byte-source.js";
import type { DecodedTree } from "../language/field-tree.js";
import type { Type } from "../language/type.js";
import { Kept, Outline } from "./kept.js";
import { LazyTree } from "./lazy-tree.js";
import { NEEDS } from "./skim-state.js";
import { Skimmer } from "./skimmer.js";

const NO_BYTES: Uint8Array = new Uint8Array(0);

/** The source of messages that are skimmed; the tree of one that is decoded has a source of its own. */
class SkimmedSource implements ByteSource {
  kind: ByteSource["kind"] = "message";
  bytes = NO_BYTES;
  view = viewOf(NO_BYTES);
  origin = 0;
  length = 0;
  isExact = false;
  readonly parent = -1;
}

interface SkimmingOptions {
  readonly isEager?: boolean;
  readonly isWanted?: (() => boolean) | undefined;
}

/**
 * A decoder that only skims messages as long as they are sound, and builds the tree of one when a reader touches what
 * skimming cannot answer. It gives the same results as `Decoder`, which does what is left.
 */
export class SkimmingDecoder extends Decoder {
  readonly #skimmer: Skimmer;
  readonly #lazy: LazyTree;
  readonly #source = new SkimmedSource();
  #isSkimmed = false;
  readonly #isWanted: (() => boolean) | undefined;

  /** @param options `isEager` to skim every message, for tests; `isWanted` is asked before each message */
  constructor(limits?: Limits, { isWanted, ...options }: SkimmingOptions = {}) {
    super(limits);
    this.#isWanted = isWanted;
    this.#skimmer = new Skimmer(this.limits, (type) => this.rootOf(type), {
      ...options,
      kept: new Kept([], Outline.names),
    });
    this.#lazy = new LazyTree(this.store, this.#skimmer, () => this.#decodeSkimmed());
    this.#skimmer.state.store.sources.push(this.#source);
    this.#skimmer.state.nameOf = (kind, id) => this.names?.get(kind, id);
  }

  override get nodes(): DecodedTree {
    return this.#isSkimmed ? this.#lazy : this.store;
  }

  override decode(
    type: Type<unknown, boolean>,
    window: Window,
    extent: Extent,
    kind: ByteSource["kind"] = "message",
  ): boolean {
    this.#isSkimmed = false;
    const isWanted = this.#isWanted?.() ?? true;
    if (!isWanted || extent === Extent.Cut || extent === Extent.Head) return super.decode(type, window, extent, kind);
    const skimmer = this.#skimmer;
    skimmer.state.settings = this.settings;
    const { bytes, view, start } = window;
    const isExact = extent === Extent.Exact;
    const end = skimmer.skim(type, bytes, view, start, window.end, isExact);
    if (end === NEEDS) {
      this.needed = Math.max(skimmer.state.needed - start, 1);
      return false;
    }
    if (end < 0) return super.decode(type, window, extent, kind);
    const source = this.#source;
    const length = end - start;
    source.kind = kind;
    // The window of a stream moves on.
    source.bytes = bytes;
    source.view = view;
    source.origin = start;
    source.length = length;
    source.isExact = isExact;
    const { store, names } = this;
    store.clear();
    store.sources.push(source);
    store.names = names;
    skimmer.state.store.names = names;
    this.consumed = length;
    this.endless = false;
    this.needed = 0;
    this.#isSkimmed = true;
    this.#lazy.begin(skimmer.prefix, length, this.isTrusted);
    return true;
  }

  #decodeSkimmed(): void {
    const { type } = this.#skimmer;
    if (type === undefined) return;
    this.#skimmer.inVain();
    const { kind, bytes, view, origin, length, isExact } = this.#source;
    const window = { bytes, view, start: origin, end: origin + length };
    super.decode(type, window, isExact ? Extent.Exact : Extent.Open, kind);
  }
}

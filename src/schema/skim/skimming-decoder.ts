import type { Limits } from "../../limits.js";
import { Decoder } from "../decode/decode.js";
import { Extent, type Window } from "../decode/window.js";
import type { ByteSource } from "../language/byte-source.js";
import type { DecodedTree } from "../language/field-tree.js";
import type { Type } from "../language/type.js";
import { Kept, Outline } from "./kept.js";
import { LazyTree } from "./lazy-tree.js";
import { NEEDS } from "./skim-state.js";
import { Skimmer } from "./skimmer.js";

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(new ArrayBuffer(0));

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
  /** The message that was skimmed. */
  #type: Type<unknown, boolean> | undefined;
  #bytes = NO_BYTES;
  #view = NO_VIEW;
  #start = 0;
  #end = 0;
  #extent: Extent = Extent.Exact;
  #isSkimmed = false;
  readonly #isWanted: (() => boolean) | undefined;

  /** @param options `isEager` to skim every message, for tests; `isWanted` is asked before each message */
  constructor(limits?: Limits, { isWanted, ...options }: SkimmingOptions = {}) {
    super(limits);
    this.#isWanted = isWanted;
    this.#skimmer = new Skimmer(this.limits, { ...options, kept: new Kept([], Outline.names) });
    this.#lazy = new LazyTree(this.store, this.#skimmer, () => this.#decodeSkimmed());
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
    const end = skimmer.skim(this.rootOf(type), window, extent);
    if (end === NEEDS) {
      this.needed = Math.max(skimmer.state.needed - window.start, 1);
      return false;
    }
    if (end < 0) return super.decode(type, window, extent, kind);
    const source = this.beginTree(window, extent, kind);
    source.length = end - window.start;
    const { store } = skimmer.state;
    store.sources.push(source);
    store.names = this.names;
    this.consumed = source.length;
    this.endless = false;
    this.needed = 0;
    this.#isSkimmed = true;
    this.#type = type;
    // The window of a stream moves on.
    this.#bytes = window.bytes;
    this.#view = window.view;
    this.#start = window.start;
    this.#end = end;
    this.#extent = extent;
    this.#lazy.begin(skimmer.prefix, source.length, this.isTrusted);
    return true;
  }

  #decodeSkimmed(): void {
    if (this.#type === undefined) return;
    this.#skimmer.inVain();
    const kind = this.store.sources[0]?.kind ?? "message";
    const window = { bytes: this.#bytes, view: this.#view, start: this.#start, end: this.#end };
    super.decode(this.#type, window, this.#extent, kind);
  }
}

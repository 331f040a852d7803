/** What decoding one message may cost at most, so that no capture can exhaust stack, memory or time. */
export interface DecodeLimits {
  /** Levels of structs in structs. Real messages have about 15; the stack holds several hundred. */
  readonly depth: number;
  /** Nodes of one message. The largest real ones (vault node references, SDL states) have some 10,000. */
  readonly nodes: number;
  /** Bytes that all compressed regions of one message may inflate to. The client refuses messages above 1 MiB. */
  readonly inflated: number;
}

export const defaultDecodeLimits: DecodeLimits = { depth: 64, nodes: 1_000_000, inflated: 16 * 1024 * 1024 };

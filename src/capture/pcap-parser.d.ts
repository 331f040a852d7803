/** What this room uses of the npm package pcap-parser 0.2.1, which has no types of its own. */
declare module "pcap-parser" {
  import type { Piece } from "./piece.js";

  /** What the package needs from a stream: "data" events, and two methods that it calls. */
  export interface PcapSource {
    on(event: string, listener: (bytes: Buffer | Piece) => void): unknown;
    pause(): void;
    resume(): void;
  }

  /** The file header, with its byte order resolved. */
  export interface GlobalHeader {
    readonly majorVersion: number;
    readonly minorVersion: number;
    readonly snapshotLength: number;
    readonly linkLayerType: number;
  }

  export interface PacketHeader {
    readonly timestampSeconds: number;
    /** The fraction of the second, in the file's unit. */
    readonly timestampMicroseconds: number;
    /**
     * Number of bytes that follow. The package reads it from this very object when it looks for the body, so a listener
     * for "packetHeader" can correct it.
     */
    capturedLength: number;
    /** Only passed on. */
    originalLength: number;
  }

  export interface Parser {
    /** Bytes it holds and has not used yet, or null. Unless it is null, each new piece is copied onto its end. */
    buffer: Buffer | Piece | null;
    /** Suffix of the methods that it reads numbers with: empty for a `Piece`, which knows its byte order. */
    endianness: "LE" | "BE" | "" | null;
    on(event: "globalHeader", listener: (header: GlobalHeader) => void): this;
    on(event: "packetHeader", listener: (header: PacketHeader) => void): this;
    on(event: "packetData", listener: (data: Piece) => void): this;
    on(event: "error", listener: (error: Error) => void): this;
  }

  export function parse(source: PcapSource): Parser;
}

/** What this room uses of the npm package pcap-parser 0.2.1, which brings no types. */
declare module "pcap-parser" {
  import type { Buffer } from "node:buffer";
  import type { Piece } from "./piece.js";

  /** What the package needs of a stream: "data" events, and two methods that it calls. */
  export interface PcapSource {
    on(event: string, listener: (bytes: Buffer | Piece) => void): unknown;
    pause(): void;
    resume(): void;
  }

  /** The file header, after its byte order has been undone. */
  export interface GlobalHeader {
    readonly majorVersion: number;
    readonly minorVersion: number;
    readonly snapshotLength: number;
    readonly linkLayerType: number;
  }

  export interface PacketHeader {
    readonly timestampSeconds: number;
    /** The fraction of the second as it stands in the file. */
    readonly timestampMicroseconds: number;
    /**
     * How many bytes follow. The package reads it from this very object when it looks for the body, so a listener of
     * "packetHeader" can correct it.
     */
    capturedLength: number;
    /** Only handed on. */
    originalLength: number;
  }

  export interface Parser {
    /** What it holds and has not used yet; null is nothing. With anything, each piece is copied behind it. */
    buffer: Buffer | Piece | null;
    /** The suffix of the methods that it reads numbers with: none for a `Piece`, which knows its byte order. */
    endianness: "LE" | "BE" | "" | null;
    on(event: "globalHeader", listener: (header: GlobalHeader) => void): this;
    on(event: "packetHeader", listener: (header: PacketHeader) => void): this;
    on(event: "packetData", listener: (data: Piece) => void): this;
    on(event: "error", listener: (error: Error) => void): this;
  }

  export function parse(source: PcapSource): Parser;
}

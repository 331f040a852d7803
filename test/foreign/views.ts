/** What a program finds in a capture, in a form that can be compared. */

/** The bytes that each sender ("address:port") has sent, as Latin-1 text, in which gaps are as `gapText` writes them. */
export type Sent = Readonly<Record<string, string>>;

/** A TCP conversation as this program finds it. */
export interface OwnConversation {
  readonly stream: number;
  readonly ends: readonly [string, string];
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly sent: Sent;
  /** Why it ended. */
  readonly reason: string;
  /** How many bytes came again and differed. */
  readonly differing: number;
}

export interface OwnView {
  /** What was wrong with the file. */
  readonly problems: readonly string[];
  readonly internalErrors: readonly string[];
  readonly packets: number;
  readonly tcp: readonly OwnConversation[];
  /** Conversations that were recognised: "stream 3 moul.auth ..." */
  readonly recognised: readonly string[];
  /** Packets that were not understood, by what they are. */
  readonly others: Readonly<Record<string, number>>;
}

/** A packet of a TCP conversation as tshark finds it. */
export interface ForeignFrame {
  readonly number: number;
  /** The layers, from the outside in: "eth:ethertype:ip:tcp". */
  readonly protocols: string;
  /** Bytes of payload, and the flags. */
  readonly length: number;
  readonly flags: number;
  readonly isCut: boolean;
  readonly vlans: string;
}

/** A part of what was sent in one direction, and the packet that brought it. */
export interface ForeignPart {
  readonly frame: number;
  readonly bytes: string;
}

/** A TCP conversation as tshark finds it. */
export interface ForeignConversation {
  readonly stream: number;
  readonly ends: readonly [string, string];
  readonly first: number;
  readonly frames: readonly ForeignFrame[];
  readonly sent: Readonly<Record<string, readonly ForeignPart[]>>;
}

export interface ForeignView {
  readonly packets: number;
  readonly tcp: readonly ForeignConversation[];
}

/** How tshark writes a gap. */
export function gapText(length: number): string {
  return `[${length} bytes missing in capture file]\0`;
}

/** Matches what `gapText` writes. */
export const GAP = /\[(\d+) bytes missing in capture file\]\0/g;

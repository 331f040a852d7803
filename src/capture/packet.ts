/** A capture among those of a run. */
export interface CaptureFile {
  /** The name of the file, without its folder; "standard input" for that. */
  readonly name: string;
  /** Which of the captures it is, counted from 0. */
  readonly index: number;
}

/**
 * One captured packet. The object and its `data` are valid only during the call that delivers it: a reader may reuse
 * both, so a listener that keeps bytes has to copy them.
 */
export interface Packet {
  /**
   * Position in the capture, counted from 1 across all files of a run, as Wireshark numbers frames: some pcapng blocks
   * that hold no packet have a number, too.
   */
  readonly frame: number;
  /**
   * Time of capture: whole seconds since 1970 (UTC), as given in the file. In a damaged one it can be negative or
   * beyond what a Date can hold.
   */
  readonly seconds: number;
  /** The rest of the time, 0 to 999,999,999 nanoseconds. */
  readonly nanoseconds: number;
  /** Link type (LINKTYPE_* of the tcpdump registry): 1 Ethernet, 101 raw IP, 113 and 276 Linux cooked, ... */
  readonly linkType: number;
  /** The captured bytes, from the link header on. */
  readonly data: Uint8Array;
  /** Length on the wire; larger than `data.length` where a snap length cut the packet. */
  readonly originalLength: number;
  /** Where it comes from; undefined for one that was made. */
  readonly capture?: CaptureFile | undefined;
}

/** Something that is wrong with a capture file or was left out; what could be read before it has been delivered. */
export interface CaptureProblem {
  /** File name, or "standard input". */
  readonly file: string;
  /** Frame after which (or in which) the problem is; 0 if it is before the first one. */
  readonly frame: number;
  /**
   * Byte offset in the file once unpacked; where it cannot be read or unpacked any further, the number of bytes read.
   */
  readonly offset: number;
  /** What is wrong, in plain English, to follow the file's name and a colon. */
  readonly text: string;
}

/** Receives packets as they are read. All calls are synchronous. */
export interface PacketListener {
  packet(packet: Packet): void;
  problem(problem: CaptureProblem): void;
  /**
   * Bytes beside the packets that may be key material: the content of a decryption secrets block or a custom block of a
   * pcapng file. They have not been checked; they are valid only during the call.
   * @param name their name in remarks: file and place.
   * @param isLate true if packets of the same section came before them, which the pcapng draft does not provide for.
   */
  secrets?(bytes: Uint8Array, name: string, isLate: boolean): void;
  /** Says in one sentence what else, apart from packets, was not looked at. */
  remark?(text: string): void;
}

/**
 * Turns the bytes of one capture file into packets. Bytes are pushed in pieces of any size; packets are delivered
 * synchronously, so the caller controls the pace.
 */
export interface CaptureReader {
  /** Returns false once the rest of the file cannot be read (a problem has been reported). */
  push(bytes: Uint8Array): boolean;
  /** Ends a file that could be read to its end: reports a packet that is cut off, if there is one. */
  end(): void;
}

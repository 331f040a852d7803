/**
 * One captured packet. The object and its `data` are valid only during the call that hands it over: a reader may reuse
 * both, so whoever keeps bytes copies them.
 */
export interface Packet {
  /**
   * Position in the capture, counted from 1 over all files of a run, as Wireshark numbers frames: some blocks of pcapng
   * that hold no packet have a number, too.
   */
  readonly frame: number;
  /**
   * Time of capture: whole seconds since 1970 (UTC). As the file says it: in a damaged one it can be negative or more
   * than a Date can hold.
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
}

/** What is wrong with a capture file or was left out of it; what could be read before it has been handed over. */
export interface CaptureProblem {
  /** File name, or "standard input". */
  readonly file: string;
  /** Frame after which (or in which) the problem lies; 0 before the first one. */
  readonly frame: number;
  /** Byte offset in the file; of a compressed one, in what is packed in it. */
  readonly offset: number;
  /** What is wrong, in plain English that goes behind the file's name and a colon. */
  readonly text: string;
}

/** Takes packets as they are read. All calls are synchronous. */
export interface PacketListener {
  packet(packet: Packet): void;
  problem(problem: CaptureProblem): void;
  /**
   * Bytes that the recorder has put beside the packets and that may be key material: what a decryption secrets block or
   * a custom block of a pcapng file holds. They are not checked; they are valid only during the call.
   * @param name what they are called in remarks: file and place.
   */
  secrets?(bytes: Uint8Array, name: string): void;
  /** Told what is not looked at, but for packets, in one sentence. */
  remark?(text: string): void;
}

/**
 * Turns the bytes of one capture file into packets. Bytes are pushed in pieces of any size; packets come out
 * synchronously, so whoever pushes controls the pace.
 */
export interface CaptureReader {
  /** False once the rest of the file cannot be read (a problem has been reported). */
  push(bytes: Uint8Array): boolean;
  /** The file has ended, and could be read up to there: reports a packet that is cut off, if there is one. */
  end(): void;
}

import type { ClockStep } from "../capture/clock.js";
import type { CaptureProblem } from "../capture/packet.js";
import type { Message } from "../dissect/message.js";
import type { MessageOrder } from "../dissect/order/scheduler.js";
import type { Dissector } from "../dissector/dissector.js";
import type { InternalError } from "../dissector/failure.js";
import type { Limits } from "../limits.js";
import type { AnsweredBy } from "../schema/language/message-context.js";
import type { GivenFile } from "../session/files/offered-file.js";
import type { NameChange } from "../session/name-book.js";
import type { NetworkObserver } from "../session/observer.js";
import type { Share } from "./share.js";

/** Options of a run, wherever the engine runs. */
export interface EngineOptions {
  /** Key files. Formats are recognised by content. */
  readonly keys?: readonly GivenFile[];
  /** Definition files (`.sdl`), plain or encrypted. */
  readonly definitions?: readonly GivenFile[];
  /** Dissectors besides the built-in ones; they are asked first. See `loadDissector`. */
  readonly dissectors?: readonly Dissector[];
  /**
   * Which protocol conversations speak, for cases where recognition fails: rules in the form of Wireshark's `-d`, such
   * as `tcp.port==5000,moul.game`.
   */
  readonly decodeAs?: readonly string[];
  /**
   * Which messages reach the listener: a display filter, as accepted by `-Y`, or a function that decides. All messages
   * are numbered, whether they pass or not.
   */
  readonly filter?: string | ((message: Message) => boolean);
  /** True to verify the checksums of IPv4, TCP and UDP, and note those that are wrong. */
  readonly checksums?: boolean;
  /** True to keep datagrams that were recorded a second time, on another interface or path. */
  readonly keepDuplicates?: boolean;
  /** Ends the run early: it then fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /**
   * Watches what the network brings, before it is dissected: conversations, bytes in order, datagrams, gaps; and what
   * becomes of each conversation.
   */
  readonly network?: NetworkObserver;
  /** Called if something is wrong with a capture file, which has been read up to that point. */
  readonly onProblem?: (problem: CaptureProblem) => void;
  /** Called where the clock of a recorder was set back: durations that span this mean nothing. */
  readonly onClockSetBack?: (step: ClockStep) => void;
  /** Called with what is odd about a key file, a definition file or a capture, in a sentence without secrets. */
  readonly onRemark?: (remark: string) => void;
  /** Called on an error in this program or in a dissector: whatever failed is given up, the rest continues. */
  readonly onInternalError?: (error: InternalError) => void;
}

/** What only commands need to know of a run, or to decide. */
export interface RunHooks {
  /** Ends the reading early, as a `pause` that returns false does, but also while it waits for bytes. */
  readonly stop?: AbortSignal | undefined;
  /**
   * False to stop dissecting a direction after a message whose end is not known: what is found there may be part of
   * that message, and look like messages by chance.
   */
  readonly searchesAfterUnknownEnd?: boolean;
  /** How messages are put in order; by default, as in the capture. */
  readonly order?: MessageOrder;
  /**
   * True if the listener looks into few messages, so that it pays to build trees only where it does. A function is asked
   * before each message.
   */
  readonly skims?: boolean | (() => boolean);
  /** Which of the user's captures the first one of this run is, if each has a run of its own. */
  readonly firstCapture?: number;
  /** What answers the message of a number, from an earlier run over the same captures: see `AnswerBook`. */
  readonly answeredBy?: (number: number) => AnsweredBy | undefined;
  /** Called when a name becomes known to a dissector, changes, or is dropped because it stands for something else. */
  readonly onName?: (dissector: Dissector, change: NameChange) => void;
  /** Which conversations are dissected, for one of several threads; all by default. */
  readonly share?: Share;
  /**
   * Asked before each packet: true if it has to wait until `pause` has been called and has returned, because there is no
   * room for more output.
   */
  readonly isFull?: () => boolean;
}

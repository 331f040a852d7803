import type { Message } from "../../dissect/message.js";
import type { StateEvent } from "../../dissector/state-event.js";
import type { Conversation, Direction, EndReason, Origin } from "../../network/conversation.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import { type Moment, momentOf } from "../../state/moment.js";
import { StateEvents } from "../../state/state-events.js";
import { passing } from "../message-display.js";
import type { CaptureRun } from "./capture-run.js";

/** What a command wants to know of what messages mean. */
interface StateWork {
  /** A display filter: of messages that do not pass, no events are told, except which files the server lists. */
  readonly filter: string | undefined;
  /** Called with each event, in the order of messages. */
  readonly event: (event: StateEvent, at: Moment, message: Message) => void;
  /** Called with each message, whether it passes or not, before its events; false ends the run. */
  readonly message?: (message: Message, at: Moment, isPassing: boolean) => boolean;
  /** Called between blocks of input, and waited for. */
  readonly between?: () => Promise<void>;
  /** Called with the first packet of the capture. */
  readonly began?: (first: Origin) => void;
  readonly closed?: (conversation: Conversation, reason: EndReason, by: Direction | undefined) => void;
}

/** Reads captures, and tells what their messages mean; remarks on what could not be decrypted, and so may hold more. */
export async function readState(run: CaptureRun, { filter, event, message: seen, between, began, closed }: StateWork) {
  const { dissectors } = run.prepared;
  const passes = await passing(filter, dissectors);
  const events = new StateEvents(dissectors);
  const undecrypted = new Undecrypted();
  let goesOn = true;
  const result = await run.read({
    listener: (message) => {
      if (!goesOn) return;
      undecrypted.see(message);
      const at = momentOf(message);
      const isPassing = passes(message);
      goesOn = seen?.(message, at, isPassing) ?? true;
      if (!goesOn) return;
      for (const one of events.of(message)) if (isPassing || one.kind === "listed-file") event(one, at, message);
    },
    network: {
      ...(began && { began }),
      opened: (conversation) => ({ closed: (reason, by) => closed?.(conversation, reason, by) }),
    },
    goesOn: async () => {
      await between?.();
      return goesOn;
    },
    endsAtInterrupt: true,
  });
  for (const text of undecrypted.remarks()) run.remark(text);
  return result;
}

/** Where something was looked for and not found, after a statement that says so. */
export function lookedAt(filter: string | undefined): string {
  return filter === undefined ? "" : " in messages that pass the filter";
}

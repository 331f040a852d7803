import type { Message } from "../../dissect/message.js";
import type { StateEvent } from "../../dissector/state-event.js";
import type { Conversation, Direction, EndReason, Origin } from "../../network/conversation.js";
import { type Moment, momentOf } from "../../state/moment.js";
import { StateEvents } from "../../state/state-events.js";
import type { CaptureRun } from "./capture-run.js";

/** What a command wants to know of what messages mean. */
interface StateWork {
  /** Called with each event, in the order of messages. */
  readonly event: (event: StateEvent, at: Moment, message: Message) => void;
  /** Called with each message before its events; false ends the run. */
  readonly message?: (message: Message, at: Moment) => boolean;
  /** Called between blocks of input, and waited for. */
  readonly between?: () => Promise<void>;
  /** Called with the first packet of the capture. */
  readonly began?: (first: Origin) => void;
  readonly closed?: (conversation: Conversation, reason: EndReason, by: Direction | undefined) => void;
}

/** Reads captures, and tells what their messages mean. */
export async function readState(run: CaptureRun, { event, message: seen, between, began, closed }: StateWork) {
  const events = new StateEvents(run.prepared.dissectors);
  let goesOn = true;
  return run.read({
    listener: (message) => {
      if (!goesOn) return;
      const at = momentOf(message);
      goesOn = seen?.(message, at) ?? true;
      if (!goesOn) return;
      for (const one of events.of(message)) event(one, at, message);
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
}

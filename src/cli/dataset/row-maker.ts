import type { MessageRows } from "../../dataset/message-rows.js";
import type { Message } from "../../dissect/message.js";
import type { RunHooks } from "../../pipeline/options.js";
import type { RecognisedConversation } from "../../session/recognised-conversation.js";
import { PartEnds } from "./parts.js";

/** Makes the rows of the messages of a capture, here or in other threads: the same groups of rows. */
export interface RowMaker {
  readonly hooks: Pick<RunHooks, "onName" | "isFull" | "skims">;
  /** Must be called for each conversation once it is recognised. */
  recognised(session: RecognisedConversation): void;
  message(message: Message): void;
  /** Waits while other threads lag far behind. */
  caughtUp(): Promise<void>;
  /** Waits for what is not made yet. */
  finish(): Promise<void>;
  /** Ends other threads, also if there is more to do. */
  stop(): Promise<void>;
}

/** Makes rows in this thread. */
export class OwnRows implements RowMaker {
  readonly hooks = {};
  readonly #ends: PartEnds;

  /** @param partMessages the most messages of a part */
  constructor(
    readonly rows: MessageRows,
    partMessages: number,
  ) {
    this.#ends = new PartEnds(partMessages);
  }

  recognised(): void {}

  message(message: Message): void {
    this.rows.message(message);
    if (this.#ends.isAt(message)) this.rows.flush();
  }

  async caughtUp(): Promise<void> {}

  async finish(): Promise<void> {
    this.rows.flush();
  }

  async stop(): Promise<void> {}
}

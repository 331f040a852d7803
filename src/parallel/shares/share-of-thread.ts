import type { Message, MessageListener } from "../../dissect/message.js";
import { OrderWatch } from "../../dissect/order/order-watch.js";
import type { Limits } from "../../limits.js";
import type { Share } from "../../pipeline/share.js";
import { ownerOf } from "./owner.js";
import type { Trace } from "./trace.js";
import { TraceWriter } from "./trace-writer.js";

/** Which thread it is, of how many. */
export interface Division {
  readonly thread: number;
  readonly threads: number;
}

/** Who takes what a thread finds out. */
interface ShareClient {
  readonly full: (trace: Trace) => void;
  /** Called with what may make the results differ from those of one thread, to follow "because". */
  readonly unusual: (why: string) => void;
}

/** What one of several threads needs to dissect its share of the conversations, and to tell of it. */
export class ShareOfThread {
  readonly share: Share;
  readonly writer: TraceWriter;

  constructor(
    { thread, threads }: Division,
    limits: Pick<Limits, "turnSeconds" | "countedKeys">,
    { full, unusual }: ShareClient,
  ) {
    const order = new OrderWatch(limits);
    const writer = new TraceWriter(order, limits, full);
    this.writer = writer;
    this.share = {
      threads,
      owns: (stream) => ownerOf(stream, threads) === thread,
      order,
      watchNames: ({ name }) => writer.namesOf(name),
      unusual,
    };
  }

  /** @param passes says which messages are counted */
  listener(passes: (message: Message) => boolean): MessageListener {
    const { writer } = this;
    return (message) => writer.message(message, passes(message));
  }
}

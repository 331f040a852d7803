import type { Message, MessageListener } from "../../dissect/message.js";
import { OrderWatch } from "../../dissect/order/order-watch.js";
import type { Limits } from "../../limits.js";
import type { Share } from "../../pipeline/share.js";
import { ownerOf } from "./owner.js";
import type { Trace } from "./trace.js";
import type { TraceWriter } from "./trace-writer.js";

/** Which thread it is, of how many. */
export interface Division {
  readonly thread: number;
  readonly threads: number;
}

/** Makes what writes down what a thread finds out. @param full see `TraceWriter` */
export type NewWriter<Content> = (order: OrderWatch, full: (trace: Trace<Content>) => void) => TraceWriter<Content>;

/** Who takes what a thread finds out. */
interface ShareClient<Content> {
  readonly newWriter: NewWriter<Content>;
  readonly full: (trace: Trace<Content>) => void;
  /** Called with what may make the results differ from those of one thread, to follow "because". */
  readonly unusual: (why: string) => void;
}

/** What one of several threads needs to dissect its share of the conversations, and to tell of it. */
export class ShareOfThread<Content> {
  readonly share: Share;
  readonly writer: TraceWriter<Content>;

  constructor(
    { thread, threads }: Division,
    limits: Pick<Limits, "turnSeconds">,
    { newWriter, full, unusual }: ShareClient<Content>,
  ) {
    const order = new OrderWatch(limits);
    const writer = newWriter(order, full);
    this.writer = writer;
    this.share = {
      threads,
      owns: (stream) => ownerOf(stream, threads) === thread,
      order,
      watchNames: ({ name }) => writer.namesOf(name),
      unusual,
    };
  }

  /** @param passes says which messages are counted, or printed */
  listener(passes: (message: Message) => boolean): MessageListener {
    const { writer } = this;
    return (message) => writer.message(message, passes(message));
  }
}

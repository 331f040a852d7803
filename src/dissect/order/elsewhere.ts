import { type Direction, inDirection, type Origin } from "../../network/conversation.js";
import type { ElsewhereReader, RecognisedSession } from "../../session/session.js";
import type { OutOfOrderPackets } from "../../session/stream/out-of-order.js";
import { type Schedulable, type Scheduler, Task, type TaskOwner } from "./scheduler.js";

/** One direction of a conversation that another thread dissects: all that is known of it is what it waits for. */
class ElsewhereDirection implements Schedulable {
  readonly isIdle = true;
  readonly isSearching = false;
  readonly isElsewhere = true;
  readonly stream: Schedulable["stream"];

  constructor(
    readonly direction: Direction,
    outOfOrder: OutOfOrderPackets,
  ) {
    this.stream = { next: undefined, last: undefined, held: 0, outOfOrder };
  }
}

/** Keeps messages waiting for those of a conversation that another thread dissects, as they would if this one did. */
export class Elsewhere implements ElsewhereReader, TaskOwner {
  c2s: Task;
  s2c: Task;

  constructor(
    { streams: { c2s, s2c } }: RecognisedSession,
    readonly scheduler: Scheduler,
  ) {
    this.c2s = new Task(new ElsewhereDirection("c2s", c2s.outOfOrder), this);
    this.s2c = new Task(new ElsewhereDirection("s2c", s2c.outOfOrder), this);
  }

  bytes(direction: Direction, length: number, origin: Origin): void {
    const task = inDirection(this, direction);
    const { outOfOrder } = task.work.stream;
    const hasWaited = outOfOrder.first !== undefined;
    if (hasWaited) outOfOrder.appended(length, origin);
    if (hasWaited || this.scheduler.isWaiting) this.#arrived(task, origin);
  }

  outOfOrder(direction: Direction, length: number, origin: Origin): void {
    const task = inDirection(this, direction);
    task.work.stream.outOfOrder.add(length, origin);
    this.#arrived(task, origin);
  }

  flipped(): void {
    [this.c2s, this.s2c] = [this.s2c, this.c2s];
  }

  closed(): void {
    this.scheduler.remove(this.c2s);
    this.scheduler.remove(this.s2c);
    this.scheduler.run(this.c2s);
  }

  carryOut(): boolean {
    return false;
  }

  carriedOut(): void {}

  #arrived(task: Task, origin: Origin): void {
    this.scheduler.arrived(task, origin);
    this.scheduler.run(task);
  }
}

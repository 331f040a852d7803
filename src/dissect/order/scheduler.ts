import type { Limits } from "../../limits.js";
import { type Direction, inDirection, type Origin, opposite, secondsBetween } from "../../network/conversation.js";
import { type FrameOrder, frameOrderOf } from "../../network/frame-order.js";
import type { DirectionStream } from "../../session/stream/direction-stream.js";
import { FrameQueue, type Queued } from "./frame-queue.js";
import type { OrderWatch } from "./order-watch.js";

/**
 * How messages are put in order: as in the capture, or only those of each conversation. Then nothing waits for other
 * conversations, and all messages of a conversation have been passed on when it has ended.
 */
export type MessageOrder = "capture" | "conversation";

type SchedulerLimits = Pick<Limits, "undecidedBytes" | "queuedBytes" | "turnSeconds">;

/** What all schedulers share. */
interface SchedulerTotal {
  /** Number of bytes in all directions that wait to be scheduled. */
  bytes: number;
}

/** One direction of a conversation, of which messages are made. */
export interface Schedulable {
  readonly direction: Direction;
  readonly stream: Pick<DirectionStream, "next" | "last" | "held" | "outOfOrder">;
  /** True if there are no bytes, neither new nor waiting. */
  readonly isIdle: boolean;
  /** True while it is not known where the next message begins. */
  readonly isSearching: boolean;
  /** True if another thread dissects it. */
  readonly isElsewhere?: boolean;
}

/** A conversation, whose directions can unblock each other. */
export interface TaskOwner {
  readonly c2s: Task;
  readonly s2c: Task;
  /**
   * Dissects what has come in a direction.
   *
   * @param upTo the last in the order of frames whose bytes are wanted now
   * @returns true if that made progress
   */
  carryOut(task: Task, upTo: FrameOrder): boolean;
  /** Called when a task has been carried out, and the tasks are up to date. */
  carriedOut(): void;
}

/** The work on one direction of a conversation, which is done bit by bit as packets come. */
export class Task implements Queued {
  frameOrder: FrameOrder = 0;
  heapIndex = -1;
  /** True if the direction can go on as soon as it is scheduled. */
  isReady = false;
  /** Where the bytes that it goes on with stand in the order of frames. */
  resumesAt: FrameOrder = 0;
  /** True if it could not go on with what it had when it was last scheduled, so that it needs what has come since. */
  isBlocked = false;
  /** Number of bytes that wait to be scheduled, as last counted. */
  bytes = 0;
  /** Where the packet that others no longer wait for stands in the order of frames; negative if there is none. */
  overdueAt: FrameOrder = -1;

  constructor(
    readonly work: Schedulable,
    readonly owner: TaskOwner,
  ) {}

  /** The task of the other direction. */
  get other(): Task {
    return inDirection(this.owner, opposite(this.work.direction));
  }

  /** The packet that others wait for although the direction cannot go on with it yet. */
  get awaited(): Origin | undefined {
    const { isSearching, stream } = this.work;
    return (isSearching ? stream.next : undefined) ?? stream.outOfOrder.first;
  }
}

/**
 * Decides which direction of which conversation goes on. Messages are passed on in the order in which they came,
 * although some of a direction are known late: those that follow a loss.
 */
export class Scheduler {
  /** The tasks that are ready, and those that others wait for, by where what they would go on with stands. */
  readonly #queue = new FrameQueue<Task>();
  readonly #limits: SchedulerLimits;
  readonly #total: SchedulerTotal;
  readonly #keepsOrder: boolean;
  /** The latest packet. */
  #now: Origin | undefined;

  /**
   * @param keepsOrder false if no messages are passed on, so that nothing has to wait for others
   * @param watch for one of several threads
   */
  constructor(
    limits: SchedulerLimits,
    total: SchedulerTotal,
    keepsOrder: boolean,
    readonly watch: OrderWatch | undefined,
  ) {
    this.#limits = limits;
    this.#total = total;
    this.#keepsOrder = keepsOrder;
  }

  /** True if messages wait for packets that are missing. */
  get isWaiting(): boolean {
    return this.#queue.first !== undefined;
  }

  /** Notes what a packet has changed in a direction: it has come in order, or not. */
  arrived(task: Task, now: Origin | undefined): void {
    this.#now = now ?? this.#now;
    this.ready(task);
  }

  /** Notes that a direction is ready, if it has anything to go on with. */
  ready(task: Task): void {
    const { work } = task;
    if (!task.isReady && !work.isIdle) {
      const { stream } = work;
      const origin = task.isBlocked ? stream.last : stream.next;
      task.resumesAt = origin === undefined ? 0 : frameOrderOf(origin);
      task.isReady = true;
    }
    this.#update(task);
  }

  /**
   * Carries out what is ready, in order, until everything has to wait.
   *
   * @param own the direction that the latest packet belongs to; undefined if no more packets come
   */
  run(own: Task | undefined): void {
    const waiting = this.#keepsOrder ? own : undefined;
    const { watch } = this;
    if (own?.work.isElsewhere !== true) watch?.begin();
    for (let task = this.#next(waiting); task !== undefined; task = this.#next(waiting)) {
      const { owner } = task;
      watch?.reach(task.frameOrder);
      const upTo = this.#queue.first?.frameOrder ?? Number.POSITIVE_INFINITY;
      const hasMoved = owner.carryOut(task, upTo);
      task.isReady = false;
      task.isBlocked = !hasMoved;
      if (hasMoved) {
        this.ready(task);
        // Each direction can unblock the other, as the server's answer in a key exchange does.
        this.ready(task.other);
      } else this.#update(task);
      owner.carriedOut();
    }
    if (watch !== undefined) this.#report(watch);
  }

  #report(watch: OrderWatch): void {
    const first = this.#queue.first;
    if (first === undefined) watch.waits("nothing", undefined, this.#now);
    else watch.waits(first.work.isSearching ? "search" : "packet", first.awaited, this.#now);
  }

  /** Notes that nobody needs to wait for a direction any more. */
  remove(task: Task): void {
    task.isReady = false;
    this.#count(task, 0);
    this.#queue.remove(task);
  }

  /** Takes the task that comes next; undefined if all have to wait. */
  #next(own: Task | undefined): Task | undefined {
    for (;;) {
      const first = this.#queue.first;
      if (first === undefined || (!first.isReady && own !== undefined && this.#canWait(own, first))) return undefined;
      this.#queue.remove(first);
      if (first.isReady) return first;
      first.overdueAt = first.frameOrder;
      this.watch?.overdue();
    }
  }

  /** True unless too much waits for a direction, or it has been waited for too long. */
  #canWait(own: Task, { awaited }: Task): boolean {
    const { undecidedBytes, queuedBytes, turnSeconds } = this.#limits;
    if (own.bytes > undecidedBytes || this.#total.bytes > queuedBytes) return false;
    return awaited === undefined || this.#now === undefined || secondsBetween(awaited, this.#now) < turnSeconds;
  }

  /** Puts a task where it belongs in the queue. */
  #update(task: Task): void {
    const { isReady, awaited, work, resumesAt } = task;
    this.#count(task, isReady ? work.stream.held : 0);
    const isWhatOthersAwait = !isReady || work.isSearching;
    const frameOrder = isWhatOthersAwait && awaited !== undefined ? frameOrderOf(awaited) : resumesAt;
    if (isReady || (awaited !== undefined && frameOrder !== task.overdueAt)) this.#queue.put(task, frameOrder);
    else this.#queue.remove(task);
  }

  /** Notes how many bytes of a direction wait to be scheduled. */
  #count(task: Task, bytes: number): void {
    this.#total.bytes += bytes - task.bytes;
    task.bytes = bytes;
    this.watch?.waiting(bytes, this.#total.bytes);
  }
}

import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { dissectCaptures, type Message } from "../../index.js";
import { colorless } from "../../output/palette.js";
import { GatheredText } from "../gathered-text.js";
import { knownDissectors } from "../known-dissectors.js";
import { displayOf } from "../message-display.js";
import { PieceBuffers } from "../piece-buffers.js";
import { dissectOptionsOf } from "../run/dissect-options.js";
import { Backlog } from "./backlog.js";
import { blockPieces, type Report, sharedPieces, type Task } from "./task.js";
import { WorkShare } from "./work-share.js";

/** Runs in a helper thread: prints its share of the messages, and leaves everything else to the main thread. */
async function help({ captures, lengths, options, keys, memory, backlogMemory }: Task): Promise<void> {
  const { loaded, all } = await knownDissectors(options);
  const display = await displayOf(options, colorless, all);
  const share = new WorkShare(memory);
  const backlog = new Backlog(backlogMemory);
  let block: number | undefined;
  let last = 0;
  let isPrinting = false;
  const buffers = new PieceBuffers(blockPieces);
  const shared = new PieceBuffers(sharedPieces);
  const text = new GatheredText(buffers, (bytes) => {
    const { length } = bytes;
    backlog.hold(length);
    for (const buffer of returned()) shared.give(buffer);
    // Copied at once: V8 copies into shared memory byte by byte unless both places are at whole words.
    const piece = shared.take(length);
    piece.set(bytes);
    buffers.give(bytes.buffer);
    report({ kind: "printed", block: block ?? 0, bytes: piece.subarray(0, length) });
  });
  const endBlock = () => {
    if (block === undefined) return;
    text.flush();
    report({ kind: "ended", block, last });
    block = undefined;
  };
  const listener = (message: Message) => {
    const isOurs = share.claims(message.number);
    if (share.block !== block) endBlock();
    if (!isOurs) return;
    if (block === undefined) report({ kind: "claimed" });
    block = share.block;
    last = message.number;
    isPrinting = true;
    if (display.passes(message)) text.write(display.print(message));
    isPrinting = false;
  };
  await dissectCaptures(
    captures,
    {
      ...dissectOptionsOf(options, { keys, definitions: options.sdl ?? [] }, loaded),
      checksums: options.checksums ?? false,
      lengths,
      network: { began: display.begin },
      onProblem: () => {},
      onInternalError: (failure) => {
        // All other errors also happen in the main thread, which reports them.
        if (isPrinting) report({ kind: "failed", failure });
        isPrinting = false;
      },
    },
    listener,
  );
  endBlock();
  report({ kind: "done" });
}

function report(report: Report): void {
  parentPort?.postMessage(report);
}

/** The buffers of pieces that have been written. */
function* returned(): Generator<SharedArrayBuffer> {
  if (parentPort === null) return;
  for (let next = receiveMessageOnPort(parentPort); next !== undefined; next = receiveMessageOnPort(parentPort)) {
    if (next.message instanceof SharedArrayBuffer) yield next.message;
  }
}

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: Task = workerData;
await help(task);

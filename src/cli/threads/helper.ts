import { parentPort, workerData } from "node:worker_threads";
import { defaultLimits, type InternalError, type Message } from "../../index.js";
import { colorless } from "../../output/text/palette.js";
import { readDefinitionFiles } from "../../session/files/definition-files.js";
import { readKeyFiles } from "../../session/files/key-files.js";
import { knownDissectors } from "../known-dissectors.js";
import { displayOf } from "../message-display.js";
import { dissectOptionsOf } from "../run/dissect-options.js";
import { GatheredText } from "../writing/gathered-text.js";
import { PieceBuffers } from "../writing/piece-buffers.js";
import { BlockCount } from "./block-count.js";
import { BlockReader } from "./block-reader.js";
import { blockPieces, type Order, type Report, sharedPieces, type Task } from "./task.js";

/** The most failures that are reported. */
const MOST_FAILURES = 1000;

/** Runs in a helper thread: prints the messages that the main thread hands over. */
async function help({ options, files, count: memory }: Task): Promise<void> {
  const { loaded, all } = await knownDissectors(options);
  const display = await displayOf({ ...options, filter: undefined }, colorless, all);
  const { keys = [], definitions = [], limits } = dissectOptionsOf(options, files, loaded);
  // Definitions may be encrypted.
  const { keys: keysOf } = await readKeyFiles(definitions.length > 0 ? keys : [], all);
  const { definitions: definitionsOf } = await readDefinitionFiles(definitions, all, keysOf);
  const reader = new BlockReader({ ...defaultLimits, ...limits }, all, definitionsOf);
  const count = new BlockCount(memory);
  const buffers = new PieceBuffers(blockPieces);
  const shared = new PieceBuffers(sharedPieces);
  const text = new GatheredText(buffers, (bytes) => {
    // Copied at once: V8 copies into shared memory byte by byte unless both places are at whole words.
    const piece = shared.take(bytes.length);
    piece.set(bytes);
    buffers.give(bytes.buffer);
    report({ kind: "printed", bytes: piece.subarray(0, bytes.length) });
  });
  /** Where a failure has been reported: there may be one for each message. */
  const failed = new Set<string>();
  const listener = {
    message: (message: Message) => text.write(display.print(message)),
    text: (bytes: Uint8Array) => text.write(bytes),
    failed: (failure: InternalError) => {
      const { dissector, stream, direction } = failure;
      const place = `${dissector} ${stream} ${direction}`;
      if (failed.has(place) || failed.size >= MOST_FAILURES) return;
      failed.add(place);
      report({ kind: "failed", failure: { ...failure, error: withoutFunctions(failure.error) } });
    },
  };
  parentPort?.on("message", (order: Order) => {
    switch (order.kind) {
      case "began":
        display.begin(order.first);
        break;
      case "learn":
        reader.learn(order.changes);
        break;
      case "reuse":
        shared.give(order.memory);
        break;
      case "print":
        reader.read(order.block, listener);
        text.flush();
        count.print();
        report({ kind: "ended" });
    }
  });
  parentPort?.on("messageerror", (error) => {
    throw error;
  });
  count.ready();
}

/** An error that can be handed to another thread. */
function withoutFunctions(error: unknown): unknown {
  try {
    return structuredClone(error);
  } catch {
    return new Error(String(error));
  }
}

function report(report: Report): void {
  parentPort?.postMessage(report);
}

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: Task = workerData;
await help(task);

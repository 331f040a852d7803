import { parentPort } from "node:worker_threads";
import type { Message } from "../dissect/message.js";
import type { InternalError } from "../dissector/failure.js";
import type { Origin } from "../network/conversation.js";
import { GatheredText } from "../output/writers/gathered-text.js";
import { PieceBuffers } from "../output/writers/piece-buffers.js";
import { BatchCount } from "./batch-count.js";
import type { BatchReader } from "./batch-reader.js";
import { FirstFailures } from "./first-failures.js";
import { batchPieces, type Order, type Report, sharedPieces } from "./task.js";

/** How a worker prints. */
interface Printing {
  /** Called with the first packet of the capture. */
  readonly begin: (first: Origin) => void;
  /** Returns a string, or UTF-8, which is valid until the next message is printed. */
  readonly print: (message: Message) => string | Uint8Array;
}

/**
 * Runs in a worker: prints the messages that the main thread hands over, from now on.
 *
 * @param memory that of the worker's `BatchCount`
 */
export function serve(memory: SharedArrayBuffer, reader: BatchReader, printing: Printing): void {
  const count = new BatchCount(memory);
  const buffers = new PieceBuffers(batchPieces);
  const shared = new PieceBuffers(sharedPieces);
  const text = new GatheredText(buffers, (bytes) => {
    // Copied at once: V8 copies into shared memory byte by byte unless both places are at whole words.
    const piece = shared.take(bytes.length);
    piece.set(bytes);
    buffers.give(bytes.buffer);
    report({ kind: "printed", bytes: piece.subarray(0, bytes.length) });
  });
  const failures = new FirstFailures();
  const listener = {
    message: (message: Message) => text.write(printing.print(message)),
    text: (bytes: Uint8Array) => text.write(bytes),
    failed: (failure: InternalError) => {
      if (!failures.take(failure)) return;
      report({ kind: "failed", failure: { ...failure, error: withoutFunctions(failure.error) } });
    },
  };
  parentPort?.on("message", (order: Order) => {
    switch (order.kind) {
      case "began":
        printing.begin(order.first);
        break;
      case "learn":
        reader.learn(order.changes);
        break;
      case "reuse":
        shared.give(order.memory);
        break;
      case "batch":
        reader.read(order.batch, listener);
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

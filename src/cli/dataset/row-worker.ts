import { parentPort, workerData } from "node:worker_threads";
import { MessageRows } from "../../dataset/message-rows.js";
import { readPart } from "../../dataset/part-bytes.js";
import { Tables } from "../../dataset/tables.js";
import type { Message } from "../../dissect/message.js";
import type { InternalError } from "../../dissector/failure.js";
import { defaultLimits } from "../../limits.js";
import { BatchCount } from "../../parallel/batch-count.js";
import { BatchReader } from "../../parallel/batch-reader.js";
import { FirstFailures } from "../../parallel/first-failures.js";
import { readDefinitionFiles } from "../../session/files/definition-files.js";
import { readKeyFiles } from "../../session/files/key-files.js";
import { knownDissectors } from "../known-dissectors.js";
import { dissectOptionsOf } from "../run/dissect-options.js";
import { GROUPS } from "./groups.js";
import { rowGroupOf } from "./row-group.js";
import type { RowOrder, RowReport, RowTask } from "./row-order.js";

/** The module that runs in a thread that makes rows, as the main thread would. */

/** How many batches are reported at once: a report takes longer than a look at the count. */
const REPORTED_BATCHES = 16;

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: RowTask = workerData;
const { loaded, all } = await knownDissectors(task.options);
const { keys = [], definitions = [], limits } = dissectOptionsOf(task.options, task.files, loaded);
// Definitions may be encrypted.
const { keys: keysOf } = await readKeyFiles(definitions.length > 0 ? keys : [], all);
const { definitions: definitionsOf } = await readDefinitionFiles(definitions, all, keysOf);
const reader = new BatchReader({ ...defaultLimits, ...limits }, all, definitionsOf, { untrusted: loaded });
const rows = new MessageRows(task.capture, new Tables(all), { fields: task.fields, ...GROUPS }, (group) => {
  const made = rowGroupOf(group);
  // All of the memory behind it would be copied.
  report({ kind: "group", group: { ...made, bytes: made.bytes.slice() } });
});
const count = new BatchCount(task.count);
const failures = new FirstFailures();
let read = 0;

const listener = {
  message: (message: Message) => rows.message(message),
  text: (bytes: Uint8Array) => rows.append(readPart(bytes)),
  failed: (failure: InternalError) => {
    if (failures.take(failure)) report({ kind: "failed", failure: { ...failure, error: String(failure.error) } });
  },
};

parentPort?.on("message", (order: RowOrder) => {
  switch (order.kind) {
    case "learn":
      reader.learn(order.changes);
      break;
    case "batch":
      reader.read(order.batch, listener);
      count.print();
      if (++read % REPORTED_BATCHES === 0) report({ kind: "read" });
      break;
    case "rows":
      rows.append(readPart(order.bytes));
      break;
    case "end":
      rows.flush();
      report({ kind: "ended" });
  }
});
parentPort?.on("messageerror", (error) => {
  throw error;
});

function report(report: RowReport): void {
  parentPort?.postMessage(report);
}

import { workerData } from "node:worker_threads";
import { defaultLimits } from "../limits.js";
import { colorless } from "../output/text/palette.js";
import { BatchReader } from "../parallel/batch-reader.js";
import { serve } from "../parallel/serve.js";
import type { Task } from "../parallel/task.js";
import { readDefinitionFiles } from "../session/files/definition-files.js";
import { readKeyFiles } from "../session/files/key-files.js";
import { knownDissectors } from "./known-dissectors.js";
import { displayOf, printsParts } from "./message-display.js";
import { isInterpreting } from "./process-io.js";
import { dissectOptionsOf } from "./run/dissect-options.js";
import { PREBUILT_SKIMS, usePrebuiltSkims } from "./run/prebuilt-skims.js";
import type { WorkerSetup } from "./run/workers.js";

/** The module that runs in a worker: prints messages as the main thread does. */

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: Task<WorkerSetup> = workerData;
const { options, files } = task.setup;
const { loaded, all } = await knownDissectors(options);
const display = await displayOf({ ...options, filter: undefined }, colorless, all);
const { keys = [], definitions = [], limits } = dissectOptionsOf(options, files, loaded);
// Definitions may be encrypted.
const { keys: keysOf } = await readKeyFiles(definitions.length > 0 ? keys : [], all);
const { definitions: definitionsOf } = await readDefinitionFiles(definitions, all, keysOf);
const skims = printsParts(options) && !isInterpreting(process.env);
if (skims) await usePrebuiltSkims(new URL(PREBUILT_SKIMS, import.meta.url));
const reader = new BatchReader({ ...defaultLimits, ...limits }, all, definitionsOf, { skims, untrusted: loaded });
serve(task.count, reader, display);

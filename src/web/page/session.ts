import workerSource from "virtual:worker";
import { batch } from "@preact/signals";
import { proxy, type Remote, wrap } from "comlink";
import type { InputFile, Progress, SessionApi, SessionSettings, Shown } from "../session-api.js";
import * as state from "./state.js";

/** Most followed links that are remembered. */
const MOST_PAST = 100;

let session: Remote<SessionApi> | undefined;
let worker: Worker | undefined;
/** How often a message has been selected, and how often a text has been looked for. */
let selections = 0;
let searches = 0;

/** The session in the worker. */
export function api(): Remote<SessionApi> {
  if (session === undefined) throw new Error("nothing is open");
  return session;
}

/** What is open, and how it is read. */
let opened: { readonly files: readonly InputFile[]; readonly settings: SessionSettings } | undefined;

/** What has been chosen, and has not been looked into. */
let chosen: readonly InputFile[] = [];

/** Opens files that somebody has chosen: a capture in place of what is open, keys and definitions for the capture there. */
export async function openMore(more: readonly InputFile[]): Promise<void> {
  if (opened === undefined) return open(more);
  const files = [...chosen, ...more];
  chosen = files;
  const { progress } = state;
  // Seen at once: to look into large files may take a while.
  if (progress.value !== undefined) progress.value = { ...progress.value, phase: "reading" };
  // Of what cannot be looked into, the opening says why.
  const isOther = await api()
    .haveCapture(files)
    .catch(() => true);
  // What was chosen meanwhile is opened together with these.
  if (chosen !== files) return;
  chosen = [];
  // Keys that were opened alone have waited for their capture.
  if (isOther && progress.value?.captures.length !== 0) return open(files);
  if (state.isLive.value) {
    state.said.value = "a recording takes keys and definitions only when it begins: view --keys, --sdl";
    return;
  }
  const [filter, view] = [state.appliedFilter.value, state.view.value];
  const names = new Set(files.map(({ name }) => name));
  await open([...opened.files.filter(({ name }) => !names.has(name)), ...files], opened.settings, view);
  if (filter !== "") await applyFilter(filter);
}

/** Opens files in a new session; the one before is forgotten. */
export async function open(
  files: readonly InputFile[],
  settings: SessionSettings = {},
  view: state.ViewId = "messages",
): Promise<void> {
  opened = { files, settings };
  worker?.terminate();
  const url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
  worker = new Worker(url);
  URL.revokeObjectURL(url);
  const own = wrap<SessionApi>(worker);
  session = own;
  past.length = 0;
  future.length = 0;
  batch(() => {
    state.progress.value = {
      phase: "reading",
      captures: [],
      bytes: 0,
      totalBytes: undefined,
      messages: 0,
      conversations: 0,
      remarks: [],
    };
    state.isLive.value = files.some(({ isLive = false }) => isLive);
    state.shown.value = { generation: 0, count: 0, lookedAt: 0 };
    state.detail.value = undefined;
    state.selectedPlace.value = -1;
    state.appliedFilter.value = "";
    state.filterText.value = "";
    state.filterProblem.value = undefined;
    state.view.value = view;
    state.said.value = "";
    state.listVersion.value++;
  });
  worker.onerror = (event) => {
    state.said.value = `internal error: ${event.message}`;
  };
  await own.open(
    files,
    settings,
    proxy((progress: Progress, shown: Shown) => {
      // What was open before may have something to say, still.
      if (session !== own) return;
      batch(() => {
        state.progress.value = progress;
        state.showList(shown);
      });
      if (state.selectedPlace.value < 0 && shown.count > 0) void select(0);
    }),
  );
}

/** Applies a filter; the selected message stays selected if it passes, or else the next one that does is. */
export async function applyFilter(expression: string): Promise<void> {
  const number = state.detail.value?.row.number;
  const before = selections;
  state.filterText.value = expression;
  const own = api();
  const result = await own.filter(
    expression,
    proxy((shown: Shown) => {
      if (session === own) state.showList(shown);
    }),
  );
  // The newer one is shown as soon as it has been answered.
  if (result === undefined) return;
  if ("message" in result) {
    state.filterProblem.value = result.message;
    return;
  }
  batch(() => {
    state.showList(result);
    state.filterProblem.value = undefined;
    state.appliedFilter.value = expression;
  });
  if (result.count === 0 || number === undefined) return;
  const place = await api().placeOf(number);
  // Something else may have been selected meanwhile.
  if (selections === before) await select(place);
}

/** Selects what is at a place of the list. */
export async function select(place: number): Promise<void> {
  const { count } = state.shown.value;
  if (count === 0) return;
  selections++;
  const bounded = Math.max(0, Math.min(place, count - 1));
  state.selectedPlace.value = bounded;
  const detail = await api().detailAt(bounded);
  // Another one may have been selected meanwhile.
  if (state.selectedPlace.value !== bounded) return;
  batch(() => {
    state.detail.value = detail;
    state.selectedLine.value = -1;
    state.shownSource.value = 0;
  });
}

/** Selects a message by its number, or the next one that is in the list. */
async function selectNumber(number: number): Promise<void> {
  await select(await api().placeOf(number));
}

/** Numbers of the messages at which links were followed, and of those that were left by going back. */
const past: number[] = [];
const future: number[] = [];

/** Goes to a message, even if the filter hides it: then the filter is taken away. */
export async function goTo(number: number): Promise<void> {
  const left = state.detail.value?.row.number;
  if (left !== undefined && left !== number) past.push(left);
  if (past.length > MOST_PAST) past.shift();
  future.length = 0;
  await show(number);
}

/** Goes back to where the last link was followed. */
export function goBack(): Promise<void> {
  return travel(past, future);
}

/** Goes where somebody was before going back. */
export function goForward(): Promise<void> {
  return travel(future, past);
}

/** Goes to the last of some messages, and adds the one that is left to others. */
async function travel(from: number[], to: number[]): Promise<void> {
  const left = state.detail.value?.row.number;
  const number = left === undefined ? undefined : from.pop();
  if (left === undefined || number === undefined) return;
  to.push(left);
  await show(number);
}

async function show(number: number): Promise<void> {
  await selectNumber(number);
  if (state.detail.value?.row.number === number) return;
  await applyFilter("");
  await selectNumber(number);
}

/** Selects the next message that has the text which is looked for. */
export async function findNext(isBackwards: boolean): Promise<void> {
  const text = state.findText.value;
  if (text === "") return;
  state.said.value = "searching…";
  const search = ++searches;
  const found = await api().find(text, state.selectedPlace.value, isBackwards);
  // Something else may have been looked for meanwhile.
  if (search !== searches) return;
  state.said.value = found === undefined ? `nothing has "${text}"` : "";
  if (found === undefined) return;
  await select(found.place);
  if (state.selectedPlace.value !== found.place) return;
  const line = state.detail.value?.lines.findIndex(({ path }) => path !== "" && path === found.path) ?? -1;
  batch(() => {
    state.selectedLine.value = line;
    state.shownSource.value = state.detail.value?.lines[line]?.source ?? 0;
  });
}

/** Adds a condition to the filter that is applied. */
export async function filterBy(condition: string, isAdded: boolean): Promise<void> {
  const current = state.appliedFilter.value;
  await applyFilter(isAdded && current !== "" ? `(${current}) and ${condition}` : condition);
}

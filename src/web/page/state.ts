import { batch, computed, signal } from "@preact/signals";
import type { Detail, Progress, Shown } from "../session-api.js";

/** What can be seen above the field tree. */
export const views = [
  { id: "messages", title: "Messages" },
  { id: "timeline", title: "Time line" },
  { id: "sequence", title: "Sequence" },
  { id: "players", title: "Players" },
  { id: "chat", title: "Chat" },
  { id: "vault", title: "Vault" },
  { id: "states", title: "States" },
  { id: "objects", title: "Files" },
  { id: "statistics", title: "Statistics" },
  { id: "reference", title: "Reference" },
] as const;
export type ViewId = (typeof views)[number]["id"];

/** Undefined while nothing is open. */
export const progress = signal<Progress | undefined>(undefined);
/** True if a recording is open that may still grow. */
export const isLive = signal(false);
export const shown = signal<Shown>({ generation: 0, count: 0, lookedAt: 0 });
/** Increased whenever rows of the list may be others than before. */
export const listVersion = signal(0);
export const view = signal<ViewId>("messages");
/** The filter that is applied, and the text in its field. */
export const appliedFilter = signal("");
export const filterText = signal("");
export const filterProblem = signal<string | undefined>(undefined);
/** Place in the list of the selected message; -1 if none is. */
export const selectedPlace = signal(-1);
export const detail = signal<Detail | undefined>(undefined);
/** What the panes show: nothing while the list is empty. */
export const shownDetail = computed(() => (shown.value.count === 0 ? undefined : detail.value));
/** Index of the selected line of the tree; -1 if none is. */
export const selectedLine = signal(-1);
/** Source of the bytes that are shown. */
export const shownSource = signal(0);
/** A sentence for the status line. */
export const said = signal("");
/** What the reference shows. */
export const referenceName = signal("");
export const findText = signal("");
export const isFindOpen = signal(false);
export const isHelpOpen = signal(false);

export const isOpen = computed(() => progress.value !== undefined);

/** Shows the list as it is now, unless something newer is shown: what the worker tells comes on several ways. */
export function showList(now: Shown): void {
  const { generation, count, lookedAt } = shown.value;
  if (now.generation < generation || (now.generation === generation && now.lookedAt < lookedAt)) return;
  batch(() => {
    shown.value = now;
    if (now.generation !== generation || now.count !== count) listVersion.value++;
  });
}

import { findNext, goTo, select } from "./session.js";
import * as state from "./state.js";

/** Keys that work everywhere, as in Wireshark where that has such. */
export const keys: readonly { readonly key: string; readonly does: string }[] = [
  { key: "Ctrl+/", does: "to the filter" },
  { key: "Ctrl+F", does: "find a name, a value or bytes" },
  { key: "Ctrl+N, Ctrl+B or F3, Shift+F3", does: "find next, previous" },
  { key: "F8, F7", does: "next, previous message" },
  { key: "Ctrl+G", does: "go to a message by its number" },
  { key: "Alt+1 to Alt+9", does: "views" },
  { key: "F6", does: "next pane" },
];

const PANES = ["messages", "sequence", "tree", "bytes", "filter"];

/** Handles a key that no element has handled. */
export function handleKey(event: KeyboardEvent): void {
  if (!state.isOpen.value) return;
  const { key, shiftKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && key === "/") document.getElementById("filter")?.focus();
  else if (isControl && key === "f") state.isFindOpen.value = true;
  else if ((isControl && key === "n") || (key === "F3" && !shiftKey)) void findNext(false);
  else if ((isControl && key === "b") || key === "F3") void findNext(true);
  else if (key === "F8") void select(state.selectedPlace.value + 1);
  else if (key === "F7") void select(state.selectedPlace.value - 1);
  else if (isControl && key === "g") askForNumber();
  else if (key === "F6") focusNextPane(shiftKey ? -1 : 1);
  else if (event.altKey && /^[1-9]$/.test(key)) {
    const view = state.views[Number(key) - 1];
    if (view === undefined) return;
    state.view.value = view.id;
  } else return;
  event.preventDefault();
}

function askForNumber(): void {
  const answer = Number(window.prompt("Number of the message"));
  if (Number.isInteger(answer) && answer > 0) void goTo(answer);
}

function focusNextPane(step: number): void {
  const present = PANES.map((id) => document.getElementById(id)).filter((pane) => pane !== null);
  const at = present.findIndex((pane) => pane.contains(document.activeElement));
  present[(at + step + present.length) % present.length]?.focus();
}

import { findNext, goBack, goForward, goTo, select } from "./session.js";
import * as state from "./state.js";

/** All keys, as in Wireshark where that has such; `docs/browser.md` lists the same. */
export const keys: readonly {
  readonly where: string;
  readonly rows: readonly { readonly key: string; readonly does: string }[];
}[] = [
  {
    where: "Everywhere",
    rows: [
      { key: "F8, F7, Ctrl+Down, Ctrl+Up", does: "next, previous message" },
      { key: "Alt+Left, Alt+Right", does: "back to where a link was followed, and forward again" },
      { key: "Ctrl+G", does: "go to a message by its number" },
      { key: "Ctrl+/", does: "to the filter" },
      { key: "Ctrl+F", does: "find a name, a value or bytes" },
      { key: "Ctrl+N, F3", does: "find next" },
      { key: "Ctrl+B, Shift+F3", does: "find previous" },
      { key: "F6, Shift+F6", does: "next, previous pane" },
      { key: "Alt+1 to Alt+9", does: "the first nine views" },
      { key: "?", does: "this help" },
    ],
  },
  {
    where: "In the list and the fields",
    rows: [
      { key: "Up, Down, Page Up, Page Down, Home, End", does: "selects a message, or a field" },
      { key: "Right, Left, Enter", does: "opens and closes a field" },
      { key: "Backspace", does: "to the field around it" },
      { key: "Shift+F10", does: "what can be done with a field" },
    ],
  },
  {
    where: "In the time line",
    rows: [
      { key: "Right, Left, Home, End", does: "to the next cell of a lane, to its first and last one" },
      { key: "Down, Up, Page Up, Page Down", does: "to another lane" },
      { key: "Enter", does: "lists only what happens in the cell" },
      { key: "Space", does: "goes to its first message" },
      { key: "+, -", does: "zooms" },
    ],
  },
  {
    where: "In the filter",
    rows: [
      { key: "Up, Down, Tab", does: "chooses and takes what may follow" },
      { key: "Enter", does: "applies the filter" },
      { key: "Escape", does: "closes the list of what may follow" },
    ],
  },
];

const PANES = ["messages", "time-line", "sequence", "tree", "bytes", "filter"];

/** Handles a key that no element has handled. */
export function handleKey(event: KeyboardEvent): void {
  const { key, shiftKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (state.isHelpOpen.value) return;
  if (key === "?" && !isControl && !event.altKey && !takesText(event.target)) state.isHelpOpen.value = true;
  else if (!state.isOpen.value) return;
  else if (isControl && key === "/") document.getElementById("filter")?.focus();
  else if (isControl && key === "f") openFind();
  else if ((isControl && key === "n") || (key === "F3" && !shiftKey)) void findNext(false);
  else if ((isControl && key === "b") || key === "F3") void findNext(true);
  else if (key === "F8" || (isControl && key === "ArrowDown")) void select(state.selectedPlace.value + 1);
  else if (key === "F7" || (isControl && key === "ArrowUp")) void select(state.selectedPlace.value - 1);
  else if (isControl && key === "g") askForNumber();
  else if (key === "F6") focusNextPane(shiftKey ? -1 : 1);
  else if (event.altKey && key === "ArrowLeft") void goBack();
  else if (event.altKey && key === "ArrowRight") void goForward();
  else if (event.altKey && /^[1-9]$/.test(key)) {
    const view = state.views[Number(key) - 1];
    if (view === undefined) return;
    state.view.value = view.id;
  } else return;
  event.preventDefault();
}

function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** Also if it is open: then its field is to have the focus again. */
function openFind(): void {
  state.isFindOpen.value = true;
  const field = document.getElementById("find");
  if (field instanceof HTMLInputElement) field.select();
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

import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findNext } from "../session.js";
import * as state from "../state.js";

/** Searches names, values and bytes of the messages in the list. */
export function FindBar(): VNode | null {
  const input = useRef<HTMLInputElement>(null);
  const isFindOpen = state.isFindOpen.value;
  useEffect(() => {
    if (isFindOpen) input.current?.select();
  }, [isFindOpen]);
  if (!isFindOpen) return null;
  const close = () => {
    state.isFindOpen.value = false;
    document.getElementById("messages")?.focus();
  };
  return (
    <search class="find-bar">
      <label for="find">Find</label>
      <input
        ref={input}
        id="find"
        type="text"
        spellcheck={false}
        placeholder="a name, a value, or bytes: 1f 8b 08"
        value={state.findText.value}
        onInput={(event) => {
          state.findText.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") void findNext(event.shiftKey);
          else if (event.key === "Escape") close();
        }}
      />
      <button type="button" onClick={() => void findNext(false)}>
        Next
      </button>
      <button type="button" onClick={() => void findNext(true)}>
        Previous
      </button>
      <button type="button" onClick={close}>
        Close
      </button>
    </search>
  );
}

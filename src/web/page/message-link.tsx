import type { VNode } from "preact";
import { goTo } from "./session.js";
import * as state from "./state.js";

/** Leads to a message in the list. */
export function MessageLink({ number }: { readonly number: number }): VNode {
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        state.view.value = "messages";
        void goTo(number);
      }}
    >
      #{number}
    </button>
  );
}

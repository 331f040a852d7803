import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Completion } from "../../session-api.js";
import { api } from "../session.js";
import * as state from "../state.js";

/** What may follow in the field for display filters, and which offer is chosen. */
interface FilterCompletion {
  readonly offers: Signal<readonly Completion[]>;
  /** Index of the chosen one; -1 if none is. */
  readonly chosen: Signal<number>;
  /** Asks what may follow in a text, and what is wrong with it. */
  readonly ask: (text: string) => void;
  /** Puts an offer where the cursor is. */
  readonly take: (offer: Completion) => void;
  /** Takes back the offers, and no longer waits for an answer. */
  readonly stop: () => void;
  readonly close: () => void;
  /** True if a key was meant for the offers. */
  readonly takesKey: (key: string) => boolean;
}

/** Offers what may follow in the text of a field. */
export function useCompletion(input: RefObject<HTMLInputElement | null>): FilterCompletion {
  // Signals: keys may come faster than the page is drawn.
  const offers = useSignal<readonly Completion[]>([]);
  const chosen = useSignal(-1);
  /** Counts what was typed: answers to earlier questions are of no use. */
  const typed = useRef(0);
  const close = () => {
    offers.value = [];
    chosen.value = -1;
  };
  const stop = () => {
    close();
    typed.current++;
  };
  const ask = async (text: string) => {
    const own = ++typed.current;
    const cursor = input.current?.selectionStart ?? text.length;
    const [completions, wrong] = await Promise.all([api().complete(text, cursor), api().checkFilter(text)]);
    if (own !== typed.current) return;
    state.filterProblem.value = wrong?.message;
    offers.value = completions;
    chosen.value = -1;
  };
  const take = ({ text: inserted, replaces }: Completion) => {
    const current = input.current?.value ?? state.filterText.value;
    const cursor = input.current?.selectionStart ?? current.length;
    const next = current.slice(0, cursor - replaces) + inserted + current.slice(cursor);
    const after = cursor - replaces + inserted.length;
    state.filterText.value = next;
    stop();
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(after, after);
    });
    void api()
      .checkFilter(next)
      .then((wrong) => {
        state.filterProblem.value = wrong?.message;
      });
  };
  const takesKey = (key: string) => {
    const { length } = offers.value;
    const offer = offers.value[chosen.value];
    if (key === "ArrowDown" && length > 0) chosen.value = (chosen.value + 1) % length;
    else if (key === "ArrowUp" && length > 0) chosen.value = (chosen.value - 1 + length) % length;
    else if (key === "Escape" && length > 0) close();
    else if ((key === "Enter" || key === "Tab") && offer !== undefined) take(offer);
    else return false;
    return true;
  };
  useEffect(() => {
    document.getElementById(`offer-${chosen.value}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen.value]);
  return { offers, chosen, ask: (text) => void ask(text), take, stop, close, takesKey };
}

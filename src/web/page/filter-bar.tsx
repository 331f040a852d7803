import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Completion } from "../session-api.js";
import { api, applyFilter } from "./session.js";
import * as state from "./state.js";

/** The field for display filters, with what may follow. */
export function FilterBar(): VNode {
  const input = useRef<HTMLInputElement>(null);
  // Signals: keys may come faster than the page is drawn.
  const offers = useSignal<readonly Completion[]>([]);
  const chosen = useSignal(-1);
  /** Counts what was typed: answers to earlier questions are of no use. */
  const typed = useRef(0);
  const text = state.filterText.value;
  const problem = state.filterProblem.value;
  const close = () => {
    offers.value = [];
    chosen.value = -1;
  };
  const ask = async (value: string) => {
    const own = ++typed.current;
    const cursor = input.current?.selectionStart ?? value.length;
    const [completions, wrong] = await Promise.all([api().complete(value, cursor), api().checkFilter(value)]);
    if (own !== typed.current) return;
    state.filterProblem.value = wrong?.message;
    offers.value = completions;
    chosen.value = -1;
  };
  const take = ({ text: inserted, replaces }: Completion) => {
    const cursor = input.current?.selectionStart ?? text.length;
    const current = input.current?.value ?? text;
    const next = current.slice(0, cursor - replaces) + inserted + current.slice(cursor);
    const after = cursor - replaces + inserted.length;
    state.filterText.value = next;
    close();
    typed.current++;
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
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = offers.value;
    const offer = offers.value[chosen.value];
    if (event.key === "ArrowDown" && length > 0) chosen.value = (chosen.value + 1) % length;
    else if (event.key === "ArrowUp" && length > 0) chosen.value = (chosen.value - 1 + length) % length;
    else if (event.key === "Escape" && length > 0) close();
    else if ((event.key === "Enter" || event.key === "Tab") && offer !== undefined) take(offer);
    else if (event.key === "Enter") {
      close();
      typed.current++;
      void applyFilter((input.current?.value ?? text).trim());
    } else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`offer-${chosen.value}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen.value]);
  return (
    <div class="filter-bar">
      <label for="filter">Filter</label>
      <div class="filter-field">
        <input
          ref={input}
          id="filter"
          type="text"
          role="combobox"
          spellcheck={false}
          autocomplete="off"
          placeholder={'result != kNetSuccess, or playerId == "Alice"'}
          value={text}
          class={problem === undefined ? "" : "wrong"}
          aria-expanded={offers.value.length > 0}
          aria-controls="offers"
          aria-autocomplete="list"
          aria-activedescendant={chosen.value >= 0 ? `offer-${chosen.value}` : undefined}
          aria-invalid={problem !== undefined}
          aria-describedby="filter-problem"
          onInput={(event) => {
            state.filterText.value = event.currentTarget.value;
            void ask(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() =>
            setTimeout(() => {
              // Somebody may have come back meanwhile.
              if (document.activeElement !== input.current) close();
            }, 150)
          }
        />
        {offers.value.length > 0 && (
          <div id="offers" class="offers" role="listbox" aria-label="What may follow">
            {offers.value.map((offer, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and says which one is active
              <div
                key={offer.text}
                id={`offer-${index}`}
                class={index === chosen.value ? "offer chosen" : "offer"}
                role="option"
                aria-selected={index === chosen.value}
                onMouseDown={(event) => {
                  event.preventDefault();
                  take(offer);
                }}
              >
                <code>{offer.text}</code> <span class="faint">{offer.doc}</span>
              </div>
            ))}
          </div>
        )}
        <pre id="filter-problem" class="filter-problem" aria-live="polite">
          {offers.value.length === 0 ? problem : ""}
        </pre>
      </div>
      <button type="button" onClick={() => void applyFilter(text.trim())}>
        Apply
      </button>
      <button
        type="button"
        disabled={text === "" && state.appliedFilter.value === ""}
        onClick={() => void applyFilter("")}
      >
        Clear
      </button>
    </div>
  );
}

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Completion } from "../session-api.js";
import { api, applyFilter } from "./session.js";
import * as state from "./state.js";

/** The field for display filters, with what may follow. */
export function FilterBar(): VNode {
  const input = useRef<HTMLInputElement>(null);
  const [offers, setOffers] = useState<readonly Completion[]>([]);
  const [chosen, setChosen] = useState(-1);
  /** Counts what was typed: answers to earlier questions are of no use. */
  const typed = useRef(0);
  const text = state.filterText.value;
  const problem = state.filterProblem.value;
  const close = () => {
    setOffers([]);
    setChosen(-1);
  };
  const ask = async (value: string) => {
    const own = ++typed.current;
    const cursor = input.current?.selectionStart ?? value.length;
    const [completions, wrong] = await Promise.all([api().complete(value, cursor), api().checkFilter(value)]);
    if (own !== typed.current) return;
    state.filterProblem.value = wrong?.message;
    setOffers(completions);
    setChosen(-1);
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
    if (event.key === "ArrowDown" && offers.length > 0) setChosen((chosen + 1) % offers.length);
    else if (event.key === "ArrowUp" && offers.length > 0) setChosen((chosen - 1 + offers.length) % offers.length);
    else if (event.key === "Escape" && offers.length > 0) close();
    else if ((event.key === "Enter" || event.key === "Tab") && offers[chosen] !== undefined) take(offers[chosen]);
    else if (event.key === "Enter") {
      close();
      typed.current++;
      // Keys may come before what was typed is drawn.
      void applyFilter((input.current?.value ?? text).trim());
    } else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`offer-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
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
          aria-expanded={offers.length > 0}
          aria-controls="offers"
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `offer-${chosen}` : undefined}
          aria-invalid={problem !== undefined}
          aria-describedby="filter-problem"
          onInput={(event) => {
            state.filterText.value = event.currentTarget.value;
            void ask(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setTimeout(close, 150)}
        />
        {offers.length > 0 && (
          <div id="offers" class="offers" role="listbox" aria-label="What may follow">
            {offers.map((offer, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and says which one is active
              <div
                key={offer.text}
                id={`offer-${index}`}
                class={index === chosen ? "offer chosen" : "offer"}
                role="option"
                aria-selected={index === chosen}
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
          {offers.length === 0 ? problem : ""}
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

import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Completion } from "../../session-api.js";
import { applyFilter } from "../session.js";
import * as state from "../state.js";
import { useCompletion } from "./use-completion.js";

/** The field for display filters, with what may follow. */
export function FilterBar(): VNode {
  const input = useRef<HTMLInputElement>(null);
  const { offers, chosen, ask, take, stop, close, takesKey } = useCompletion(input);
  const text = state.filterText.value;
  const problem = state.filterProblem.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!takesKey(event.key)) {
      if (event.key !== "Enter") return;
      stop();
      void applyFilter((input.current?.value ?? text).trim());
    }
    event.preventDefault();
  };
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
            ask(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() =>
            setTimeout(() => {
              // Somebody may have come back meanwhile.
              if (document.activeElement !== input.current) close();
            }, 150)
          }
        />
        {offers.value.length > 0 && <Offers offers={offers.value} chosen={chosen.value} onTake={take} />}
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

interface OffersProps {
  readonly offers: readonly Completion[];
  /** Index of the one that keys have chosen. */
  readonly chosen: number;
  readonly onTake: (offer: Completion) => void;
}

function Offers({ offers, chosen, onTake }: OffersProps): VNode {
  return (
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
            onTake(offer);
          }}
        >
          <code>{offer.text}</code> <span class="faint">{offer.doc}</span>
        </div>
      ))}
    </div>
  );
}

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Arrow } from "../../session-api.js";
import { EmptyList } from "../panes/empty-list.js";
import { rowClass, stepOf } from "../panes/message-list.js";
import { useVirtualRows } from "../panes/virtual-rows.js";
import { api, select } from "../session.js";
import * as state from "../state.js";

const LINE_HEIGHT = 30;
/** As in the style. */
const HEAD_HEIGHT = 37;
const TIME_WIDTH = 96;
const NARROWEST = 108;
/** Rows that are asked for beyond the visible ones. */
const MARGIN = 30;

/** The messages of the list as a sequence diagram: a lifeline for each client and server, an arrow for each message. */
export function SequenceView(): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [participants, setParticipants] = useState<readonly string[]>([]);
  const [arrows, setArrows] = useState<ReadonlyMap<number, Arrow>>(new Map());
  const { count } = state.shown.value;
  const rows = useVirtualRows(list, count, LINE_HEIGHT, HEAD_HEIGHT);
  const version = state.listVersion.value;
  const first = Math.max(0, (rows.items[0]?.index ?? 0) - MARGIN);
  const last = (rows.items.at(-1)?.index ?? 0) + MARGIN;
  useEffect(() => {
    let isCurrent = true;
    const ask = async () => {
      const names = await api().participants();
      const answer = await api().arrows(first, last - first + 1);
      if (!isCurrent) return;
      setParticipants(names);
      setArrows(new Map(answer.map((arrow) => [arrow.place, arrow])));
    };
    void ask();
    return () => {
      isCurrent = false;
    };
  }, [version, count, first, last]);
  const selected = state.selectedPlace.value;
  useEffect(() => {
    if (selected >= 0) rows.scrollTo(selected);
  }, [selected]);
  const available = (list.current?.clientWidth ?? 900) - TIME_WIDTH;
  const step = Math.max(NARROWEST, Math.floor(available / Math.max(1, participants.length)));
  const xOf = (line: number) => TIME_WIDTH + line * step + step / 2;
  const width = TIME_WIDTH + step * participants.length;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = stepOf(event.key, Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / LINE_HEIGHT) - 2));
    if (step === undefined) return;
    event.preventDefault();
    void select(Math.max(0, Math.min(count - 1, selected + step)));
  };
  return (
    <section class="sequence" aria-label="Sequence diagram">
      <EmptyList />
      <div
        ref={list}
        class="scroller"
        id="sequence"
        role="listbox"
        tabIndex={0}
        aria-label={`Sequence of ${count} messages`}
        aria-activedescendant={selected >= 0 ? `arrow-${selected}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div class="lifeline-titles" hidden={count === 0} style={{ width: `${width}px` }} aria-hidden="true">
          {participants.map((name, line) => (
            <span key={name} title={name} style={{ left: `${xOf(line)}px`, width: `${step - 4}px` }}>
              {/* Where there is no room, the name is parted at its dots. */}
              <b>
                {name.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))}
              </b>
            </span>
          ))}
        </div>
        <div class="rows" role="presentation" style={{ height: `${rows.height}px`, width: `${width}px` }}>
          {participants.map((name, line) => (
            <i key={name} class="lifeline" style={{ left: `${xOf(line)}px` }} aria-hidden="true" />
          ))}
          {rows.items.map(({ index, start }) => (
            <ArrowRow
              key={index}
              place={index}
              top={start}
              arrow={arrows.get(index)}
              isSelected={index === selected}
              xOf={xOf}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

interface ArrowProps {
  readonly place: number;
  readonly top: number;
  readonly arrow: Arrow | undefined;
  readonly isSelected: boolean;
  readonly xOf: (line: number) => number;
}

function ArrowRow({ place, top, arrow, isSelected, xOf }: ArrowProps): VNode {
  const { from, to, row } = arrow ?? {};
  const isDrawn = from !== undefined && to !== undefined && row !== undefined;
  const [left, right] = isDrawn ? [Math.min(xOf(from), xOf(to)), Math.max(xOf(from), xOf(to))] : [0, 0];
  const way = isDrawn && from > to ? "leftwards" : "rightwards";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which one is active
    <div
      id={`arrow-${place}`}
      class={`row arrow-row ${row === undefined ? "" : rowClass(row)}${isSelected ? " selected" : ""}`}
      style={{ top: `${top}px` }}
      role="option"
      aria-selected={isSelected}
      aria-label={arrow === undefined ? "loading" : undefined}
      title={row === undefined ? "" : `${row.name} ${row.summary} ${row.mark}`}
      onClick={() => void select(place)}
    >
      {arrow !== undefined && (
        <span class="time">
          #{arrow.number} {arrow.seconds.toFixed(3)}
        </span>
      )}
      {row !== undefined && !isDrawn && (
        <span class="no-arrow">
          {row.name} <span class="faint">({row.client}; too many take part for another lifeline)</span>
        </span>
      )}
      {isDrawn && (
        <span class={`arrow ${way} hue-${row.hue}`} style={{ left: `${left}px`, width: `${right - left}px` }}>
          <span>
            {row.name} {row.error ?? ""}
          </span>
        </span>
      )}
    </div>
  );
}

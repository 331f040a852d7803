import type { RefObject, VNode } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Row } from "../../session-api.js";
import { api, select } from "../session.js";
import * as state from "../state.js";
import { EmptyList } from "./empty-list.js";
import { RowPages } from "./row-pages.js";
import { useVirtualRows } from "./virtual-rows.js";

const ROW_HEIGHT = 20;

/** Keys that move the selection, by how many rows of a page of `rows`. */
export function stepOf(key: string, rows: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return 1;
    case "ArrowUp":
      return -1;
    case "PageDown":
      return rows;
    case "PageUp":
      return -rows;
    case "Home":
      return Number.NEGATIVE_INFINITY;
    case "End":
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}

/** The list of messages. */
export function MessageList(): VNode {
  const list = useRef<HTMLDivElement>(null);
  const { count } = state.shown.value;
  const rows = useVirtualRows(list, count, ROW_HEIGHT);
  const version = state.listVersion.value;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const pages = useRef<RowPages | undefined>(undefined);
  pages.current ??= new RowPages(
    (first, length) => api().rows(first, length),
    () => redraw(0),
  );
  const selected = state.selectedPlace.value;
  useEffect(() => {
    if (selected >= 0) rows.scrollTo(selected);
  }, [selected, state.appliedFilter.value]);
  useFollowing(list, count);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = stepOf(event.key, Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1));
    if (step === undefined) return;
    event.preventDefault();
    void select(Math.max(0, Math.min(count - 1, selected + step)));
  };
  return (
    <div class="message-list">
      <div class="list-head" aria-hidden="true">
        <span class="number">No.</span>
        <span class="time">Time</span>
        <span class="stream">Stream</span>
        <span class="way">
          <span class="client">Client, way</span>
        </span>
        <span class="protocol">Protocol</span>
        <span class="name">Message</span>
        <span class="summary">Contents</span>
      </div>
      <EmptyList />
      <div
        ref={list}
        class="scroller"
        id="messages"
        role="listbox"
        tabIndex={0}
        aria-label={`Messages, ${count}`}
        aria-activedescendant={selected >= 0 ? `message-${selected}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div class="rows" role="presentation" style={{ height: `${rows.height}px` }}>
          {rows.items.map(({ index, start }) => (
            <MessageRow
              key={index}
              place={index}
              top={start}
              row={pages.current?.at(index, version)}
              isSelected={index === selected}
              count={count}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Keeps the end of a recording in sight while it grows, for whoever has not scrolled away from there. */
function useFollowing(list: RefObject<HTMLElement | null>, count: number): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const scrolled = () => {
      isAtEnd.current = current.scrollTop + current.clientHeight > current.scrollHeight - ROW_HEIGHT;
    };
    current.addEventListener("scroll", scrolled, { passive: true });
    return () => current.removeEventListener("scroll", scrolled);
  }, []);
  useEffect(() => {
    const { current } = list;
    if (current !== null && isAtEnd.current && state.isLive.value) current.scrollTop = current.scrollHeight;
  }, [count]);
}

interface RowProps {
  readonly place: number;
  readonly top: number;
  readonly row: Row | undefined;
  readonly isSelected: boolean;
  readonly count: number;
}

function MessageRow({ place, top, row, isSelected, count }: RowProps): VNode {
  const kind = row === undefined ? "" : rowClass(row);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which one is active
    <div
      id={`message-${place}`}
      class={`row ${kind}${isSelected ? " selected" : ""}`}
      style={{ top: `${top}px` }}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place + 1}
      aria-setsize={count}
      aria-label={row === undefined ? "loading" : undefined}
      onClick={() => void select(place)}
    >
      {row !== undefined && (
        <>
          <span class="number">{row.number}</span>
          <span class="time" title={row.time}>
            {row.seconds.toFixed(6)}
          </span>
          <span class="stream">{row.stream}</span>
          <span
            class="way"
            title={row.isFromServer ? `${row.server} > ${row.client}` : `${row.client} > ${row.server}`}
          >
            <span class="client">{row.client}</span> {row.isFromServer ? "<" : ">"}
          </span>
          <span class={`protocol hue-${row.hue}`}>{row.protocol}</span>
          <span class="name" title={row.name}>
            {row.name}
          </span>
          <span class="summary" title={`${row.summary} ${row.mark}`.trim()}>
            {row.summary !== "" && <span class="contents">{row.summary}</span>}
            {row.mark !== "" && <span class="mark">{row.mark}</span>}
          </span>
        </>
      )}
    </div>
  );
}

/** How a row is coloured: by what is wrong, or else not at all. */
export function rowClass({ status, error, name }: Row): string {
  if (name === "gap") return "is-gap";
  if (status === "malformed") return "is-malformed";
  if (status !== "ok") return `is-${status}`;
  return error === undefined ? "" : "is-failed";
}

import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Row } from "../../session-api.js";
import { api } from "../session.js";

/** Rows that are asked for at once. */
const PAGE = 64;
/** Most pages that are kept. */
const MOST_PAGES = 64;

/** Rows of the list, which come from the worker page by page; undefined while they are on their way. */
export function useRows(version: number): (place: number) => Row | undefined {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const pages = useRef(new Map<number, readonly Row[]>());
  const asked = useRef(new Set<number>());
  const current = useRef(version);
  current.current = version;
  // What is shown stays until it is replaced, so that nothing flickers while a recording grows.
  useEffect(() => {
    asked.current.clear();
  }, [version]);
  return (place) => {
    const page = Math.floor(place / PAGE);
    if (!asked.current.has(page)) {
      asked.current.add(page);
      void api()
        .rows(page * PAGE, PAGE)
        .then((rows) => {
          if (current.current !== version && pages.current.has(page)) return;
          if (pages.current.size >= MOST_PAGES) pages.current.clear();
          pages.current.set(page, rows);
          redraw(0);
        });
    }
    return pages.current.get(page)?.[place % PAGE];
  };
}

import type { Row } from "../../session-api.js";

/** Rows that are asked for at once. */
const PAGE = 64;
/** Most pages that are kept. */
const MOST_PAGES = 64;

/** Rows of the list, which come from the worker page by page. */
export class RowPages {
  readonly #pages = new Map<number, { readonly version: number; readonly rows: readonly Row[] }>();
  /** Version of the list for which a page was last asked for. */
  readonly #asked = new Map<number, number>();

  /**
   * @param ask for a number of rows from a place on
   * @param changed is called when rows have come
   */
  constructor(
    readonly ask: (first: number, count: number) => Promise<readonly Row[]>,
    readonly changed: () => void,
  ) {}

  /**
   * The row at a place of a version of the list; undefined while it is on its way. What is there of an older version
   * stays until it is replaced, so that nothing flickers while a recording grows.
   */
  at(place: number, version: number): Row | undefined {
    const page = Math.floor(place / PAGE);
    if (this.#asked.get(page) !== version) {
      this.#asked.set(page, version);
      void this.ask(page * PAGE, PAGE).then((rows) => this.#keep(page, version, rows));
    }
    return this.#pages.get(page)?.rows[place % PAGE];
  }

  #keep(page: number, version: number, rows: readonly Row[]): void {
    if (version < (this.#pages.get(page)?.version ?? 0)) return;
    this.#pages.delete(page);
    this.#pages.set(page, { version, rows });
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size > MOST_PAGES) {
      this.#pages.delete(oldest);
      this.#asked.delete(oldest);
    }
    this.changed();
  }
}

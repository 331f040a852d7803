/** What a file is; without it, its contents tell. */
export type FileKind = "capture" | "keys" | "definitions";

/** A file that a page is to open at once: beside it, or in it. */
export type ServedFile = { readonly name: string; readonly kind: FileKind } & (
  | { readonly path: string; readonly isLive?: boolean }
  | { readonly base64: string }
);

/** What a page is to do at once. */
export interface Served {
  readonly files: readonly ServedFile[];
  /** Which protocol conversations speak, as for `-d`. */
  readonly decodeAs?: readonly string[];
  /** Limits that differ from the usual ones, by name. */
  readonly limits?: Readonly<Record<string, number>>;
  /** The display filter to begin with. */
  readonly filter?: string;
}

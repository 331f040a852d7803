/** The bytes to decode from, as a view on a larger buffer. */
export interface Window {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the first byte of the value. */
  readonly start: number;
  /** Offset after the last available byte. */
  readonly end: number;
}

/** How the available bytes relate to the value. */
export const Extent = {
  /** The window is exactly the value: bytes left over, or too few, break the format. */
  Exact: 0,
  /** More bytes may still come: too few are no fault yet; bytes left over belong to what follows. */
  Open: 1,
  /** The capture holds no more bytes: missing ones were cut off; bytes left over belong to what follows. */
  Cut: 2,
  /** Like `Cut`, but all bytes belong to the value, of which only the beginning need be declared. */
  Head: 3,
} as const;
/** One of the values of `Extent`. */
export type Extent = (typeof Extent)[keyof typeof Extent];

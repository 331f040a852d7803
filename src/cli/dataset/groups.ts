/** Groups of rows: large enough to be compressed well, small enough for memory. */
export const GROUPS = { groupRows: 65_536, heldBytes: 32 * 1024 * 1024 };

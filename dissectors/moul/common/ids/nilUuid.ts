/** The nil UUID: all of its bytes are zero. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

import type { EncryptionState } from "../../src/session/dissector.js";

/** BZFlag encrypts nothing. */
export const UNENCRYPTED: EncryptionState = { encryption: "none", key: "not-needed", keySource: "" };

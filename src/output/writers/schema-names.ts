/** The names and versions of what is printed as JSON: the value of `schema` in each line. */
export const MESSAGE_SCHEMAS = { 1: "moul-dissect.message/1", 2: "moul-dissect.message/2" } as const;
export const STREAM_SCHEMA = "moul-dissect.stream/1";
export const STATS_SCHEMA = "moul-dissect.stats/1";
export const FIELD_SCHEMA = "moul-dissect.field/1";
export const DIFFERENCE_SCHEMA = "moul-dissect.difference/1";
export const FINDING_SCHEMA = "moul-dissect.finding/1";
export const CHAT_SCHEMA = "moul-dissect.chat/1";
export const SESSION_SCHEMA = "moul-dissect.session/1";
export const VAULT_NODE_SCHEMA = "moul-dissect.vault-node/1";
export const VARIABLES_SCHEMA = "moul-dissect.variables/1";
export const OBJECT_SCHEMA = "moul-dissect.object/1";
export const PART_SCHEMA = "moul-dissect.part/1";
export const HIT_SCHEMA = "moul-dissect.hit/1";

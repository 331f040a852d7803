import type { OwnKind } from "moul-dissect/schema";

/** KI numbers are those of players' vault nodes. */
export const kiNumbers: OwnKind = {
  name: "ki-number",
  doc: "KI numbers, and with them all vault node numbers",
  isPersonsNumber: true,
};

export const ageIds: OwnKind = { name: "age-id", doc: "UUIDs of age instances" };

/** An instance that no player has named has the name of its age, which is public. */
export const ageNames: OwnKind = {
  name: "age-name",
  doc: "names and descriptions that players gave to age instances",
  label: "Age",
  mayBePublic: true,
};

/** What is private in MOUL alone. */
export const sensitiveKinds: readonly OwnKind[] = [kiNumbers, ageIds, ageNames];

/** The versions of the form of messages in JSON. The old one is kept until 1.0. */
export const jsonVersions = [1, 2] as const;
export type JsonVersion = (typeof jsonVersions)[number];

/** The one that is printed unless another is asked for. */
export const CURRENT: JsonVersion = 2;

/** The most conversations that a remark names one by one. */
export const MOST_NAMED = 12;

/** The numbers of conversations for a remark: "stream 3", "streams 1, 3 and 7 more". */
export function namedStreams(streams: readonly number[], count = streams.length): string {
  const named = [...streams].sort((a, b) => a - b).slice(0, MOST_NAMED);
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  return `stream${count === 1 ? "" : "s"} ${named.join(", ")}${more}`;
}

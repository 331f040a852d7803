import { counted } from "../common/counted.js";
import type { OpenRequests } from "../output/text/open-requests.js";

/** Most requests that are named; more would push what is above out of sight. */
const MOST_NAMED = 5;

/** The requests that have no reply in the capture, one in each sentence. */
export function unansweredRemarks({ unanswered: { requests, givenUp } }: OpenRequests): string[] {
  const named = requests.slice(0, MOST_NAMED).map(({ number, stream, name, asked }) => {
    return `no reply to #${number} ${name}${asked.text === "" ? "" : `: ${asked.text}`} (stream ${stream})`;
  });
  const more = requests.length - named.length;
  if (more > 0) named.push(`no reply to ${counted(more, "more request")}`);
  if (givenUp > 0) named.push(`too many open requests: of ${givenUp} more, no reply was looked for`);
  return named;
}

/**
 * The least that each part of the work could take: loops that do only that, over the messages of one capture, as
 * nanoseconds for each message. `npm run bench:floors`, or `npm run bench:floors -- --size 80`. To be held against
 * `npm run bench:profile`, where each part is what it takes in a run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCapture } from "../../src/capture/reader.js";
import type { Message } from "../../src/dissect/message.js";
import { Rc4 } from "../../src/dissector/rc4.js";
import { defaultLimits } from "../../src/limits.js";
import { Network } from "../../src/network/network.js";
import { jsonLineBytes } from "../../src/output/json/json.js";
import { colorless } from "../../src/output/text/palette.js";
import { summaryLines } from "../../src/output/text/summary-line.js";
import { TimeColumn } from "../../src/output/text/time-column.js";
import { runCaptures } from "../../src/pipeline/run.js";
import { captureAt, openCapture } from "../../src/platform/node/capture-file.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent, type Window } from "../../src/schema/decode/window.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import type { NameLookup } from "../../src/schema/language/field-tree.js";
import type { MessageContext } from "../../src/schema/language/message-context.js";
import type { Type } from "../../src/schema/language/type.js";
import { SkimmingDecoder } from "../../src/schema/skim/skimming-decoder.js";
import type { RecognisedConversation } from "../../src/session/recognised-conversation.js";
import { listening } from "../support/recording.js";
import { median } from "./traffic/run.js";
import { makeTraffic } from "./traffic/traffic.js";

const { values } = parseArgs({ options: { size: { type: "string", default: "40" } } });
const ROUNDS = 5;

/** A message with all that it takes to decode it again. */
interface Recorded {
  readonly type: Type<unknown>;
  readonly start: number;
  readonly end: number;
  readonly extent: Extent;
  readonly settings: unknown;
  readonly names: NameLookup | undefined;
  readonly context: MessageContext | undefined;
  readonly message: Message;
}

/** Milliseconds that some work takes: the median of several rounds. */
async function time(work: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    rounds.push(performance.now() - start);
  }
  return median(rounds);
}

const folder = mkdtempSync(join(tmpdir(), "moul-floors-"));
try {
  const { capture, keys, sdl, messages } = makeTraffic(join(folder, "traffic"), {
    size: Number(values.size) * 1e6,
    hasTwin: false,
  });
  const recorded: Recorded[] = [];
  let all = Buffer.alloc(Number(values.size) * 1e6);
  let filled = 0;
  const speaking = new Map<Message["conversation"], RecognisedConversation>();
  const recognised = (session: RecognisedConversation) => void speaking.set(session.conversation, session);
  await runCaptures(
    [captureAt(capture)],
    {
      keys: givenFiles([keys]),
      definitions: givenFiles([sdl]),
      network: { opened: () => ({ recognised }) },
    },
    (message) => {
      const { nodes, name, length, conversation, status } = message;
      const session = speaking.get(conversation);
      const type = session?.recognisedBy.types.get(name);
      const source = nodes?.sources[0];
      if (nodes === undefined || type === undefined || source === undefined || status !== "ok") return;
      const start = source.origin + nodes.startOf(0);
      if (filled + length > all.length) all = Buffer.concat([all, Buffer.alloc(all.length)]);
      all.set(source.bytes.subarray(start, start + length), filled);
      recorded.push({
        type,
        start: filled,
        end: filled + length,
        extent: source.isExact ? Extent.Exact : Extent.Open,
        settings: session?.analyzer.settings,
        names: nodes.names,
        context: nodes.context,
        message: { ...message, nodes: undefined },
      });
      filled += length;
    },
  );
  const bytes = new Uint8Array(all.buffer, all.byteOffset, filled);
  const view = viewOf(bytes);
  const report = (name: string, milliseconds: number) =>
    console.log(`| ${name} | ${((milliseconds * 1e6) / messages).toFixed(0)} |`);
  console.log(`${messages} messages, of which ${recorded.length} are decoded again; Node ${process.versions.node}\n`);
  console.log("| | ns a message |\n|---|---|");

  const problem = ({ text }: { readonly text: string }) => {
    throw new Error(text);
  };
  let seen = 0;
  const see = ({ length }: { readonly length: number }) => {
    seen += length;
  };
  const reading = await time(() =>
    readCapture(openCapture(capture), capture, { packet: ({ data }) => see(data), problem }),
  );
  report("reading: the file, through pcap-parser", reading);
  const network = await time(async () => {
    const network = new Network({
      opened: () => listening({ bytes: (_direction, part) => see(part) }),
    });
    await readCapture(openCapture(capture), capture, { packet: (packet) => network.packet(packet), problem });
    network.end();
  });
  report("network: the same, to streams, without reading", network - reading);

  const rc4 = new Rc4(Uint8Array.of(1, 2, 3, 4, 5, 6, 7));
  const copy = bytes.slice();
  const ciphering = await time(() => {
    for (const { start, end } of recorded) rc4.apply(copy, start, end);
  });
  report("RC4: the bytes of each message", ciphering);

  const decode = (decoder: Decoder, each: (one: Recorded) => void) => () => {
    for (const one of recorded) {
      const { type, start, end, extent, settings, names } = one;
      decoder.settings = settings;
      decoder.names = names;
      const window: Window = { bytes, view, start, end };
      if (!decoder.decode(type, window, extent)) throw new Error(`${type.descriptor.struct?.name} needs more bytes`);
      each(one);
    }
  };
  const skimmer = new SkimmingDecoder(defaultLimits);
  report("skimming, for a reader that looks at nothing", await time(decode(skimmer, () => {})));
  const decoder = new Decoder(defaultLimits);
  const decoding = await time(decode(decoder, () => {}));
  report("decoding: the whole tree", decoding);

  const printing = (decoder: Decoder, print: (message: Message) => Uint8Array) => {
    return decode(decoder, ({ message, context }) => {
      decoder.nodes.context = context;
      see(print({ ...message, nodes: decoder.nodes }));
    });
  };
  const summary = summaryLines(new TimeColumn("absolute"), colorless);
  const skimming = new SkimmingDecoder(defaultLimits);
  const summaries = await time(printing(skimming, summary));
  report("a line of `--format summary`, with skimming", summaries);
  for (const version of [1, 2] as const) {
    const lines = await time(printing(decoder, (message) => jsonLineBytes(message, version)));
    report(`a line of \`--json --json-version ${version}\`, without decoding`, lines - decoding);
  }
  if (seen === 0) throw new Error("nothing was read");
} finally {
  rmSync(folder, { recursive: true });
}

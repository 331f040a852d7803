/**
 * Measures the cost of a display filter: messages tested per second, compared with messages only dissected. Prints a
 * table; `npm run bench:filter`.
 */
import { compileFilter, Vocabulary } from "../../src/filter/index.js";
import { dissectCaptures, dissectors, type Message } from "../../src/index.js";

const SAMPLE = "samples/dirtsand-session.pcap";
const KEYS = ["samples/dirtsand-session.keys"];
/** How often each message is tested in a round; the best round counts. */
const TIMES = 40;
const ROUNDS = 20;

const FILTERS = [
  "moul.game",
  "plNetMsgVoice",
  "playerId == 10186",
  'events.hitter.uoid.objectName == "Male"',
  "result != kNetSuccess",
  "flags contains kHasPlayerID",
  "timeSent > 2026-11-20T04:55:07.98",
  'objectName matches "^cPyth"',
  "voiceData[0:2] == 66:b3",
  'not moul.auth and (playerId in {1 .. 20000} or objectName contains "Clk")',
];

async function seconds(listener: (message: Message) => void): Promise<number> {
  const start = performance.now();
  await dissectCaptures([SAMPLE], { keys: KEYS }, listener);
  return (performance.now() - start) / 1000;
}

let messages = 0;
let nodes = 0;
await seconds((message) => {
  messages++;
  nodes += message.nodes?.count ?? 0;
});
let dissecting = Number.POSITIVE_INFINITY;
for (let round = 0; round < ROUNDS; round++) dissecting = Math.min(dissecting, await seconds(() => {}));
console.log(`${messages} messages, ${(nodes / messages).toFixed(1)} nodes each`);
console.log(`${Math.round(messages / dissecting).toLocaleString("en")} messages/s dissected`);

const vocabulary = new Vocabulary(dissectors);
for (const text of FILTERS) {
  const passes = compileFilter(text, vocabulary);
  let passed = 0;
  let testing = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    let spent = 0;
    passed = 0;
    await seconds((message) => {
      const start = performance.now();
      for (let time = 0; time < TIMES; time++) if (passes(message)) passed++;
      spent += performance.now() - start;
    });
    testing = Math.min(testing, spent);
  }
  const nanoseconds = (testing * 1e6) / (messages * TIMES);
  const share = nanoseconds / ((dissecting * 1e9) / messages);
  const rate = Math.round(1e9 / nanoseconds)
    .toLocaleString("en")
    .padStart(12);
  console.log(
    `${rate} messages/s, ${nanoseconds.toFixed(0).padStart(5)} ns each (${(share * 100).toFixed(1)} % of dissecting), ` +
      `${String(passed / TIMES).padStart(3)} pass: ${text}`,
  );
}

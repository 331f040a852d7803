import { setFlagsFromString } from "node:v8";

/** A setting of V8 that says how much a function has to run before it is optimized: its usual value, and another. */
type Setting = readonly [name: string, usual: number, late: number];

/** Those of each version of Node.js that this has been tried with: V8 complains about settings that it does not know. */
const SETTINGS: readonly { readonly from: number; readonly to: number; readonly settings: readonly Setting[] }[] = [
  { from: 20, to: 20, settings: [["interrupt-budget", 67_584, 1_000_000]] },
  {
    from: 22,
    to: 26,
    settings: [
      ["invocation-count-for-maglev", 400, 2000],
      ["invocation-count-for-turbofan", 3000, 30_000],
    ],
  },
];

/** Has V8 optimize late: a run that is over in half a second spends a tenth of it optimizing what runs no longer. */
export function optimizeLate(): void {
  for (const [name, , late] of settings()) setFlagsFromString(`--${name}=${late}`);
}

/** Has V8 optimize as soon as it usually does. */
export function optimizeSoon(): void {
  for (const [name, usual] of settings()) setFlagsFromString(`--${name}=${usual}`);
}

function settings(): readonly Setting[] {
  const major = Number.parseInt(process.versions.node, 10);
  return SETTINGS.find(({ from, to }) => from <= major && major <= to)?.settings ?? [];
}

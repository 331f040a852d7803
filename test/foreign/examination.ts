import { type Comparison, compare } from "./compare.js";
import type { Explained } from "./explained.js";
import { foreignView } from "./foreign-view.js";
import { OwnThread } from "./own-thread.js";
import { Sharkd } from "./sharkd.js";
import type { ForeignView } from "./views.js";

/** A file to examine. */
export interface Job {
  readonly path: string;
  /** The folder that was given. */
  readonly project: string;
  /** Path below that folder. */
  readonly file: string;
}

export interface FileResult extends Comparison {
  readonly project: string;
  readonly file: string;
  /** Neither program reads it: not a capture. */
  readonly isCapture: boolean;
  readonly packets: number;
  readonly conversations: number;
  /** Conversations that were recognised. */
  readonly recognised: readonly string[];
  /** What went wrong, in either program. */
  readonly remarks: readonly string[];
  /** Packets that this program does not understand, by what they are. */
  readonly others: Readonly<Record<string, number>>;
}

/** Examines files, one after the other. */
export class Examination {
  readonly #thread = new OwnThread();
  readonly #sharkd = new Sharkd();
  readonly #explained: Explained;

  constructor(explained: Explained) {
    this.#explained = explained;
  }

  async result({ path, project, file }: Job): Promise<FileResult> {
    const nothing = { directions: 0, equal: 0, differences: [], recognised: [], others: {}, conversations: 0 };
    try {
      const own = await this.#thread.view(path);
      const { packets, recognised, others } = own;
      const remarks = [...own.problems, ...own.internalErrors.map((text) => `internal error: ${text}`)];
      const foreign = await this.#foreignView(path).catch((error: unknown) => {
        // What this program recognises there counts all the same.
        remarks.push(`tshark failed: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      });
      const isCapture = packets > 0 || foreign !== undefined;
      const common = { project, file, isCapture, packets, recognised, others, conversations: own.tcp.length };
      if (foreign === undefined) return { ...nothing, ...common, remarks: [...remarks, "not compared with tshark"] };
      if (foreign.packets !== packets) remarks.push(`${packets} packets, ${foreign.packets} in tshark`);
      const comparison = compare(own, foreign);
      const differences = comparison.differences.map((difference) => {
        const reason = difference.reason ?? this.#explained.reason(file, difference.stream);
        return reason === undefined ? difference : { ...difference, reason };
      });
      return { ...common, ...comparison, differences, remarks };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { ...nothing, project, file, isCapture: true, packets: 0, remarks: [`failed: ${text}`] };
    }
  }

  /** What tshark finds: sharkd hangs now and then after many captures, and is asked once more after a new start. */
  #foreignView(path: string): Promise<ForeignView | undefined> {
    return foreignView(this.#sharkd, path).catch(() => {
      this.#sharkd.stop();
      return foreignView(this.#sharkd, path);
    });
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
    this.#sharkd.stop();
  }
}

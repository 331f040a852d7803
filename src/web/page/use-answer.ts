import { useEffect, useState } from "preact/hooks";
import * as state from "./state.js";

/**
 * What the worker answers to a question, asked anew whenever something that it is about changes, or more has been read.
 * Undefined until the first answer.
 */
export function useAnswer<T>(ask: () => Promise<T>, about: readonly unknown[]): T | undefined {
  const [answer, setAnswer] = useState<T | undefined>(undefined);
  const messages = state.progress.value?.messages;
  useEffect(() => {
    let isCurrent = true;
    void ask().then((value) => {
      if (isCurrent) setAnswer(() => value);
    });
    return () => {
      isCurrent = false;
    };
  }, [...about, messages]);
  return answer;
}

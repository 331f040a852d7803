import type { VNode } from "preact";

/** How much of something long is shown at first, and how much more at a time: what is drawn at once is not felt. */
export const STEP = 200;

interface Props {
  readonly shown: number;
  readonly count: number;
  readonly onMore: () => void;
}

/** Says that there is more, and shows it. */
export function ShowMore({ shown, count, onMore }: Props): VNode | null {
  if (shown >= count) return null;
  return (
    <p>
      {shown} of {count} are shown.{" "}
      <button type="button" onClick={onMore}>
        Show more
      </button>
    </p>
  );
}

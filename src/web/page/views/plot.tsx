import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Columns } from "../../session-api.js";
import { themeColor, useTheme } from "../theme.js";

const HEIGHT = 190;

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly columns: Columns;
  /** Name of its colour in the style. */
  readonly color: string;
}

/** Something over time, as bars. */
export function Plot({ title, unit, columns, color }: Props): VNode {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const { begin, width, values } = columns;
  const most = Math.max(0, ...values);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const [faint, line, fill] = [themeColor("--faint"), themeColor("--line"), themeColor(color)];
    const axis = {
      stroke: faint,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1 },
      font: "12px system-ui",
      labelFont: "12px system-ui",
      labelSize: 18,
    };
    const bars = uPlot.paths.bars?.({ size: [0.9] });
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        scales: {
          x: { time: false, range: [begin, begin + Math.max(1, values.length) * width] },
          y: { range: [0, most === 0 ? 1 : most * 1.05] },
        },
        cursor: { show: false },
        legend: { show: false },
        axes: [
          { ...axis, size: 32, label: "seconds since the first packet" },
          { ...axis, size: 56, space: 24, label: unit },
        ],
        series: [
          {},
          { label: unit, fill, width: 0, ...(bars !== undefined && { paths: bars }), points: { show: false } },
        ],
      },
      [values.map((_, index) => begin + (index + 0.5) * width), values.map((value) => (value === 0 ? null : value))],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [columns, theme]);
  const summary = `${title}: at most ${most >= 100 ? Math.round(most) : Number(most.toPrecision(3))} ${unit} in ${width} seconds`;
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <div ref={box} role="img" aria-label={summary} />
    </figure>
  );
}

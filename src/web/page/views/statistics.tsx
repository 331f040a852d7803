import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { SessionStatistics } from "../../session-api.js";
import { api, applyFilter } from "../session.js";
import * as state from "../state.js";
import { themeColor } from "../theme.js";

/** Milliseconds between two looks while a recording is read. */
const INTERVAL = 1000;

/** Counts, rates, reply times and errors. */
export function StatisticsView(): VNode {
  const [statistics, setStatistics] = useState<SessionStatistics | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const ask = async () => {
      const answer = await api().statistics();
      if (isCurrent) setStatistics(answer);
    };
    void ask();
    const timer = setInterval(() => {
      if (state.progress.value?.phase === "reading") void ask();
    }, INTERVAL);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [state.progress.value?.phase]);
  if (statistics === undefined) return <p class="hint">Counting…</p>;
  const { messages, seconds, types, latencies, unanswered, errors, trouble, rates } = statistics;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="statistics scroller" aria-label="Statistics" tabIndex={0}>
      <p>
        {messages.count} messages, {messages.bytes} bytes, in {seconds.toFixed(3)} seconds. Press a name to list it.
      </p>
      <Plot title="Messages over time" rates={rates} />
      <div class="tables">
        <Table
          title="Messages"
          heads={["Protocol", "Message", "Count", "Bytes"]}
          rows={types.map(({ protocol, name, count, bytes }) => ({
            cells: [protocol, name, String(count), String(bytes)],
            filter: `message == ${JSON.stringify(name)} and protocol == ${JSON.stringify(protocol)}`,
          }))}
        />
        <Table
          title="Errors"
          heads={["Protocol", "Message", "Error", "Count"]}
          rows={errors.map(({ protocol, name, error, count }) => ({
            cells: [protocol, name, error, String(count)],
            filter: `message == ${JSON.stringify(name)} and error == ${JSON.stringify(error)}`,
          }))}
        />
        <Table
          title="Time to the reply, in milliseconds"
          heads={["Protocol", "Request", "Count", "Median", "95 %", "Longest"]}
          rows={latencies.map(({ protocol, name, count, median, p95, max }) => ({
            cells: [protocol, name, String(count), median, p95, max],
            filter: `message == ${JSON.stringify(name)}`,
          }))}
        />
        <Table
          title="Requests without a reply"
          heads={["Protocol", "Request", "Count", "First"]}
          rows={unanswered.map(({ protocol, name, count, numbers }) => ({
            cells: [protocol, name, String(count), numbers.map((number) => `#${number}`).join(" ")],
            filter: `number in {${numbers.join(", ")}}`,
          }))}
        />
        <Table
          title="Trouble"
          heads={["Kind", "Count", "Bytes"]}
          rows={trouble.map(({ name, count, bytes, filter }) => ({
            cells: [name, String(count), String(bytes)],
            filter,
          }))}
        />
      </div>
    </section>
  );
}

interface TableProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly filter: string }[];
}

function Table({ title, heads, rows }: TableProps): VNode | null {
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells, filter }) => (
          <tr key={cells.join(" ")}>
            {cells.map((cell, index) => (
              <td key={heads[index]} class={index >= 2 && /^[\d.]*$/.test(cell) ? "figure" : ""}>
                {index === (cells.length > 3 ? 1 : 0) ? (
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      state.view.value = "messages";
                      void applyFilter(filter);
                    }}
                  >
                    {cell}
                  </button>
                ) : (
                  cell
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Messages of each time as bars. */
function Plot({ title, rates }: { readonly title: string; readonly rates: SessionStatistics["rates"] }): VNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const [faint, line, color] = [themeColor("--faint"), themeColor("--line"), themeColor("--hue-0")];
    const axis = { stroke: faint, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const bars = uPlot.paths.bars?.({ size: [0.9] });
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: 180,
        scales: { x: { time: false } },
        legend: { show: false },
        axes: [
          { ...axis, label: "seconds" },
          { ...axis, label: "messages" },
        ],
        series: [
          {},
          {
            label: "messages",
            stroke: color,
            fill: color,
            ...(bars !== undefined && { paths: bars }),
            points: { show: false },
          },
        ],
      },
      [rates.counts.map((_, index) => (index + 0.5) * rates.width), [...rates.counts]],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 180 }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [rates]);
  return <figure class="plot" ref={box} aria-label={title} />;
}

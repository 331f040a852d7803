import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PartyRow, SessionStatistics } from "../../session-api.js";
import { EmptyList } from "../panes/empty-list.js";
import { api, filterBy } from "../session.js";
import * as state from "../state.js";
import { type Column, Table } from "../table.js";
import { Plot } from "./plot.js";

/** Milliseconds between two looks while there is more to count. */
const INTERVAL = 1000;

/** Counts, rates, reply times and errors of the messages that pass the filter. */
export function StatisticsView(): VNode {
  const statistics = useStatistics();
  if (statistics === undefined) return <p class="hint">Counting…</p>;
  const { messages, of, seconds, types, classes, players, places, latencies, pings, unanswered, errors, trouble } =
    statistics;
  const isFiltered = unanswered === undefined;
  const counted = isFiltered
    ? `${messages.count} of ${of} messages, those that pass the filter`
    : `${messages.count} message${messages.count === 1 ? "" : "s"}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="statistics scroller" aria-label="Statistics" tabIndex={0}>
      <p>
        {counted}: {messages.bytes} bytes in {seconds.toFixed(3)} seconds.
        {messages.count > 0 && " Press a name to list it."}
        {isFiltered && " Requests without a reply are only told of without a filter, which may hide replies."}
      </p>
      {messages.count === 0 && <EmptyList />}
      <div class="plots" hidden={messages.count === 0}>
        <Plot title="Messages over time" unit="messages" columns={statistics.rates} color="--hue-0" />
        {statistics.waits.values.some((value) => value > 0) && (
          <Plot title="Slowest reply over time" unit="milliseconds" columns={statistics.waits} color="--slow" />
        )}
      </div>
      <div class="tables">
        <Counts title="Messages" rows={types} columns={[protocol, named<Typed>("Message", byName), count, bytes]} />
        <Counts
          title="Errors"
          rows={errors}
          columns={[
            protocol,
            named<Row<"errors">>("Message", (row) => `${byName(row)} and error == ${JSON.stringify(row.error)}`),
            { title: "Error", value: ({ error }) => error },
            count,
          ]}
        />
        <Counts
          title="Trouble"
          rows={trouble}
          columns={[named<Row<"trouble">>("Kind", ({ filter }) => filter), count, bytes]}
        />
        <Counts
          title="Requests without a reply"
          rows={unanswered ?? []}
          columns={[
            protocol,
            named<Unanswered>("Request", ({ numbers }) => `number in {${numbers.join(", ")}}`),
            count,
            { title: "First", value: ({ numbers }) => numbers.map((number) => `#${number}`).join(" ") },
          ]}
        />
        <Counts title="Time to the reply, in milliseconds" rows={latencies} columns={timed("Request")} />
        <Counts title="Ping round trips, in milliseconds" rows={pings} columns={timed("Ping")} />
        <Counts
          title="Classes, each including those inside it"
          rows={classes}
          columns={[named("Class", ({ name }) => name), count, bytes]}
        />
        <Counts title="Players" rows={players} columns={party} />
        <Counts title="Ages" rows={places} columns={party} />
      </div>
    </section>
  );
}

/** The sums, asked for anew while there is more to count. */
function useStatistics(): SessionStatistics | undefined {
  const [statistics, setStatistics] = useState<SessionStatistics | undefined>(undefined);
  const filter = state.appliedFilter.value;
  const { phase, messages = 0 } = state.progress.value ?? {};
  const isCounting = phase === "reading" || (filter !== "" && state.shown.value.lookedAt < messages);
  useEffect(() => {
    let isCurrent = true;
    const ask = async () => {
      const answer = await api().statistics();
      if (isCurrent) setStatistics(answer);
    };
    void ask();
    const timer = isCounting ? setInterval(() => void ask(), INTERVAL) : undefined;
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [filter, isCounting]);
  return statistics;
}

interface Named {
  readonly name: string;
}
interface Typed extends Named {
  readonly protocol: string;
}
/** What is counted in one of the tables. */
type Row<K extends "errors" | "trouble" | "latencies"> = SessionStatistics[K][number];
type Unanswered = NonNullable<SessionStatistics["unanswered"]>[number];
type Timed = Row<"latencies">;

const protocol: Column<Typed> = { title: "Protocol", value: (row) => row.protocol };
const count: Column<{ readonly count: number }> = { title: "Count", value: (row) => row.count };
const bytes: Column<{ readonly bytes: number }> = { title: "Bytes", value: (row) => row.bytes };
const party: readonly Column<PartyRow>[] = [
  { title: "Number", value: ({ id }) => id },
  { title: "Name", value: ({ name }) => name },
  { title: "Sent", value: ({ sent }) => sent },
  { title: "Received", value: ({ received }) => received },
];

function byName(row: Typed): string {
  return `message == ${JSON.stringify(row.name)} and protocol == ${JSON.stringify(row.protocol)}`;
}

/** A column of names, each of which lists its messages. */
function named<T extends Named>(title: string, filterOf: (row: T) => string): Column<T> {
  return {
    title,
    value: ({ name }) => name,
    cell: (row) => (
      <button
        type="button"
        class="link"
        onClick={() => {
          state.view.value = "messages";
          void filterBy(filterOf(row), true);
        }}
      >
        {row.name}
      </button>
    ),
  };
}

function timed(title: string): readonly Column<Timed>[] {
  const time = (head: string, value: (row: Timed) => number): Column<Timed> => {
    return { title: head, value, cell: (row) => value(row).toFixed(3) };
  };
  return [
    protocol,
    named(title, ({ name }) => `message == ${JSON.stringify(name)}`),
    count,
    time("Median", ({ median }) => median),
    time("95 %", ({ p95 }) => p95),
    time("Longest", ({ max }) => max),
  ];
}

interface CountsProps<T> {
  readonly title: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<NoInfer<T>>[];
}

/** A table, if there is anything in it. */
function Counts<T>({ title, rows, columns }: CountsProps<T>): VNode | null {
  if (rows.length === 0) return null;
  const keyOf = (row: T) => columns.map(({ value }) => value(row)).join(" ");
  return <Table title={title} columns={columns} rows={rows} keyOf={keyOf} />;
}

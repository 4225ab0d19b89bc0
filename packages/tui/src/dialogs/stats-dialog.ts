/** How much kedge was used: sessions per day, by project and by model, from the summaries alone. */
import type { Cost, SessionSummary } from "@kedge/protocol";
import { barText, columnChart, sparkline } from "../charts/index.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { Dialog } from "../screen/view.ts";
import { moneyText } from "../status/short-figures.ts";
import type { Theme } from "../theme/theme.ts";
import { flowText } from "./dialog-text.ts";
import { edgedLine } from "./edged-line.ts";
import { placeText } from "./place-text.ts";
import { createReadingDialog, type ReadingPage } from "./reading-dialog.ts";
import { createRemembered } from "./remembered.ts";

export type StatsDialogProps = {
  /** Undefined while they are asked for. */
  readonly sessions: () => readonly SessionSummary[] | undefined;
  readonly problem?: () => string | undefined;
  /** By session, as far as they are known. */
  readonly costs?: () => { readonly [sessionId: string]: Cost };
  readonly now: () => number;
  readonly theme: () => Theme;
};

type Stats = {
  readonly sessions: readonly SessionSummary[];
  readonly costs: { readonly [sessionId: string]: Cost } | undefined;
  readonly now: number;
};

const days = 30;
const chartHeight = 5;
const rowsMax = 8;
const modelBarColumns = 12;
/** Charts at the side are left out where names would have less. */
const nameColumnsMin = 12;

export function createStatsDialog({ sessions, problem, costs, now, theme }: StatsDialogProps): Dialog {
  const remembered = createRemembered<Stats | undefined>();
  return createReadingDialog<Stats>({
    title: "Statistics",
    theme,
    problem,
    content() {
      const known = sessions();
      const spent = costs?.();
      return remembered([known, spent], () => known && { sessions: known, costs: spent, now: now() });
    },
    loadingText: "Counting sessions.",
    draw: statsLines,
  });
}

function statsLines(stats: Stats, page: ReadingPage): readonly string[] {
  const { width, theme } = page;
  const { sessions, now } = stats;
  const elsewhere = "`kedge stats` in your shell shows tokens and cost of all sessions.";
  if (sessions.length === 0) return flowText(`No session yet. ${elsewhere}`, width);
  const perDay = countsPerDay(sessions, now);
  const recent = perDay.reduce((sum, count) => sum + count, 0);
  const total = sessions.length === 1 ? "1 session" : `${sessions.length} sessions`;
  const heading = (text: string) => ["", ...flowText(text, width).map((line) => theme.fg("muted", theme.bold(line)))];
  return [
    edgedLine(`${total}, ${recent} begun in ${days} days`, costText(sessions, stats), width, theme),
    ...heading("Begun per day"),
    ...columnChart(perDay, { height: chartHeight, width, labels: [`${days - 1} days ago`, "today"] }, theme),
    ...heading("By project"),
    ...groupLines(stats, page, {
      keyOf: ({ directory }) => directory,
      nameOf: (directory) => placeText(directory, theme.symbols.ellipsis),
      chartOf: (own) => sparkline(countsPerDay(own, now), theme.symbols),
    }),
    ...heading("By model"),
    ...groupLines(stats, page, {
      keyOf: ({ model }) => model,
      nameOf: (model) => model,
      chartOf: (own) => barText(own.length / sessions.length, modelBarColumns, theme),
    }),
    "",
    ...flowText(elsewhere, width).map((line) => theme.fg("muted", line)),
  ];
}

type Grouping = {
  readonly keyOf: (session: SessionSummary) => string;
  readonly nameOf: (key: string) => string;
  readonly chartOf: (own: readonly SessionSummary[]) => string;
};

/** The one with the most sessions first. */
function groupLines(
  stats: Stats,
  { width, theme }: ReadingPage,
  { keyOf, nameOf, chartOf }: Grouping,
): readonly string[] {
  const groups = [...Map.groupBy(stats.sessions, keyOf)].toSorted(([, left], [, right]) => right.length - left.length);
  const lines = groups.slice(0, rowsMax).map(([key, own]) => {
    const chart = chartOf(own);
    const room = width - visibleWidth(chart) - 1;
    const right = [String(own.length), costText(own, stats)].filter(Boolean).join(" ");
    if (room < nameColumnsMin) return edgedLine(nameOf(key), right, width, theme);
    return `${edgedLine(nameOf(key), right, room, theme)} ${chart}`;
  });
  const rest = groups.length - lines.length;
  return rest > 0 ? [...lines, ...flowText(`and ${rest} more`, width).map((line) => theme.fg("muted", line))] : lines;
}

/** Empty where no cost is known. */
function costText(sessions: readonly SessionSummary[], { costs }: Stats): string {
  const known = sessions.flatMap(({ sessionId }) => costs?.[sessionId] ?? []);
  if (known.length === 0) return "";
  const usd = known.reduce((sum, cost) => sum + cost.usd, 0);
  return `${moneyText(usd)}${known.some(({ estimated }) => estimated) ? " estimated" : ""}`;
}

/** The last one is today. */
function countsPerDay(sessions: readonly SessionSummary[], now: number): readonly number[] {
  const today = dayOf(now);
  const counts = Array.from({ length: days }, () => 0);
  for (const { createdAt } of sessions) {
    const at = days - 1 - (today - dayOf(createdAt));
    if (at >= 0 && at < days) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** Days of the user's own calendar, by number. */
function dayOf(time: number): number {
  const date = new Date(time);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}

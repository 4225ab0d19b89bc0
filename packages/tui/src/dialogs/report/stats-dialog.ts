/** How much kedge was used: everything that is counted, or for those who may not see it, sessions by their summaries. */

import type { SessionSummary, UsageSummary } from "@kedge/protocol";
import { barText } from "../../charts/bar-text.ts";
import { columnChart } from "../../charts/column-chart.ts";
import { sparkline } from "../../charts/sparkline.ts";
import { createRemembered } from "../../screen/remembered.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import { statsTexts } from "../../texts/reports.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText } from "../text/dialog-text.ts";
import { edgedLine } from "../text/edged-line.ts";
import { placeText } from "../text/place-text.ts";
import { createReadingDialog, type ReadingPage } from "./reading-dialog.ts";
import { usageLines } from "./usage-lines.ts";

/** Usage is that of `statsDays`. */
export type Stats =
  | { readonly kind: "usage"; readonly usage: UsageSummary }
  | { readonly kind: "sessions"; readonly sessions: readonly SessionSummary[] };

export type StatsDialogProps = {
  /** Undefined while they are asked for. */
  readonly stats: () => Stats | undefined;
  readonly problem?: () => string | undefined;
  readonly now: () => number;
  readonly theme: () => Theme;
};

export const statsDays = 30;

type DatedStats = { readonly stats: Stats; readonly now: number };

const chartHeight = 5;
const rowsMax = 8;
const modelBarColumns = 12;
/** Charts at the side are left out where names would have less. */
const nameColumnsMin = 12;

export function createStatsDialog({ stats, problem, now, theme }: StatsDialogProps): Dialog {
  const remembered = createRemembered<DatedStats | undefined>();
  return createReadingDialog<DatedStats>({
    title: statsTexts.title,
    theme,
    problem,
    content() {
      const known = stats();
      return remembered([known], () => known && { stats: known, now: now() });
    },
    loadingText: statsTexts.loading,
    draw(dated, page) {
      switch (dated.stats.kind) {
        case "usage":
          return usageLines(dated.stats.usage, { days: statsDays, now: dated.now }, page);
        case "sessions":
          return sessionLines(dated.stats.sessions, dated.now, page);
      }
    },
  });
}

function sessionLines(sessions: readonly SessionSummary[], now: number, page: ReadingPage): readonly string[] {
  const { width, theme } = page;
  const elsewhere = statsTexts.costElsewhere;
  if (sessions.length === 0) return flowText(`${statsTexts.empty} ${elsewhere}`, width);
  const perDay = countsPerDay(sessions, now);
  const recent = perDay.reduce((sum, count) => sum + count, 0);
  const heading = (text: string) => ["", ...flowText(text, width).map((line) => theme.fg("muted", theme.bold(line)))];
  return [
    edgedLine(statsTexts.sessions({ sessions: sessions.length, recent, days: statsDays }), "", width, theme),
    ...heading(statsTexts.startedPerDay),
    ...columnChart(
      perDay,
      { height: chartHeight, width, labels: [statsTexts.daysAgo(statsDays - 1), statsTexts.today] },
      theme,
    ),
    ...heading(statsTexts.sessionsByProject),
    ...groupLines(sessions, page, {
      keyOf: ({ directory }) => directory,
      nameOf: (directory) => placeText(directory, theme.symbols.ellipsis),
      chartOf: (own) => sparkline(countsPerDay(own, now), theme.symbols),
    }),
    ...heading(statsTexts.sessionsByModel),
    ...groupLines(sessions, page, {
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
  sessions: readonly SessionSummary[],
  { width, theme }: ReadingPage,
  { keyOf, nameOf, chartOf }: Grouping,
): readonly string[] {
  const groups = [...Map.groupBy(sessions, keyOf)].toSorted(([, left], [, right]) => right.length - left.length);
  const lines = groups.slice(0, rowsMax).map(([key, own]) => {
    const chart = chartOf(own);
    const room = width - visibleWidth(chart) - 1;
    const right = String(own.length);
    if (room < nameColumnsMin) return edgedLine(nameOf(key), right, width, theme);
    return `${edgedLine(nameOf(key), right, room, theme)} ${chart}`;
  });
  const rest = groups.length - lines.length;
  return rest > 0
    ? [...lines, ...flowText(statsTexts.more(rest), width).map((line) => theme.fg("muted", line))]
    : lines;
}

/** The last one is today. */
function countsPerDay(sessions: readonly SessionSummary[], now: number): readonly number[] {
  const today = dayOf(now);
  const counts = Array.from({ length: statsDays }, () => 0);
  for (const { createdAt } of sessions) {
    const at = statsDays - 1 - (today - dayOf(createdAt));
    if (at >= 0 && at < statsDays) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** Days of the user's own calendar, by number. */
function dayOf(time: number): number {
  const date = new Date(time);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}

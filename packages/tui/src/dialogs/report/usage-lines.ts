/** What was used and what it cost on this machine: in all, per day, by model, by project and by tool. */

import { costText, type Usage, type UsageSum, type UsageSummary } from "@kedge/protocol";
import { barText } from "../../charts/bar-text.ts";
import { columnChart } from "../../charts/column-chart.ts";
import { countText, moneyText } from "../../status/short-figures.ts";
import { statsTexts } from "../../texts/reports.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText } from "../text/dialog-text.ts";
import { edgedLine } from "../text/edged-line.ts";
import { placeText } from "../text/place-text.ts";
import { percentText, tokensOf } from "./cost-dialog.ts";
import type { ReadingPage } from "./reading-dialog.ts";

export type UsageSpan = {
  /** So many days, today included; in UTC, as they are counted. */
  readonly days: number;
  readonly now: number;
};

const chartHeight = 5;
const rowsMax = 8;
const barColumns = 12;
/** Bars at the side are left out where names would have less. */
const nameColumnsMin = 12;
const dayMs = 86_400_000;

export function usageLines(usage: UsageSummary, span: UsageSpan, page: ReadingPage): readonly string[] {
  const { width, theme } = page;
  const elsewhere = statsTexts.allDays;
  if (usage.sessions === 0) return flowText(`${statsTexts.emptyOf(span.days)} ${elsewhere}`, width);
  const heading = (text: string) => ["", ...flowText(text, width).map((line) => theme.fg("muted", theme.bold(line)))];
  return [
    ...sumLines(usage, span, page),
    ...dayLines(usage, span, { heading, page }),
    ...heading(statsTexts.byModel),
    ...rowLines(usage.models, page, (each) => ({
      name: each.model,
      right: usedText(each),
      share: shareOf(each, usage),
    })),
    ...heading(statsTexts.byProject),
    ...rowLines(usage.projects, page, (each) => ({
      name: placeText(each.directory, theme.symbols.ellipsis),
      right: `${countedText(each.sessions, statsTexts.session)} ${usedText(each)}`,
      share: shareOf(each, usage),
    })),
    ...(usage.tools.length === 0 ? [] : heading(statsTexts.tools)),
    ...rowLines(usage.tools, page, ({ tool, calls, successRate }) => ({
      name: tool,
      right: `${countedText(calls, statsTexts.call)} ${percentText(successRate).padStart(5)}`,
      share: successRate,
    })),
    ...endLines(usage, page, elsewhere),
  ];
}

function sumLines(usage: UsageSummary, { days }: UsageSpan, { width, theme }: ReadingPage): readonly string[] {
  const { sessions, steps, cost, cacheHitShare, cacheMisses } = usage;
  const { input, output, cacheRead, cacheWrite } = usage.usage;
  const figures = [
    statsTexts.tokensIn(countText(input + cacheRead + cacheWrite)),
    statsTexts.tokensOut(countText(output)),
    statsTexts.fromCache(percentText(cacheHitShare)),
    ...(cacheMisses.count > 0
      ? [statsTexts.cacheMisses({ misses: missesText(cacheMisses.count), cost: moneyText(cacheMisses.usd) })]
      : []),
  ];
  const counts = { sessions: countedText(sessions, statsTexts.session), steps: countedText(steps, statsTexts.step) };
  return [
    theme.bold(edgedLine(statsTexts.sum({ ...counts, days }), costText(cost, moneyText), width, theme)),
    ...flowText(figures.join(` ${theme.symbols.separator} `), width).map((line) => theme.fg("muted", line)),
  ];
}

type DayPlace = { readonly heading: (text: string) => readonly string[]; readonly page: ReadingPage };

/** Where nothing had a price, tokens tell the days apart. */
function dayLines(usage: UsageSummary, { days, now }: UsageSpan, { heading, page }: DayPlace): readonly string[] {
  const { width, theme } = page;
  const isPriced = usage.cost.usd > 0;
  const known = new Map(usage.days.map(({ day, usage: used, cost }) => [day, isPriced ? cost.usd : thousands(used)]));
  const values = Array.from({ length: days }, (_, at) => {
    const day = new Date(now - (days - 1 - at) * dayMs).toISOString().slice(0, "2026-01-01".length);
    return shortNumber(known.get(day) ?? 0);
  });
  const labels = [statsTexts.daysAgo(days - 1), statsTexts.today] as const;
  return [
    ...heading(isPriced ? statsTexts.costPerDay : statsTexts.tokensPerDay),
    ...columnChart(values, { height: chartHeight, width, labels }, theme),
  ];
}

function thousands(usage: Usage): number {
  return tokensOf(usage) / 1_000;
}

/** The highest one is written beside the chart. */
function shortNumber(value: number): number {
  return Number(value.toPrecision(3));
}

type Row = { readonly name: string; readonly right: string; readonly share: number };

function rowLines<Value>(
  values: readonly Value[],
  { width, theme }: ReadingPage,
  rowOf: (value: Value) => Row,
): readonly string[] {
  const lines = values.slice(0, rowsMax).map((value) => {
    const { name, right, share } = rowOf(value);
    const room = width - barColumns - 1;
    if (room - right.length < nameColumnsMin) return edgedLine(name, right, width, theme);
    return `${edgedLine(name, right, room, theme)} ${barText(share, barColumns, theme)}`;
  });
  const rest = values.length - lines.length;
  return rest > 0 ? [...lines, ...mutedLines(statsTexts.more(rest), width, theme)] : lines;
}

function endLines({ unreadable }: UsageSummary, { width, theme }: ReadingPage, elsewhere: string): readonly string[] {
  const damaged = statsTexts.unreadable(countedText(unreadable.length, statsTexts.session));
  return [
    ...(unreadable.length === 0 ? [] : ["", ...flowText(damaged, width).map((line) => theme.fg("warning", line))]),
    "",
    ...mutedLines(elsewhere, width, theme),
  ];
}

function mutedLines(text: string, width: number, theme: Theme): readonly string[] {
  return flowText(text, width).map((line) => theme.fg("muted", line));
}

function usedText({ usage, cost }: UsageSum): string {
  return `${countText(tokensOf(usage))} ${costText(cost, moneyText)}`;
}

function missesText(count: number): string {
  return countedText(count, statsTexts.cacheMiss, statsTexts.manyCacheMisses);
}

/** Where nothing has a price, by tokens. */
function shareOf(part: UsageSum, whole: UsageSum): number {
  if (whole.cost.usd > 0) return part.cost.usd / whole.cost.usd;
  const all = tokensOf(whole.usage);
  return all === 0 ? 0 : tokensOf(part.usage) / all;
}

function countedText(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

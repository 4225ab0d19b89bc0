/** `kedge stats`: what kedge used and cost on this machine, from local data only. */

import { aggregateUsage, startOfDays } from "@kedge/host";
import { stripTerminalControls, type UsageSummary } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, countText, shareText, tableText, usdText } from "../text-table.ts";
import { costTexts, statsTexts } from "../texts/accounts.ts";

/** `--days` counts whole days in UTC, today included; everything without it. */
export async function runStatsCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(statsTexts.doesNotAccept(JSON.stringify(extra)));
    return exitCodes.usage;
  }
  const { days } = flags;
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const filter = days === undefined ? {} : { sinceMs: startOfDays(Date.now(), days) };
  const summary = await aggregateUsage(outcome.started.kedge.store, filter);
  for (const sessionId of summary.unreadable) {
    const name = stripTerminalControls(sessionId);
    writeNotice(statsTexts.unreadable(name));
  }
  writeResult(flags.json ? `${JSON.stringify({ ...filter, ...summary })}\n` : summaryText(summary));
  return exitCodes.success;
}

type Used = Pick<UsageSummary, "steps" | "usage" | "cost">;

const usedColumns: readonly Column<Used>[] = [
  { title: statsTexts.steps, align: "right", text: ({ steps }) => countText(steps) },
  { title: statsTexts.input, align: "right", text: ({ usage }) => countText(usage.input) },
  { title: statsTexts.cacheRead, align: "right", text: ({ usage }) => countText(usage.cacheRead) },
  { title: statsTexts.cacheWrite, align: "right", text: ({ usage }) => countText(usage.cacheWrite) },
  { title: statsTexts.output, align: "right", text: ({ usage }) => countText(usage.output) },
  { title: statsTexts.cost, align: "right", text: ({ cost }) => usdText(cost) },
];

const modelColumns: readonly Column<UsageSummary["models"][number]>[] = [
  { title: statsTexts.model, align: "left", text: ({ model }) => model },
  ...usedColumns,
  { title: statsTexts.fromCache, align: "right", text: ({ cacheHitShare }) => shareText(cacheHitShare) },
];

const dayColumns: readonly Column<UsageSummary["days"][number]>[] = [
  { title: statsTexts.day, align: "left", text: ({ day }) => day },
  ...usedColumns,
];

const projectColumns: readonly Column<UsageSummary["projects"][number]>[] = [
  { title: statsTexts.project, align: "left", text: ({ directory }) => directory },
  { title: statsTexts.sessions, align: "right", text: ({ sessions }) => countText(sessions) },
  ...usedColumns,
];

const toolColumns: readonly Column<UsageSummary["tools"][number]>[] = [
  { title: statsTexts.tool, align: "left", text: ({ tool }) => tool },
  { title: statsTexts.calls, align: "right", text: ({ calls }) => countText(calls) },
  { title: statsTexts.success, align: "right", text: ({ successRate }) => shareText(successRate) },
  { title: statsTexts.failed, align: "right", text: ({ failed }) => countText(failed) },
  { title: statsTexts.refused, align: "right", text: ({ refused }) => countText(refused) },
  { title: statsTexts.interrupted, align: "right", text: ({ interrupted }) => countText(interrupted) },
];

const besideNames: { readonly [Kind in UsageSummary["beside"][number]["kind"]]: string } = statsTexts.callKinds;

function summaryText(summary: UsageSummary): string {
  const { sessions, steps, usage, cost, cacheHitShare, cacheMisses, beside, models, days, projects, tools } = summary;
  if (sessions === 0) return statsTexts.noUsage;
  const { input, cacheRead, cacheWrite, output } = usage;
  const overview = [
    statsTexts.overview(countText(sessions), countText(steps), usdText(cost)),
    statsTexts.tokens(countText(input + cacheRead + cacheWrite), countText(output)),
    statsTexts.shareFromCache(shareText(cacheHitShare)),
    cacheMisses.count === 0
      ? ""
      : statsTexts.cacheMisses(countText(cacheMisses.count), usdText({ ...cacheMisses, estimated: cost.estimated })),
    ...beside.map((one) => statsTexts.beside(besideNames[one.kind], countText(one.calls), usdText(one.cost))),
    cost.estimated ? costTexts.unknownCost : "",
  ].join("");
  const tables = [
    tableText(modelColumns, models),
    tableText(dayColumns, days),
    tableText(projectColumns, projects),
    tools.length === 0 ? "" : tableText(toolColumns, tools),
  ];
  return [overview, ...tables.filter((table) => table !== "")].join("\n");
}

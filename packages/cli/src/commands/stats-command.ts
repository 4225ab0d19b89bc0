/** `kedge stats`: what kedge used and cost on this machine, from local data only. */

import { aggregateUsage, startOfDays } from "@kedge/host";
import { stripTerminalControls, type UsageSummary } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, countText, shareText, tableText, unknownCostNote, usdText } from "../text-table.ts";

/** `--days` counts whole days in UTC, today included; everything without it. */
export async function runStatsCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(`kedge stats does not accept ${JSON.stringify(extra)}.`);
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
    writeNotice(`Session ${name} could not be read completely. Run kedge session verify ${name}.`);
  }
  writeResult(flags.json ? `${JSON.stringify({ ...filter, ...summary })}\n` : summaryText(summary));
  return exitCodes.success;
}

type Used = Pick<UsageSummary, "steps" | "usage" | "cost">;

const usedColumns: readonly Column<Used>[] = [
  { title: "steps", align: "right", text: ({ steps }) => countText(steps) },
  { title: "input", align: "right", text: ({ usage }) => countText(usage.input) },
  { title: "cache read", align: "right", text: ({ usage }) => countText(usage.cacheRead) },
  { title: "cache write", align: "right", text: ({ usage }) => countText(usage.cacheWrite) },
  { title: "output", align: "right", text: ({ usage }) => countText(usage.output) },
  { title: "cost", align: "right", text: ({ cost }) => usdText(cost) },
];

const modelColumns: readonly Column<UsageSummary["models"][number]>[] = [
  { title: "model", align: "left", text: ({ model }) => model },
  ...usedColumns,
  { title: "from cache", align: "right", text: ({ cacheHitShare }) => shareText(cacheHitShare) },
];

const dayColumns: readonly Column<UsageSummary["days"][number]>[] = [
  { title: "day (UTC)", align: "left", text: ({ day }) => day },
  ...usedColumns,
];

const projectColumns: readonly Column<UsageSummary["projects"][number]>[] = [
  { title: "project", align: "left", text: ({ directory }) => directory },
  { title: "sessions", align: "right", text: ({ sessions }) => countText(sessions) },
  ...usedColumns,
];

const toolColumns: readonly Column<UsageSummary["tools"][number]>[] = [
  { title: "tool", align: "left", text: ({ tool }) => tool },
  { title: "calls", align: "right", text: ({ calls }) => countText(calls) },
  { title: "success", align: "right", text: ({ successRate }) => shareText(successRate) },
  { title: "failed", align: "right", text: ({ failed }) => countText(failed) },
  { title: "refused", align: "right", text: ({ refused }) => countText(refused) },
  { title: "interrupted", align: "right", text: ({ interrupted }) => countText(interrupted) },
];

const besideNames: { readonly [Kind in UsageSummary["beside"][number]["kind"]]: string } = {
  compaction: "conversation summaries",
  title: "titles",
  summary: "work summaries",
  "branch-summary": "branch summaries",
  handoff: "handoffs",
  recall: "recalls",
  extraction: "extractions",
  consolidation: "consolidations",
};

function summaryText(summary: UsageSummary): string {
  const { sessions, steps, usage, cost, cacheHitShare, cacheMisses, beside, models, days, projects, tools } = summary;
  if (sessions === 0) return "No usage in this period.\n";
  const { input, cacheRead, cacheWrite, output } = usage;
  const overview = [
    `Sessions: ${countText(sessions)}, steps: ${countText(steps)}, cost: ${usdText(cost)}.\n`,
    `Tokens: ${countText(input + cacheRead + cacheWrite)} in, ${countText(output)} out; `,
    `${shareText(cacheHitShare)} of input from cache.\n`,
    cacheMisses.count === 0
      ? ""
      : `Cache misses: ${countText(cacheMisses.count)}, for ${usdText({ ...cacheMisses, estimated: cost.estimated })}.\n`,
    ...beside.map((one) => `Of that, ${besideNames[one.kind]}: ${countText(one.calls)}, for ${usdText(one.cost)}.\n`),
    cost.estimated ? unknownCostNote : "",
  ].join("");
  const tables = [
    tableText(modelColumns, models),
    tableText(dayColumns, days),
    tableText(projectColumns, projects),
    tools.length === 0 ? "" : tableText(toolColumns, tools),
  ];
  return [overview, ...tables.filter((table) => table !== "")].join("\n");
}

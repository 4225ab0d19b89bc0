/** `kedge cost why`: which turns of a session were expensive, and why. */
import { type CostReport, type CostRow, explainCost, mostExpensive } from "@kedge/host";
import { isUnknownCost, type SessionSummary, stripTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { findSession } from "../opening/find-session.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, countText, tableText, timeText, usdText } from "../text-table.ts";
import { costTexts } from "../texts/accounts.ts";

const expensiveTurnsMax = 5;

type AgentCost = NonNullable<CostReport["agents"]>[number];

/** After `why` stands an id, its beginning or a title; `last` or nothing means the newest session of the directory. */
export async function runCostCommand([action, target, extra]: readonly string[], flags: Flags): Promise<number> {
  if (action !== "why" || extra !== undefined) {
    const wrong = extra ?? action;
    const problem = wrong === undefined ? costTexts.noAction : costTexts.extraWord(JSON.stringify(wrong));
    writeNotice(costTexts.usage(problem));
    return exitCodes.usage;
  }
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { kedge, cwd } = outcome.started;
  const isNewest = target === undefined || target === "last";
  const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const found = await findSession(kedge.client, choice, cwd);
  if (!found.ok) {
    writeDiagnostic(failureText(found.failure));
    return exitCodes.error;
  }
  const report = await explainCost(kedge.client.facts(found.session.sessionId));
  const expensive = mostExpensive(report.rows, expensiveTurnsMax);
  if (flags.json) {
    const { sessionId, title } = found.session;
    const turns = expensive.map(({ turn }) => turn);
    writeResult(`${JSON.stringify({ sessionId, title, ...report, mostExpensiveTurns: turns })}\n`);
    return exitCodes.success;
  }
  writeResult(reportText(found.session, report, expensive));
  return exitCodes.success;
}

const columns: readonly Column<CostRow>[] = [
  { title: costTexts.turn, align: "right", text: ({ turn }) => countText(turn) },
  { title: costTexts.time, align: "left", text: ({ time }) => timeText(time) },
  { title: costTexts.model, align: "left", text: ({ model }) => model },
  { title: costTexts.input, align: "right", text: ({ usage }) => countText(usage.input) },
  { title: costTexts.cacheRead, align: "right", text: ({ usage }) => countText(usage.cacheRead) },
  { title: costTexts.cacheWrite, align: "right", text: ({ usage }) => countText(usage.cacheWrite) },
  { title: costTexts.output, align: "right", text: ({ usage }) => countText(usage.output) },
  { title: costTexts.reasoning, align: "right", text: ({ usage }) => countText(usage.reasoning) },
  { title: costTexts.cost, align: "right", text: ({ cost }) => usdText(cost) },
  { title: costTexts.why, align: "left", text: ({ causes }) => causes.join("; ") },
];

function reportText(session: SessionSummary, report: CostReport, expensive: readonly CostRow[]): string {
  const { rows, beside, cost, cacheMisses } = report;
  const heading = `${session.sessionId}  ${stripTerminalControls(session.title)}\n`;
  if (rows.length + beside.length === 0) return costTexts.noCalls(heading);
  const turns = expensive
    .filter((row) => !isUnknownCost(row.cost))
    .map((row) => `${row.turn} (${usdText(row.cost)})`)
    .join(", ");
  const summary = [
    costTexts.total(usdText(cost), rows.length),
    turns === "" ? "" : costTexts.mostExpensive(turns),
    ...beside.map((call) => costTexts.otherCall(call.kind, timeText(call.time), usdText(call.cost))),
    ...(report.agents ?? []).map(agentLine),
    missesText(cacheMisses, cost.estimated),
    ...rows.map(diffLine),
    cost.estimated ? costTexts.unknownCost : "",
  ];
  return `${heading}\n${tableText(columns, rows)}\n${summary.join("")}`;
}

function agentLine({ agentId, agent, name, description, turns, cost }: AgentCost): string {
  const who = stripTerminalControls(costTexts.agent(agent, name ?? agentId, description));
  return costTexts.ofAgent(who, usdText(cost), turns);
}

function missesText({ count, tokens, usd }: CostReport["cacheMisses"], estimated: boolean): string {
  if (count === 0) return costTexts.noMisses;
  const misses = count === 1 ? costTexts.oneMiss : costTexts.misses(countText(count));
  return costTexts.lost(usdText({ usd, estimated }), countText(tokens), misses);
}

function diffLine({ turn, cacheBreak }: CostRow): string {
  if (cacheBreak?.diffFile === undefined) return "";
  return costTexts.changed(turn, stripTerminalControls(cacheBreak.diffFile));
}

/** `/dream`, also `/memory consolidate`: merges and tidies up the topics now, and shows what that changes and costs. */
import type { FileChangeText } from "@kedge/memory/topics";
import { costText, counted, type Json, stripTerminalControls } from "@kedge/protocol";
import type { ConsolidationEnd } from "./background/consolidate-topics.ts";
import { failure, type MemoryAnswer } from "./memory-answer.ts";
import type { ProjectMemory } from "./open-memory.ts";

const dollarDigits = 4;

export async function dream(words: readonly string[], sessionId: string, memory: ProjectMemory): Promise<MemoryAnswer> {
  const { place, session } = memory;
  if (place.state !== "on") return failure(`Memory is off: ${place.why}.`);
  const isTrial = words.includes("--dry-run");
  if (words.some((word) => word !== "--dry-run")) return failure("Usage: /dream [--dry-run]");
  const end = await session?.consolidate(sessionId, { isTrial });
  if (end === undefined) return failure("Topics are consolidated in interactive sessions only.");
  switch (end.outcome) {
    case "busy":
      return failure("Another kedge process is consolidating this memory. Try again later.");
    case "stopped":
      return failure("Consolidation canceled. Nothing changed.");
    case "failed":
      return failure(`Consolidation failed: ${end.why}. Nothing changed.`);
    case "done":
      return {
        text: stripTerminalControls([doneText(end, isTrial), ...(await lintLines(memory))].join("\n")),
        data: dataOf(end),
      };
  }
}

type Done = Extract<ConsolidationEnd, { readonly outcome: "done" }>;

function doneText({ topics, logs, drafts, turns, changes, waiting, refused, cost }: Done, isTrial: boolean): string {
  const changed = changes.length === 0 ? "nothing changed" : counted(changes.length, "file");
  return [
    `Orient       ${counted(topics, "topic")}`,
    `Gather       ${counted(logs, "log")}, ${counted(turns, "model call")}`,
    `Consolidate  ${counted(drafts, "draft")}, ${waiting.length} waiting for review`,
    `Prune        ${changed}${isTrial ? " (dry run)" : ""}`,
    ...refused.map((sentence) => `Not done: ${sentence}`),
    ...changes.flatMap(diffLines),
    `Cost: ${costText(cost, (usd) => `$${usd.toFixed(dollarDigits)}`)}`,
    ...(changes.length > 0 && !isTrial ? ["To restore everything, run /memory undo."] : []),
  ].join("\n");
}

/** What is left for the user to look at. */
async function lintLines(memory: ProjectMemory): Promise<readonly string[]> {
  const { lintProject } = await import("./lint-project.ts");
  const { data } = await lintProject({ fix: false }, memory, await memory.openStore());
  const { errors, warnings } = data as { readonly errors: number; readonly warnings: number };
  if (errors + warnings === 0) return [];
  return [`Lint: ${counted(errors, "error")}, ${counted(warnings, "warning")}. Run /memory lint to see them.`];
}

/** Whole texts: topics are short. */
function diffLines({ path, before, after }: FileChangeText): readonly string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  const kept = new Set(old.filter((line) => next.includes(line)));
  const removed = old.filter((line) => !kept.has(line)).map((line) => `-${line}`);
  const added = next.filter((line) => !kept.has(line)).map((line) => `+${line}`);
  return [
    "",
    `--- ${before === null ? "/dev/null" : path}`,
    `+++ ${after === null ? "/dev/null" : path}`,
    ...removed,
    ...added,
  ];
}

function linesOf(text: string | null): readonly string[] {
  return text === null ? [] : text.trimEnd().split("\n");
}

function dataOf({ changes, waiting, refused, cost, turns }: Done): Json {
  return { paths: changes.map(({ path }) => path), waiting, refused, usd: cost.usd, turns };
}

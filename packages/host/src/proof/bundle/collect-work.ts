/** What the facts of a session say about its work: what was asked, what was run and how it ended. */
import { createHash } from "node:crypto";
import { type FactRecord, isJsonObject, type Json, type Reproduction } from "@kedge/protocol";
import type { ProvenCommand, ProvenGrade } from "./proof-bundle.ts";

export type CollectedWork = {
  readonly startedAt: number;
  readonly task: readonly string[];
  readonly reproductions: readonly Reproduction[];
  readonly grades: readonly ProvenGrade[];
  readonly commands: readonly ProvenCommand[];
  readonly usd: number;
  readonly isEstimated: boolean;
  readonly journal: { readonly seq: number; readonly hash: string };
};

/** Programs that say whether work is right. */
const checking =
  /\b(?:tests?|jest|vitest|mocha|pytest|unittest|tox|rspec|ctest|cargo|go (?:test|vet|build)|tsc|mypy|eslint|biome|lint|check|mvn|gradle|make|build)\b/;

/** Undefined for a session without any record. */
export async function collectWork(records: AsyncIterable<FactRecord>): Promise<CollectedWork | undefined> {
  const task: string[] = [];
  const reproductions = new Map<string, Reproduction>();
  const grades = new Map<string, ProvenGrade>();
  const inputs = new Map<string, string>();
  const ran: (Omit<ProvenCommand, "isCheck"> & { readonly seq: number })[] = [];
  let cost = { usd: 0, isEstimated: false };
  let last: FactRecord | undefined;
  let startedAt: number | undefined;
  let changedAt = 0;
  for await (const record of records) {
    const { fact, seq, time } = record;
    last = record;
    startedAt ??= time;
    switch (fact.type) {
      case "prompt.admitted":
        task.push(fact.text);
        break;
      case "reproduction.judged": {
        const { type: _, ...reproduction } = fact;
        reproductions.set(fact.id, reproduction);
        break;
      }
      case "tool.started":
        inputs.set(fact.callId, fact.inputText);
        break;
      case "files.changed":
        changedAt = seq;
        break;
      case "tool.ended": {
        const command = commandOf(fact.tool, inputs.get(fact.callId));
        const exitCode = fact.metadata?.["exitCode"];
        const isRun = typeof exitCode === "number" || exitCode === null;
        if (command !== undefined && isRun) ran.push({ command, exitCode, digest: digestOf(fact.output), seq });
        const grade = fact.tool === "grade_tests" ? gradeOf(fact.metadata?.["grade"]) : undefined;
        if (grade !== undefined) grades.set(grade.target, grade);
        break;
      }
      case "step.ended":
        cost = { usd: cost.usd + fact.cost.usd, isEstimated: cost.isEstimated || fact.cost.estimated };
        break;
    }
  }
  if (last === undefined || startedAt === undefined) return undefined;
  return {
    ...{ startedAt, task, ...cost },
    reproductions: [...reproductions.values()],
    grades: [...grades.values()],
    // The call that changes files has ended before the change is recorded, so it is none of the checks.
    commands: ran.map(({ seq, ...each }) => ({ ...each, isCheck: seq > changedAt && checking.test(each.command) })),
    journal: { seq: last.seq, hash: last.hash },
  };
}

function commandOf(tool: string, inputText: string | undefined): string | undefined {
  if (tool !== "bash" || inputText === undefined) return undefined;
  try {
    const input: unknown = JSON.parse(inputText);
    const command = isJsonObject(input) ? input["command"] : undefined;
    return typeof command === "string" ? command : undefined;
  } catch {
    // Its content was removed.
    return undefined;
  }
}

function gradeOf(value: Json | undefined): ProvenGrade | undefined {
  if (!isJsonObject(value)) return undefined;
  const { target, command, buildCommand, score, killed, valid } = value;
  if (typeof target !== "string" || typeof command !== "string") return undefined;
  if (typeof score !== "number" || typeof killed !== "number" || typeof valid !== "number") return undefined;
  return { target, command, score, killed, valid, ...(typeof buildCommand === "string" && { buildCommand }) };
}

function digestOf(output: string): string {
  return createHash("sha256").update(output).digest("hex");
}

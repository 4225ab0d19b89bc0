/** Findings of reviews: what finders return, and which of them are the same. */
import { isJsonObject, type Json, type JsonSchema } from "@kedge/protocol";

const severities = ["high", "medium", "low"] as const;

export type Finding = {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly severity: (typeof severities)[number];
  readonly category: string;
  /** What goes wrong in which situation. */
  readonly scenario: string;
  readonly fix: string;
  /** Those who found it. */
  readonly lenses: readonly string[];
};

export type JudgedFinding = Finding & { readonly confidence: number; readonly reason: string };

const text: JsonSchema = { type: "string" };
const line: JsonSchema = { type: "integer", minimum: 1 };

export const findingsSchema: JsonSchema = {
  type: "object",
  properties: {
    findings: {
      type: "array",
      maxItems: 50,
      items: {
        type: "object",
        properties: {
          ...{ file: text, line, endLine: line, category: text, scenario: text, fix: text },
          severity: { enum: [...severities] },
        },
        required: ["file", "line", "severity", "category", "scenario", "fix"],
      },
    },
  },
  required: ["findings"],
};

export const judgementSchema: JsonSchema = {
  type: "object",
  properties: { confidence: { type: "integer", minimum: 1, maximum: 10 }, reason: text },
  required: ["confidence", "reason"],
};

/** What does not have the form of a finding is left out: a model wrote it. */
export function readFindings(value: Json | undefined, lens: string): readonly Finding[] {
  const list = isJsonObject(value) ? value["findings"] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const { file, line: from, endLine, severity: given, category, scenario, fix } = item;
    const severity = severities.find((each) => each === given);
    if (typeof file !== "string" || typeof from !== "number" || severity === undefined) return [];
    if (typeof category !== "string" || typeof scenario !== "string") return [];
    const to = typeof endLine === "number" && endLine >= from ? endLine : from;
    const words = { category: category.trim().toLowerCase(), scenario, fix: typeof fix === "string" ? fix : "" };
    return [{ file: file.replace(/^\.\//, ""), line: from, endLine: to, severity, ...words, lenses: [lens] }];
  });
}

/** The same file, lines that overlap and the same category are one finding of several lenses. */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  const merged: Finding[] = [];
  for (const finding of findings) {
    const index = merged.findIndex((each) => isSame(each, finding));
    const known = merged[index];
    if (known === undefined) merged.push(finding);
    else merged[index] = together(known, finding);
  }
  return merged;
}

function isSame(left: Finding, right: Finding): boolean {
  const overlaps = left.line <= right.endLine && right.line <= left.endLine;
  return left.file === right.file && overlaps && left.category === right.category;
}

function together(left: Finding, right: Finding): Finding {
  const graver = severities.indexOf(right.severity) < severities.indexOf(left.severity) ? right : left;
  return {
    ...graver,
    line: Math.min(left.line, right.line),
    endLine: Math.max(left.endLine, right.endLine),
    lenses: [...new Set([...left.lenses, ...right.lenses])],
  };
}

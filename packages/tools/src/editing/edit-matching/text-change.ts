/** Replacements in one file as one change: planned in order on one text, reported with how each place was found. */
import type { JsonObject, ToolOutput } from "@kedge/protocol";
import type { Plan, Planned } from "../file-change.ts";
import { describeGenerated } from "../generated-files.ts";
import { describeFinding, type Finding, planReplacement, type Replacement } from "./plan-replacement.ts";
import { lineNumberAt } from "./text-lines.ts";

export type TextChange = {
  /** May run several times; the last run is the one that was written. */
  readonly plan: Plan;
  /** Adds to a result what the model and the clients should know of the last plan. */
  report(output: ToolOutput): ToolOutput;
};

export type TextChangeOptions = {
  readonly filePath: string;
  readonly fuzzy: boolean;
  readonly blockGenerated: boolean;
};

export function createTextChange(replacements: readonly Replacement[], options: TextChangeOptions): TextChange {
  let findings: readonly Finding[] = [];
  let metadata: JsonObject = {};
  return {
    plan(before) {
      const generated =
        before !== undefined && options.blockGenerated ? describeGenerated(options.filePath, before.text) : undefined;
      if (generated !== undefined) return { ok: false, problem: generated };
      const found: Finding[] = [];
      let text = before?.text;
      for (const [index, replacement] of replacements.entries()) {
        const planned = planNext(text, replacement, options);
        if (!planned.ok) return refuse(planned.problem, index, replacements.length);
        text = planned.after;
        if (planned.finding !== undefined) found.push(planned.finding);
      }
      const after = text ?? "";
      if (after === before?.text) return { ok: false, problem: "The edits undo each other; nothing would change." };
      findings = found;
      metadata = describeChange(before?.text, after);
      return { ok: true, after };
    },
    report(output) {
      if (output.isError === true) return output;
      const similarity = Math.min(1, ...findings.map((finding) => finding.similarity));
      const warnings = findings.map(describeFinding).filter((warning) => warning !== undefined);
      return {
        ...output,
        output: warnings.length === 0 ? output.output : `${output.output}\nWarnings:\n- ${warnings.join("\n- ")}`,
        metadata: {
          ...output.metadata,
          ...metadata,
          ...(warnings.length > 0 && { strategies: findings.map(({ strategy }) => strategy) }),
          ...(similarity < 1 && { similarity }),
        },
      };
    },
  };
}

type PlannedNext =
  | { readonly ok: true; readonly after: string; readonly finding?: Finding }
  | { readonly ok: false; readonly problem: string };

function planNext(text: string | undefined, replacement: Replacement, options: TextChangeOptions): PlannedNext {
  const { oldString, newString } = replacement;
  const refused = (problem: string): PlannedNext => ({ ok: false, problem });
  if (oldString === newString) return refused("oldString and newString are equal; nothing would change.");
  if (text === undefined) {
    if (oldString === "") return { ok: true, after: newString };
    return refused(`${options.filePath} does not exist; use an empty oldString to create it.`);
  }
  if (oldString === "")
    return refused(`${options.filePath} exists already; give the text to replace, or use write to replace all of it.`);
  return planReplacement(text, replacement, options);
}

function refuse(problem: string, index: number, count: number): Planned {
  if (count === 1) return { ok: false, problem };
  return { ok: false, problem: `Edit ${index + 1} of ${count} fails, so none is made. ${problem}` };
}

function describeChange(before: string | undefined, after: string): JsonObject {
  if (before === undefined) return { op: "create", firstChangedLine: 1 };
  let offset = 0;
  while (offset < before.length && before[offset] === after[offset]) offset += 1;
  return { op: "update", firstChangedLine: lineNumberAt(after, offset) };
}

/** Replacements in one file as one change: planned in order on one text, with how each place was found. */
import type { Plan, Planned } from "../file-change.ts";
import { describeGenerated } from "../generated-files.ts";
import { asInFile, describeRedactedSearch } from "../seen-text.ts";
import { describeFinding, type Finding, planReplacement, type Replacement } from "./plan-replacement.ts";

export type TextChangeOptions = {
  readonly filePath: string;
  readonly fuzzy: boolean;
  /** Of a match that is less similar a person is warned. */
  readonly fuzzyThreshold: number;
  readonly blockGenerated: boolean;
};

export function planTextChange(replacements: readonly Replacement[], options: TextChangeOptions): Plan {
  return (before) => {
    const generated =
      before !== undefined && options.blockGenerated ? describeGenerated(options.filePath, before.text) : undefined;
    if (generated !== undefined) return { ok: false, problem: generated };
    const findings: Finding[] = [];
    let text = before?.text;
    for (const [index, replacement] of replacements.entries()) {
      const planned = planNext(text, replacement, options);
      if (!planned.ok) return refuse(planned.problem, index, replacements.length);
      text = planned.after;
      if (planned.finding !== undefined) findings.push(planned.finding);
    }
    const after = text ?? "";
    if (after === before?.text) return { ok: false, problem: "The edits undo each other; nothing would change." };
    return { ok: true, after, ...tellFindings(findings, options) };
  };
}

function tellFindings(findings: readonly Finding[], { filePath, fuzzyThreshold }: TextChangeOptions) {
  const warnings = findings.map(describeFinding).filter((warning) => warning !== undefined);
  const [least] = findings.toSorted((left, right) => left.similarity - right.similarity);
  if (warnings.length === 0 || least === undefined) return {};
  const percent = Math.floor(least.similarity * 100);
  return {
    warnings,
    metadata: {
      strategies: findings.map(({ strategy }) => strategy),
      ...(least.similarity < 1 && { similarity: least.similarity }),
    },
    ...(least.similarity < fuzzyThreshold && {
      caution: `What is replaced in ${filePath} from line ${least.firstLine} is only ${percent} % like the text that was given; look at the diff.`,
    }),
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
  if (oldString === "" && text === "") return { ok: true, after: newString };
  if (oldString === "")
    return refused(`${options.filePath} exists already; give the text to replace, or use write to replace all of it.`);
  const redacted = describeRedactedSearch(options.filePath, text, oldString);
  if (redacted !== undefined) return refused(redacted);
  const meant = { oldString: asInFile(oldString, text), newString: asInFile(newString, text) };
  return planReplacement(text, { ...replacement, ...meant }, options);
}

function refuse(problem: string, index: number, count: number): Planned {
  if (count === 1) return { ok: false, problem };
  return { ok: false, problem: `Edit ${index + 1} of ${count} failed, so no edit was applied. ${problem}` };
}

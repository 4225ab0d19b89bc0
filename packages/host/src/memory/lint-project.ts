/** Lints the memory of a project against its checkout, and repairs what needs no decision. */
import { readFileSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { dayText, type LintFinding, lintMemory, type MemoryStore } from "@kedge/memory/topics";
import { type Json, stripTerminalControls } from "@kedge/protocol";
import type { MemoryAnswer } from "./memory-answer.ts";

const fileBytesMax = 10_485_760;

export type LintPlace = {
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly project: { readonly root: string };
};

/** With the counts in words; empty where nothing is wrong. */
export type LintAnswer = MemoryAnswer & { readonly counts: string };

/** A failure where an error is left. */
export async function lintProject(
  { fix }: { readonly fix: boolean },
  place: LintPlace,
  store: MemoryStore,
): Promise<LintAnswer> {
  const repaired = fix ? await store.repair() : [];
  if (fix) await store.reindex();
  const { redact, now, project } = place;
  const linesOf = (path: string) => linesIn(path, project.root);
  const findings = lintMemory(await store.read(), { redact, today: dayText(now()), linesOf });
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const data: Json = {
    directory: store.directory,
    findings: findings.map((each) => ({ ...each })),
    errors,
    warnings,
    repaired,
  };
  const lines = [
    ...repaired.map((path) => `repaired  ${path}`),
    ...findings.map(findingLine),
    countLine(errors, warnings),
  ];
  const counts = findings.length === 0 ? "" : countLine(errors, warnings);
  return { text: stripTerminalControls(lines.join("\n")), data, counts, ...(errors > 0 && { isFailure: true }) };
}

function findingLine({ severity, kind, file, line, message, fixable }: LintFinding): string {
  const where = line === undefined ? file : `${file}:${line}`;
  return `${severity.padEnd(8)}  ${where}  ${message} [${kind}${fixable ? ", fixable" : ""}]`;
}

function countLine(errors: number, warnings: number): string {
  if (errors + warnings === 0) return "No problems found.";
  return `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
}

/** Undefined where the checkout has no such file. */
function linesIn(path: string, root: string): number | undefined {
  const whole = resolve(root, path);
  if (!whole.startsWith(root + sep)) return undefined;
  const stats = statSync(whole, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  return stats.size > fileBytesMax ? Number.POSITIVE_INFINITY : readFileSync(whole, "utf8").split("\n").length;
}

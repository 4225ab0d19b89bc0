/** Diagnostics as lines for the model: one each, errors first, at most so many, and nothing twice. */
import type { Diagnostic } from "vscode-languageserver-protocol";

export type Found = { readonly path: string; readonly server: string; readonly diagnostic: Diagnostic };

const severities: readonly string[] = ["error", "error", "warning", "information", "hint"];
const messageCharactersMax = 400;

/** `paths` of the lines are those that `shorten` makes of the absolute ones. */
export function diagnosticLines(
  found: readonly Found[],
  { max, shorten }: { readonly max: number; readonly shorten: (path: string) => string },
): readonly string[] {
  const sorted = [...found].sort(
    (left, right) =>
      severityOf(left) - severityOf(right) ||
      (left.path < right.path ? -1 : left.path > right.path ? 1 : 0) ||
      startOf(left).line - startOf(right).line ||
      startOf(left).character - startOf(right).character,
  );
  const lines = [...new Set(sorted.map((each) => lineOf(each, shorten)))];
  if (lines.length <= max) return lines;
  return [...lines.slice(0, max - 1), `… and ${lines.length - max + 1} more`];
}

/** Warnings count too; hints about style would only be noise after an edit. */
export function isWorthTelling({ severity }: Diagnostic): boolean {
  return (severity ?? 1) <= 2;
}

function lineOf(found: Found, shorten: (path: string) => string): string {
  const { diagnostic, path, server } = found;
  const { line, character } = startOf(found);
  const source = [diagnostic.source ?? server, diagnostic.code]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
  const severity = severities[severityOf(found)] ?? "error";
  return `${shorten(path)}:${line + 1}:${character + 1} ${severity}: ${messageOf(diagnostic)} (${source})`;
}

function severityOf({ diagnostic }: Found): number {
  return diagnostic.severity ?? 1;
}

function startOf({ diagnostic }: Found): { readonly line: number; readonly character: number } {
  return diagnostic.range.start;
}

/** One line; what a server says of code that strangers wrote is data. */
function messageOf({ message }: Diagnostic): string {
  const text = (typeof message === "string" ? message : message.value).replaceAll(/\s+/g, " ").trim();
  return text.length > messageCharactersMax ? `${text.slice(0, messageCharactersMax)}…` : text;
}

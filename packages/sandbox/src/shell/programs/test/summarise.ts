/** Writes a command and what is known about it as one short line, so that tables of cases stay readable. */
import type { ProgramInsight, ShellCommand, ShellInput, ShellWord } from "../../shell-command.ts";
import { lookIntoProgram } from "../look-into-program.ts";

export const place = { root: "/home/dev/proj", home: "/home/dev" };

/** Blanks separate words; quotes and backslashes as in a shell; `$name` is unknown; `<<<text` is the input, `|` a pipe. */
export function parseLine(line: string): ShellCommand {
  const words: ShellWord[] = [];
  let input: ShellInput = { kind: "inherited" };
  for (const [part] of line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)) {
    const text = part.replace(
      /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
      (_, escaped, double, single) => escaped ?? double ?? single,
    );
    const bare = part.replace(/\\.|'[^']*'/gs, "");
    const isUnquoted = (pattern: RegExp) => pattern.test(bare.replace(/"[^"]*"/g, ""));
    const isUnknown = /[$`]/.test(bare);
    if (part === "|") input = { kind: "output" };
    else if (part.startsWith("<<<")) input = { kind: "text", text: text.slice(3) };
    else {
      const isGlob = !isUnknown && isUnquoted(/[*?[]/) && words.length > 0;
      words.push({ text, isLiteral: !isUnknown && !isGlob, isSplit: isGlob || isUnquoted(/[$`]/), isGlob });
    }
  }
  return { words, assignments: [], directory: place.root, input };
}

export function look(line: string): ProgramInsight {
  return lookIntoProgram(parseLine(line), place);
}

export function summarise(line: string): string {
  const insight = look(line);
  const parts: string[] = [];
  if (insight.isTransparent) parts.push("transparent");
  for (const inner of insight.inner) {
    if (inner.kind === "words") parts.push(`starts(${inner.words.map((word) => word.text).join(" ")})`);
    else parts.push(inner.kind === "script" ? `code(${inner.text})` : "hidden");
  }
  for (const risk of insight.riskyOptions) parts.push(`risk(${risk.spellings.join(" ")})`);
  for (const file of insight.files) {
    parts.push(
      `${file.access}(${file.path ?? file.word.text}${file.from === undefined ? "" : ` from ${file.from.text}`})`,
    );
  }
  for (const { name } of insight.assigned) parts.push(`sets(${name})`);
  if (insight.concerns.length > 0) parts.push("concern");
  if (insight.unknown !== undefined) parts.push("unknown");
  if (insight.guard !== undefined) parts.push("guard");
  if (insight.outward !== undefined) parts.push("outward");
  if (insight.movesTo !== undefined) parts.push(`to(${insight.movesTo.word?.text ?? "?"})`);
  if (insight.readOnly) parts.push("looks");
  return parts.join(" ");
}

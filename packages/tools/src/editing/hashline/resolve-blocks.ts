/** Replaces operations on syntax blocks by operations on lines, and says what became of each. */
import { describeWarning } from "./guidance.ts";
import { linesOf } from "./lines.ts";
import {
  type BlockOperation,
  type Operation,
  type PlainOperation,
  type Rejected,
  reject,
  spellRange,
} from "./operations.ts";
import { checkLine } from "./plan-changes.ts";
import { tagRow } from "./render-tagged.ts";

export type BlockSpan =
  | { readonly ok: true; readonly first: number; readonly last: number }
  /** The detail is a sentence for the model. */
  | { readonly ok: false; readonly reason: string; readonly detail?: string };

/** Finds the lines of the syntax block that begins on a line. The text has line feeds only. */
export type ResolveBlock = (path: string, text: string, line: number) => Promise<BlockSpan>;

export type ResolvedOperations = {
  readonly ok: true;
  readonly operations: readonly PlainOperation[];
  /** One row per block: what it was found to be. */
  readonly echoes: readonly string[];
  readonly warnings: readonly string[];
};

export type BlockInput = {
  readonly path: string;
  /** The tagged version, normalised. */
  readonly text: string;
  readonly operations: readonly Operation[];
  readonly resolveBlock: ResolveBlock | undefined;
};

export async function resolveBlocks(input: BlockInput): Promise<ResolvedOperations | Rejected> {
  const operations: PlainOperation[] = [];
  const echoes: string[] = [];
  const warnings: string[] = [];
  const lines = linesOf(input.text);
  for (const operation of input.operations) {
    if (operation.kind !== "block") {
      operations.push(operation);
      continue;
    }
    const { verb, row, line, body } = operation;
    const beyond = checkLine(line, row, lines.length);
    if (beyond !== undefined) return beyond;
    if (verb === "INS.BLK.POST" && isCloser(lines[line - 1] ?? "")) {
      warnings.push(describeWarning("closerLine", { row: `${row}`, line: `${line}` }));
      operations.push({ kind: "insert", verb: "INS.POST", row, line, body });
      continue;
    }
    const span = await findSpan(input, line);
    if (!span.ok) return refuseBlock(operation, span.detail ?? span.reason, lines);
    operations.push(toPlain(operation, span));
    echoes.push(echoBlock(operation, span));
  }
  return { ok: true, operations, echoes, warnings };
}

async function findSpan({ path, text, resolveBlock }: BlockInput, line: number): Promise<BlockSpan> {
  if (resolveBlock === undefined) return { ok: false, reason: "Blocks cannot be found here." };
  return resolveBlock(path, text, line);
}

function isCloser(line: string): boolean {
  const closer = line.trim();
  return /^[)\]}][)\]};,]*$/.test(closer);
}

function toPlain(
  { verb, row, body }: BlockOperation,
  { first, last }: { first: number; last: number },
): PlainOperation {
  switch (verb) {
    case "SWAP.BLK":
      return { kind: "replace", verb: "SWAP", row, first, last, body };
    case "DEL.BLK":
      return { kind: "replace", verb: "DEL", row, first, last, body };
    case "INS.BLK.POST":
      return { kind: "insert", verb: "INS.POST", row, line: last, body };
  }
}

function echoBlock({ verb, line }: BlockOperation, span: { readonly first: number; readonly last: number }): string {
  const count = span.last - span.first + 1;
  const lines = count === 1 ? `line ${span.first} (1 line)` : `lines ${spellRange(span)} (${count} lines)`;
  const landed = verb === "INS.BLK.POST" ? `, body after line ${span.last}` : "";
  return `${verb} ${line}: ${lines}${landed}`;
}

const contextLines = 2;

function refuseBlock({ verb, row, line }: BlockOperation, reason: string, lines: readonly string[]): Rejected {
  const plain = { "SWAP.BLK": `SWAP ${line}.=M:`, "DEL.BLK": `DEL ${line}.=M`, "INS.BLK.POST": "INS.POST M:" }[verb];
  const first = Math.max(1, line - contextLines);
  const context = lines
    .slice(first - 1, line + contextLines)
    .map((text, index) => tagRow(first + index, text, first + index === line ? "*" : " "))
    .join("\n");
  return reject("blockUnresolved", row, { verb, line: `${line}`, reason: endSentence(reason), plain, context });
}

function endSentence(reason: string): string {
  return reason.endsWith(".") ? reason : `${reason}.`;
}

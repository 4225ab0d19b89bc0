/** Rewrites files in memory: reads each, leaves out what cannot match or does not parse, and writes nothing. */
import { setImmediate } from "node:timers/promises";
import { findGeneratedMark } from "../editing/generated-files.ts";
import { loadText } from "../file-content.ts";
import type { Grammars } from "./grammars.ts";
import { mayMatch } from "./match.ts";
import { type Operation, type Rewritten, rewrite } from "./rewrite.ts";
import type { SourceFile } from "./source-files.ts";

export type RewrittenFile = SourceFile & {
  readonly contentHash: string;
  readonly rewritten: Rewritten;
  /** The new text has a syntax error that the old one had not. */
  readonly isBroken: boolean;
};

export type RewrittenFiles = {
  /** Those in which something is replaced. */
  readonly files: readonly RewrittenFile[];
  readonly skipped: readonly { readonly path: string; readonly problem: string }[];
};

export type RewriteOptions = {
  readonly signal: AbortSignal;
  readonly filesMax: number;
  /** Leaves out files that a program wrote. */
  readonly blockGenerated: boolean;
};

export const replacementsMax = 5_000;

export async function rewriteFiles(
  grammars: Grammars,
  sources: readonly SourceFile[],
  operations: ReadonlyMap<string, readonly Operation[]>,
  options: RewriteOptions,
): Promise<RewrittenFiles | "interrupted" | "too-many"> {
  const files: RewrittenFile[] = [];
  let count = 0;
  const skipped: { path: string; problem: string }[] = [];
  for (const source of sources) {
    // Parsing holds the thread; between two files an interruption can be heard.
    await setImmediate();
    if (options.signal.aborted) return "interrupted";
    const result = await rewriteFile(grammars, source, operations.get(source.row.language) ?? [], options);
    if (result === undefined) continue;
    if ("problem" in result) {
      skipped.push({ path: source.path, problem: result.problem });
      continue;
    }
    files.push(result);
    count += result.rewritten.replacements.length;
    if (files.length > options.filesMax || count > replacementsMax) return "too-many";
  }
  return { files, skipped };
}

async function rewriteFile(
  grammars: Grammars,
  source: SourceFile,
  operations: readonly Operation[],
  { blockGenerated }: RewriteOptions,
): Promise<RewrittenFile | { readonly problem: string } | undefined> {
  const loaded = loadText(source.path);
  if (loaded.kind === "missing") return undefined;
  if (loaded.kind === "refused") return { problem: "it is not UTF-8 text, or too large" };
  const { text, contentHash } = loaded;
  const possible = operations.filter(({ pattern }) => mayMatch(pattern, text));
  if (possible.length === 0) return undefined;
  const parsed = await grammars.parse(source.row, text);
  if (!parsed.ok) return { problem: parsed.detail };
  if (parsed.root.hasError) return { problem: "it has a syntax error" };
  const rewritten = rewrite(parsed.root, text, possible);
  if (rewritten.after === text) return undefined;
  const mark = blockGenerated ? findGeneratedMark(text) : undefined;
  if (mark !== undefined) return { problem: `it is a generated file (its header says "${mark.name}")` };
  const again = await grammars.parse(source.row, rewritten.after);
  return { ...source, contentHash, rewritten, isBroken: !again.ok || again.root.hasError };
}

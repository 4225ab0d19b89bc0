/** The `ast_edit` tool: previews a structural rewrite of many files and leaves it pending until it is resolved. */
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { needEntries } from "../searching/search-place.ts";
import { parseInput } from "../tool-input.ts";
import { shortPath } from "../tool-path.ts";
import type { PendingEdits } from "./pending-edits.ts";
import { newOperation, type Operation } from "./rewrite.ts";
import { type RewrittenFile, replacementsMax, rewriteFiles } from "./rewrite-files.ts";
import { compileForFiles, entriesOf, findSources, type SourceFile, type SourceParts } from "./source-files.ts";

export type AstEditInput = {
  readonly ops: readonly { readonly pat: string; readonly out: string }[];
  readonly paths: readonly string[];
};

export type AstEditParts = SourceParts & {
  readonly pendingEdits: PendingEdits;
  /** How many files one call may change. */
  readonly astFilesMax?: number;
  /** Generated files are left out unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    ops: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: { pat: { type: "string", minLength: 1 }, out: { type: "string" } },
        required: ["pat", "out"],
      },
    },
    paths: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 },
  },
  required: ["ops", "paths"],
};

const filesMaxDefault = 1_000;
const skippedRowsMax = 20;
const previewCharactersMax = 120;

export function createAstEditTool(parts: AstEditParts): Tool<AstEditInput> {
  return {
    name: "ast_edit",
    description: textBeside(import.meta.url, "./ast-edit.md"),
    inputSchema,
    searchHint: "structural rewrite, codemod, refactor many files by syntax tree pattern",
    resultCharactersMax: 20_000,
    parse: (input) => parseInput<AstEditInput>(inputSchema, input),
    needs: (input, cwd) => needEntries("grep", entriesOf(input.paths, cwd), cwd),
    // The preview changes no file; what applies it asks for the right to.
    readOnly: () => true,
    concurrencySafe: () => false,
    run: (input, context) => preview(parts, input, context),
    runEnded: () => parts.pendingEdits.clear(),
  };
}

async function preview(parts: AstEditParts, input: AstEditInput, context: ToolContext): Promise<ToolOutput> {
  const title = input.ops.map(({ pat }) => pat).join("; ");
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const sources = await findSources(parts, input.paths, context);
  if (!sources.ok) return refuse(sources.problem);
  const compiled = await compileOperations(parts, input, sources.files);
  if (!compiled.ok) return refuse(compiled.problem);

  const filesMax = parts.astFilesMax ?? filesMaxDefault;
  const options = { signal: context.signal, filesMax, blockGenerated: parts.blockGenerated?.() ?? true };
  const result = await rewriteFiles(parts.grammars, sources.files, compiled.operations, options);
  if (result === "interrupted") return refuse("Interrupted; nothing was written.");
  if (result === "too-many")
    return refuse(`More than ${replacementsMax} replacements or ${filesMax} files would change; narrow the paths.`);
  const { files, skipped } = result;
  const count = files.reduce((sum, { rewritten }) => sum + rewritten.replacements.length, 0);
  const notes = [...compiled.notes, ...sources.notes, ...showSkipped(skipped, context.cwd)];
  const metadata = { count, files: files.length, skipped: skipped.length };
  if (count === 0) return { output: ["Nothing matches; nothing is pending.", ...notes].join("\n"), title, metadata };

  const id = parts.pendingEdits.add({ owner: context.files, operations: compiled.operations, files });
  const head = `Preview ${id}: ${count} replacements in ${files.length} files. Nothing is written yet; call resolve with id "${id}" and action "apply" or "discard".`;
  return {
    output: [head, ...files.flatMap((file) => showFile(file, context.cwd)), ...notes].join("\n"),
    title,
    metadata: { ...metadata, pending: id },
  };
}

type CompiledOperations =
  | {
      readonly ok: true;
      readonly operations: ReadonlyMap<string, readonly Operation[]>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** The operations of each language. */
async function compileOperations(
  { grammars }: SourceParts,
  { ops }: AstEditInput,
  files: readonly SourceFile[],
): Promise<CompiledOperations> {
  const operations = new Map<string, Operation[]>();
  const notes: string[] = [];
  const patterns = ops.map(({ pat }) => pat.trim());
  const double = patterns.find((pat, index) => patterns.indexOf(pat) !== index);
  if (double !== undefined) return { ok: false, problem: `Two ops have the pattern ${double}; keep one of them.` };
  for (const { pat, out } of ops) {
    const compiled = await compileForFiles(grammars, files, pat);
    if (!compiled.ok) return compiled;
    notes.push(...compiled.notes);
    for (const [language, pattern] of compiled.patterns) {
      const operation = newOperation(pattern, out);
      if ("problem" in operation) return { ok: false, problem: operation.problem };
      operations.set(language, [...(operations.get(language) ?? []), operation]);
    }
  }
  return { ok: true, operations, notes };
}

function showFile({ path, rewritten, isBroken }: RewrittenFile, cwd: string): readonly string[] {
  const { replacements, nested } = rewritten;
  return [
    shortPath(path, cwd),
    ...replacements.flatMap(({ line, before, after }) => [
      `  ${line}: - ${firstLine(before)}`,
      `  ${" ".repeat(String(line).length)}  + ${firstLine(after)}`,
    ]),
    ...(nested > 0 ? [`  (${nested} matches inside of these stay; run again after applying)`] : []),
    ...(isBroken ? ["  (warning: the result does not parse; check `out`)"] : []),
  ];
}

function firstLine(code: string): string {
  const [line = ""] = code.split(/\r?\n/, 1);
  if (line.length > previewCharactersMax) return `${line.slice(0, previewCharactersMax)}…`;
  return line.length < code.length ? `${line} …` : line;
}

function showSkipped(skipped: readonly { path: string; problem: string }[], cwd: string): readonly string[] {
  if (skipped.length === 0) return [];
  const more = skipped.length - skippedRowsMax;
  const rows = skipped.slice(0, skippedRowsMax).map(({ path, problem }) => `  ${shortPath(path, cwd)}: ${problem}`);
  return ["Skipped:", ...rows, ...(more > 0 ? [`  … and ${more} more`] : [])];
}

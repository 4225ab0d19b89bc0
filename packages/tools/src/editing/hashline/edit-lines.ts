/** The `edit_lines` tool: changes files by the line numbers of a tagged version. */
import { resolve } from "node:path";
import type { JsonSchema, Need, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../../tool-input.ts";
import { needPath } from "../../tool-path.ts";
import { lockAll } from "../change-guards.ts";
import { writeSteps } from "../write-steps.ts";
import { describeMismatch } from "./guidance.ts";
import { parseEdit } from "./parse-edit.ts";
import { type EditParts, type PreparedFile, prepareEdit } from "./prepare-edit.ts";
import { hasEffect, previewEdit, reportEdit, reportNoop, titleOf } from "./report-edit.ts";

export type EditLinesInput = { readonly input: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { input: { type: "string", minLength: 1 } },
  required: ["input"],
};

/** What the checks before the permission step found, by the same input that is run later. */
type Checked = ReadonlyMap<string, PreparedFile>;

export function createEditLinesTool(parts: EditParts): Tool<EditLinesInput> {
  const checkedInputs = new WeakMap<EditLinesInput, Checked>();

  return {
    name: "edit_lines",
    description: textBeside(import.meta.url, "./edit-lines.md"),
    inputSchema,
    editModes: ["hashline"],
    resultCharactersMax: 16_000,
    parse: (input) => parseInput<EditLinesInput>(inputSchema, input),
    async validate(input, context) {
      const prepared = await prepareEdit(input.input, context, parts);
      if (!prepared.ok) return prepared.problem;
      checkedInputs.set(input, new Map(prepared.files.map((file) => [file.path, file])));
      return undefined;
    },
    needs: (input, cwd) => listNeeds(input.input, cwd, checkedInputs.get(input)),
    async preview(input, context) {
      const prepared = await prepareEdit(input.input, context, parts);
      return prepared.ok ? previewEdit(prepared.files) : undefined;
    },
    readOnly: () => false,
    concurrencySafe: () => false,
    run: (input, context) => runEdit(input, checkedInputs.get(input), context, parts),
  };
}

function listNeeds(input: string, cwd: string, checked: Checked | undefined): readonly Need[] {
  const parsed = parseEdit(input);
  // Validation has refused such an input, and running it would refuse it again.
  if (!parsed.ok) return [];
  const paths = new Set(parsed.sections.map(({ path }) => resolve(cwd, path)));
  const needs = [...paths].flatMap((path) => needPath("edit", "write", path, cwd));
  const merged = [...(checked?.values() ?? [])].filter((file) => file.recovery === "external");
  return [...needs, ...merged.flatMap((file) => needMerge(file, cwd))];
}

/** Nobody has seen the outcome of a merge with foreign changes, so leave to edit files does not cover it. */
function needMerge({ path, name }: PreparedFile, cwd: string): readonly Need[] {
  return needPath("edit_merge", "write", path, cwd).map((need) => ({ ...need, patterns: [name], always: [] }));
}

async function runEdit(
  { input }: EditLinesInput,
  checked: Checked | undefined,
  context: ToolContext,
  parts: EditParts,
): Promise<ToolOutput> {
  const prepared = await prepareEdit(input, context, parts);
  if (!prepared.ok) return { output: prepared.problem, isError: true, title: "edit_lines" };
  const paths = prepared.files.map(({ path }) => path).sort();
  return lockAll(paths, context.files, async () => {
    const refuse = (problem: string): ToolOutput => ({
      output: problem,
      isError: true,
      title: titleOf(prepared.files),
    });
    if (context.signal.aborted) return refuse("Interrupted before anything was written.");
    // Again, now that no other call can change the files.
    const final = await prepareEdit(input, context, parts);
    if (!final.ok) return refuse(final.problem);
    const { files, warnings } = final;
    const moved = files.find((file) => !paths.includes(file.path) || isOutdated(file, checked));
    if (moved !== undefined) return refuse(describeMismatch("moved", { path: moved.name }));
    const changed = files.filter(hasEffect);
    if (changed.length === 0) return reportNoop(files, parts.versions);
    const problem = await writeSteps(changed.map(toStep), context);
    if (problem !== undefined) return refuse(problem);
    for (const { path } of changed) parts.versions.clearNoops(path);
    return reportEdit(files, warnings, parts.versions);
  });
}

/** What was approved is this result on this content and no other. */
function isOutdated(file: PreparedFile, checked: Checked | undefined): boolean {
  if (checked === undefined) return false;
  const approved = checked.get(file.path);
  return approved?.before.contentHash !== file.before.contentHash || approved.after !== file.after;
}

function toStep({ path, before, after }: PreparedFile) {
  return { kind: "replace", path, before, after } as const;
}

/** The `edit_lines` tool: changes files by the line numbers of a tagged version. */
import { resolve } from "node:path";
import type { JsonSchema, Need, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../../tool-input.ts";
import { needPath } from "../../tool-path.ts";
import { lockAll } from "../change-guards.ts";
import { withUpkeep } from "../file-upkeep.ts";
import { writeSteps } from "../write-steps.ts";
import { changesBetween } from "./changes-between.ts";
import { describeMismatch, describeRecoveryAhead } from "./guidance.ts";
import { normaliseText } from "./lines.ts";
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
    needs: (input, cwd) => listNeeds(input.input, cwd),
    async preview(input, context) {
      const prepared = await prepareEdit(input.input, context, parts);
      return prepared.ok ? previewEdit(prepared.files) : undefined;
    },
    async caution(input, context) {
      const checked = checkedInputs.get(input);
      if (checked !== undefined) return describeMerges([...checked.values()]);
      const prepared = await prepareEdit(input.input, context, parts);
      return prepared.ok ? describeMerges(prepared.files) : undefined;
    },
    readOnly: () => false,
    concurrencySafe: () => false,
    run: (input, context) => runEdit(input, checkedInputs.get(input), context, parts),
  };
}

function listNeeds(input: string, cwd: string): readonly Need[] {
  const parsed = parseEdit(input);
  // Validation has refused such an input, and running it would refuse it again.
  if (!parsed.ok) return [];
  const paths = new Set(parsed.sections.map(({ path }) => resolve(cwd, path)));
  return [...paths].flatMap((path) => needPath("edit", "write", path, cwd));
}

/** Nobody has seen the outcome of a merge with foreign changes. */
function describeMerges(files: readonly PreparedFile[]): string | undefined {
  const merged = files.filter(({ recovery }) => recovery === "external");
  if (merged.length === 0) return undefined;
  return merged.map(({ name, tag }) => describeRecoveryAhead("external", { path: name, old: tag })).join(" ");
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
    const again = await prepareEdit(input, context, parts);
    if (!again.ok) return refuse(again.problem);
    const { files, warnings } = again;
    const moved = files.find((file) => !paths.includes(file.path) || isOutdated(file, checked));
    if (moved !== undefined) return refuse(describeMismatch("moved", { path: moved.name }));
    const changed = files.filter(hasEffect);
    if (changed.length === 0) return reportNoop(files, parts.versions);
    const written = await writeSteps(changed.map(toStep), context);
    if (!written.ok) return refuse(written.problem);
    for (const { path } of changed) parts.versions.clearNoops(path);
    const { upkeep } = written;
    const final = await Promise.all(files.map((file) => withFormatted(file, upkeep.formatted.get(file.path))));
    return withUpkeep(await reportEdit(final, warnings, parts.versions), upkeep);
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

/** What a formatter made of the edit takes its place: its lines are the ones that the next edit counts. */
async function withFormatted(file: PreparedFile, formatted: string | undefined): Promise<PreparedFile> {
  if (formatted === undefined) return file;
  const changes = await changesBetween(normaliseText(file.before.text), normaliseText(formatted));
  return { ...file, after: formatted, changes };
}

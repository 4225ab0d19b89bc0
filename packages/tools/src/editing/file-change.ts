/** One change of one text file, from the check that nothing unseen is overwritten to the result a model reads. */
import { resolve } from "node:path";
import type { JsonObject, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { loadText, type TextFile } from "../file-content.ts";
import { needPath, shortPath } from "../tool-path.ts";
import { describeStale, findPlace } from "./change-guards.ts";
import { diffTexts, type FileDiff, firstChangedLine } from "./file-diff.ts";
import type { FileStep } from "./file-step.ts";
import { asFormatted, withUpkeep } from "./file-upkeep.ts";
import { warningLines } from "./report-change-set.ts";
import { asInFile, describeRedacted } from "./seen-text.ts";
import { writeSteps } from "./write-steps.ts";

/** What a change would turn the file into, or why it cannot be made. */
export type Planned =
  | {
      readonly ok: true;
      readonly after: string;
      /** For the model, at the end of the result. */
      readonly warnings?: readonly string[];
      /** For clients, beside what every change tells them. */
      readonly metadata?: JsonObject;
      /** Why a person should look at it first. */
      readonly caution?: string;
    }
  | { readonly ok: false; readonly problem: string };

type Possible = Extract<Planned, { ok: true }>;

/** Looks at the present content (undefined for a new file) and plans the text to follow, both without byte order mark. */
export type Plan = (before: TextFile | undefined) => Planned;

type Change = Extract<FileStep, { kind: "create" | "replace" }>;

type Prepared =
  | { readonly ok: true; readonly change: Change; readonly planned: Possible }
  | { readonly ok: false; readonly problem: string };

/** What a tool that changes one file answers before it runs. */
export type ChangeChecks<Input> = Required<
  Pick<Tool<Input>, "validate" | "needs" | "preview" | "readOnly" | "concurrencySafe">
>;

export function createChangeChecks<Input>(
  pathOf: (input: Input) => string,
  planOf: (input: Input) => Plan,
): ChangeChecks<Input> {
  return {
    async validate(input, context) {
      const prepared = prepare(pathOf(input), planOf(input), context);
      return prepared.ok ? undefined : prepared.problem;
    },
    needs: (input, cwd) => needPath("edit", "write", pathOf(input), cwd),
    async preview(input, context) {
      const { cwd } = context;
      const filePath = pathOf(input);
      const prepared = prepare(filePath, planOf(input), context);
      if (!prepared.ok) return undefined;
      return (await diffChange(prepared.change, shortPath(resolve(cwd, filePath), cwd))).text;
    },
    readOnly: () => false,
    concurrencySafe: () => false,
  };
}

/** For tools whose plans say when a person should look. */
export function createCaution<Input>(
  pathOf: (input: Input) => string,
  planOf: (input: Input) => Plan,
): NonNullable<Tool<Input>["caution"]> {
  return async (input, context) => {
    const prepared = prepare(pathOf(input), planOf(input), context);
    return prepared.ok ? prepared.planned.caution : undefined;
  };
}

/** Plans again under the lock of the true path, so that neither another call nor another link can slip in between. */
export async function makeChange(filePath: string, plan: Plan, context: ToolContext): Promise<ToolOutput> {
  const title = shortPath(resolve(context.cwd, filePath), context.cwd);
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const place = findPlace(filePath, context.cwd);
  if (!place.ok) return refuse(place.problem);

  return context.files.exclusively(place.path, async () => {
    if (context.signal.aborted) return refuse("Interrupted before anything was written.");
    const prepared = prepare(filePath, plan, context);
    if (!prepared.ok) return refuse(prepared.problem);
    const { change, planned } = prepared;
    if (change.path !== place.path) return refuse(`${title} now points somewhere else; nothing was written.`);
    const written = await writeSteps([change], context);
    if (!written.ok) return refuse(written.problem);
    const output = await reportChange(asFormatted(change, written.upkeep), planned, title);
    return withUpkeep(output, written.upkeep);
  });
}

async function reportChange(change: Change, { warnings = [], metadata }: Possible, title: string): Promise<ToolOutput> {
  const { text, additions, deletions } = await diffChange(change, title);
  const isNew = change.kind === "create";
  const sentence = `${isNew ? "Created" : "Changed"} ${title} (+${additions} -${deletions} lines).`;
  return {
    output: [sentence, ...warningLines(warnings)].join("\n"),
    title,
    metadata: {
      diff: text,
      additions,
      deletions,
      op: isNew ? "create" : "update",
      firstChangedLine: firstChangedLine(isNew ? undefined : change.before.text, change.after),
      ...metadata,
    },
  };
}

function prepare(filePath: string, plan: Plan, context: ToolContext): Prepared {
  const place = findPlace(filePath, context.cwd);
  if (!place.ok) return place;
  const loaded = loadText(place.path);
  if (loaded.kind === "refused") return { ok: false, problem: loaded.problem };
  const before = loaded.kind === "text" ? loaded : undefined;
  if (before !== undefined) {
    const stale = describeStale(filePath, before.contentHash, context.files.known(place.path));
    if (stale !== undefined) return { ok: false, problem: stale };
  }
  const planned = plan(before);
  if (!planned.ok) return planned;
  const after = asInFile(planned.after, before?.text);
  const redacted = describeRedacted(filePath, before?.text, after);
  if (redacted !== undefined) return { ok: false, problem: redacted };
  if (before === undefined) return { ok: true, planned, change: { kind: "create", path: place.path, after } };
  return { ok: true, planned, change: { kind: "replace", path: place.path, before, after } };
}

function diffChange(change: Change, name: string): Promise<FileDiff> {
  return diffTexts(name, change.kind === "create" ? undefined : change.before.text, change.after);
}

/** One change of one text file, from the check that nothing unseen is overwritten to the result a model reads. */
import { resolve } from "node:path";
import type { Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { loadText, type TextFile } from "../file-content.ts";
import { needPath, shortPath } from "../tool-path.ts";
import { describeStale, findPlace } from "./change-guards.ts";
import { diffTexts, type FileDiff } from "./file-diff.ts";
import { type FileStep, writeSteps } from "./write-steps.ts";

/** What a change would turn the file into, or why it cannot be made. */
export type Planned = { readonly ok: true; readonly after: string } | { readonly ok: false; readonly problem: string };

/** Looks at the present content (undefined for a new file) and plans the text to follow, both without byte order mark. */
export type Plan = (before: TextFile | undefined) => Planned;

type Change = Extract<FileStep, { kind: "create" | "replace" }>;

type Prepared = { readonly ok: true; readonly change: Change } | { readonly ok: false; readonly problem: string };

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
      const filePath = pathOf(input);
      const prepared = prepare(filePath, planOf(input), context);
      return prepared.ok ? (await diffChange(prepared.change, filePath, context)).text : undefined;
    },
    readOnly: () => false,
    concurrencySafe: () => false,
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
    const { change } = prepared;
    if (change.path !== place.path) return refuse(`${title} now leads somewhere else; nothing was written.`);
    const problem = await writeSteps([change], context);
    if (problem !== undefined) return refuse(problem);
    const { text, additions, deletions } = await diffChange(change, filePath, context);
    const verb = change.kind === "create" ? "Created" : "Changed";
    return {
      output: `${verb} ${title} (+${additions} -${deletions} lines).`,
      title,
      metadata: { diff: text, additions, deletions },
    };
  });
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
  const { after } = planned;
  if (before === undefined) return { ok: true, change: { kind: "create", path: place.path, after } };
  return { ok: true, change: { kind: "replace", path: place.path, before, after } };
}

function diffChange(change: Change, filePath: string, context: ToolContext): Promise<FileDiff> {
  const before = change.kind === "create" ? undefined : change.before.text;
  return diffTexts(shortPath(resolve(context.cwd, filePath), context.cwd), before, change.after);
}

/** One change of one text file, from the check that nothing unseen is overwritten to the result a model reads. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { byteOrderMark, hashContent, loadText, type TextFile } from "../file-content.ts";
import { describeFileError } from "../file-error.ts";
import { findTruePath, shortPath } from "../tool-path.ts";
import { diffTexts, type FileDiff } from "./file-diff.ts";
import { writeAtomically } from "./write-atomically.ts";

/** What a change would turn the file into, or why it cannot be made. */
export type Planned = { readonly ok: true; readonly after: string } | { readonly ok: false; readonly problem: string };

/** Looks at the present content (undefined for a new file) and plans the text to follow, both without byte order mark. */
export type Plan = (before: TextFile | undefined) => Planned;

type Change = { readonly path: string; readonly before: TextFile | undefined; readonly after: string };

type Prepared = { readonly ok: true; readonly change: Change } | { readonly ok: false; readonly problem: string };

/** A sentence for the model when the change cannot be made. */
export async function validateChange(filePath: string, plan: Plan, context: ToolContext): Promise<string | undefined> {
  const prepared = prepare(filePath, plan, context);
  return prepared.ok ? undefined : prepared.problem;
}

export async function previewChange(filePath: string, plan: Plan, context: ToolContext): Promise<string | undefined> {
  const prepared = prepare(filePath, plan, context);
  return prepared.ok ? (await diffChange(prepared.change, filePath, context)).text : undefined;
}

/** Plans again under the lock of the true path, so that neither another call nor another link can slip in between. */
export async function makeChange(filePath: string, plan: Plan, context: ToolContext): Promise<ToolOutput> {
  const title = shortPath(resolve(context.cwd, filePath), context.cwd);
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const place = findTruePath(resolve(context.cwd, filePath));
  if (!place.ok) return refuse(place.problem);

  return context.files.exclusively(place.path, async () => {
    if (context.signal.aborted) return refuse("Interrupted before anything was written.");
    const prepared = prepare(filePath, plan, context);
    if (!prepared.ok) return refuse(prepared.problem);
    const { change } = prepared;
    if (change.path !== place.path) return refuse(`${title} now leads somewhere else; nothing was written.`);
    const content = change.before?.hasByteOrderMark === true ? byteOrderMark + change.after : change.after;
    try {
      if (change.before !== undefined) await access(change.path, constants.W_OK);
      await writeAtomically(change.path, content, context.callId);
    } catch (error) {
      const problem = describeFileError(error, change.path);
      if (problem === undefined) throw error;
      return refuse(`${problem} Nothing was written.`);
    }
    context.files.remember(change.path, hashContent(content));
    const { text, additions, deletions } = await diffChange(change, filePath, context);
    const verb = change.before === undefined ? "Created" : "Changed";
    return {
      output: `${verb} ${title} (+${additions} -${deletions} lines).`,
      title,
      metadata: { diff: text, additions, deletions },
    };
  });
}

function prepare(filePath: string, plan: Plan, context: ToolContext): Prepared {
  const place = findTruePath(resolve(context.cwd, filePath));
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
  return { ok: true, change: { path: place.path, before, after: planned.after } };
}

function describeStale(filePath: string, present: string, known: string | undefined): string | undefined {
  if (known === undefined) return `${filePath} exists but has not been read in this session; read it first.`;
  if (known !== present) return `${filePath} has changed since it was last read; read it again first.`;
  return undefined;
}

function diffChange(change: Change, filePath: string, context: ToolContext): Promise<FileDiff> {
  return diffTexts(shortPath(resolve(context.cwd, filePath), context.cwd), change.before?.text, change.after);
}

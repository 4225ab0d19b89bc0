/** The `resolve` tool: applies or discards a rewrite that was previewed. */
import type { FileState, JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { type FileWish, makeChangeSet, planChangeSet } from "../editing/file-change-set.ts";
import { diffChangeSet, reportChangeSet } from "../editing/report-change-set.ts";
import { parseInput } from "../tool-input.ts";
import { findTruePath, shortPath } from "../tool-path.ts";
import type { Grammars } from "./grammars.ts";
import type { PendingEdit, PendingEdits } from "./pending-edits.ts";
import { type RewrittenFile, rewriteFiles } from "./rewrite-files.ts";

export type ResolveInput = {
  readonly id: string;
  readonly action: "apply" | "discard";
  readonly reason: string;
};

export type ResolveParts = { readonly grammars: Grammars; readonly pendingEdits: PendingEdits };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1 },
    action: { type: "string", enum: ["apply", "discard"] },
    reason: { type: "string" },
  },
  required: ["id", "action", "reason"],
};

export function createResolveTool(parts: ResolveParts): Tool<ResolveInput> {
  const { pendingEdits } = parts;
  const findOwn = (id: string, owner: FileState): PendingEdit | undefined => {
    const edit = pendingEdits.find(id);
    return edit?.owner === owner ? edit : undefined;
  };
  const nothing = (id: string) =>
    `Nothing is pending under ${id}; preview the change with ast_edit first, in this same run.`;
  return {
    name: "resolve",
    description: textBeside(import.meta.url, "./resolve.md"),
    inputSchema,
    searchHint: "apply or discard a pending ast_edit preview",
    resultCharactersMax: 20_000,
    parse: (input) => parseInput<ResolveInput>(inputSchema, input),
    async validate({ id, action }, { files }) {
      return action === "apply" && findOwn(id, files) === undefined ? nothing(id) : undefined;
    },
    needs({ id, action }, cwd) {
      const paths = pendingEdits.find(id)?.files.map(({ path }) => path) ?? [];
      if (action === "discard" || paths.length === 0) return [];
      const patterns = paths.map((path) => shortPath(path, cwd));
      return [{ permission: "edit", patterns, always: [], access: "write", paths }];
    },
    async preview({ id, action }, context) {
      const edit = action === "apply" ? findOwn(id, context.files) : undefined;
      if (edit === undefined) return undefined;
      const planned = planChangeSet(edit.files.map(toWish), asPreviewed(edit, context));
      return planned.ok ? diffChangeSet(planned.files, context.cwd) : undefined;
    },
    readOnly: ({ action }) => action === "discard",
    concurrencySafe: () => false,
    async run({ id, action }, context) {
      const title = `${action} ${id}`;
      const edit = findOwn(id, context.files);
      if (action === "discard") {
        if (edit !== undefined) pendingEdits.remove(id);
        return { output: edit === undefined ? `Nothing is pending under ${id}.` : `Discarded ${id}.`, title };
      }
      if (edit === undefined) return { output: nothing(id), isError: true, title };
      const applied = await apply(parts, edit, context);
      if (applied.isError !== true) pendingEdits.remove(id);
      return { ...applied, title };
    },
  };
}

async function apply({ grammars }: ResolveParts, edit: PendingEdit, context: ToolContext): Promise<ToolOutput> {
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title: "" });
  const again = await rewriteFiles(grammars, edit.files, edit.operations, {
    signal: context.signal,
    filesMax: edit.files.length,
    // The preview left them out, or was told not to.
    blockGenerated: false,
  });
  if (again === "interrupted") return refuse("Interrupted before anything was written.");
  const present = new Map(again === "too-many" ? [] : again.files.map((file) => [file.path, file]));
  const changed = edit.files.find((file) => !isSame(file, present.get(file.path)));
  if (changed !== undefined) {
    const name = shortPath(changed.path, context.cwd);
    return refuse(`${name} is not as it was in the preview. Nothing was written; preview again with ast_edit.`);
  }
  const made = await makeChangeSet([...present.values()].map(toWish), asPreviewed(edit, context));
  return made.ok ? reportChangeSet(made, context.cwd) : refuse(made.problem);
}

function isSame(previewed: RewrittenFile, present: RewrittenFile | undefined): boolean {
  return (
    present !== undefined &&
    present.contentHash === previewed.contentHash &&
    present.rewritten.replacements.length === previewed.rewritten.replacements.length
  );
}

function toWish({ path, contentHash, rewritten }: RewrittenFile): FileWish {
  return {
    kind: "update",
    filePath: path,
    plan: (before) =>
      before.contentHash === contentHash
        ? { ok: true, after: rewritten.after }
        : { ok: false, problem: `${path} is not as it was in the preview; preview again with ast_edit.` },
  };
}

/** The preview takes the place of reading: what it saw may be changed, yet only a file that was read counts as read. */
function asPreviewed({ files }: PendingEdit, context: ToolContext): ToolContext {
  const own = context.files;
  const previewed = new Map<string, string>();
  for (const { path, contentHash } of files) {
    const place = findTruePath(path);
    if (place.ok) previewed.set(place.path, contentHash);
  }
  return {
    ...context,
    files: {
      known: (path) => previewed.get(path),
      remember: (path, contentHash) => {
        if (own.known(path) === previewed.get(path)) own.remember(path, contentHash);
      },
      exclusively: (path, work) => own.exclusively(path, work),
    },
  };
}

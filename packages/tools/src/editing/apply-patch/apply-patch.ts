/** The `apply_patch` tool: changes, adds, moves and deletes several files by one patch, all or nothing. */
import type { JsonSchema, Parsed, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { TextFile } from "../../file-content.ts";
import { parseInput } from "../../tool-input.ts";
import { needPath } from "../../tool-path.ts";
import { type FileWish, makeChangeSet, planChangeSet } from "../file-change-set.ts";
import { describeGenerated } from "../generated-files.ts";
import { describePlaceholder, findPlaceholder } from "../placeholder.ts";
import { diffChangeSet, reportChangeSet, titleOf } from "../report-change-set.ts";
import { parsePatch } from "./parse-patch.ts";
import type { FilePatch, Hunk } from "./patch.ts";
import { placeHunks } from "./place-hunks.ts";

/** The patch as it was understood. */
export type ApplyPatchInput = { readonly files: readonly FilePatch[] };

export type ApplyPatchParts = {
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: { patch: { type: "string", minLength: 1 } },
  required: ["patch"],
};

export function createApplyPatchTool({ blockGenerated = () => true }: ApplyPatchParts = {}): Tool<ApplyPatchInput> {
  const toWishes = ({ files }: ApplyPatchInput) => files.map((file) => toWish(file, blockGenerated));
  return {
    name: "apply_patch",
    description: textBeside(import.meta.url, "./apply-patch.md"),
    inputSchema,
    editModes: ["patch"],
    resultCharactersMax: 12_000,
    parse: parsePatchInput,
    async validate(input, context) {
      const planned = planChangeSet(toWishes(input), context);
      return planned.ok ? undefined : planned.problem;
    },
    needs: ({ files }, cwd) => {
      const paths = new Set(files.flatMap(touchedPaths));
      return [...paths].flatMap((path) => needPath("edit", "write", path, cwd));
    },
    async preview(input, context) {
      const planned = planChangeSet(toWishes(input), context);
      return planned.ok ? diffChangeSet(planned.files, context.cwd) : undefined;
    },
    readOnly: () => false,
    concurrencySafe: () => false,
    run: (input, context) => applyWishes(toWishes(input), context),
  };
}

/** A patch that cannot be read is an input that does not fit. */
function parsePatchInput(input: unknown): Parsed<ApplyPatchInput> {
  const given = parseInput<{ readonly patch: string }>(inputSchema, input);
  if (!given.ok) return given;
  const parsed = parsePatch(given.input.patch);
  return parsed.ok ? { ok: true, input: { files: parsed.files } } : { ok: false, report: parsed.problem };
}

async function applyWishes(wishes: readonly FileWish[], context: ToolContext): Promise<ToolOutput> {
  const made = await makeChangeSet(wishes, context);
  if (made.ok) return reportChangeSet(made, context.cwd);
  return { output: made.problem, isError: true, title: titleOf(wishes, context.cwd) };
}

function touchedPaths(file: FilePatch): readonly string[] {
  return file.kind === "update" && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path];
}

function toWish(file: FilePatch, blockGenerated: () => boolean): FileWish {
  const filePath = file.path;
  switch (file.kind) {
    case "add":
      return { kind: "add", filePath, text: file.text };
    case "update": {
      const { moveTo } = file;
      const plan = (before: TextFile) => {
        const isEdited = file.hunks.length > 0;
        const generated = isEdited && blockGenerated() ? describeGenerated(filePath, before.text) : undefined;
        if (generated !== undefined) return { ok: false, problem: generated } as const;
        const placeholder = findPlaceholder(addedText(file.hunks), before.text);
        if (placeholder !== undefined)
          return { ok: false, problem: describePlaceholder(filePath, placeholder) } as const;
        return placeHunks(filePath, before.text, file.hunks);
      };
      return { kind: "update", filePath, plan, ...(moveTo !== undefined && { moveTo }) };
    }
    case "delete": {
      const plan = (before: TextFile) =>
        file.hunks.length === 0 ? ({ ok: true, after: "" } as const) : placeHunks(filePath, before.text, file.hunks);
      return { kind: "delete", filePath, plan };
    }
  }
}

function addedText(hunks: readonly Hunk[]): string {
  return hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "add").map(({ text }) => text)).join("\n");
}

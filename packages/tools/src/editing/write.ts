/** The `write` tool: creates a file or replaces the whole of one that the model has read, or writes to a part of one. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { byteOrderMark, lineEndingOf, withLineEnding } from "../file-content.ts";
import { describeFileError } from "../file-error.ts";
import { parseInput } from "../tool-input.ts";
import { findPlace } from "./change-guards.ts";
import { type Conflicts, createConflicts } from "./conflicts/conflicts.ts";
import { createChangeChecks, makeChange, type Plan } from "./file-change.ts";
import { describeGenerated } from "./generated-files.ts";
import { describePlaceholder, findPlaceholder } from "./placeholder.ts";
import { describeRedacted } from "./seen-text.ts";
import type { InnerWrite } from "./targets/inner-write.ts";
import { needsOfWrite, parseWriteTarget, type WriteTarget } from "./targets/write-target.ts";

export type WriteInput = { readonly filePath: string; readonly content: string };

export type WriteParts = {
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
  /** Those that `read` has shown; without them there is none to resolve. */
  readonly conflicts?: Conflicts;
  /** Milliseconds since 1970, for the members of archives. */
  readonly wallClockMs?: () => number;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: { filePath: { type: "string", minLength: 1 }, content: { type: "string" } },
  required: ["filePath", "content"],
};

const contentBytesMax = 5 * 1_024 * 1_024;

export function createWriteTool(parts: WriteParts = {}): Tool<WriteInput> {
  const { blockGenerated = () => true, conflicts = createConflicts() } = parts;
  const plan = (input: WriteInput) => planWrite(input, blockGenerated);
  const whole = createChangeChecks((input: WriteInput) => input.filePath, plan);
  const inner = (input: WriteInput, target: InnerTarget) =>
    openInner({ input, target, plan: plan(input), conflicts, blockGenerated, wallClockMs: parts.wallClockMs });
  return {
    name: "write",
    // A patch makes files too, and two ways to do so would be one too many.
    editModes: ["replace", "hashline"],
    description: textBeside(import.meta.url, "./write.md"),
    inputSchema,
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<WriteInput>(inputSchema, input),
    ...whole,
    async validate(input, context) {
      const target = parseWriteTarget(input.filePath);
      if (target.kind === "file") return whole.validate(input, context);
      const looked = await (await inner(input, target)).look(context);
      return looked.ok ? undefined : looked.problem;
    },
    needs(input, cwd) {
      const { filePath } = input;
      const target = parseWriteTarget(filePath);
      const isDestructive = destroyedBy(input, target) !== undefined;
      return needsOfWrite({ filePath, target, conflicts, isDestructive }, cwd);
    },
    async preview(input, context) {
      const target = parseWriteTarget(input.filePath);
      if (target.kind === "file") return whole.preview(input, context);
      const looked = await (await inner(input, target)).look(context);
      return looked.ok ? looked.preview : undefined;
    },
    caution: async (input) => destroyedBy(input, parseWriteTarget(input.filePath)),
    async run(input, context) {
      const target = parseWriteTarget(input.filePath);
      if (target.kind === "file") return writeFile(input, plan(input), context);
      return (await inner(input, target)).run(context);
    },
  };
}

type InnerTarget = Exclude<WriteTarget, { kind: "file" }>;

type InnerParts = {
  readonly input: WriteInput;
  readonly target: InnerTarget;
  readonly plan: Plan;
  readonly conflicts: Conflicts;
  readonly blockGenerated: () => boolean;
  readonly wallClockMs: (() => number) | undefined;
};

/** Each kind is loaded when it is first needed: most sessions write whole files and nothing else. */
async function openInner(parts: InnerParts): Promise<InnerWrite> {
  const { input, target, plan, conflicts, blockGenerated, wallClockMs } = parts;
  const redacted = target.kind === "conflict" ? undefined : describeRedacted(input.filePath, "", input.content);
  if (redacted !== undefined) return refusedWrite(redacted, input.filePath);
  switch (target.kind) {
    case "refused":
      return refusedWrite(target.problem, input.filePath);
    case "conflict": {
      const { resolveConflicts } = await import("./conflicts/resolve-conflicts.ts");
      const objectionTo = (filePath: string, text: string) =>
        blockGenerated() ? describeGenerated(filePath, text) : undefined;
      return resolveConflicts({ id: target.id, content: input.content, conflicts, objectionTo });
    }
    case "address": {
      const { writeAddress } = await import("../addresses/write-address.ts");
      return writeAddress(target.address, input.content);
    }
    case "member": {
      const { writeMember } = await import("./targets/archive-member.ts");
      return writeMember({ target, plan, wallClockMs });
    }
    case "row": {
      const { writeRow } = await import("./targets/database-row.ts");
      return writeRow({ target, content: input.content });
    }
  }
}

function refusedWrite(problem: string, title: string): InnerWrite {
  return {
    look: async () => ({ ok: false, problem }),
    run: async () => ({ output: problem, isError: true, title }),
  };
}

/** A sentence for a person when the call destroys something that writing again would not bring back. */
function destroyedBy({ filePath, content }: WriteInput, target: WriteTarget): string | undefined {
  if (target.kind === "row" && content.trim() === "") return `It deletes the row ${filePath}.`;
  return target.kind === "conflict" && target.id === "all" ? "It replaces all recorded conflicts at once." : undefined;
}

function planWrite({ filePath, content }: WriteInput, blockGenerated: () => boolean): Plan {
  return (before) => {
    if (Buffer.byteLength(content) > contentBytesMax)
      return {
        ok: false,
        problem: `The content is larger than ${contentBytesMax} bytes; write it in parts with bash.`,
      };
    if (before === undefined) return { ok: true, after: content };
    const placeholder = findPlaceholder(content, before.text);
    if (placeholder !== undefined) return { ok: false, problem: describePlaceholder(filePath, placeholder) };
    const generated = blockGenerated() ? describeGenerated(filePath, before.text) : undefined;
    if (generated !== undefined) return { ok: false, problem: generated };
    const ending = lineEndingOf(before.text);
    const text = content.startsWith(byteOrderMark) ? content.slice(1) : content;
    return { ok: true, after: ending === undefined ? text : withLineEnding(text, ending) };
  };
}

async function writeFile({ filePath, content }: WriteInput, plan: Plan, context: ToolContext): Promise<ToolOutput> {
  let isNew = false;
  const result = await makeChange(
    filePath,
    (before) => {
      isNew = before === undefined;
      return plan(before);
    },
    context,
  );
  if (result.isError || !isNew || !content.startsWith("#!")) return result;
  const note = await makeExecutable(filePath, context.cwd);
  // Below the first line stands what formatters and checkers said.
  return { ...result, output: result.output.replace(/(?=\n|$)/, () => ` ${note}`) };
}

/** Whoever may read a script may run it. */
async function makeExecutable(filePath: string, cwd: string): Promise<string> {
  const place = findPlace(filePath, cwd);
  if (!place.ok) return place.problem;
  try {
    // What was put in its place meanwhile, such as a link, is not followed.
    await using file = await open(place.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return "It is no longer a file, so it was not made executable.";
    await file.chmod((stats.mode & 0o7777) | ((stats.mode & 0o444) >> 2));
    return "It starts with #!, so it was made executable.";
  } catch (error) {
    const problem = describeFileError(error, resolve(cwd, filePath));
    if (problem === undefined) throw error;
    return `It could not be made executable: ${problem}`;
  }
}

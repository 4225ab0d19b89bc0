/** The `write` tool: creates a file or replaces the whole of one that the model has read. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { byteOrderMark, lineEndingOf, withLineEnding } from "../file-content.ts";
import { describeFileError } from "../file-error.ts";
import { parseInput } from "../tool-input.ts";
import { findPlace } from "./change-guards.ts";
import { createChangeChecks, makeChange, type Plan } from "./file-change.ts";
import { describeGenerated } from "./generated-files.ts";

export type WriteInput = { readonly filePath: string; readonly content: string };

export type WriteParts = {
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: { filePath: { type: "string", minLength: 1 }, content: { type: "string" } },
  required: ["filePath", "content"],
};

const contentBytesMax = 5 * 1_024 * 1_024;

export function createWriteTool({ blockGenerated = () => true }: WriteParts = {}): Tool<WriteInput> {
  const plan = (input: WriteInput) => planWrite(input, blockGenerated);
  return {
    name: "write",
    // A patch makes files too, and two ways to do so would be one too many.
    editModes: ["replace", "hashline"],
    description: textBeside(import.meta.url, "./write.md"),
    inputSchema,
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<WriteInput>(inputSchema, input),
    ...createChangeChecks((input) => input.filePath, plan),
    run: (input, context) => writeFile(input, plan(input), context),
  };
}

function planWrite({ filePath, content }: WriteInput, blockGenerated: () => boolean): Plan {
  return (before) => {
    if (Buffer.byteLength(content) > contentBytesMax)
      return {
        ok: false,
        problem: `The content is larger than ${contentBytesMax} bytes; write it in parts with bash.`,
      };
    if (before === undefined) return { ok: true, after: content };
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
  return { ...result, output: `${result.output} ${await makeExecutable(filePath, context.cwd)}` };
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

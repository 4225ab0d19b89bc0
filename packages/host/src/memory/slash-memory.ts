/** `/memory`: everything that carries over between sessions, instruction files first, and the user's word about it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runMemoryCommand } from "../instructions/memory-command.ts";
import type { Instructions } from "../instructions/open-instructions.ts";
import { isMemoryAction } from "./memory-actions.ts";
import type { MemoryAnswer } from "./memory-answer.ts";
import { runMemoryWords } from "./memory-words.ts";
import type { ProjectMemory } from "./open-memory.ts";

export type SlashMemoryParts = {
  readonly instructions: Instructions;
  readonly memory: ProjectMemory;
  readonly home: string;
  readonly now: () => number;
};

export async function runSlashMemory(
  argument: string,
  parts: SlashMemoryParts,
): Promise<Pick<MemoryAnswer, "text" | "data">> {
  const { instructions, memory, home, now } = parts;
  const words = argument.split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first !== undefined && isMemoryAction(first)) return shown(await runMemoryWords(words, memory));
  const files = await runMemoryCommand(argument, instructions, { home, now });
  if (first !== undefined) return shown(files);
  // Where nothing is remembered there is nothing to say about it.
  if (memory.place.state === "on" && !existsSync(join(memory.place.directory, "MEMORY.md"))) return shown(files);
  const topics = await runMemoryWords([], memory);
  const data = { ...(files.data as object), ...(topics.data as object | undefined) };
  return { text: `${files.text}\n\n${topics.text}`, data };
}

function shown({ text, data }: MemoryAnswer): Pick<MemoryAnswer, "text" | "data"> {
  return { text, ...(data !== undefined && { data }) };
}

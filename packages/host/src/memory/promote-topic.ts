/** Moves a topic into an instruction file: the only way in which remembered text becomes an instruction, and only by the user. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { findTopic, type MemoryStore, type StoredTopic } from "@kedge/memory/topics";
import { stripTerminalControls } from "@kedge/protocol";
import { replaceFile } from "../machine/replace-file.ts";
import { failure, type MemoryAnswer } from "./memory-answer.ts";
import type { ProjectMemory } from "./open-memory.ts";

const instructionNames: ReadonlySet<string> = new Set([
  "KEDGE.md",
  "KEDGE.local.md",
  "AGENTS.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
]);

/** Shows what would be added; the same words with a final `yes` do it. */
export async function promoteTopic(
  words: readonly string[],
  memory: ProjectMemory,
  store: MemoryStore,
): Promise<MemoryAnswer> {
  const isSure = words.at(-1) === "yes";
  const [slug = "", file] = isSure ? words.slice(0, -1) : words;
  const stored = findTopic(await store.read(), slug, "active");
  if (stored === undefined)
    return failure(
      slug === ""
        ? "Usage: memory promote <topic> [file]"
        : `No topic named ${slug} is in use. List topics with memory list.`,
    );
  if (stored.suspicion !== undefined)
    return failure(
      `${slug} is held back: ${stored.suspicion}. Accept it first with ${memory.command} inbox accept ${slug}.`,
    );
  const path = targetOf(stored, file, memory);
  if (path === undefined) return failure(`Text can only be promoted into ${[...instructionNames].join(", ")}.`);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return failure(`${path} is not a plain file.`);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const added = promotedText(stored);
  const diff = diffText(path, before, added);
  if (!isSure) {
    return {
      text: `${diff}\n\nIt then becomes an instruction. Run ${memory.command} promote ${[slug, ...(file === undefined ? [] : [file])].join(" ")} yes.`,
      needsYes: true,
    };
  }
  const gap = before === "" ? "" : before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  replaceFile(path, `${before}${gap}${added}`, { ...(stats !== undefined && { mode: stats.mode & 0o777 }) });
  const forgotten = await store.forget(slug, { place: "active" });
  return forgotten.ok ? { text: `${diff}\n\nMoved to ${path}.` } : failure(forgotten.problem);
}

/** What is about the person goes with the person, the rest with the project. */
function targetOf(
  { topic }: StoredTopic,
  file: string | undefined,
  { project, kedgeHome }: ProjectMemory,
): string | undefined {
  if (file === undefined) {
    return topic.type === "user" || topic.type === "feedback"
      ? join(kedgeHome, "KEDGE.md")
      : join(project.root, "KEDGE.local.md");
  }
  return instructionNames.has(basename(file)) ? resolve(project.cwd, file) : undefined;
}

function promotedText({ topic }: StoredTopic): string {
  return `## ${topic.name}\n\n${topic.body}\n`;
}

/** Only lines are added, at the end. */
function diffText(path: string, before: string, added: string): string {
  const last = before
    .trimEnd()
    .split("\n")
    .slice(-3)
    .filter((line) => line !== "");
  const lines = [
    `--- ${path}`,
    `+++ ${path}`,
    ...last.map((line) => ` ${line}`),
    ...added
      .trimEnd()
      .split("\n")
      .map((line) => `+${line}`),
  ];
  return stripTerminalControls(lines.join("\n"));
}

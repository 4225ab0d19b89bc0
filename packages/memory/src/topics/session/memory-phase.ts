/** Lets the agent save topics with `write` and `edit`, unasked where they are sound, and takes over what it wrote. */
import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { AfterCall, BeforeCall, CallPhase, JsonObject, PhasedCall } from "@kedge/protocol";
import { isInDirectory, realPath } from "../directory/validate-directory.ts";
import type { Adopted, MemoryStore, SaveSource } from "../memory-store.ts";
import { isSlug } from "../topic/topic.ts";
import { readTopic } from "../topic/topic-file.ts";
import { prepareTopic } from "../writing/prepare-topic.ts";

export type MemoryPhaseParts = {
  readonly store: MemoryStore;
  readonly clean: (text: string) => string;
  readonly now: () => number;
  /** Whether a rule of the user or a policy wants to be asked about this file. */
  readonly isTightened: (path: string) => boolean;
  /** Who says what an agent writes now; never taken from the text. */
  readonly sourceOf: (sessionId: string, text: string) => SaveSource;
};

/** Modes in which nobody is asked about memory. */
const quietModes: ReadonlySet<PhasedCall["mode"]> = new Set(["default", "accept-edits"]);

export function createMemoryPhase(parts: MemoryPhaseParts): CallPhase {
  const { store, clean } = parts;
  /** Texts before calls that are under way. */
  const before = new Map<string, { readonly slug: string; readonly text: string | undefined; readonly raw?: string }>();

  function look(call: PhasedCall): BeforeCall | undefined {
    const path = pathOf(call);
    if (path === undefined || !isInDirectory(path, store.directory)) return undefined;
    if (!isTopicPath(path, store.directory)) return { decision: "refuse", text: notTopic };
    const slug = basename(path, ".md");
    const current = textOf(path);
    const planned = plannedText(call.input, current);
    if (planned?.trim() === "" && current !== undefined) {
      before.set(call.callId, { slug, text: current });
      return { decision: "ask", reason: `the topic ${slug} is forgotten; /memory undo restores it` };
    }
    const problem = planned === undefined ? undefined : problemOf(slug, planned, parts);
    if (problem !== undefined) return { decision: "refuse", text: problem };
    before.set(call.callId, { slug, text: current, ...(planned !== undefined && { raw: planned }) });
    const input = cleanInput(call.input, clean);
    if (!quietModes.has(call.mode) || parts.isTightened(path)) {
      return input === undefined ? undefined : { decision: "change", input };
    }
    return { decision: "allow", reason: "a topic of memory", ...(input !== undefined && { input }) };
  }

  return {
    name: "memory",
    onError: "refuse",
    tools: ["write", "edit"],
    before: look,
    async after(call): Promise<AfterCall | undefined> {
      const known = before.get(call.callId);
      before.delete(call.callId);
      if (known === undefined || call.outcome !== "completed") return undefined;
      const { slug, text, raw = "" } = known;
      const source = { ...parts.sourceOf(call.sessionId, raw), tool: call.tool };
      const saved = await store.adopt(slug, { ...source, before: text, ...(raw !== "" && { raw }) });
      return answerTo(saved, call.metadata);
    },
  };
}

const notTopic =
  "Only topic files can be written in the memory directory: lower-case words with hyphens, ending in .md, such as test-runner.md. MEMORY.md is generated from them.";

/** A file right in the directory with the name of a topic, and no link to another place. */
export function isTopicPath(path: string, directory: string): boolean {
  const name = basename(path);
  if (!name.endsWith(".md") || !isSlug(name.slice(0, -".md".length))) return false;
  return realPath(path) === join(realPath(directory), name) && realPath(dirname(path)) === realPath(directory);
}

function pathOf({ input, cwd }: PhasedCall): string | undefined {
  const path = input["filePath"];
  return typeof path === "string" ? resolve(cwd, path) : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** What the file would be; undefined where only the tool can say, which is looked at afterwards. */
export function plannedText(
  { content, oldString, newString }: JsonObject,
  current: string | undefined,
): string | undefined {
  if (typeof content === "string") return content;
  if (current === undefined || typeof oldString !== "string" || typeof newString !== "string") return undefined;
  const at = current.indexOf(oldString);
  if (oldString === "" || at === -1 || current.indexOf(oldString, at + 1) !== -1) return undefined;
  return current.slice(0, at) + newString + current.slice(at + oldString.length);
}

/** What keeps a text from being a topic, in a sentence that its writer can act on. */
export function problemOf(
  slug: string,
  text: string,
  { clean, now }: Pick<MemoryPhaseParts, "clean" | "now">,
): string | undefined {
  const { topic, problems } = readTopic(slug, clean(text), "agent-inferred");
  const [odd] = problems;
  if (odd !== undefined) {
    return `Not saved: ${odd.sentence}. Begin the file with frontmatter: name (80 characters), description (200) and type (user, feedback, project or reference).`;
  }
  const prepared = prepareTopic({ ...topic, slug }, { redact: clean, nowMs: now() });
  return prepared.ok ? undefined : prepared.problem;
}

/** Secrets never reach the disk; undefined where nothing has to change. */
function cleanInput(input: JsonObject, clean: (text: string) => string): JsonObject | undefined {
  const changed = ["content", "newString"].flatMap((key) => {
    const text = input[key];
    if (typeof text !== "string") return [];
    const cleaned = clean(text);
    return cleaned === text ? [] : [[key, cleaned] as const];
  });
  return changed.length === 0 ? undefined : { ...input, ...Object.fromEntries(changed) };
}

function answerTo(saved: Adopted, metadata: JsonObject): AfterCall {
  switch (saved.outcome) {
    case "refused":
      return { isError: true, output: `Not saved: ${saved.problem}` };
    case "forgotten":
      return { output: `Forgotten: ${saved.path}.`, metadata: { ...metadata, memory: { path: saved.path } } };
    case "known":
      return { note: `Known already as ${saved.slug}.md.` };
    case "saved": {
      const { path, place, superseded, disputed } = saved;
      const notes = [
        placeNotes[place](path),
        ...(superseded.length === 0 ? [] : [`It takes the place of ${superseded.join(", ")}.`]),
        ...(disputed.length === 0 ? [] : [`It contradicts ${disputed.join(", ")}: ask the user which one is right.`]),
      ];
      return { note: notes.join(" "), metadata: { ...metadata, memory: { path, place } } };
    }
  }
}

const placeNotes = {
  active: (path: string) => `Saved in memory as ${path}.`,
  inbox: (path: string) => `Saved as ${path}; it counts once the user accepts it with /memory inbox.`,
  quarantine: (path: string) =>
    `Kept apart as ${path}, because it looks suspicious; the user can look at it with /memory inbox.`,
} as const;

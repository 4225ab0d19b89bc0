/** `/memory …` and `kedge memory …`: the user's word about what is remembered. Never called for a model. */
import {
  activeTopics,
  draftFromText,
  findTopic,
  type MemoryStore,
  type Saved,
  type StoredTopic,
  waitingTopics,
} from "@kedge/memory/topics";
import type { Json } from "@kedge/protocol";
import { isMemoryAction, type MemoryAction, memoryActions } from "./memory-actions.ts";
import { failure, type MemoryAnswer } from "./memory-answer.ts";
import { listText, topicDetails } from "./memory-text.ts";
import type { ProjectMemory } from "./open-memory.ts";

type Act = (words: readonly string[], memory: ProjectMemory, store: MemoryStore) => Promise<MemoryAnswer>;

export async function runMemoryWords(
  [first = "list", ...words]: readonly string[],
  memory: ProjectMemory,
): Promise<MemoryAnswer> {
  if (!isMemoryAction(first)) return failure(`Unknown action ${first}. Use one of: ${memoryActions.join(", ")}.`);
  const { place } = memory;
  if (first === "on" || first === "off") {
    memory.turn(first);
    return {
      text:
        first === "on"
          ? "Memory is on for this project from the next session."
          : "Memory is off for this project from the next session.",
    };
  }
  if (place.state === "refused") return failure(`Memory is off: ${place.why}.`);
  if (place.state === "off" && first !== "path") return failure(`Memory is off: ${place.why}.`);
  return acts[first](words, memory, await memory.openStore());
}

const acts: { readonly [Action in Exclude<MemoryAction, "on" | "off">]: Act } = {
  list,
  show,
  add,
  forget,
  inbox,
  prefer: async ([winner = "", loser = ""], _, store) => {
    if (loser === "") return failure("Usage: memory prefer <winner> <loser>");
    const changed = await store.prefer(winner, loser);
    return changed.ok ? { text: `${loser} is superseded by ${winner}.` } : failure(changed.problem);
  },
  rename: async ([slug = "", to = ""], _, store) => {
    if (to === "") return failure("Usage: memory rename <topic> <new-name>");
    const changed = await store.rename(slug, to);
    return changed.ok ? { text: `Renamed to ${changed.path}.` } : failure(changed.problem);
  },
  promote: async (words, memory, store) => (await import("./promote-topic.ts")).promoteTopic(words, memory, store),
  lint: async (words, memory, store) =>
    (await import("./lint-project.ts")).lintProject({ fix: words.includes("--fix") }, memory, store),
  undo: async ([word], _, store) => {
    const undone = await store.undo({ force: word === "force" });
    return undone.ok ? { text: `Undone: ${undone.label} (${undone.paths.join(", ")}).` } : failure(undone.problem);
  },
  path: async (_, __, store) => ({ text: store.directory, data: { directory: store.directory } }),
};

async function list(_: readonly string[], { command }: ProjectMemory, store: MemoryStore): Promise<MemoryAnswer> {
  const contents = await store.read();
  return {
    text: listText(contents, { directory: store.directory, command }),
    data: { directory: store.directory, topics: contents.topics.map(rowOf) },
  };
}

function rowOf({ topic, place, path, suspicion }: StoredTopic): Json {
  const { slug, name, description, type, origin, status, created, updated } = topic;
  return {
    slug,
    name,
    description,
    type,
    origin,
    status,
    place,
    path,
    created,
    updated,
    ...(suspicion !== undefined && { suspicion }),
  };
}

async function show([slug = ""]: readonly string[], _: ProjectMemory, store: MemoryStore): Promise<MemoryAnswer> {
  const contents = await store.read();
  const stored = findTopic(contents, slug);
  if (stored === undefined) return unknown(slug);
  return { text: topicDetails(contents, stored), data: { ...(rowOf(stored) as object), body: stored.topic.body } };
}

async function add(
  words: readonly string[],
  { redact, command }: ProjectMemory,
  store: MemoryStore,
): Promise<MemoryAnswer> {
  const text = words.join(" ");
  if (text === "") return failure("Usage: memory add <what to remember>");
  return savedAnswer(await store.save(draftFromText(text, redact), { origin: "user-stated" }), command);
}

function savedAnswer(saved: Saved, command: string): MemoryAnswer {
  switch (saved.outcome) {
    case "refused":
      return failure(saved.problem);
    case "known":
      return { text: `Already known: ${saved.slug}.` };
    case "saved": {
      const { path, slug, suspicion, superseded, disputed } = saved;
      const lines = [
        suspicion === undefined
          ? `Saved: ${path}`
          : `Quarantined: ${path} (${suspicion}). Run ${command} inbox accept ${slug} to use it.`,
        ...superseded.map((older) => `Supersedes ${older}.`),
        ...disputed.map((older) => `Contradicts ${older}. Which one is right? ${command} prefer <winner> <loser>`),
      ];
      return { text: lines.join("\n"), data: { path, slug, superseded, disputed } };
    }
  }
}

/** Finds and shows first; only the second time, with a yes, something is removed. */
async function forget(words: readonly string[], { command }: ProjectMemory, store: MemoryStore): Promise<MemoryAnswer> {
  const isSure = words.at(-1) === "yes";
  const wanted = (isSure ? words.slice(0, -1) : words).join(" ");
  if (wanted === "") return failure("Usage: memory forget <topic>");
  const contents = await store.read();
  const named = findTopic(contents, wanted);
  if (named === undefined) {
    const found = await topicsAbout(wanted, activeTopics(contents));
    if (found.length === 0) return unknown(wanted);
    const lines = found.map(({ topic }) => `  ${topic.slug}: ${topic.description}`);
    return { text: [`Which one? Run ${command} forget <name>.`, ...lines].join("\n") };
  }
  if (!isSure) {
    const text = `${topicDetails(contents, named)}\n\nForget this? Run ${command} forget ${named.topic.slug} yes. ${command} undo restores it.`;
    return { text, needsYes: true };
  }
  const forgotten = await store.forget(named.topic.slug, { place: named.place });
  if (!forgotten.ok) return failure(forgotten.problem);
  const linked = forgotten.linked ?? [];
  return {
    text: `Forgotten: ${forgotten.path}.${linked.length === 0 ? "" : ` Still linked from ${linked.join(", ")}.`}`,
  };
}

const foundMax = 5;

/** Those that say all of it, otherwise those that a search finds for it. */
async function topicsAbout(wanted: string, topics: readonly StoredTopic[]): Promise<readonly StoredTopic[]> {
  const said = topics.filter(({ topic }) => speaksOf(topic, wanted));
  if (said.length > 0) return said;
  const { searchNotes } = await import("@kedge/memory/search");
  const notes = topics.map(({ path, topic }) => {
    return { id: path, title: `${topic.name}\n${topic.description}`, text: topic.body };
  });
  const hits = searchNotes(notes, wanted, foundMax).map(({ id }) => id);
  return hits.flatMap((id) => topics.filter(({ path }) => path === id));
}

function speaksOf({ slug, name, description, body }: StoredTopic["topic"], words: string): boolean {
  const text = `${slug} ${name} ${description} ${body}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

async function inbox(
  [action, slug = ""]: readonly string[],
  { command }: ProjectMemory,
  store: MemoryStore,
): Promise<MemoryAnswer> {
  const contents = await store.read();
  const waiting = waitingTopics(contents);
  if (action === undefined) {
    const data = { waiting: waiting.map(rowOf) };
    if (waiting.length === 0) return { text: "The inbox is empty.", data };
    const blocks = waiting.map((stored) => topicDetails(contents, stored));
    const help = `Accept with ${command} inbox accept <name>, delete with ${command} inbox delete <name>.`;
    return { text: [...blocks, help].join("\n\n"), data };
  }
  if (action === "accept") {
    const accepted = await store.accept(slug);
    return accepted.ok ? { text: `Accepted: ${accepted.path}` } : failure(accepted.problem);
  }
  const stored = waiting.find(({ topic }) => topic.slug === slug);
  if (action !== "delete") return failure("Usage: memory inbox [accept | delete <name>]");
  if (stored === undefined) return failure(`Nothing named ${slug} in the inbox.`);
  const deleted = await store.forget(slug, { place: stored.place });
  return deleted.ok ? { text: `Deleted: ${deleted.path}. ${command} undo restores it.` } : failure(deleted.problem);
}

function unknown(slug: string): MemoryAnswer {
  return failure(
    slug === ""
      ? "Name a topic. List topics with memory list."
      : `No topic named ${slug}. List topics with memory list.`,
  );
}

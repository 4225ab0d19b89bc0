/** Decides what of a model's tidying up is done: nothing that no topic said before comes in, and nothing is lost for it. */
import { counted } from "@kedge/protocol";
import { findTopic, recallableTopics, type StoredTopic } from "../contents/contents.ts";
import { suspicionOfNew } from "../contents/suspicion.ts";
import { topicPath } from "../directory/store-files.ts";
import { keywordsOf } from "../knowledge/keywords.ts";
import type { Consolidated, ConsolidateOptions, FileChangeText, Merge } from "../memory-store.ts";
import { type Topic, type TopicDraft, topicOrigins } from "../topic/topic.ts";
import { applied } from "./applied-plan.ts";
import type { Plan, Undoable } from "./memory-writer.ts";
import { type Drafted, draftFile, redraft, supersededTopic } from "./plan-save.ts";
import { planSnapshot } from "./plan-undo.ts";
import type { Prepared, PreparedDraft } from "./prepare-topic.ts";

export type ConsolidationParts = ConsolidateOptions & {
  readonly clean: (text: string) => string;
  readonly prepare: (draft: TopicDraft) => Prepared;
  /** 2026-03-01 */
  readonly day: string;
  readonly at: string;
};

type Written = { readonly stored: StoredTopic | undefined; readonly draft: PreparedDraft };

/** Removed topics are superseded by the topic that says what they said; one that nobody repeats stays. */
export function planConsolidation(
  found: Undoable,
  merges: readonly Merge[],
  parts: ConsolidationParts,
): Plan<Consolidated> {
  const { contents } = found;
  const drafted: Drafted = { files: new Map(), entries: new Map() };
  const refused: string[] = [];
  const waiting: string[] = [];
  const active = recallableTopics(contents);
  const going = active.filter(({ topic }) => merges.some(({ slug, draft }) => slug === topic.slug && !draft));
  const kept: Written[] = [];
  for (const { slug, draft } of merges) {
    if (draft === undefined) continue;
    const prepared = parts.prepare({ ...draft, slug });
    const stored = findTopic(contents, slug, "active");
    if (!prepared.ok) refused.push(`${slug}: ${prepared.problem}`);
    else if (stored?.suspicion !== undefined) refused.push(`${slug} is not used.`);
    else if (isGrounded(prepared.draft, stored, going)) kept.push({ stored, draft: prepared.draft });
    else waiting.push(propose(prepared.draft, drafted, parts));
  }
  for (const { stored, draft } of kept) replace({ stored, draft, going }, drafted, parts);
  for (const gone of going) {
    const heir = kept.find(({ draft }) => saysAllOf(draft, gone));
    if (heir?.draft.slug === undefined) refused.push(`${gone.topic.slug} is kept: no other topic covers it.`);
    else redraft(contents, gone, supersededTopic(gone.topic, heir.draft.slug), drafted);
  }
  const changes = changesOf(found, drafted, parts.clean);
  const label = `Consolidate ${counted(changes.length, "file")}`;
  const { undo } = planSnapshot(found, { label, group: parts.group, at: parts.at });
  return { ...drafted, label, ...(undo !== undefined && { undo }), result: { changes, waiting, refused } };
}

/**
 * Its every word, number and name was said by a topic before, what is denied stays denied, and the pieces together read
 * no worse than each alone. Only what joins sentences may be new.
 */
function isGrounded(draft: PreparedDraft, stored: StoredTopic | undefined, going: readonly StoredTopic[]): boolean {
  const sources = [...(stored === undefined ? [] : [stored]), ...going];
  if (sources.length === 0 || suspicionOfDraft(draft) !== undefined) return false;
  const said = new Set(sources.flatMap(({ topic }) => [...wordsOf(topic)]));
  const isKept = stored === undefined || isWithin(denialsOf(stored.topic), denialsOf(draft));
  return isKept && isWithin(wordsOf(draft), said);
}

function saysAllOf(draft: PreparedDraft, { topic }: StoredTopic): boolean {
  const { body } = topic;
  const isDenied = isWithin(denialsOf({ ...topic, name: "", description: "" }), denialsOf(draft));
  return isDenied && isWithin(keywordsOf(body), wordsOf(draft));
}

function isWithin(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...words].every((word) => others.has(word));
}

type Said = Pick<Topic, "name" | "description" | "body">;

function wordsOf({ name, description, body }: Said): Set<string> {
  const lines = [name, description, ...body.split("\n")];
  const numbers = lines.flatMap((line) => line.match(/\d+(?:[.:-]\d+)*/g) ?? []);
  const said = { name, description, body };
  return new Set([...lines.flatMap((line) => [...keywordsOf(line)]), ...numbers, ...denialsOf(said)]);
}

const denial =
  /\b(?:not|never|no longer|no|don['’]t|doesn['’]t|cannot|can['’]t|without|avoid|instead of|except|unless|only)\s+(\S+)/gi;

/** What is denied or restricted, by the word that follows: `never use` and `use` are two facts. */
function denialsOf({ name, description, body }: Said): Set<string> {
  const found = `${name}\n${description}\n${body}`.matchAll(denial);
  return new Set([...found].map(([, word = ""]) => `not ${[...keywordsOf(word)][0] ?? word.toLowerCase()}`));
}

function suspicionOfDraft({ name, description, body }: Said): string | undefined {
  return suspicionOfNew([name, description, body].join("\n"));
}

/** Who said the least certain part of it, said all of it. */
function replace(
  { stored, draft, going }: Written & { readonly going: readonly StoredTopic[] },
  drafted: Drafted,
  { day, sessionId }: ConsolidationParts,
): void {
  const sources = [...(stored === undefined ? [] : [stored]), ...going.filter((gone) => saysAllOf(draft, gone))];
  const origins = sources.map(({ topic }) => topicOrigins.indexOf(topic.origin));
  const origin = topicOrigins[Math.max(0, ...origins)] ?? "agent-inferred";
  const topic = topicOf(draft, { day, origin, before: stored?.topic });
  const source = { origin, ...(sessionId !== undefined && { sessionId }) };
  draftFile({ place: "active", topic, source }, drafted);
}

function propose(draft: PreparedDraft, drafted: Drafted, { day, sessionId }: ConsolidationParts): string {
  const place = suspicionOfDraft(draft) === undefined ? "inbox" : "quarantine";
  const topic = topicOf(draft, { day, origin: "agent-inferred", before: undefined });
  const source = { origin: "agent-inferred", ...(sessionId !== undefined && { sessionId }) } as const;
  draftFile({ place, topic, source }, drafted);
  return topicPath(place, topic.slug);
}

function topicOf(
  draft: PreparedDraft,
  {
    day,
    origin,
    before,
  }: { readonly day: string; readonly origin: Topic["origin"]; readonly before: Topic | undefined },
): Topic {
  const { slug = "", name, description, type, body, sources = [], tags = [], otherLines } = draft;
  return {
    ...{ slug, name, description, type, body, sources, tags, otherLines, origin },
    created: before?.created || day,
    updated: day,
    status: before?.status ?? "active",
    disputes: before?.disputes ?? [],
  };
}

function changesOf(found: Undoable, drafted: Drafted, clean: (text: string) => string): readonly FileChangeText[] {
  const after = applied(found, drafted, clean).texts;
  return [...drafted.files.keys()].flatMap((path) => {
    const change = { path, before: found.texts.get(path) ?? null, after: after.get(path) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

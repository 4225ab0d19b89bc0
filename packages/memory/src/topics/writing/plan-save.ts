/** Decides what saving a topic does to the files: where it goes, and what becomes of those that it contradicts. */
import { activeTopics, type Contents, findTopic, type StoredTopic } from "../contents/contents.ts";
import { digestOf, type LedgerEntry } from "../contents/ledger.ts";
import { suspicionOfMarks, suspicionOfNew, suspicionOfPair } from "../contents/suspicion.ts";
import { type TopicPlace, topicPath } from "../directory/store-files.ts";
import { compareTopics } from "../knowledge/compare-topics.ts";
import type { Saved, SaveSource } from "../memory-store.ts";
import { isSlug, slugOf, type Topic } from "../topic/topic.ts";
import { topicText } from "../topic/topic-file.ts";
import type { Plan } from "./memory-writer.ts";
import type { PreparedDraft } from "./prepare-topic.ts";

export type SaveRequest = {
  readonly draft: PreparedDraft;
  /** As it was given, before it was cleaned. */
  readonly raw: string;
  readonly source: SaveSource;
  /** 2026-03-01 */
  readonly day: string;
  readonly acceptInferred: boolean;
  /** A text that another topic has already is not saved a second time, although it has a name of its own. */
  readonly dropsKnown?: boolean;
  /** For a name of which no file name can be made. */
  readonly token: string;
};

/** Files and what the harness knows about them, gathered while a change is planned. */
export type Drafted = { readonly files: Map<string, string | null>; readonly entries: Map<string, LedgerEntry | null> };

export function planSave(contents: Contents, request: SaveRequest): Plan<Saved> {
  const { draft, raw, source } = request;
  const suspicion = suspicionOfMarks(raw) ?? suspicionOfNew(textToJudge(draft)) ?? suspicionWithOthers(contents, draft);
  const place = placeFor(request, suspicion);
  const known = draft.slug === undefined || request.dropsKnown ? knownAlready(contents, draft) : undefined;
  const nothing: Drafted = { files: new Map(), entries: new Map() };
  if (known !== undefined) {
    return { ...nothing, label: "", result: { outcome: "known", slug: known.topic.slug } };
  }
  const slug = draft.slug ?? freeSlug(contents, draft.name, request.token);
  const topic = topicOf(contents, request, slug, place);
  const drafted = draftFile({ place, topic, source });
  const effects = place === "active" ? meetOthers(contents, topic, drafted, source) : noEffects;
  const path = topicPath(place, slug);
  return {
    ...drafted,
    label: `Save ${path}`,
    ...(source.group !== undefined && { group: source.group }),
    result: { outcome: "saved", place, slug, path, ...(suspicion !== undefined && { suspicion }), ...effects },
  };
}

function suspicionWithOthers({ topics }: Contents, { body, slug }: PreparedDraft): string | undefined {
  for (const { topic } of topics) {
    const found = topic.slug === slug ? undefined : suspicionOfPair(topic.body, body);
    if (found !== undefined) return `${found}, together with ${topic.slug}`;
  }
  return undefined;
}

function textToJudge({ name, description, body, sources = [], tags = [], otherLines }: PreparedDraft): string {
  return [name, description, ...sources, ...tags, ...otherLines, body].join("\n");
}

/** What the user said counts at once. What was concluded, read or brought waits, unless the user lets it in unasked. */
function placeFor({ source, acceptInferred }: SaveRequest, suspicion: string | undefined): TopicPlace {
  if (suspicion !== undefined) return "quarantine";
  return source.origin === "user-stated" || acceptInferred ? "active" : "inbox";
}

/** Among those that count and those that wait: who was told once need not be told again. */
function knownAlready({ topics }: Contents, { body }: PreparedDraft): StoredTopic | undefined {
  return topics.find(({ topic }) => topic.body === body && topic.status !== "superseded");
}

function freeSlug({ topics }: Contents, name: string, token: string): string {
  const made = slugOf(name);
  const slug = isSlug(made) ? made : `topic-${(made || token).toLowerCase().slice(0, 40)}`;
  const taken = new Set(topics.map(({ topic }) => topic.slug));
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function topicOf(contents: Contents, { draft, source, day }: SaveRequest, slug: string, place: TopicPlace): Topic {
  const before = findTopic(contents, slug, place)?.topic;
  return {
    ...{ slug, name: draft.name, description: draft.description, type: draft.type, body: draft.body },
    created: before?.created || day,
    updated: day,
    origin: source.origin,
    sources: draft.sources ?? [],
    tags: draft.tags ?? [],
    status: "active",
    disputes: [],
    otherLines: draft.otherLines,
  };
}

type FileDraft = {
  readonly place: TopicPlace;
  readonly topic: Topic;
  readonly source: Pick<SaveSource, "origin" | "sessionId">;
  readonly isApproved?: boolean;
};

export function draftFile({ place, topic, source, isApproved }: FileDraft, into?: Drafted): Drafted {
  const drafted = into ?? { files: new Map(), entries: new Map() };
  const text = topicText(topic);
  const path = topicPath(place, topic.slug);
  drafted.files.set(path, text);
  drafted.entries.set(path, {
    hash: digestOf(text),
    origin: source.origin,
    ...(source.sessionId !== undefined && { sessionId: source.sessionId }),
    ...(isApproved === true && { isApproved }),
  });
  return drafted;
}

/** The same topic with other words of kedge above it; what the user agreed to and who said it stay. */
export function redraft(contents: Contents, stored: StoredTopic, topic: Topic, into: Drafted): void {
  const isApproved = contents.ledger.get(stored.path)?.isApproved === true && stored.suspicion === undefined;
  const { sessionId } = stored;
  const source = { origin: stored.topic.origin, ...(sessionId !== undefined && { sessionId }) };
  draftFile({ place: stored.place, topic, source, isApproved }, into);
}

type Effects = Pick<Extract<Saved, { readonly outcome: "saved" }>, "superseded" | "disputed" | "related">;

const noEffects: Effects = { superseded: [], disputed: [], related: [] };

/** A newcomer that counts: the older one never wins silently. */
export function meetOthers(
  contents: Contents,
  topic: Topic,
  drafted: Drafted,
  source: Pick<SaveSource, "origin" | "sessionId">,
  isApproved = false,
): Effects {
  const superseded: string[] = [];
  const disputed: string[] = [];
  const related: string[] = [];
  for (const stored of activeTopics(contents)) {
    const { topic: older } = stored;
    if (older.slug === topic.slug || older.status === "superseded") continue;
    switch (compareTopics(topic, older)) {
      case "unrelated":
        break;
      case "open":
        related.push(older.slug);
        break;
      case "duplicate":
      case "successor":
        superseded.push(older.slug);
        redraft(contents, stored, supersededTopic(older, topic.slug), drafted);
        break;
      case "conflict":
        disputed.push(older.slug);
        redraft(contents, stored, disputedTopic(older, topic.slug), drafted);
        break;
    }
  }
  if (disputed.length > 0) {
    const inDispute: Topic = { ...topic, status: "disputed", disputes: disputed };
    draftFile({ place: "active", topic: inDispute, source, isApproved }, drafted);
  }
  return { superseded, disputed, related };
}

export function supersededTopic(topic: Topic, by: string): Topic {
  return { ...topic, status: "superseded", supersededBy: by, disputes: [] };
}

export function disputedTopic(topic: Topic, by: string): Topic {
  return { ...topic, status: "disputed", disputes: [...new Set([...topic.disputes, by])] };
}

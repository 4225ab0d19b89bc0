/** Decides what the user's and a model's word about stored topics does to the files. */
import { activeTopics, type Contents, findTopic, type StoredTopic } from "../contents/contents.ts";
import { topicPath } from "../directory/store-files.ts";
import type { Changed, ForgetOptions } from "../memory-store.ts";
import { linksIn, renameLinks } from "../topic/links.ts";
import { isSlug, type Topic } from "../topic/topic.ts";
import type { Plan } from "./memory-writer.ts";
import { type Drafted, disputedTopic, draftFile, meetOthers, redraft, supersededTopic } from "./plan-save.ts";

/** Whoever says yes has seen this very text: it is then let in although it is suspicious. */
export function planAccept(contents: Contents, slug: string): Plan<Changed> {
  const waiting = findTopic(contents, slug, "inbox") ?? findTopic(contents, slug, "quarantine");
  const planted = findTopic(contents, slug, "active");
  const stored = waiting ?? (planted?.suspicion === undefined ? undefined : planted);
  if (stored === undefined) return refused(`Nothing named ${slug} in the inbox.`);
  const { topic, path, sessionId } = stored;
  const source = { origin: topic.origin, ...(sessionId !== undefined && { sessionId }) };
  const accepted: Topic = { ...topic, slug: waiting === undefined ? topic.slug : freeFor(contents, topic.slug) };
  const drafted = draftFile({ place: "active", topic: accepted, source, isApproved: true });
  meetOthers(contents, accepted, drafted, source, true);
  const target = topicPath("active", accepted.slug);
  if (path !== target) remove(drafted, path);
  return { ...drafted, label: `Accept ${target}`, result: { ok: true, path: target } };
}

/** An item that waits does not take the place of a topic of the same name; the two are compared. */
function freeFor(contents: Contents, slug: string): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (findTopic(contents, candidate, "active") === undefined) return candidate;
  }
}

export function planForget(
  contents: Contents,
  slug: string,
  { place }: ForgetOptions = {},
): Plan<Changed & { readonly linked?: readonly string[] }> {
  const stored = findTopic(contents, slug, place);
  if (stored === undefined) return refused(unknownTopic(slug));
  const drafted = newDraft();
  remove(drafted, stored.path);
  if (stored.place === "active") endDisputes(contents, stored.topic.slug, drafted);
  const linked = linkingTo(contents, stored.topic.slug).map(({ topic }) => topic.slug);
  const result = { ok: true, path: stored.path, ...(linked.length > 0 && { linked }) } as const;
  return { ...drafted, label: `Forget ${stored.path}`, result };
}

export function planRename(contents: Contents, slug: string, to: string): Plan<Changed> {
  const stored = findTopic(contents, slug, "active");
  if (stored === undefined) return refused(unknownTopic(slug));
  if (!isSlug(to))
    return refused(`${JSON.stringify(to)} cannot be the name of a topic. Use lower-case words with hyphens.`);
  if (findTopic(contents, to) !== undefined) return refused(`A topic named ${to} already exists.`);
  const drafted = newDraft();
  const { slug: from } = stored.topic;
  for (const other of contents.topics.filter(({ place }) => place === "active")) {
    const { topic } = other;
    const renamed = renamedIn(topic, from, to);
    if (other === stored) redraft(contents, other, { ...renamed, slug: to }, drafted);
    else if (renamed !== topic) redraft(contents, other, renamed, drafted);
  }
  remove(drafted, stored.path);
  return { ...drafted, label: `Rename ${from} to ${to}`, result: { ok: true, path: topicPath("active", to) } };
}

/** The same topic where nothing in it names the other one. */
function renamedIn(topic: Topic, from: string, to: string): Topic {
  const named = (slug: string) => (slug === from ? to : slug);
  const body = renameLinks(topic.body, from, to);
  const { supersededBy } = topic;
  if (body === topic.body && supersededBy !== from && !topic.disputes.includes(from)) return topic;
  return {
    ...topic,
    body,
    disputes: topic.disputes.map(named),
    ...(supersededBy !== undefined && { supersededBy: named(supersededBy) }),
  };
}

export function planPrefer(contents: Contents, winner: string, loser: string): Plan<Changed> {
  const [kept, dropped] = [findTopic(contents, winner, "active"), findTopic(contents, loser, "active")];
  if (kept === undefined || dropped === undefined || kept === dropped) {
    return refused(unknownTopic(kept === undefined ? winner : loser));
  }
  const drafted = newDraft();
  endDisputes(contents, dropped.topic.slug, drafted);
  redraft(contents, dropped, supersededTopic(dropped.topic, kept.topic.slug), drafted);
  return { ...drafted, label: `Prefer ${kept.path} to ${dropped.path}`, result: { ok: true, path: kept.path } };
}

export function planSettle(
  contents: Contents,
  newer: string,
  older: string,
  verdict: "successor" | "conflict" | "unrelated",
): Plan<Changed> {
  if (verdict === "successor") return planPrefer(contents, newer, older);
  const [one, other] = [findTopic(contents, newer, "active"), findTopic(contents, older, "active")];
  if (one === undefined || other === undefined || one === other) {
    return refused(unknownTopic(one === undefined ? newer : older));
  }
  const drafted = newDraft();
  if (verdict === "conflict") {
    redraft(contents, one, disputedTopic(one.topic, other.topic.slug), drafted);
    redraft(contents, other, disputedTopic(other.topic, one.topic.slug), drafted);
  }
  return { ...drafted, label: `Compare ${one.path} with ${other.path}`, result: { ok: true, path: one.path } };
}

/** Topics whose text leads to this one. */
export function linkingTo(contents: Contents, slug: string): readonly StoredTopic[] {
  return activeTopics(contents).filter(({ topic }) => topic.slug !== slug && linksIn(topic.body).includes(slug));
}

/** Nobody is disputed by a topic that is gone or no longer counts. */
function endDisputes(contents: Contents, slug: string, drafted: Drafted): void {
  for (const stored of contents.topics.filter(
    ({ topic, place }) => place === "active" && topic.disputes.includes(slug),
  )) {
    const disputes = stored.topic.disputes.filter((each) => each !== slug);
    const isOver = disputes.length === 0 && stored.topic.status === "disputed";
    redraft(contents, stored, { ...stored.topic, disputes, ...(isOver && { status: "active" as const }) }, drafted);
  }
}

function remove({ files, entries }: Drafted, path: string): void {
  files.set(path, null);
  entries.set(path, null);
}

function newDraft(): Drafted {
  return { files: new Map(), entries: new Map() };
}

function unknownTopic(slug: string): string {
  return `No topic named ${slug}. List topics with /memory list.`;
}

function refused(problem: string): Plan<{ readonly ok: false; readonly problem: string }> {
  return { ...newDraft(), label: "", result: { ok: false, problem } };
}
